// The first visit shows a picture of the page until the program runs: a template of index.html,
// from the folder `web/first-screen`. Buttons pressed meanwhile are pressed again in the
// program, and keep the focus. A link, a saved text, an embedding page and `lanewise serve`
// have other first screens: they wait for the program.
(() => {
  /** Time after which the page says that it is still loading. */
  const SLOW_MS = 1000;
  const app = document.getElementById("app");
  const { embedded, stored, isServed } = globalThis.lanewise;
  const isFirstVisit = stored("lanewise.version") === null && stored("lanewise.text") === null;
  if (embedded || isServed || location.hash || !isFirstVisit) return;

  const width = matchMedia("(max-width: 899.98px)").matches ? "compact" : "wide";
  const picture = document.getElementById(`first-screen-${width}`).content.cloneNode(true);
  // The policy forbids style attributes in HTML.
  for (const element of picture.querySelectorAll("[data-style]")) {
    element.style.cssText = element.dataset.style;
    delete element.dataset.style;
  }
  app.replaceChildren(picture);
  app.setAttribute("aria-busy", "true");
  setTimeout(() => {
    if (!app.hasAttribute("aria-busy")) return;
    const note = document.createElement("p");
    note.className = "loading";
    note.setAttribute("role", "status");
    note.textContent = "Loading… Buttons that you press act as soon as the page is ready.";
    app.append(note);
  }, SLOW_MS);

  const buttons = () => [...app.querySelectorAll("button")];
  const label = (button) => button.ariaLabel ?? button.textContent;
  /** The picture has the buttons of the program in the same order. */
  const place = (button) => ({ index: buttons().indexOf(button), name: label(button) });
  const find = ({ index, name }) => [buttons()[index]].find((button) => button && label(button) === name);

  const pressed = [];
  let focused;
  const listening = new AbortController();
  const listen = (kind, report) => {
    const handler = ({ target }) => report(target.closest("button"));
    app.addEventListener(kind, handler, { signal: listening.signal });
  };
  listen("click", (button) => button && pressed.push(place(button)));
  listen("focusin", (button) => (focused = button && place(button)));
  // Called when the program has replaced the picture.
  globalThis.lanewise.started = () => {
    listening.abort();
    app.removeAttribute("aria-busy");
    if (focused && document.activeElement === document.body) find(focused)?.focus();
    for (const button of pressed) find(button)?.click();
  };
})();
