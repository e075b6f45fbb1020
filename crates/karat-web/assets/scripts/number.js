import { addCopyButtons } from "./copy.js";
import { fragment, isServed } from "./fragment.js";

/** How long a pointer rests on a number before its card opens, in milliseconds. */
const CARD_REST = 300;

/** @type {HTMLElement | null} */
let openCard = null;
/** @type {number | undefined} */
let waiting;

function closeCard() {
  window.clearTimeout(waiting);
  if (openCard) openCard.remove();
  openCard = null;
}

/**
 * Puts a card beside what it is about, inside the window.
 * @param {HTMLElement} card
 * @param {Element} anchor
 */
function place(card, anchor) {
  if (window.innerWidth < 640) return;
  const at = anchor.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, window.innerWidth - card.offsetWidth - 8));
  const below = at.bottom + 6;
  const fits = below + card.offsetHeight <= window.innerHeight;
  card.style.left = `${left}px`;
  card.style.top = `${fits ? below : Math.max(8, at.top - card.offsetHeight - 6)}px`;
}

/**
 * The card of a number: from the server, or in a report that is one file a copy of what stands further down.
 * @param {HTMLAnchorElement} anchor
 */
async function cardOf(anchor) {
  const address = new URL(anchor.href);
  if (!isServed()) {
    const place = address.hash ? document.getElementById(decodeURIComponent(address.hash.slice(1))) : null;
    return place?.querySelector(".card")?.cloneNode(true);
  }
  address.searchParams.set("part", "card");
  return (await fragment(address.href))?.querySelector(".card");
}

/** @param {HTMLAnchorElement} anchor */
async function openCardOf(anchor) {
  const card = await cardOf(anchor);
  if (!(card instanceof HTMLElement) || !("popover" in card)) return;
  closeCard();
  card.popover = "manual";
  card.addEventListener("pointerleave", closeCard);
  addCopyButtons(card);
  document.body.append(card);
  card.showPopover();
  place(card, anchor);
  openCard = card;
}

/** @param {Event} event */
function scoreLink(event) {
  const target = event.target instanceof Element ? event.target.closest("a[data-card]") : null;
  return target instanceof HTMLAnchorElement ? target : null;
}

document.addEventListener("pointerover", (event) => {
  const anchor = scoreLink(event);
  if (!anchor || event.pointerType === "touch") return;
  window.clearTimeout(waiting);
  waiting = window.setTimeout(() => openCardOf(anchor), CARD_REST);
});
document.addEventListener("pointerout", (event) => {
  if (!scoreLink(event)) return;
  window.clearTimeout(waiting);
  const to = event.relatedTarget;
  if (!(openCard && to instanceof Node && openCard.contains(to))) window.setTimeout(() => openCard?.matches(":hover") || closeCard(), CARD_REST);
});
document.addEventListener("focusin", (event) => {
  const anchor = scoreLink(event);
  if (anchor?.matches(":focus-visible")) openCardOf(anchor);
  else if (openCard && !(event.target instanceof Node && openCard.contains(event.target))) closeCard();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeCard();
});
