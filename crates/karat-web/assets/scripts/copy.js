import { onKey } from "./keys.js";

/**
 * Puts text on the clipboard, and says so.
 * @param {string} text
 * @param {Element | null | undefined} told
 * @param {string} words
 */
export async function copyText(text, told, words) {
  await navigator.clipboard.writeText(text);
  if (told) told.textContent = words;
}

document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-copy]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || !navigator.clipboard) return;
  event.preventDefault();
  const told = link.closest("details")?.querySelector("[data-copied]");
  const response = await fetch(link.href);
  try {
    await copyText(await response.text(), told, `Copied as ${link.dataset.copy || link.textContent?.trim()}.`);
  } catch {
    window.location.assign(link.href);
  }
});

/**
 * Buttons that copy a signature, a command or a number with all its digits.
 * @param {ParentNode} place
 */
export function addCopyButtons(place) {
  if (!navigator.clipboard) return;
  for (const found of place.querySelectorAll("[data-copyable]")) {
    if (!(found instanceof HTMLElement)) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.setAttribute("aria-label", `copy ${found.textContent?.slice(0, 40) ?? ""}`);
    button.addEventListener("click", async () => {
      await copyText(found.dataset.copyable || found.textContent || "", button, "copied");
    });
    // A button inside of preformatted text would be copied with it.
    (found.closest("pre") ?? found).after(button);
  }
}

addCopyButtons(document);

function copyTable() {
  const link = document.querySelector("a[data-copy=tsv]");
  if (!(link instanceof HTMLAnchorElement)) return;
  const details = link.closest("details");
  if (details) details.open = true;
  link.click();
}

onKey("y", copyTable, "copy this table for a spreadsheet");
