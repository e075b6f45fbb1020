// The keys of those who judge: which letter does what, and a dialog where each can be changed or all be switched off.

/** @typedef {{ name: string, key: string, about: string }} JudgeKey */

/** Where a browser keeps what was chosen. */
const CHOSEN_KEYS = "karat-judge-keys";

/** @type {JudgeKey[]} */
const judgeKeys = [
  { name: "verify", key: "v", about: "the link is right" },
  { name: "modify", key: "m", about: "the link is wrong: search another" },
  { name: "remove", key: "r", about: "not an entity" },
  { name: "skip", key: "s", about: "cannot tell" },
  { name: "nil", key: "n", about: "in no knowledge base (NIL)" },
  { name: "none", key: "w", about: "wrong, but no better one is found" },
  { name: "next", key: "j", about: "next item" },
  { name: "back", key: "k", about: "previous item" },
  { name: "undo", key: "u", about: "undo; with Shift: do it again" },
  { name: "guidelines", key: "g", about: "guidelines" },
  { name: "help", key: "?", about: "this list" },
];

/** @type {{ off: boolean, keys: Record<string, string> }} */
const chosenKeys = { off: false, keys: {}, ...readKeys() };

function readKeys() {
  try {
    const found = JSON.parse(window.localStorage.getItem(CHOSEN_KEYS) ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

function keepKeys() {
  try {
    window.localStorage.setItem(CHOSEN_KEYS, JSON.stringify(chosenKeys));
  } catch {
    // They are good until the page is left.
  }
}

/** @param {JudgeKey} one */
function letterOf(one) {
  return chosenKeys.keys[one.name] ?? one.key;
}

/**
 * What a key does; nothing if keys of one letter are off.
 * @param {KeyboardEvent} event
 * @returns {string | null}
 */
export function meaningOf(event) {
  if (chosenKeys.off) return null;
  const pressed = event.key.toLowerCase();
  return judgeKeys.find((one) => letterOf(one) === pressed)?.name ?? null;
}

/** The list of all keys, where they are changed. */
export function showJudgeKeys() {
  const known = document.querySelector("dialog.keys");
  if (known instanceof HTMLDialogElement) return known.showModal();
  const dialog = document.createElement("dialog");
  dialog.className = "keys";
  dialog.setAttribute("aria-label", "Keys");
  const heading = document.createElement("h2");
  heading.textContent = "Keys";
  const list = document.createElement("dl");
  for (const one of judgeKeys) {
    const term = document.createElement("dt");
    const field = document.createElement("input");
    field.value = letterOf(one);
    field.maxLength = 1;
    field.size = 2;
    field.setAttribute("aria-label", `Key for: ${one.about}`);
    field.addEventListener("change", () => {
      const letter = field.value.trim().toLowerCase();
      const taken = judgeKeys.some((other) => other !== one && letterOf(other) === letter);
      if (letter.length === 1 && !taken) chosenKeys.keys[one.name] = letter;
      field.value = letterOf(one);
      keepKeys();
      labelKeys();
    });
    term.append(field);
    const about = document.createElement("dd");
    about.textContent = one.about;
    list.append(term, about);
  }
  const fixed = document.createElement("p");
  fixed.textContent = "Ctrl+Enter submits the task. Escape leaves the search. In the search, arrow keys and Enter choose; outside of it, 1 to 9 do.";
  const label = document.createElement("label");
  const off = document.createElement("input");
  off.type = "checkbox";
  off.checked = chosenKeys.off;
  off.addEventListener("change", () => {
    chosenKeys.off = off.checked;
    keepKeys();
    labelKeys();
  });
  label.append(off, " keys of one letter are off");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(heading, list, fixed, label, close);
  document.body.append(dialog);
  dialog.showModal();
}

/** Shows beside each button the key that presses it. */
export function labelKeys() {
  for (const cap of document.querySelectorAll("kbd[data-key]")) {
    const one = judgeKeys.find((key) => cap instanceof HTMLElement && key.name === cap.dataset.key);
    if (!(cap instanceof HTMLElement) || !one) continue;
    cap.hidden = chosenKeys.off;
    cap.textContent = letterOf(one);
  }
}
