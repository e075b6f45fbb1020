import { fragment, isServed } from "./fragment.js";
import { isTyping, onKey } from "./keys.js";

/** How long a pointer rests before a card opens, in milliseconds. */
const REST = 300;

/**
 * The case that is selected. A case is named by its number; where a page has several documents, by what stands before
 * the ids of its document, and its number.
 * @type {string | null}
 */
let selectedCase = null;

/** @param {string} name @returns {HTMLElement | null} */
function byId(name) {
  return document.getElementById(name);
}

/** What stands before the ids of a document: something only where a page has several. @param {Element} element */
function idsAround(element) {
  return element.closest("[data-ids]")?.getAttribute("data-ids") ?? "";
}

/** The marker in the text (t) or the note (c) of a case. @param {"t" | "c"} kind @param {string} name */
function ofCase(kind, name) {
  return byId(name.replace(/\d+$/, (number) => kind + number));
}

/** The cases that a segment belongs to, the shortest first. @param {Element} segment */
function casesOf(segment) {
  const numbers = (segment.getAttribute("data-c") ?? "").split(" ").filter(Boolean);
  return numbers.map((number) => idsAround(segment) + number);
}

/** @param {string} name @returns {Element[]} */
function segmentsOf(name) {
  const number = /\d+$/.exec(name)?.[0] ?? "";
  const found = document.querySelectorAll(`[data-text] [data-c~="${CSS.escape(number)}"]`);
  return [...found].filter((segment) => idsAround(segment) + number === name);
}

/** The case that an id names. @param {string} id */
function caseOfId(id) {
  const parts = /^(|.*\/)[ct](\d+)$/.exec(id);
  return parts ? parts[1] + parts[2] : null;
}

/** The case that a marker or a note is about. @param {Element | null} element */
function numberOf(element) {
  const href = element?.getAttribute("href") ?? "";
  return caseOfId(element?.id ?? "") ?? (href.startsWith("#") ? caseOfId(decodeURIComponent(href.slice(1))) : null);
}

/** Takes everything back that shows a selection. */
function unselect() {
  for (const element of document.querySelectorAll("[data-document] .on, [data-document] .ch")) {
    element.classList.remove("on", "ch");
  }
}

/** The other mentions of the same entity. @param {string} number */
function lightChain(number) {
  const place = ofCase("t", number) ?? ofCase("c", number);
  const chain = place?.getAttribute("data-h");
  if (!place || !chain) return;
  for (const marker of document.querySelectorAll(`[data-text] a[data-h="${CSS.escape(chain)}"]`)) {
    if (idsAround(marker) !== idsAround(place)) continue;
    for (const segment of segmentsOf(numberOf(marker) ?? "")) segment.classList.add("ch");
  }
}

/** @param {string} number @param {"text" | "notes" | "none"} scroll where to go */
async function selectCase(number, scroll) {
  await fetchNotes(number);
  unselect();
  selectedCase = number;
  const [marker, note] = [ofCase("t", number), ofCase("c", number)];
  lightChain(number);
  for (const element of [...segmentsOf(number), marker, note]) element?.classList.add("on");
  const goal = scroll === "text" ? (marker ?? segmentsOf(number)[0]) : scroll === "notes" ? note : null;
  goal?.scrollIntoView({ block: "nearest" });
  if (scroll === "text") {
    note?.scrollIntoView({ block: "nearest" });
    marker?.focus({ preventScroll: true });
  }
  // A page from a file has no address that could be kept.
  if (!isServed()) return;
  const address = new URL(location.href);
  address.searchParams.set("at", number);
  address.hash = "";
  history.replaceState(null, "", address);
}

/** Fetches the piece of the apparatus that has a note, where it is not whole. @param {string} number */
async function fetchNotes(number) {
  const notes = document.querySelector("[data-notes]");
  if (ofCase("c", number) || !notes?.querySelector("[data-pieces]") || !isServed()) return;
  const address = new URL(location.href);
  address.searchParams.set("part", "cases");
  address.searchParams.set("cases", number);
  const piece = await fragment(address.href);
  if (piece) notes.replaceChildren(piece);
}

/** Goes to the next or previous error. @param {1 | -1} step */
function goToError(step) {
  const errors = [...document.querySelectorAll("[data-document] a[data-e]")];
  if (errors.length === 0) return;
  const now = selectedCase ? (ofCase("t", selectedCase) ?? ofCase("c", selectedCase)) : null;
  const is = step > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const later = now ? errors.filter((error) => now.compareDocumentPosition(error) & is) : errors;
  const rest = later.length > 0 ? later : errors;
  const goal = numberOf(step > 0 ? rest[0] : rest[rest.length - 1]);
  if (goal) void selectCase(goal, "text");
}

/** Goes to the next or previous note, whatever became of its mention. @param {1 | -1} step */
function goToNote(step) {
  const numbers = [...document.querySelectorAll("[data-document] a.k[id], [data-document] .lines a[id]")].map((marker) => numberOf(marker) ?? "");
  if (numbers.length === 0) return;
  const at = numbers.indexOf(selectedCase ?? "");
  const next = at < 0 ? (step > 0 ? 0 : numbers.length - 1) : (at + step + numbers.length) % numbers.length;
  void selectCase(numbers[next], "text");
}

/** The card: the note of a case, beside the place where somebody points. @returns {HTMLElement} */
function theCard() {
  const known = byId("card");
  if (known) return known;
  const card = document.createElement("div");
  card.id = "card";
  card.className = "card";
  card.setAttribute("popover", "manual");
  card.setAttribute("role", "note");
  // Inside the main part, where screen readers look for what belongs to it.
  (document.querySelector("main") ?? document.body).append(card);
  return card;
}

/** @param {Element} anchor @param {string} number */
async function showCard(anchor, number) {
  await fetchNotes(number);
  const note = ofCase("c", number);
  const card = theCard();
  if (!note || !("showPopover" in card)) return;
  const copy = /** @type {HTMLElement} */ (note.cloneNode(true));
  for (const element of [copy, ...copy.querySelectorAll("[id]")]) element.removeAttribute("id");
  card.replaceChildren(...copy.childNodes);
  card.classList.add("e");
  card.showPopover();
  if (matchMedia("(max-width: 40rem)").matches) return;
  const place = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const below = place.bottom + 8 + height < innerHeight;
  const top = below ? place.bottom + 8 : place.top - height - 8;
  card.style.left = `${Math.max(8, Math.min(place.left, innerWidth - width - 8))}px`;
  card.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
}

function hideCard() {
  const card = byId("card");
  if (card?.matches(":popover-open")) card.hidePopover();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** @param {Event} event @returns {[Element, string] | null} what is pointed at, and its innermost case */
function pointedAt(event) {
  const target = event.target instanceof Element ? event.target : null;
  const marker = target?.closest("[data-text] a.k");
  const segment = target?.closest("[data-text] [data-c]");
  const number = marker ? numberOf(marker) : segment ? casesOf(segment)[0] : null;
  const element = marker ?? segment;
  return element && number ? [element, number] : null;
}

/** A click on a segment selects its innermost case, again the next outer one. @param {MouseEvent} event */
function clicked(event) {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest("a.k, a.no, .lines a[data-e], .e p.soft a[href^='#']");
  if (link && (target?.closest("[data-document]") || target?.closest(".card"))) {
    const number = caseOfId(decodeURIComponent((link.getAttribute("href") ?? "").slice(1)));
    if (!number) return;
    event.preventDefault();
    hideCard();
    return void selectCase(number, link.matches("a.k, .lines a") ? "notes" : "text");
  }
  const segment = target?.closest("[data-text] [data-c]");
  if (!segment || String(getSelection())) return;
  const cases = casesOf(segment);
  const next = cases[(cases.indexOf(selectedCase ?? "") + 1) % cases.length];
  void selectCase(next, "notes");
}

/** Keeps the notes beside the text that is read. */
function followReading() {
  if (!document.querySelector("[data-pieces]") || !("IntersectionObserver" in window)) return;
  const seen = new IntersectionObserver((entries) => {
    const first = entries.find((entry) => entry.isIntersecting)?.target.querySelector("a.k");
    const number = first ? numberOf(first) : null;
    if (number && !ofCase("c", number)) void fetchNotes(number);
  });
  for (const block of document.querySelectorAll("[data-text] .b")) seen.observe(block);
}

function startText() {
  if (!document.querySelector("[data-document]")) return;
  const selected = document.querySelector("[data-document] a.k.on, [data-document] .e.on");
  selectedCase = numberOf(selected);
  if (selectedCase) {
    lightChain(selectedCase);
    selected?.scrollIntoView({ block: "center" });
  }
  document.addEventListener("click", clicked);
  document.addEventListener("pointerover", (event) => {
    clearTimeout(resting);
    const found = pointedAt(event);
    if (found) resting = setTimeout(() => void showCard(...found), REST);
    else if (!(event.target instanceof Element && event.target.closest(".card"))) resting = setTimeout(hideCard, REST);
  });
  // The mention that an address selects has the focus from the start, and its note is selected beside it.
  let hasMoved = false;
  for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, () => (hasMoved = true), { capture: true, once: true });
  document.addEventListener("focusin", (event) => {
    if (!hasMoved) return;
    const found = pointedAt(event);
    if (found?.[0].matches(":focus-visible")) void showCard(...found);
    else if (!found) hideCard();
  });
  // ELEVANT's keys; they move words in a field, and are left alone there.
  document.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || !event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || isTyping(event.target)) return;
    event.preventDefault();
    goToNote(step);
  });
  onKey("n", () => goToError(1), "next error");
  onKey("p", () => goToError(-1), "previous error");
  onKey("Escape", hideCard, "close");
  onKey("l", () => {
    const legend = byId("legend");
    if (legend instanceof HTMLDetailsElement) legend.open = !legend.open;
  }, "legend");
  for (const link of document.querySelectorAll("a[data-key]")) {
    onKey(link.getAttribute("data-key") ?? "", () => /** @type {HTMLElement} */ (link).click(), link.textContent?.trim() ?? "");
  }
  followReading();
}

startText();
