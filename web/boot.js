// Works before the wasm is loaded, and if loading fails: sets the theme and the
// shape of the first paint, and shows the crash box.

// `?embed`: the page is an embedded player. It takes the theme of its host, and
// neither reads nor writes browser storage.
const options = new URLSearchParams(location.search);
const embedded = options.has("embed");
const root = document.documentElement;
if (embedded) root.dataset.embed = "";
const stored = (key, value) => {
  try {
    if (embedded) return null;
    if (value === undefined) return localStorage.getItem(key);
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // If storage is disabled, use the system theme.
  }
  return null;
};
const theme = embedded ? options.get("theme") : stored("lanewise.theme");
if (theme === "light" || theme === "dark") root.dataset.theme = theme;

// Counts consecutive failed starts: `web/src/store/storage.rs` sets a text
// aside after it has crashed the page twice.
const FAILED = "lanewise.failed";
// A start counts as successful after a user interaction, or after this many
// milliseconds.
const STARTED_AFTER_MS = 10_000;
let hasStarted = false;
const markStarted = () => {
  if (!hasStarted && document.getElementById("crash")?.hidden) stored(FAILED, null);
  hasStarted = true;
};
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, markStarted, true);
setTimeout(markStarted, STARTED_AFTER_MS);

// Fills and shows the crash box in index.html.
const show = (what) => {
  const crash = document.getElementById("crash");
  document.getElementById("crash-what").textContent = what;
  const text = document.getElementById("crash-text");
  text.value = document.querySelector("#app:not([aria-busy]) #program-text")?.value || stored("lanewise.text") || "";
  // The rest of the page is unusable.
  document.getElementById("app").inert = true;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  crash.hidden = false;
  crash.querySelector("button").focus();
};
// The first failure is more informative than its consequences.
const isShown = () => !document.getElementById("crash")?.hidden;
// The program crashed. Crashes during the start are counted.
const stopped = (what) => {
  if (isShown()) return;
  if (!hasStarted) stored(FAILED, String((Number(stored(FAILED)) || 0) + 1));
  show(what);
};
// The wasm failed to load, at least in part.
const notLoaded = (what) => {
  if (isShown()) return;
  document.getElementById("crash-title").textContent = "Lanewise could not be loaded";
  document.getElementById("crash-why").textContent =
    "Part of the page failed to load. Your program is unchanged. What happened:";
  show(what);
};
const report = ({ reason, message, error }) => {
  const what = String(reason ?? message);
  if ((error ?? reason) instanceof WebAssembly.RuntimeError) stopped(what);
  else if (!document.querySelector("#app:not([aria-busy]) main")) notLoaded(what);
};
addEventListener("error", report);
addEventListener("unhandledrejection", report);
// Used by `first-screen.js`, and by `web/src/boot.rs`.
globalThis.lanewise = { embedded, stored, started() {}, stopped };

// Buttons of the crash box.
const actions = {
  again: () => location.reload(),
  copy(button) {
    const text = document.getElementById("crash-text");
    const done = () => (button.textContent = "Copied");
    const byHand = () => {
      text.select();
      if (document.execCommand("copy")) done();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text.value).then(done, byHand);
    else byHand();
  },
  download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([document.getElementById("crash-text").value]));
    link.download = "program.lanewise";
    link.click();
    // Browsers may read it after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  },
};
addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-crash]");
  if (button) actions[button.dataset.crash](button);
});
