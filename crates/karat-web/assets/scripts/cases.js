import { onKey } from "./keys.js";

/** The rows of the cases on this page. */
function caseRows() {
  return /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-cases] tr[data-case]")]);
}

/** The row that has the focus, or had it last. */
function currentRow() {
  const focused = document.activeElement?.closest("tr[data-case]");
  return focused instanceof HTMLElement ? focused : caseRows().find((row) => "here" in row.dataset);
}

/**
 * Moves to another row: its text gets the focus, so that Enter opens it.
 * @param {number} step
 */
function moveBy(step) {
  const rows = caseRows();
  if (rows.length === 0) return;
  const current = currentRow();
  const at = current ? rows.indexOf(current) + step : step > 0 ? 0 : rows.length - 1;
  const row = rows[Math.min(Math.max(at, 0), rows.length - 1)];
  for (const other of rows) delete other.dataset.here;
  row.dataset.here = "";
  const open = row.querySelector("td.kw a") ?? row.querySelector("a");
  if (open instanceof HTMLElement) open.focus();
  row.scrollIntoView({ block: "nearest" });
}

/** What is selected, as lines that a table takes. */
function selectedText() {
  const rows = caseRows().filter((row) => "selected" in row.dataset);
  const cells = (/** @type {HTMLElement} */ row) =>
    [.../** @type {HTMLTableRowElement} */ (row).cells].map((cell) => cell.textContent?.replace(/\s+/g, " ").trim() ?? "");
  return rows.map((row) => cells(row).join("\t")).join("\n");
}

/** Says how many are selected, with a button that copies them. */
function showSelected() {
  const table = document.querySelector("[data-cases]");
  const number = caseRows().filter((row) => "selected" in row.dataset).length;
  let bar = document.querySelector("[data-picked]");
  if (!bar && table) {
    bar = document.createElement("div");
    bar.className = "picked";
    bar.setAttribute("data-picked", "");
    bar.setAttribute("role", "status");
    const words = document.createElement("span");
    const copy = document.createElement("button");
    copy.type = "button";
    copy.textContent = "Copy";
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(selectedText());
      copy.textContent = "Copied";
    });
    bar.append(words, copy);
    table.parentElement?.after(bar);
  }
  if (!bar) return;
  const [words, copy] = bar.children;
  words.textContent = `${number} selected`;
  copy.textContent = "Copy";
  bar.toggleAttribute("hidden", number === 0);
}

onKey("j", () => moveBy(1));
onKey("k", () => moveBy(-1));
onKey("x", () => {
  const row = currentRow();
  if (!row) return;
  if ("selected" in row.dataset) delete row.dataset.selected;
  else row.dataset.selected = "";
  showSelected();
});
