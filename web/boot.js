// Before the page is drawn: the theme that was chosen, and a word to the
// reader if the page cannot start.

// `?embed`: the page is a player inside another, and leaves what is kept alone.
const asked = new URLSearchParams(location.search);
const embedded = asked.has("embed");
const keep = (key, value) => {
  try {
    if (embedded) return null;
    if (value === undefined) return localStorage.getItem(key);
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser that keeps nothing shows the system's theme.
  }
  return null;
};
const theme = keep("lanewise.theme");
if (theme) document.documentElement.dataset.theme = theme;
if (embedded) {
  document.documentElement.dataset.embed = "";
  import("./player.js");
}
// How many starts in a row have failed before the reader did anything. A text
// that the page stopped over twice is put aside, or no start would succeed.
let failed = Number(keep("lanewise.failed")) || 0;
if (failed > 1) {
  const last = keep("lanewise.text");
  if (last) {
    const draft = { scenario: keep("lanewise.scenario") ?? "", text: last, time: Date.now() };
    keep("lanewise.gave-up", JSON.stringify(draft));
  }
  // What else is kept may be what it stops over.
  for (const key of ["text", "scenario", "settings", "failed"]) keep(`lanewise.${key}`, null);
  failed = 0;
}
let touched = false;
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => {
    if (!touched) keep("lanewise.failed", null);
    touched = true;
  }, true);
}
const stopped = (what) => {
  const crash = document.getElementById("crash");
  // What failed first tells more than what failed of it.
  if (!crash?.hidden) return;
  if (!touched) keep("lanewise.failed", String(failed + 1));
  document.getElementById("crash-what").textContent = what;
  const text = document.getElementById("crash-text");
  text.value = document.getElementById("program-text")?.value || keep("lanewise.text") || "";
  // The rest of the page does nothing any more.
  document.getElementById("app").inert = true;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  crash.hidden = false;
  crash.querySelector("button").focus();
};
const tell = ({ reason, message, error }) => {
  const lost = (error ?? reason) instanceof WebAssembly.RuntimeError;
  if (lost || !document.querySelector("main")) stopped(String(reason ?? message));
};
// What a page that has stopped still does.
const ends = {
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
  if (button) ends[button.dataset.crash](button);
});
addEventListener("error", tell);
addEventListener("unhandledrejection", tell);
// A release build works without a network after the first visit.
const worker = document.querySelector("meta[name=offline]")?.content;
if (worker && !embedded) {
  addEventListener("load", () => setTimeout(() => import("./offline.js").then((it) => it.start(worker), () => {}), 1000));
}
// Exports: `share/share.js` does the work and notifies the page.
let notify = () => {};
const share = (what, ...given) =>
  import("./share/share.js").then((module) => module[what](...given, notify), () =>
    notify("wrong", "A part of the page could not be loaded. Look at the connection and try again."));
// The link in the address. A place on the page is no link to a scenario.
const link = () => {
  const fragment = location.hash.slice(1);
  return fragment && !document.getElementById(fragment) ? fragment : undefined;
};
globalThis.lanewise = {
  stopped,
  // What the address of a player asks for; `#` names the link.
  option: (name) => (embedded ? (name === "#" ? location.hash.slice(1) : asked.get(name)) ?? undefined : undefined),
  // Copies a text; tells whether that could be done. Without https there is
  // no clipboard.
  copy(text, then) {
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject();
    copied.then(() => then(true), () => then(false));
  },
  listen(then) {
    notify = then;
    addEventListener("hashchange", () => {
      const fragment = link();
      if (fragment) notify("link", fragment);
    });
  },
  link,
  here: () => location.href.replace(/#.*/s, ""),
  // A link into the address bar, or the one that is there away from it.
  address(fragment) {
    if (location.hash === `#${fragment}` || (!fragment && !link())) return;
    const to = fragment ? `#${fragment}` : lanewise.here();
    // Each scenario is an entry of the history; Back returns to the one before.
    const isEntry = fragment.startsWith("scenario=") && link()?.startsWith("scenario=");
    if (isEntry) history.pushState(null, "", to);
    else history.replaceState(null, "", to);
  },
  hand: (...given) => share("hand", ...given),
};
