import { fragment } from "./fragment.js";
import { onKey } from "./keys.js";

/** How long a pointer rests before a card opens, in milliseconds. */
const REST = 300;

/** The number of the case that is selected. @type {string | null} */
let selectedCase = null;

/** @param {string} name @returns {HTMLElement | null} */
function byId(name) {
  return document.getElementById(name);
}

/** Whether a server is there that can be asked. */
function isServed() {
  return location.protocol.startsWith("http");
}

/** The cases that a segment belongs to, the shortest first. @param {Element} segment */
function casesOf(segment) {
  return (segment.getAttribute("data-c") ?? "").split(" ").filter(Boolean);
}

/** @param {string} number @returns {Element[]} */
function segmentsOf(number) {
  return [...document.querySelectorAll(`[data-text] [data-c~="${CSS.escape(number)}"]`)];
}

/** The number of the case that a marker or a note is about. @param {Element | null} element */
function numberOf(element) {
  return /^[ct](\d+)$/.exec(element?.id ?? "")?.[1] ?? /^#c(\d+)$/.exec(element?.getAttribute("href") ?? "")?.[1] ?? null;
}

/** Takes everything back that shows a selection. */
function unselect() {
  for (const element of document.querySelectorAll("[data-document] .on, [data-document] .ch")) {
    element.classList.remove("on", "ch");
  }
}

/** The other mentions of the same entity. @param {string} number */
function lightChain(number) {
  const chain = (byId(`t${number}`) ?? byId(`c${number}`))?.getAttribute("data-h");
  if (!chain) return;
  for (const marker of document.querySelectorAll(`[data-text] a[data-h="${CSS.escape(chain)}"]`)) {
    for (const segment of segmentsOf(numberOf(marker) ?? "")) segment.classList.add("ch");
  }
}

/** @param {string} number @param {"text" | "notes" | "none"} scroll where to go */
async function selectCase(number, scroll) {
  await fetchNotes(number);
  unselect();
  selectedCase = number;
  const [marker, note] = [byId(`t${number}`), byId(`c${number}`)];
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
  if (byId(`c${number}`) || !notes?.querySelector("[data-pieces]") || !isServed()) return;
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
  const numbers = errors.map((error) => Number(numberOf(error)));
  const now = Number(selectedCase ?? (step > 0 ? 0 : Infinity));
  const later = step > 0 ? numbers.filter((number) => number > now) : numbers.filter((number) => number < now);
  const next = step > 0 ? Math.min(...later) : Math.max(...later);
  const goal = Number.isFinite(next) ? next : step > 0 ? Math.min(...numbers) : Math.max(...numbers);
  void selectCase(String(goal), "text");
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
  document.body.append(card);
  return card;
}

/** @param {Element} anchor @param {string} number */
async function showCard(anchor, number) {
  await fetchNotes(number);
  const note = byId(`c${number}`);
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
  const link = target?.closest("a.k, a.no, .lines a[data-e], .e a[href^='#t']");
  if (link && (target?.closest("[data-document]") || target?.closest(".card"))) {
    const number = /^#[ct](\d+)$/.exec(link.getAttribute("href") ?? "")?.[1];
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
    if (number && !byId(`c${number}`)) void fetchNotes(number);
  });
  for (const block of document.querySelectorAll("[data-text] .b")) seen.observe(block);
}

function startText() {
  if (!document.querySelector("[data-document]")) return;
  selectedCase = new URL(location.href).searchParams.get("at");
  document.addEventListener("click", clicked);
  document.addEventListener("pointerover", (event) => {
    clearTimeout(resting);
    const found = pointedAt(event);
    if (found) resting = setTimeout(() => void showCard(...found), REST);
    else if (!(event.target instanceof Element && event.target.closest(".card"))) resting = setTimeout(hideCard, REST);
  });
  document.addEventListener("focusin", (event) => {
    const found = pointedAt(event);
    if (found?.[0].matches(":focus-visible")) void showCard(...found);
    else if (!found) hideCard();
  });
  onKey("n", () => goToError(1));
  onKey("p", () => goToError(-1));
  onKey("Escape", hideCard);
  onKey("l", () => {
    const legend = byId("legend");
    if (legend instanceof HTMLDetailsElement) legend.open = !legend.open;
  });
  for (const link of document.querySelectorAll("a[data-key]")) {
    onKey(link.getAttribute("data-key") ?? "", () => /** @type {HTMLElement} */ (link).click());
  }
  followReading();
}

startText();
