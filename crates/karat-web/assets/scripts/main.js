import { onKey } from "./keys.js";

onKey("/", () => {
  const field = document.querySelector("[data-search]");
  if (field instanceof HTMLElement) field.focus();
});
