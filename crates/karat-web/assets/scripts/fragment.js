/** Our own fragments are the only markup that scripts put into a page. */
const policy = window.trustedTypes
  ? window.trustedTypes.createPolicy("karat", { createHTML: (/** @type {string} */ markup) => markup })
  : null;

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
  template.innerHTML = policy ? /** @type {any} */ (policy.createHTML(markup)) : markup;
  return template.content;
}
