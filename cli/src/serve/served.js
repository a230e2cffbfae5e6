// Connects the page to `lanewise serve`, which adds this script to it: opens the files of the
// server on the page, and fills the tab Source, the element `lanewise-source`. Hosted pages do
// not have this script.

const SOURCE_STYLE = `
  lanewise-source { display: flex; flex-direction: column; height: 100%; }
  .served-bar { display: flex; flex: none; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 4px 10px; }
  .served-editor { flex: 1 1 120px; min-height: 72px; overflow: hidden; }
  .served-messages { flex: 0 1 auto; max-height: 40%; margin: 0; padding: 4px 10px; overflow: auto; list-style: none; }
  .served-messages [data-severity="error"] { color: var(--error); }
`;

const SAVE = "Save and compile";
const OVERWRITE = "Overwrite and compile";
const DISCARD = "Discard my edits";

/** Milliseconds before the next attempt to reach the server. */
const RETRY = 1000;

globalThis.lanewise.isServed = true;
globalThis.LanewiseServe = (() => {
  /** What the server says about the file: `View` of `serve/watched.rs`. */
  let view = { version: 0, files: [], kernels: [], messages: [] };
  /** Chosen file and kernel. */
  let file = 0;
  let kernel;
  /** The file of `view`. */
  let shown = 0;
  /** For each file, its edited text and the source that the edit started from. */
  const edits = [];
  /** What the last save or request has come to. */
  let notice = "";
  let page;
  let pane;
  /** The program, its source and the problems that the page was given last. */
  let opened;
  let openedSource = "";
  let reported = [];
  let listed = "";
  /** Message to select as soon as the editor shows its text. */
  let selected;
  /** Whether the page shows the program that it had before it was reloaded. */
  let isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  /** Cancels the request for changes. */
  let waiting = new AbortController();

  function show(next) {
    view = next;
    if (edits[shown]?.text === view.source) delete edits[shown];
    if (isConflict()) notice = "";
    const { name, files, kernels, text, error, messages, isBusy } = view;
    const source = view.compiledSource ?? "";
    const keeps = opened !== undefined || isReloaded;
    // A file without a program replaces the program of another file.
    const program = text ?? (keeps ? opened : "");
    const isOpened = program === undefined || (program === opened && source === openedSource);
    // While a file is compiled, its last program and problems stay.
    if (!isOpened && (!isBusy || opened === undefined)) {
      [opened, openedSource] = [program, source];
      page.open(addressOf(shown, kernels.length > 1 ? view.kernel : undefined), name, program, source, keeps);
    }
    const entries = files.flatMap((title, file) =>
      file === shown && kernels.length > 1
        ? kernels.map((kernel) => [`${kernel} of ${title}`, addressOf(file, kernel)])
        : [[title, addressOf(file)]],
    );
    if (`${entries}` !== listed) {
      listed = `${entries}`;
      page.list(entries.map(([title]) => title), entries.map(([, address]) => address));
    }
    const errors = errorsOf(messages);
    const problems = errors.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
    if (error && !problems.length) problems.push(error);
    if (!isBusy && problems.join("\n") !== reported.join("\n")) {
      reported = problems;
      page.report(problems);
    }
    pane?.update();
  }

  /** Whether the edited file has another source than the edit started from. */
  const isConflict = () => edits[shown] !== undefined && edits[shown].base !== view.source;

  const errorsOf = (messages) => messages.filter(({ severity }) => severity === "error");

  async function follow() {
    for (;;) {
      waiting = new AbortController();
      const asked = file;
      const query = new URLSearchParams({ file: asked, after: view.version });
      if (kernel !== undefined) query.set("kernel", kernel);
      try {
        const answer = await fetch(`serve/file?${query}`, { signal: waiting.signal });
        if (answer.status === 404 && asked) {
          // The address of another server.
          [file, kernel] = [0, undefined];
          continue;
        }
        if (answer.status === 404) {
          notice = "lanewise serve was started without a file.";
          pane?.update();
          return;
        }
        if (!answer.ok) throw new Error(await answer.text());
        const next = await answer.json();
        if (notice.startsWith("No connection")) notice = "";
        const isOther = asked !== shown;
        shown = asked;
        if (next.version !== view.version || isOther) show(next);
      } catch (error) {
        if (waiting.signal.aborted) continue;
        notice = `No connection to lanewise serve. Start it again and open the address that it prints.`;
        if (opened === undefined && reported[0] !== notice) page.report((reported = [notice]));
        pane?.update();
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
  }

  /** Fragment of the address of a file and, if it has several, its kernel. */
  const addressOf = (file, kernel) => `served=${file}${kernel === undefined ? "" : `,${encodeURIComponent(kernel)}`}`;

  /** File and kernel of such a fragment, if it is one. */
  function chosenBy(address) {
    const found = /^served=(\d+)(?:,(.*))?$/.exec(address);
    return found && [Number(found[1]), found[2] === undefined ? undefined : decodeURIComponent(found[2])];
  }

  /** Asks for another file or kernel. */
  function choose(newFile, newKernel) {
    [file, kernel] = [newFile, newKernel];
    view = { ...view, version: 0 };
    [opened, isReloaded] = [undefined, false];
    waiting.abort();
  }

  /** Writes the file, if it still has the source `base`. */
  async function save(base) {
    const saved = shown;
    const text = edits[saved]?.text ?? view.source;
    notice = "Saving …";
    pane?.update();
    try {
      const answer = await fetch(`serve/source?file=${saved}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ base, text }),
      });
      notice = answer.ok ? "" : (await answer.text()).trim();
      if (answer.ok) {
        if (edits[saved]) edits[saved].base = text;
        if (saved === shown) show({ ...view, source: text });
      }
    } catch {
      notice = "No connection to lanewise serve; not saved.";
    }
    pane?.update();
  }

  /** Selects a message as soon as the editor shows its text. */
  function select(message) {
    selected = message;
    pane?.update();
  }

  /** Saves the edit, unless that would replace a version it does not start from. */
  function saveEdit() {
    if (!isConflict()) return save(edits[shown]?.base ?? view.source);
    notice = `Not saved: ${conflict()}`;
    pane?.update();
  }

  function discard() {
    delete edits[shown];
    notice = "";
    pane?.update();
  }

  const conflict = () => `${view.name} has changed on disk since you began to edit it. ${OVERWRITE} replaces it with your text; ${DISCARD} shows its new text.`;

  function status() {
    const { isBusy, error, messages, device, text } = view;
    if (notice) return notice;
    if (isConflict()) return conflict();
    if (isBusy) return "Compiling …";
    if (error && !messages.length) return error;
    const errors = errorsOf(messages).length;
    if (errors) {
      const count = `Not compiled: ${errors} ${errors === 1 ? "error" : "errors"}.`;
      return text == null ? count : `${count} The page shows the last version that compiled.`;
    }
    return device ? `Compiled for ${device}.` : "";
  }

  /** An element with properties and children. */
  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /** A labelled list of choices; hidden if there is only one. */
  function choice(label, onchange) {
    const select = element("select", { onchange: () => onchange(select.selectedIndex) });
    const field = element("label", { className: "field", hidden: true }, label, " ", select);
    const set = (names, chosen) => {
      field.hidden = names.length < 2;
      select.replaceChildren(...names.map((name, index) => element("option", { selected: index === chosen }, name)));
    };
    return { field, set };
  }

  /** Loads the editor, which the page may not need otherwise. */
  const editorScript = () =>
    globalThis.LanewiseEditor
      ? Promise.resolve()
      : new Promise((resolve, reject) => {
          document.head.append(element("script", { src: "./editor.js", onload: resolve, onerror: reject }));
        });

  /** A text area in place of the editor. */
  function plainEditor(parent, { label, edited, save }) {
    const area = element("textarea", { className: "mono", spellcheck: false, ariaLabel: label });
    Object.assign(area.style, { width: "100%", height: "100%" });
    area.oninput = () => edited(area.value);
    area.onkeydown = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
      event.preventDefault();
      save();
    };
    parent.append(area);
    return {
      show: (text) => area.value !== text && (area.value = text),
      setDiagnostics() {},
      select(from, to) {
        area.focus();
        area.setSelectionRange(from, to);
      },
      destroy() {},
    };
  }

  class SourcePane extends HTMLElement {
    connectedCallback() {
      pane = this;
      this.saves = element("button", { className: "button small", onclick: saveEdit }, SAVE);
      this.overwrites = element("button", { className: "button small", onclick: () => save(view.source) }, OVERWRITE);
      this.discards = element("button", { className: "button small", onclick: discard }, DISCARD);
      this.status = element("span", { className: "muted", role: "status" });
      this.files = choice("File", (index) => choose(index, undefined));
      this.kernels = choice("Kernel", (index) => choose(file, view.kernels[index]));
      this.messages = element("ul", { className: "served-messages", ariaLabel: "Messages of the compiler" });
      this.box = element("div", { className: "served-editor" });
      const bar = element("div", { className: "served-bar" }, this.files.field, this.kernels.field, this.saves, this.overwrites, this.discards, this.status);
      this.replaceChildren(bar, this.box, this.messages);
      this.update();
      const host = { label: "Source", edited: (text) => this.edited(text), save: saveEdit };
      const mount = (make) => {
        if (!this.isConnected) return;
        this.editor = make(this.box, host);
        this.update();
      };
      editorScript().then(
        () => mount(globalThis.LanewiseEditor.mountSource),
        () => mount(plainEditor),
      );
    }

    disconnectedCallback() {
      this.editor?.destroy();
      if (pane === this) pane = undefined;
    }

    edited(text) {
      if (text === view.source) delete edits[shown];
      else (edits[shown] ??= { base: view.source }).text = text;
      notice = "";
      this.update(true);
    }

    update(isTyped) {
      const hasSource = view.source != null;
      const edit = edits[shown];
      this.files.set(view.files, shown);
      this.kernels.set(view.kernels, view.kernels.indexOf(view.kernel));
      this.box.hidden = !hasSource;
      this.saves.hidden = !hasSource || isConflict();
      this.overwrites.hidden = !isConflict();
      this.saves.disabled = view.isBusy && !edit;
      this.discards.hidden = !edit;
      const text = status() || (hasSource ? "" : "The file is not a source.");
      if (this.status.textContent !== text) this.status.textContent = text;
      if (isTyped) return;
      this.editor?.show(edit?.text ?? view.source ?? "");
      // Positions are those of the compiled text.
      const messages = edit ? [] : view.messages;
      this.editor?.setDiagnostics(messages.map((message) => ({ ...message, code: "", help: "" })));
      this.messages.hidden = !view.messages.length;
      this.messages.replaceChildren(...view.messages.map((message) => {
        const { severity, line, column } = message;
        const place = `${severity} at ${line}:${column}: ${message.message}`;
        const goes = element("button", { className: "problem-go", onclick: () => select(message) }, place);
        const item = element("li", {}, goes);
        item.dataset.severity = severity;
        return item;
      }));
      if (selected && this.editor) {
        this.editor.select(selected.from, selected.to);
        selected = undefined;
      }
    }
  }

  return {
    /**
     * Called by the page. `open(address, name, text, source, keeps)` shows a scenario; with
     * `keeps`, it replaces the same kernel and keeps its launch and breakpoints. `report(problems)`
     * shows the problems of the file in place of earlier ones. `list(titles, addresses)` names the
     * programs that can be chosen.
     */
    start(open, report, list) {
      page = { open, report, list };
      const address = () => location.hash.slice(1);
      [file, kernel] = chosenBy(address()) ?? [0];
      addEventListener("hashchange", () => {
        const chosen = chosenBy(address());
        if (chosen) choose(...chosen);
      });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(SOURCE_STYLE);
      document.adoptedStyleSheets.push(sheet);
      customElements.define("lanewise-source", SourcePane);
      addEventListener("beforeunload", (event) => edits.some((edit) => edit) && event.preventDefault());
      follow();
    },

    /** Opens the file or kernel of an address. */
    choose: (address) => choose(...chosenBy(address)),

    /** Selects the place of a problem given to `report`. */
    showProblem(index) {
      select(errorsOf(view.messages)[index]);
    },
  };
})();
