/**
 * Keys of one letter. They do nothing while somebody types.
 * @type {Map<string, (event: KeyboardEvent) => void>}
 */
const keys = new Map();

/**
 * @param {string} name
 * @param {(event: KeyboardEvent) => void} act
 */
export function onKey(name, act) {
  keys.set(name, act);
}

/** @param {EventTarget | null} target */
export function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const act = keys.get(event.key);
  if (act) {
    event.preventDefault();
    act(event);
  }
});
