import { copyText } from "./copy.js";
import { onKey } from "./keys.js";

/** The rows of tables that can be walked through. */
function tableRows() {
  return /** @type {HTMLTableRowElement[]} */ ([...document.querySelectorAll("[data-rows] tr[data-row]")]);
}

/** The row that has the focus, or had it last. */
function currentRow() {
  const focused = document.activeElement?.closest("tr[data-row]");
  return focused instanceof HTMLTableRowElement ? focused : tableRows().find((row) => "here" in row.dataset);
}

/**
 * Moves to another row: what opens it gets the focus, so that Enter does.
 * @param {number} step
 */
function moveBy(step) {
  const rows = tableRows();
  if (rows.length === 0) return;
  const current = currentRow();
  const at = current ? rows.indexOf(current) + step : step > 0 ? 0 : rows.length - 1;
  const row = rows[Math.min(Math.max(at, 0), rows.length - 1)];
  for (const other of rows) delete other.dataset.here;
  row.dataset.here = "";
  const open = row.querySelector("td.kw a") ?? row.querySelector("th a") ?? row.querySelector("a");
  if (open instanceof HTMLElement) open.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/** @param {ParentNode} place */
function boxes(place) {
  return /** @type {HTMLInputElement[]} */ ([...place.querySelectorAll("input[type=checkbox][form]")]);
}

function selectedRows() {
  return tableRows().filter((row) => boxes(row).some((box) => box.checked));
}

/** What is selected, as lines that a table takes. */
function selectedText() {
  const cells = (/** @type {HTMLTableRowElement} */ row) =>
    [...row.cells].filter((cell) => !cell.matches(".check")).map((cell) => cell.textContent?.replace(/\s+/g, " ").trim() ?? "");
  return selectedRows()
    .map((row) => cells(row).join("\t"))
    .join("\n");
}

/** Says how many rows are selected. */
function showSelected() {
  for (const row of tableRows()) row.toggleAttribute("data-selected", boxes(row).some((box) => box.checked));
  const number = selectedRows().length;
  for (const told of document.querySelectorAll("[data-picked]")) {
    told.textContent = number === 0 ? "nothing is selected" : `${number} selected`;
  }
}

document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.form?.matches("[data-selection]")) showSelected();
});
document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-copy-selected]") : null;
  if (button) await copyText(selectedText(), document.querySelector("[data-picked]"), `${selectedRows().length} copied`);
});

function selectRow() {
  const box = boxes(currentRow() ?? document.createElement("tr"))[0];
  if (!box) return;
  box.checked = !box.checked;
  showSelected();
}

function compareSelected() {
  const form = document.querySelector("form#selection");
  if (form instanceof HTMLFormElement) form.requestSubmit(form.querySelector("button"));
}

onKey("j", () => moveBy(1), "next row");
onKey("k", () => moveBy(-1), "previous row");
onKey("x", selectRow, "select the row");
onKey("c", compareSelected, "compare what is selected");
// A browser keeps boxes over a reload.
if (selectedRows().length > 0) showSelected();
