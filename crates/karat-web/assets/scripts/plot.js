/** What a drawing takes from the style sheet of the page, and needs to be a file of its own. */
const DRAWN_WITH = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "paint-order", "font-family", "font-size", "font-weight", "text-anchor"];

/**
 * A plot as a file: with the styles that it has on this page, light or dark.
 * @param {SVGSVGElement} plot
 */
function drawing(plot) {
  const copy = /** @type {SVGSVGElement} */ (plot.cloneNode(true));
  const styled = [plot, ...plot.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, place) => {
    const style = getComputedStyle(styled[place]);
    for (const name of DRAWN_WITH) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  const { width, height } = plot.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.ceil(width)));
  copy.setAttribute("height", String(Math.ceil(height)));
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

/**
 * @param {Blob} file
 * @param {string} name
 */
function download(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * The same in pixels, twice as many as on the screen.
 * @param {SVGSVGElement} plot
 */
async function pixels(plot) {
  const address = URL.createObjectURL(drawing(plot));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((/** @type {(file: Blob | null) => void} */ done) => canvas.toBlob(done, "image/png"));
}

/**
 * Arrow keys go from mark to mark, in the direction of the key; the Tab key passes a plot in one step.
 * @param {SVGSVGElement} plot
 */
function walkMarks(plot) {
  const marks = [...plot.querySelectorAll("a")];
  for (const mark of marks) mark.setAttribute("tabindex", mark === marks[0] ? "0" : "-1");
  plot.addEventListener("keydown", (event) => {
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const way = ways[/** @type {keyof typeof ways} */ (event.key)];
    const mark = event.target instanceof Element ? event.target.closest("a") : null;
    if (!way || !mark || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = nearest(mark, marks, way);
    if (!next) return;
    mark.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}

/**
 * The nearest mark in a direction. What lies aside counts as three times as far.
 * @param {Element} from
 * @param {HTMLAnchorElement[]} marks
 * @param {number[]} way
 */
function nearest(from, marks, [right, down]) {
  const middle = (/** @type {Element} */ mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (const mark of marks) {
    const [dx, dy] = middle(mark).map((place, axis) => place - [x, y][axis]);
    const ahead = dx * right + dy * down;
    const far = ahead + 3 * Math.abs(dx * down + dy * right);
    if (ahead > 1 && far < least) [best, least] = [mark, far];
  }
  return best;
}

for (const figure of document.querySelectorAll("figure.plot")) {
  const plots = [...figure.querySelectorAll("svg")];
  // Of the two sizes the one that is seen.
  const seen = () => plots.find((plot) => plot.getBoundingClientRect().width > 0) ?? plots[0];
  if (plots.length === 0) continue;
  for (const plot of plots) walkMarks(plot);
  const row = document.createElement("p");
  row.className = "downloads";
  for (const kind of ["SVG", "PNG"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = `download ${kind}`;
    button.addEventListener("click", async () => {
      const file = kind === "SVG" ? drawing(seen()) : await pixels(seen());
      if (file) download(file, `plot.${kind.toLowerCase()}`);
    });
    row.append(button);
  }
  figure.append(row);
}
