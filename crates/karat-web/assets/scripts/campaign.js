import { fragment } from "./fragment.js";
import { onKey } from "./keys.js";

// Campaigns: what changes while people judge, and keys for whoever decides.

for (const place of document.querySelectorAll("[data-live]")) {
  if (place instanceof HTMLElement) follow(place);
}

/**
 * Exchanges a piece of the page whenever something has changed.
 * @param {HTMLElement} place
 */
function follow(place) {
  const events = new EventSource(place.dataset.live ?? "");
  events.addEventListener("changed", async () => {
    const content = await fragment(place.dataset.part ?? "");
    if (content) place.replaceChildren(content);
  });
  // Six connections of a browser are all there are: a page out of sight gives its one back, and is shown anew.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") events.close();
    else if (events.readyState === EventSource.CLOSED) window.location.reload();
  });
}

const deciding = document.querySelector("form.decide");
if (deciding instanceof HTMLFormElement) {
  for (const [key, action, about] of [
    ["v", "verify", "it is right"],
    ["m", "modify", "the link is wrong"],
    ["r", "remove", "it is no entity"],
  ]) {
    onKey(key, () => choose(deciding, action), about);
  }
  onKey("a", () => choose(deciding, deciding.dataset.consensus ?? ""), "take the consensus");
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) deciding.requestSubmit();
  });
}

/**
 * Chooses an answer; a wrong link leads on to the right one.
 * @param {HTMLFormElement} form
 * @param {string} action
 */
function choose(form, action) {
  const field = form.querySelector(`input[name="action"][value="${action}"]`);
  if (!(field instanceof HTMLInputElement)) return;
  field.checked = true;
  const next = action === "modify" ? form.querySelector('input[name="which"]') : field;
  if (next instanceof HTMLInputElement) next.focus();
}
