import { isServed } from "./fragment.js";

/**
 * The number in a cell; null where there is none. A range counts by its start.
 * @param {string} text
 */
function numberIn(text) {
  const found = /^\s*[−-]?\d*\.?\d+/.exec(text.replace("−", "-"));
  return found ? Number(found[0]) : null;
}

/**
 * Which column a heading is over: cells above and before it may be wider or higher than one.
 * @param {HTMLTableElement} table
 * @returns {Map<HTMLTableCellElement, number>}
 */
function columnsOf(table) {
  /** @type {boolean[][]} */
  const taken = [];
  const columns = new Map();
  for (const [row, line] of [...(table.tHead?.rows ?? [])].entries()) {
    taken[row] ??= [];
    let column = 0;
    for (const cell of line.cells) {
      while (taken[row][column]) column += 1;
      columns.set(cell, column);
      for (let below = 0; below < cell.rowSpan; below += 1) {
        taken[row + below] ??= [];
        for (let right = 0; right < cell.colSpan; right += 1) taken[row + below][column + right] = true;
      }
    }
  }
  return columns;
}

/**
 * Puts the rows of a table in another order. What is missing comes last, whatever the direction.
 * @param {HTMLTableElement} table
 * @param {number} column
 * @param {boolean} falling
 */
function sortRows(table, column, falling) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => {
    const text = row.cells[column]?.textContent?.trim() ?? "";
    return { row, text, number: numberIn(text), missing: text === "" || text.startsWith("–") };
  });
  const isNumeric = rows.every((it) => it.missing || it.number !== null);
  rows.sort((a, b) => {
    if (a.missing || b.missing) return Number(a.missing) - Number(b.missing);
    const order = isNumeric ? Number(a.number) - Number(b.number) : a.text.localeCompare(b.text);
    return falling ? -order : order;
  });
  body.append(...rows.map((it) => it.row));
}

/** Headings that put rows in order. @param {HTMLTableElement} table */
function letSort(table) {
  const columns = columnsOf(table);
  const headings = [...columns.keys()].filter((cell) => cell.scope === "col" && cell.colSpan === 1);
  for (const heading of headings) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sorts";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const was = heading.getAttribute("aria-sort");
      const falling = was === null ? heading.classList.contains("n") : was === "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
      sortRows(table, columns.get(heading) ?? 0, falling);
    });
  }
}

/** A field that leaves the rows whose text has what was typed. @param {HTMLTableElement} table */
function letFilter(table) {
  const body = table.tBodies[0];
  const line = document.createElement("p");
  line.className = "narrow";
  const label = document.createElement("label");
  const field = document.createElement("input");
  const told = document.createElement("span");
  field.type = "search";
  field.autocomplete = "off";
  told.setAttribute("role", "status");
  label.append("filter ", field);
  line.append(label, told);
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    const rows = [...body.rows];
    for (const row of rows) row.hidden = !(row.cells[0]?.textContent ?? "").toLowerCase().includes(wanted);
    const shown = rows.filter((row) => !row.hidden).length;
    told.textContent = wanted ? `${shown} of ${rows.length} systems` : "";
  });
  (table.closest(".scroll") ?? table).before(line);
}

if (!isServed()) {
  for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table[data-board]"))) {
    letSort(table);
    letFilter(table);
  }
}
