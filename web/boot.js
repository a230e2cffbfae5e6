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

// How many starts in a row have failed before the reader did anything:
// `web/src/storage.rs` gives up a text that the page stopped over twice.
const FAILED = "lanewise.failed";
let touched = false;
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => {
    if (!touched) stored(FAILED, null);
    touched = true;
  }, true);
}

// The box in index.html that says what happened and has the text to take along.
const stopped = (what) => {
  const crash = document.getElementById("crash");
  // What failed first tells more than what failed of it.
  if (!crash?.hidden) return;
  if (!touched) stored(FAILED, String((Number(stored(FAILED)) || 0) + 1));
  document.getElementById("crash-what").textContent = what;
  const text = document.getElementById("crash-text");
  text.value = document.getElementById("program-text")?.value || stored("lanewise.text") || "";
  // The rest of the page does nothing any more.
  document.getElementById("app").inert = true;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  crash.hidden = false;
  crash.querySelector("button").focus();
};
const report = ({ reason, message, error }) => {
  const isWasm = (error ?? reason) instanceof WebAssembly.RuntimeError;
  if (isWasm || !document.querySelector("main")) stopped(String(reason ?? message));
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
