// Answers on their way to the server. What was submitted is kept until the server has confirmed it, also over a reload; where a browser keeps
// nothing (a frame of another site), it stays in memory, and leaving the page warns.

/** @typedef {{ token: string, address: string, body: string }} Parcel */
/** @typedef {{ state: "saving" | "saved" | "offline" | "refused", waiting: number, detail?: string, at?: number }} OutboxNews */

/** Where a browser keeps parcels. */
const OUTBOX = "karat-outbox";

/** Seconds between tries: 1, 2, 4 ... 30. */
const LONGEST_WAIT = 30;

/** @type {Parcel[]} */
let parcels = stored();
let keeps = true;
let wait = 1;
let isSending = false;
/** @type {number | undefined} */
let timer;
/** @type {(news: OutboxNews) => void} */
let tell = () => {};

/** @returns {Parcel[]} */
function stored() {
  try {
    const found = JSON.parse(window.localStorage.getItem(OUTBOX) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function store() {
  try {
    window.localStorage.setItem(OUTBOX, JSON.stringify(parcels));
  } catch {
    keeps = false;
  }
}

/** @param {(news: OutboxNews) => void} listener */
export function onOutbox(listener) {
  tell = listener;
}

/** How many submissions the server does not have yet. */
export function waitingParcels() {
  return parcels.length;
}

/**
 * Takes a submission. A second one of the same task takes the place of the first.
 * @param {Parcel} parcel
 */
export function post(parcel) {
  parcels = [...parcels.filter((known) => known.token !== parcel.token), parcel];
  store();
  wait = 1;
  void flush();
}

/** Sends what waits, one after the other. Resolves when everything is there, or when it has to wait. */
export async function flush() {
  if (isSending) return;
  isSending = true;
  window.clearTimeout(timer);
  while (parcels.length > 0) {
    const parcel = parcels[0];
    tell({ state: "saving", waiting: parcels.length });
    const answer = await sent(parcel);
    if (answer === null) {
      tell({ state: "offline", waiting: parcels.length });
      timer = window.setTimeout(() => void flush(), wait * 1000);
      wait = Math.min(wait * 2, LONGEST_WAIT);
      break;
    }
    // A newer submission of the same task may have come meanwhile.
    parcels = parcels.filter((known) => known !== parcel);
    store();
    wait = 1;
    tell({ ...answer, waiting: parcels.length });
  }
  isSending = false;
}

/**
 * @param {Parcel} parcel
 * @returns {Promise<{ state: "saved" | "refused", detail?: string, at?: number } | null>} null if it has to be sent again
 */
async function sent(parcel) {
  try {
    const response = await fetch(parcel.address, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/x-www-form-urlencoded" },
      body: parcel.body,
    });
    // What is wrong on the way or with the server passes; what is wrong with the answers does not.
    if (response.status >= 500 || response.status === 429 || response.status === 408) return null;
    const body = await response.json();
    return response.ok ? { state: "saved", at: body.saved } : { state: "refused", detail: body.detail };
  } catch {
    return null;
  }
}

window.addEventListener("online", () => {
  wait = 1;
  void flush();
});
window.addEventListener("beforeunload", (event) => {
  if (parcels.length > 0 && !keeps) event.preventDefault();
});
