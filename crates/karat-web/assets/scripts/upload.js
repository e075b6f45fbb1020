// Uploads: which format the chosen file has, and how far a job is.

/** So much of a file is enough to recognise its format. */
const SAMPLE = 65536;

document.addEventListener("change", async (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || !input.matches("[data-files]")) return;
  const told = input.form?.querySelector("[data-recognised]");
  const file = input.files?.[0];
  if (!told) return;
  told.textContent = "";
  if (!file) return;
  const path = `/upload/format?name=${encodeURIComponent(file.name)}`;
  const response = await fetch(path, { method: "POST", body: file.slice(0, SAMPLE) });
  if (response.ok) told.textContent = ` ${await response.text()}`;
});

for (const place of document.querySelectorAll("[data-job]")) {
  if (!(place instanceof HTMLElement)) continue;
  watchJob(place, place.dataset.job ?? "");
}

/**
 * Shows how far a job is, and loads the page again when it has ended.
 * @param {HTMLElement} place
 * @param {string} path
 */
function watchJob(place, path) {
  const events = new EventSource(path);
  const stage = place.querySelector("[data-stage]");
  const bar = place.querySelector("progress");
  /** @param {MessageEvent} event */
  const show = (event) => {
    const job = JSON.parse(event.data);
    const counts = job.total > 0 ? `, ${Math.min(job.done, job.total)} of ${job.total}` : "";
    if (stage) stage.textContent = `${job.stage || "waiting"}${counts}`;
    if (!bar) return;
    if (job.total > 0) {
      bar.max = job.total;
      bar.value = Math.min(job.done, job.total);
    } else bar.removeAttribute("value");
  };
  const end = () => {
    events.close();
    window.location.reload();
  };
  events.addEventListener("stage", show);
  events.addEventListener("progress", show);
  events.addEventListener("done", end);
  events.addEventListener("failed", end);
}
