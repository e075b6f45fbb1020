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

for (const figure of document.querySelectorAll("figure.plot")) {
  const plot = figure.querySelector("svg");
  if (!plot) continue;
  const row = document.createElement("p");
  row.className = "downloads";
  for (const kind of ["SVG", "PNG"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = `download ${kind}`;
    button.addEventListener("click", async () => {
      const file = kind === "SVG" ? drawing(plot) : await pixels(plot);
      if (file) download(file, `plot.${kind.toLowerCase()}`);
    });
    row.append(button);
  }
  figure.append(row);
}
