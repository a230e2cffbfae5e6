// The first visit shows a picture of the page until the program runs, if it takes long to
// load: a template of index.html, from the folder `web/first-screen`. Buttons pressed
// meanwhile are pressed again in the program, and keep the focus. A link, a saved text, an
// embedding page and `lanewise serve` have other first screens: they wait for the program.
(() => {
  /** Time after which the picture is shown: it would delay a program that is faster. */
  const SOON_MS = 150;
  /** Time after which the page says that it is still loading. */
  const SLOW_MS = 1000;
  const app = document.getElementById("app");
  const { embedded, stored, isServed } = globalThis.lanewise;
  const isFirstVisit = stored("lanewise.version") === null && stored("lanewise.text") === null;
  if (embedded || isServed || location.hash || !isFirstVisit) return;
  const skeleton = app.firstElementChild;
  setTimeout(() => skeleton.isConnected && show(), SOON_MS);

  function show() {
    const width = matchMedia("(max-width: 899.98px)").matches ? "compact" : "wide";
    const picture = document.getElementById(`first-screen-${width}`).content.cloneNode(true);
    // The policy forbids style attributes in HTML.
    for (const element of picture.querySelectorAll("[data-style]")) {
      element.style.cssText = element.dataset.style;
      delete element.dataset.style;
    }
    app.replaceChildren(picture);
    app.setAttribute("aria-busy", "true");
    // Until the program replaces the picture.
    const shown = app.firstElementChild;
    setTimeout(() => {
      if (!shown.isConnected) return;
      const note = document.createElement("p");
      note.className = "loading";
      note.setAttribute("role", "status");
      note.textContent = "Loading… Buttons that you press act as soon as the page is ready.";
      app.append(note);
    }, SLOW_MS);

    const label = (button) => button.ariaLabel ?? button.textContent;
    /** Buttons with the same name, of which the program may show more or fewer in other rows. */
    const namesakes = (name) => [...app.querySelectorAll("button")].filter((button) => label(button) === name);
    const place = (button) => ({ name: label(button), index: namesakes(label(button)).indexOf(button) });
    const find = ({ name, index }) => namesakes(name)[index];

    const pressed = [];
    let focused;
    const listening = new AbortController();
    const listen = (kind, report) => {
      const handler = (event) => shown.isConnected && report(event.target, event);
      app.addEventListener(kind, handler, { signal: listening.signal });
    };
    listen("click", (target, event) => {
      const button = target.closest("button");
      if (button) {
        const press = place(button);
        const last = pressed.at(-1);
        // A second press of a switch would undo the first one.
        const isRepeated = last?.name === press.name && last.index === press.index;
        if (!isRepeated || button.id === "step") pressed.push(press);
      }
      // The address must not name an element of the picture when the program starts.
      const link = target.closest("a[href^='#']");
      if (!link) return;
      event.preventDefault();
      document.querySelector(link.hash)?.focus();
    });
    listen("focusin", (target) => (focused = target.closest("button") && place(target)));
    // Called when the program has replaced the picture.
    globalThis.lanewise.started = () => {
      listening.abort();
      app.removeAttribute("aria-busy");
      if (focused && document.activeElement === document.body) find(focused)?.focus();
      for (const button of pressed) find(button)?.click();
    };
  }
})();
