// Registers the service worker, which makes the page available offline, and
// announces new versions. Used by the page and each page of the guide; has no
// effect in browsers that block service workers.
const HOUR = 3_600_000;

const start = async (worker) => {
  const registration = await navigator.serviceWorker
    .register(worker, { updateViaCache: "none" })
    .catch(() => undefined);
  if (!registration) return;
  const { serviceWorker } = navigator;
  if (registration.waiting && serviceWorker.controller) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const coming = registration.installing;
    coming?.addEventListener("statechange", () => {
      // The first worker is not an update.
      if (coming.state === "installed" && serviceWorker.controller) offer(coming);
    });
  });
  let looked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - looked < HOUR) return;
    looked = Date.now();
    registration.update().catch(() => {});
  });
};

const offer = (worker) => {
  document.querySelector(".news")?.remove();
  const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const box = make("div", "");
  box.className = "news";
  const said = make("p", "");
  said.setAttribute("role", "status");
  const reload = make("button", "Reload");
  const later = make("button", "Not now");
  for (const button of [reload, later]) button.className = "button";
  reload.classList.add("primary");
  reload.onclick = () => {
    // Another tab may already have activated it.
    if (worker.state === "activated") return location.reload();
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") location.reload();
    });
    worker.postMessage({ lanewise: "update" });
    // Chromium waits for the active worker to be idle: up to half a minute if
    // pages are still loading.
    said.textContent = "Starting the new version …";
  };
  later.onclick = () => box.remove();
  box.append(said, reload, later);
  document.body.append(box);
  // Updates an existing live region, so that it is announced.
  said.textContent = "A new version is ready.";
};

// Release builds specify their worker: xtask/offline.mjs. Embedded players do
// not register one.
const worker = document.querySelector("meta[name=offline]")?.content;
const isPlayer = parent !== window || "embed" in document.documentElement.dataset;
if (worker && !isPlayer && navigator.serviceWorker) {
  // After the page's own requests.
  const later = () => setTimeout(() => start(worker), 1000);
  if (document.readyState === "complete") later();
  else addEventListener("load", later);
}
