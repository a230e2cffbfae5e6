// Before the page is drawn: the theme that was chosen, and a word to the
// reader if the page cannot start. Kept small: it stands in the page itself.
try {
  const theme = localStorage.getItem("lanewise.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the system's theme.
}
const tell = ({ reason, message }) => {
  const crash = document.getElementById("crash");
  if (!crash || document.querySelector("main")) return;
  document.getElementById("crash-what").textContent = String(reason ?? message);
  try {
    document.getElementById("crash-text").value = localStorage.getItem("lanewise.text") ?? "";
  } catch {
    // Nothing kept, nothing to show.
  }
  crash.hidden = false;
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
globalThis.lanewise = {
  // What is known of an instruction into a box, the row of its operation lit.
  explain(box, name, code) {
    const light = () => {
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
  // Why rules stand, or nothing.
  rules: (then) => text("explain/rules.txt").then(then, () => then(null)),
  // The text of a bundled scenario, or nothing.
  scenario: (id, then) => text(`scenarios/${id}.lanewise`).then(then, () => then(null)),
};
