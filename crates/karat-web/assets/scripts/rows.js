import { copyText } from "./copy.js";
import { fragment, isServed } from "./fragment.js";
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
  goTo(row);
}

/** @param {HTMLTableRowElement} row */
function goTo(row) {
  for (const other of tableRows()) delete other.dataset.here;
  row.dataset.here = "";
  const open = row.querySelector(".kw a, [data-opens] a") ?? row.querySelector("th a") ?? row.querySelector("a");
  if (open instanceof HTMLElement) open.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  void showText(row);
}

/** Moves to the next or previous row that is about an error. @param {1 | -1} step */
function moveToError(step) {
  const rows = tableRows();
  const isError = (/** @type {Element} */ row) => row.querySelector(".outcome:is(.ow, .om, .ox), td.lost") !== null;
  const current = currentRow();
  const at = current ? rows.indexOf(current) : step > 0 ? -1 : rows.length;
  const rest = step > 0 ? rows.slice(at + 1) : rows.slice(0, at).reverse();
  const row = rest.find(isError);
  if (row) goTo(row);
}

/** Shows the text of a row beside the list, where there is room for it. @param {HTMLTableRowElement} row */
async function showText(row) {
  const place = row.closest(".withtext")?.querySelector("[data-beside]");
  const open = row.querySelector(".kw a, [data-opens] a");
  if (!(place instanceof HTMLElement) || !(open instanceof HTMLAnchorElement)) return;
  if (!isServed() || !matchMedia("(min-width: 75rem)").matches) return;
  const address = new URL(open.href);
  address.searchParams.set("part", "beside");
  place.dataset.beside = address.href;
  const text = await fragment(address.href);
  // Somebody may have moved on meanwhile.
  if (!text || place.dataset.beside !== address.href) return;
  place.hidden = false;
  place.replaceChildren(text);
  const marked = place.querySelector(".reading .on");
  if (marked instanceof HTMLElement) place.scrollTop = Math.max(0, marked.offsetTop - place.clientHeight / 2);
  row.scrollIntoView({ block: "nearest" });
}

function closeText() {
  for (const place of document.querySelectorAll("[data-beside]")) {
    if (place instanceof HTMLElement) place.hidden = true;
  }
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

if (tableRows().length > 0) {
  onKey("j", () => moveBy(1), "next row");
  onKey("k", () => moveBy(-1), "previous row");
  onKey("n", () => moveToError(1), "next error");
  onKey("p", () => moveToError(-1), "previous error");
}
if (document.querySelector("[data-beside]")) onKey("Escape", closeText, "close the text beside");
onKey("x", selectRow, "select the row");
onKey("c", compareSelected, "compare what is selected");
// A browser keeps boxes over a reload.
if (selectedRows().length > 0) showSelected();
