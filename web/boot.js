// Before the page is drawn: the theme that was chosen, and a word to the
// reader if the page cannot start. Kept small: it stands in the page itself.
try {
  const theme = localStorage.getItem("lanewise.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the system's theme.
}
const stopped = (what) => {
  const crash = document.getElementById("crash");
  if (!crash?.hidden) return;
  document.getElementById("crash-what").textContent = what;
  const text = document.getElementById("crash-text");
  try {
    text.value = document.getElementById("program-text")?.value ?? localStorage.getItem("lanewise.text");
  } catch {
    // Nothing kept, nothing to show.
  }
  crash.hidden = false;
};
const tell = ({ reason, message }) => {
  if (!document.querySelector("main")) stopped(String(reason ?? message));
};
addEventListener("error", tell);
addEventListener("unhandledrejection", tell);
// What the page is not made of but shows when it is asked for.
const fetched = new Map();
const text = (path) => {
  if (!fetched.has(path)) {
    const answer = fetch(path).then((r) => (r.ok ? r.text() : Promise.reject(new Error(r.status))));
    // What failed is asked for again the next time.
    answer.catch(() => fetched.delete(path));
    fetched.set(path, answer);
  }
  return fetched.get(path);
};
// The wasm is split by `cargo xtask dist`; a build of Trunk's alone is whole.
let first;
for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (...given) => {
    const made = await original.apply(WebAssembly, given);
    first ??= (made.instance ?? made).exports;
    return made;
  };
}
// Who waits for the whole of it, each to be told once.
let waiting = [];
const tellAll = (is) => {
  const told = waiting;
  waiting = [];
  for (const then of told) queueMicrotask(() => then(is));
};
const link = (module) => {
  if (!first["~loaded"].value) {
    new WebAssembly.Instance(module, { first });
    first["~loaded"].value = 1;
  }
  tellAll(true);
};
globalThis.lanewise = {
  rest(now) {
    const url = document.querySelector("meta[name=rest]")?.content;
    if (!url) return;
    if (!now) {
      // What fails here is tried again when it is needed.
      WebAssembly.compileStreaming(fetch(url)).then(link, () => tellAll(false));
      return;
    }
    try {
      const request = new XMLHttpRequest();
      request.open("GET", url, false);
      // Bytes as characters: a request that waits cannot give a buffer.
      request.overrideMimeType("text/plain; charset=x-user-defined");
      request.send();
      link(new WebAssembly.Module(Uint8Array.from(request.response, (c) => c.charCodeAt(0))));
    } catch (error) {
      stopped("A part of the page could not be loaded. Look at the connection, then start again.");
      throw error;
    }
  },
  // Tells whether the whole of the wasm is there, once that is known.
  whole(then) {
    waiting.push(then);
    if (!document.querySelector("meta[name=rest]") || first["~loaded"].value) tellAll(true);
  },
  // What is known of an instruction into a box, the row of its operation lit,
  // the contradictions that concern it marked.
  explain(box, name, code, concerns) {
    Object.assign(box.dataset, { code, concerns });
    const light = () => {
      const { code, concerns } = box.dataset;
      for (const said of box.querySelectorAll("[data-about]")) {
        said.querySelector(".mark-word").hidden = !concerns.split(" ").includes(said.dataset.about);
      }
      for (const row of box.querySelectorAll("tr[data-code]")) {
        if (row.dataset.code === code) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
      }
    };
    const show = (html) => {
      box.innerHTML = html;
      light();
    };
    if (box.dataset.name === name) return light();
    box.dataset.name = name;
    const current = (then) => (answer) => box.dataset.name === name && then(answer);
    text(`explain/${name}.html`).then(current(show), current(() => {
      box.dataset.name = "";
      box.textContent = "What is known of this instruction could not be loaded.";
    }));
  },
  // Copies a text; tells whether that could be done. Without https there is
  // no clipboard.
  copy(text, then) {
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject();
    copied.then(() => then(true), () => then(false));
  },
  // Why rules stand, or nothing.
  rules: (then) => text("explain/rules.txt").then(then, () => then(null)),
  // The text of a bundled scenario, or nothing.
  scenario: (id, then) => text(`scenarios/${id}.lanewise`).then(then, () => then(null)),
};
