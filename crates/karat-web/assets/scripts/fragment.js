/** Not every browser has trusted types, and TypeScript does not know them. */
const trustedTypes = /** @type {any} */ (window).trustedTypes;

/** Our own fragments are the only markup that scripts put into a page. */
const policy = trustedTypes?.createPolicy("karat", { createHTML: (/** @type {string} */ markup) => markup });

/** Whether a server is there that can be asked; a report has none, wherever it lies. */
export function isServed() {
  return location.protocol.startsWith("http") && !("report" in document.documentElement.dataset);
}

/**
 * A piece of a page, as elements; null if there is none.
 * @param {string} address
 * @returns {Promise<DocumentFragment | null>}
 */
export async function fragment(address) {
  const response = await fetch(address, { headers: { Accept: "text/html" } });
  if (!response.ok) return null;
  const markup = await response.text();
  const template = document.createElement("template");
  template.innerHTML = policy ? policy.createHTML(markup) : markup;
  return template.content;
}
