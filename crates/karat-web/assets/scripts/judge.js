// The page of those who judge: keys, marks in the text, undo, the time that is left, and answers that survive a network that is gone.

import { fragment } from "./fragment.js";
import { labelKeys, meaningOf, showJudgeKeys } from "./judge-keys.js";
import { flush, onOutbox, post, waitingParcels } from "./judge-outbox.js";
import { lookUp, stepResults, takeResult } from "./judge-search.js";

/** Whoever did nothing for so long is not at work. */
const IDLE = 30_000;
/** So long before the end of a lease it is said. */
const SOON = 5 * 60_000;
/** Between two signs of life. */
const HEARTBEAT = 60_000;

/** @typedef {{ active: number, total: number, changes: number, searches: number }} ItemTimes */

/** @type {DocumentFragment | null} */
let ahead = null;
/** @type {Map<string, ItemTimes>} */
let times = new Map();
/** @type {(string | boolean)[][]} */
let undone = [];
/** @type {(string | boolean)[][]} */
let redo = [];
/** @type {(string | boolean)[]} */
let lastState = [];
let lastInput = Date.now();
let expires = 0;
/** How far the clock of the server is ahead of ours. */
let skew = 0;
/** Whether the next page waits for the outbox. */
let isLeaving = false;

const job = () => /** @type {HTMLElement | null} */ (document.querySelector(".job"));
const form = () => /** @type {HTMLFormElement | null} */ (document.querySelector(".job form.task"));
const items = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".job fieldset.item")]);
const currentItem = () => document.querySelector(".job fieldset.item.on") ?? items()[0];

/** @param {string} words */
function say(words) {
  const place = document.querySelector("[data-status]");
  if (place) place.textContent = words;
}

/** Makes a task ready that has just come. */
function begin() {
  const place = job();
  times = new Map(items().map((item) => [item.dataset.item ?? "", { active: 0, total: 0, changes: 0, searches: 0 }]));
  for (const hidden of document.querySelectorAll(".job kbd[hidden], .job .step[hidden]")) hidden.removeAttribute("hidden");
  labelKeys();
  [undone, redo, lastState] = [[], [], state()];
  if (!place) return;
  expires = Number(place.dataset.expires);
  skew = Number(place.dataset.now) - Date.now();
  const first = items().find((item) => !chosenAction(item)) ?? items()[0];
  if (first) go(first, false);
  // While answers are on their way, the server still counts their task among those that are held.
  if (waitingParcels() === 0) void fetchAhead(place);
}

/** @param {HTMLElement} place */
async function fetchAhead(place) {
  ahead = null;
  const address = place.dataset.next ?? "";
  const glue = address.includes("?") ? "&" : "?";
  try {
    const found = await fragment(`${address}${glue}part=task&holding=${encodeURIComponent(place.dataset.task ?? "")}`);
    const next = found?.querySelector(".job");
    const isOther = next instanceof HTMLElement && next.dataset.task !== job()?.dataset.task;
    if (isOther) ahead = found;
  } catch {
    // There is no network: the next task is asked for when this one is done.
  }
}

/**
 * Makes an item the one that keys are about.
 * @param {Element} item
 * @param {boolean} takesFocus
 */
function go(item, takesFocus) {
  for (const other of document.querySelectorAll(".job .on")) other.classList.remove("on");
  item.classList.add("on");
  const id = item instanceof HTMLElement ? item.dataset.item : "";
  document.querySelector(`mark[data-mark="${id}"]`)?.classList.add("on");
  if (takesFocus && item instanceof HTMLElement) {
    item.tabIndex = -1;
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  }
}

/** @param {number} by */
function step(by) {
  const all = items();
  const next = all[all.indexOf(/** @type {HTMLElement} */ (currentItem())) + by];
  if (next) go(next, true);
}

/** @param {Element} item */
function chosenAction(item) {
  const chosen = item.querySelector('input[name^="action."]:checked');
  return chosen instanceof HTMLInputElement ? chosen.value : "";
}

/**
 * @param {Element} item
 * @param {string} name
 * @param {string} value
 */
function check(item, name, value) {
  const field = item.querySelector(`input[name^="${name}."][value="${value}"]`);
  if (field instanceof HTMLInputElement && !field.checked) {
    field.checked = true;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

/** What is filled in, for undo. */
function state() {
  return [...(form()?.elements ?? [])].map((field) =>
    field instanceof HTMLInputElement && field.type === "radio" ? field.checked : "value" in field ? String(field.value) : "",
  );
}

/** @param {(string | boolean)[]} wanted */
function restore(wanted) {
  [...(form()?.elements ?? [])].forEach((field, at) => {
    const value = wanted[at];
    if (field instanceof HTMLInputElement && field.type === "radio") field.checked = value === true;
    else if (field instanceof HTMLInputElement && field.type === "hidden") return;
    else if ("value" in field && !(field instanceof HTMLButtonElement)) field.value = value;
  });
  lastState = state();
  if (form()) showAnswers();
}

/** @param {boolean} again */
function undo(again) {
  const [from, into] = again ? [redo, undone] : [undone, redo];
  const wanted = from.pop();
  if (!wanted) return say(again ? "There is nothing to do again." : "There is nothing to undo.");
  into.push(state());
  restore(wanted);
  say(again ? "Done again." : "Undone.");
}

/** Shows in each item what was answered. */
function showAnswers() {
  for (const item of items()) item.dataset.answer = chosenAction(item);
}

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLElement) || !field.closest(".job form.task")) return;
  undone.push(lastState);
  redo = [];
  lastState = state();
  showAnswers();
  const item = field.closest("fieldset.item");
  if (!(item instanceof HTMLElement)) return;
  const kept = times.get(item.dataset.item ?? "");
  if (kept && field instanceof HTMLInputElement && field.type === "radio") kept.changes += 1;
  if (field instanceof HTMLInputElement && field.matches("[data-link], [name^='which.']")) check(item, "action", "modify");
  if (field instanceof HTMLInputElement && field.matches("[data-link]") && field.value !== "") check(item, "which", "other");
  go(item, false);
});

document.addEventListener("input", (event) => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.matches("[data-find]")) search(field);
});

document.addEventListener("focusin", (event) => {
  const item = event.target instanceof Element ? event.target.closest(".job fieldset.item") : null;
  if (item) go(item, false);
});

/** @param {HTMLInputElement} field */
function search(field) {
  const item = field.closest("fieldset.item");
  const place = item?.querySelector("[data-results]");
  if (!(item instanceof HTMLElement) || !(place instanceof HTMLElement)) return;
  const kept = times.get(item.dataset.item ?? "");
  if (kept) kept.searches += 1;
  lookUp(field, place, job()?.dataset.search ?? "", (found) => choose(item, found));
}

/**
 * @param {HTMLElement} item
 * @param {{ id: string, name: string }} found
 */
function choose(item, found) {
  const link = item.querySelector("[data-link]");
  if (!(link instanceof HTMLInputElement)) return;
  link.value = found.id;
  const named = item.querySelector("[data-chosen]");
  if (named) named.textContent = ` ${found.name}`;
  check(item, "action", "modify");
  check(item, "which", "other");
  item.querySelector("[data-results]")?.replaceChildren();
  say(`${found.name || found.id} is chosen.`);
  go(item, true);
}

/** @param {string} action */
function answer(action) {
  const item = currentItem();
  if (!(item instanceof HTMLElement)) return;
  if (action === "nil" || action === "none") {
    check(item, "action", "modify");
    check(item, "which", action);
    return step(1);
  }
  check(item, "action", action);
  if (action !== "modify") return step(1);
  const field = item.querySelector("[data-find]");
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
    search(field);
  }
}

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=radio], [type=checkbox]), select, textarea");
}

document.addEventListener("keydown", (event) => {
  lastInput = Date.now();
  if (document.querySelector("dialog[open]") || !job()) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    return form()?.requestSubmit();
  }
  if (isWriting(event.target)) return inField(event);
  if (event.target instanceof HTMLElement && event.target.closest("[data-results]") && /^Arrow(Up|Down)$/.test(event.key)) return inField(event);
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    event.preventDefault();
    return undo(event.shiftKey);
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const place = currentItem()?.querySelector("[data-results]");
  if (/^[1-9]$/.test(event.key) && place instanceof HTMLElement) return takeResult(place, Number(event.key));
  const meaning = meaningOf(event);
  if (!meaning) return;
  event.preventDefault();
  act(meaning, event.shiftKey);
});

/**
 * @param {string} meaning
 * @param {boolean} shift
 */
function act(meaning, shift) {
  if (meaning === "next") step(1);
  else if (meaning === "back") step(-1);
  else if (meaning === "undo") undo(shift);
  else if (meaning === "help") showJudgeKeys();
  else if (meaning === "more") void moreTime();
  else if (meaning === "guidelines") {
    const guidelines = document.querySelector("[data-guidelines]");
    if (guidelines instanceof HTMLDetailsElement) guidelines.open = !guidelines.open;
  } else answer(meaning);
}

/**
 * Keys while somebody writes: only those that leave or choose.
 * @param {KeyboardEvent} event
 */
function inField(event) {
  const field = event.target;
  if (!(field instanceof HTMLElement)) return;
  const item = field.closest("fieldset.item");
  const place = item?.querySelector("[data-results]");
  if (event.key === "Escape" && item) {
    // A browser would empty the field.
    event.preventDefault();
    return go(item, true);
  }
  if (!(place instanceof HTMLElement) || !(field.matches("[data-find]") || field.closest("[data-results]"))) return;
  const box = item?.querySelector("[data-find]");
  if (event.key === "Enter" && field.matches("[data-find]")) {
    event.preventDefault();
    takeResult(place, 1);
  } else if (box instanceof HTMLElement && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    stepResults(place, box, event.key === "ArrowDown" ? 1 : -1);
  }
}

document.addEventListener("click", (event) => {
  lastInput = Date.now();
  if (!(event.target instanceof Element)) return;
  const button = event.target.closest("button[data-go]");
  if (button instanceof HTMLElement) return act(button.dataset.go ?? "", event.shiftKey);
  if (event.target.closest(".help a")) {
    event.preventDefault();
    showJudgeKeys();
  }
});

document.addEventListener("submit", (event) => {
  const sentForm = event.target;
  const button = event.submitter;
  if (!(sentForm instanceof HTMLFormElement)) return;
  if (sentForm.matches(".job form.task")) {
    event.preventDefault();
    if (button instanceof HTMLButtonElement && button.name === "find") {
      const field = button.closest("fieldset.item")?.querySelector("[data-find]");
      if (field instanceof HTMLInputElement) search(field);
    } else submit(sentForm);
  } else if (button instanceof HTMLButtonElement && button.value === "finish" && waitingParcels() > 0) {
    // The code is for those whose answers are all there.
    event.preventDefault();
    isLeaving = true;
    void flush();
  }
});

/** @param {HTMLFormElement} task */
function submit(task) {
  const wanting = items().filter((item) => !isWhole(item));
  for (const item of items()) item.toggleAttribute("aria-invalid", wanting.includes(item));
  if (wanting.length > 0) {
    say(wanting.length === 1 ? "One item has no whole answer yet." : `${wanting.length} items have no whole answer yet.`);
    return go(wanting[0], true);
  }
  for (const item of items()) {
    const hidden = item.querySelector('input[name^="times."]');
    if (hidden instanceof HTMLInputElement) hidden.value = JSON.stringify(times.get(item.dataset.item ?? ""));
  }
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(task)) body.append(name, String(value));
  const token = job()?.dataset.task ?? "";
  post({ token, address: task.action, body: body.toString() });
  const next = ahead;
  if (!next) {
    isLeaving = true;
    if (waitingParcels() === 0) leave();
    return;
  }
  ahead = null;
  document.querySelector("main")?.replaceChildren(next);
  window.scrollTo(0, 0);
  begin();
}

/** @param {Element} item */
function isWhole(item) {
  const action = chosenAction(item);
  if (action !== "modify") return action !== "";
  const which = item.querySelector('input[name^="which."]:checked');
  const link = item.querySelector("[data-link]");
  const named = link instanceof HTMLInputElement && link.value.trim() !== "";
  return which instanceof HTMLInputElement ? which.value !== "other" || named : named;
}

/** Everything is saved: on to the next page. */
function leave() {
  isLeaving = false;
  const finish = document.querySelector('button[value="finish"]');
  if (finish instanceof HTMLButtonElement) finish.click();
  else window.location.assign(job()?.dataset.next ?? window.location.href);
}

onOutbox((news) => {
  const waits = news.waiting === 1 ? "1 task waits" : `${news.waiting} tasks wait`;
  if (news.state === "saving") say("saving …");
  else if (news.state === "saved") say(`saved ${new Date(news.at ?? Date.now()).toLocaleTimeString()}`);
  else if (news.state === "offline") say(`You are offline: ${waits} to be sent. Go on, nothing is lost.`);
  else say(`Not taken: ${news.detail ?? "the server refused it"}. Open the page again.`);
  if (news.waiting > 0 || news.state !== "saved") return;
  const place = job();
  if (isLeaving) leave();
  else if (place && !ahead) void fetchAhead(place);
});

async function moreTime() {
  const place = job();
  if (!place) return;
  const body = new URLSearchParams({ do: "more", token: place.dataset.task ?? "" });
  try {
    const response = await fetch(place.dataset.next ?? "", { method: "POST", headers: { Accept: "application/json" }, body });
    if (!response.ok) return;
    expires = Number((await response.json()).expires);
    watchLease();
  } catch {
    // Without a network the lease ends, and what is sent later still counts unless somebody else was faster.
  }
}

function watchLease() {
  const ending = document.querySelector("[data-ending]");
  if (!(ending instanceof HTMLElement)) return;
  const left = expires - (Date.now() + skew);
  ending.hidden = !(expires > 0 && left < SOON);
}

window.setInterval(() => {
  watchLease();
  const item = currentItem();
  const kept = item instanceof HTMLElement ? times.get(item.dataset.item ?? "") : undefined;
  if (!kept || document.visibilityState !== "visible") return;
  kept.total += 1000;
  if (document.hasFocus() && Date.now() - lastInput < IDLE) kept.active += 1000;
}, 1000);

window.setInterval(() => {
  if (job() && document.visibilityState === "visible" && Date.now() - lastInput < HEARTBEAT) void moreTime();
}, HEARTBEAT);

begin();
showAnswers();
if (waitingParcels() > 0) void flush();
