/** @typedef {{ act: (event: KeyboardEvent) => void, about: string }} Key */

/**
 * Keys of one letter, in the order in which they are listed. They do nothing while somebody types, and can be turned off.
 * @type {Map<string, Key>}
 */
const keys = new Map();

/** Where a browser keeps that a reader wants no keys. */
const KEYS_OFF = "karat-keys-off";

/**
 * @param {string} name
 * @param {(event: KeyboardEvent) => void} act
 * @param {string} about What it does, for the list of all keys.
 */
export function onKey(name, act, about) {
  keys.set(name, { act, about });
}

/** @param {EventTarget | null} target */
export function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}

function keysAreOff() {
  try {
    return window.localStorage.getItem(KEYS_OFF) === "yes";
  } catch {
    return false;
  }
}

/** The list of all keys, with a switch that turns them off. */
function showKeys() {
  const known = document.querySelector("dialog.keys");
  if (known instanceof HTMLDialogElement) {
    known.showModal();
    return;
  }
  const dialog = document.createElement("dialog");
  dialog.className = "keys";
  dialog.setAttribute("aria-label", "Keys");
  const heading = document.createElement("h2");
  heading.textContent = "Keys";
  const list = document.createElement("dl");
  for (const [name, key] of keys) {
    const term = document.createElement("dt");
    const cap = document.createElement("kbd");
    cap.textContent = name;
    term.append(cap);
    const about = document.createElement("dd");
    about.textContent = key.about;
    list.append(term, about);
  }
  const label = document.createElement("label");
  const off = document.createElement("input");
  off.type = "checkbox";
  off.checked = keysAreOff();
  off.addEventListener("change", () => window.localStorage.setItem(KEYS_OFF, off.checked ? "yes" : "no"));
  label.append(off, " keys of one letter are off");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(heading, list, label, close);
  document.body.append(dialog);
  dialog.showModal();
}

onKey("?", showKeys, "this list");
onKey("/", focusSearch, "search");
onKey(".", openFrozen, "frozen link of this page");

function focusSearch() {
  const field = document.querySelector("input[data-search]") ?? document.querySelector("input[data-find]");
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
  }
}

function openFrozen() {
  const link = document.querySelector("a[data-freeze]");
  if (link instanceof HTMLAnchorElement) window.location.assign(link.href);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isTyping(event.target) && event.target instanceof HTMLElement) event.target.blur();
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || keysAreOff()) return;
  if (document.querySelector("dialog[open]")) return;
  const key = keys.get(event.key);
  if (key) {
    event.preventDefault();
    key.act(event);
  }
});

// Who has turned the keys off finds the switch here.
const nav = document.querySelector(".top nav");
if (nav) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "keylist";
  button.textContent = "keys";
  button.addEventListener("click", showKeys);
  nav.append(button);
}
