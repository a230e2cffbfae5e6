// What must be there before the wasm is, or when it is not: the theme and the
// shape of the first paint, and the box that says that the page has stopped.

// `?embed`: the page is a player inside another. It has the theme of its host,
// and neither reads nor writes what the browser keeps.
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
    // A browser that forbids storage shows the system's theme.
  }
  return null;
};
const theme = embedded ? options.get("theme") : stored("lanewise.theme");
if (theme === "light" || theme === "dark") root.dataset.theme = theme;

// How many starts in a row the program has stopped before it went well:
// `web/src/store/storage.rs` gives up a text that the page stopped over twice.
const FAILED = "lanewise.failed";
// A start has gone well when the reader does something, or after this many
// milliseconds.
const WELL_AFTER = 10_000;
let isWell = false;
const goWell = () => {
  if (!isWell && document.getElementById("crash")?.hidden) stored(FAILED, null);
  isWell = true;
};
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, goWell, true);
setTimeout(goWell, WELL_AFTER);

// The box in index.html that says what happened and has the text to take along.
const show = (what) => {
  const crash = document.getElementById("crash");
  document.getElementById("crash-what").textContent = what;
  const text = document.getElementById("crash-text");
  text.value = document.getElementById("program-text")?.value || stored("lanewise.text") || "";
  // The rest of the page does nothing any more.
  document.getElementById("app").inert = true;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  crash.hidden = false;
  crash.querySelector("button").focus();
};
// What failed first tells more than what failed of it.
const isShown = () => !document.getElementById("crash")?.hidden;
// The program has stopped; how often that comes at the start is counted.
const stopped = (what) => {
  if (isShown()) return;
  if (!isWell) stored(FAILED, String((Number(stored(FAILED)) || 0) + 1));
  show(what);
};
// The program has not arrived, or not all of it.
const notLoaded = (what) => {
  if (isShown()) return;
  document.getElementById("crash-title").textContent = "Lanewise could not be loaded";
  document.getElementById("crash-why").textContent =
    "Not all of the page has arrived. Your program is as it was. What happened:";
  show(what);
};
const report = ({ reason, message, error }) => {
  const what = String(reason ?? message);
  if ((error ?? reason) instanceof WebAssembly.RuntimeError) stopped(what);
  else if (!document.querySelector("main")) notLoaded(what);
};
addEventListener("error", report);
addEventListener("unhandledrejection", report);
// `web/src/crash.rs` reports what a panic says.
globalThis.lanewise = { stopped };

// The buttons of the box.
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
    URL.revokeObjectURL(link.href);
  },
};
addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-crash]");
  if (button) actions[button.dataset.crash](button);
});
