// Search as you type, in the fields of a task.

/** @typedef {{ id: string, name: string, description: string }} FoundEntity */

/** Entities that were chosen before, the last first. */
const RECENT = 5;
/** @type {FoundEntity[]} */
let recent = [];
/** @type {number | undefined} */
let typing;
/** Each search has a number, so that an answer that comes late does not take the place of a later one. */
let asked = 0;

/**
 * Looks for what stands in a field and lists it below.
 * @param {HTMLInputElement} field
 * @param {HTMLElement} place
 * @param {string} address
 * @param {(found: FoundEntity) => void} choose
 */
export function lookUp(field, place, address, choose) {
  window.clearTimeout(typing);
  typing = window.setTimeout(() => void ask(field, place, address, choose), 120);
}

/**
 * @param {HTMLInputElement} field
 * @param {HTMLElement} place
 * @param {string} address
 * @param {(found: FoundEntity) => void} choose
 */
async function ask(field, place, address, choose) {
  const text = field.value.trim();
  asked += 1;
  const own = asked;
  if (text === "") return list(place, recent, recent.length > 0 ? "Chosen before" : "", choose);
  try {
    const glue = address.includes("?") ? "&" : "?";
    const response = await fetch(`${address}${glue}q=${encodeURIComponent(text)}`, { headers: { Accept: "application/json" } });
    if (own !== asked) return;
    if (!response.ok) return list(place, [], "The search does not answer. Type an id, or paste an address.", choose);
    const found = await response.json();
    list(place, found.entities, found.why ?? "", choose);
  } catch {
    if (own === asked) list(place, [], "You are offline: type an id, or paste an address.", choose);
  }
}

/**
 * @param {HTMLElement} place
 * @param {FoundEntity[]} entities
 * @param {string} said
 * @param {(found: FoundEntity) => void} choose
 */
function list(place, entities, said, choose) {
  const items = entities.map((entity, at) => {
    const button = document.createElement("button");
    button.type = "button";
    const name = document.createElement("b");
    name.textContent = entity.name || entity.id;
    const about = document.createElement("span");
    about.className = "soft";
    about.textContent = [` ${entity.id}`, entity.description].filter((part) => part !== "").join(" · ");
    const cap = document.createElement("kbd");
    cap.textContent = String(at + 1);
    button.append(cap, " ", name, about);
    button.addEventListener("click", () => {
      recent = [entity, ...recent.filter((known) => known.id !== entity.id)].slice(0, RECENT);
      choose(entity);
    });
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  const all = document.createElement("ul");
  all.append(...items);
  const words = document.createElement("p");
  words.className = "soft";
  words.textContent = said;
  place.replaceChildren(...(said === "" ? [all] : [words, all]));
}

/**
 * Moves among the results with the arrow keys.
 * @param {HTMLElement} place
 * @param {HTMLElement} field
 * @param {number} by
 */
export function stepResults(place, field, by) {
  const all = [...place.querySelectorAll("button")];
  const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const next = at + by;
  if (next < 0) field.focus();
  else all[Math.min(next, all.length - 1)]?.focus();
}

/**
 * Chooses the result with a number, counted from 1.
 * @param {HTMLElement} place
 * @param {number} number
 */
export function takeResult(place, number) {
  place.querySelectorAll("button")[number - 1]?.click();
}
