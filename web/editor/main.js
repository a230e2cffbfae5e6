// Code editor: CodeMirror, connected to the page. The page has the only
// grammar: tokens, diagnostics, hover and completion come from it through
// `Page`. `web/src/interop.rs` declares both interfaces for Rust.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { completionSource } from "./completion.js";
import { foldAll, folding, keepFolds } from "./folding.js";
import { diagnostics, showDiagnostics } from "./diagnostics.js";
import { breakpointGutter, bytesGutter, pressToToggle, runGutter } from "./gutters.js";
import { help } from "./help.js";
import { highlighting } from "./highlighting.js";
import { INVISIBLE, invisible } from "./invisible.js";
import { fromPage, marks, setMarks } from "./marks.js";
import { reporting } from "./reporting.js";
import { theme } from "./theme.js";

/**
 * Callbacks from the editor to the page. Offsets are in UTF-16 code units, and
 * lines count from 0.
 *
 * @typedef {object} Page
 * @property {(text: string) => void} edited the user changed the text
 * @property {(offset?: number) => void} pointed the caret or pointer moved; without an offset, it left
 * @property {(line: number) => void} toggleBreakpoint
 * @property {(offset: number) => void} runTo runs until before the instruction at an offset
 * @property {(index: number) => void} fix applies the quick fix of a diagnostic, by index
 * @property {(line: number) => void} showEncoding opens the encoding of the instruction on a line
 * @property {string[]} tokenClasses names of token classes, by index
 * @property {(from: number, to: number) => Uint32Array} tokens start, end and class of each token on lines `from` to `to`, exclusive
 * @property {(offset: number) => object | null} hover
 * @property {(offset: number) => {from: number, to: number, candidates: object[]}} complete
 * @property {() => {from: number, to: number, summary: string}[]} folds lines of declarations, from the first to the last
 * @property {(offset: number) => [number, number] | null} definition start and end of the definition of the name at an offset
 * @property {(line: number) => string | undefined} bytes encoding of the instruction that starts on a line
 */

/**
 * Mounts an editor in `parent`. `earlier` is the text at the start of the
 * visit, if it differs, so that the editor can undo what was typed before it
 * was loaded. `left` is the state of the text area: `start` and `end` of its
 * selection, its `scroll` position, and whether it had the `focus`.
 */
export function mount(parent, text, earlier, left, page) {
  const host = reporting(page);
  const wrapping = new Compartment();
  let wraps = false;
  const wrapped = () => (wraps ? EditorView.lineWrapping : []);
  const extensions = [setup(host), wrapping.of([])];
  const fresh = (doc) => EditorState.create({ doc, extensions });
  const view = new EditorView({ state: fresh(earlier ?? text), parent, dispatchTransactions });
  function dispatchTransactions(transactions) {
    view.update(transactions);
    const typed = transactions.some((t) => t.docChanged && !t.annotation(fromPage));
    if (transactions.some(pastesLines)) showLineStarts(view);
    if (typed) host.edited(transactions[0].startState.doc, view.state.doc);
    else if (transactions.some((t) => t.selection)) host.pointed(view.state.selection.main.head);
  }
  likeATextArea(view);
  if (earlier !== undefined) replace(view, difference(earlier, text));
  let scroll = left.scroll;
  view.scrollDOM.addEventListener("scroll", () => (scroll = view.scrollDOM.scrollTop));
  const [anchor, head] = [left.start, left.end].map((at) => Math.min(at, view.state.doc.length));
  view.dispatch({ selection: { anchor, head }, annotations: fromPage.of(true) });
  if (left.focus) {
    // The scroll height is known after measuring.
    view.requestMeasure({ read: () => {}, write: () => (view.scrollDOM.scrollTop = left.scroll) });
    view.focus();
  }
  foldAll(view, host);
  // In a narrow window, the editor may be hidden: the line is scrolled to when it appears.
  let awaited;
  const isHidden = () => view.scrollDOM.clientHeight === 0;
  const appears = new ResizeObserver(() => {
    if (awaited !== undefined && !isHidden()) editor.revealLine(awaited);
  });
  appears.observe(view.scrollDOM);
  const undoing = new AbortController();
  addEventListener("keydown", (event) => undoElsewhere(view, event), { signal: undoing.signal });

  const editor = {
    /** Opens another program at its top, with an empty undo history. */
    load(text) {
      host.discard();
      view.setState(fresh(text));
      if (wraps) view.dispatch({ effects: wrapping.reconfigure(wrapped()) });
      view.scrollDOM.scrollTo(0, 0);
      foldAll(view, host);
    },
    /** Rewrites the text as an undoable edit of the part that differs. */
    rewrite(text) {
      host.discard();
      const changes = difference(view.state.doc.toString(), text);
      keepFolds(view, host, changes, () => replace(view, changes));
    },
    /** Selects a range and scrolls it into view. */
    select(start, end, focus) {
      const selection = { anchor: start, head: end };
      // Starts of lines stay in view unless the selection is too far right.
      view.scrollDOM.scrollLeft = 0;
      view.dispatch({ selection, annotations: fromPage.of(true) });
      if (focus) {
        view.focus();
        view.dispatch({ effects: EditorView.scrollIntoView(start, { y: "nearest", yMargin: 60 }) });
      } else reveal(view, start);
    },
    /**
     * Updates marks after the page has processed the text, or highlights
     * another part: see `marks.js`.
     */
    setMarks(marks) {
      host.show("marks", () => {
        host.caughtUp();
        setMarks(view, marks);
      });
    },
    /** Updates the diagnostics: see `diagnostics.js`. */
    setDiagnostics: (list) => host.show("diagnostics", () => showDiagnostics(view, list, host)),
    /** Scrolls a line into view. */
    revealLine(line) {
      awaited = isHidden() ? line : undefined;
      const { doc } = view.state;
      if (line >= doc.lines || isHidden()) return;
      const show = () => view.state.doc === doc && view.dom.isConnected && reveal(view, doc.line(line + 1).from);
      // Heights of lines are estimates until they have been in view.
      const settle = (times) =>
        view.requestMeasure({ read: () => {}, write: () => times > 0 && show() && settle(times - 1) });
      show();
      // Content rendered beside the editor in the same frame may have reduced
      // its height.
      requestAnimationFrame(() => {
        show();
        settle(MOST_MOVES);
      });
    },
    /** Enables or disables line wrapping. */
    setWrap(wrap) {
      wraps = wrap;
      view.dispatch({ effects: wrapping.reconfigure(wrapped()) });
    },
    search: () => openSearchPanel(view),
    /** Returns the editor's state, in the form of `left` of `mount`. */
    leave() {
      host.stop();
      const { from, to } = view.state.selection.main;
      return { start: from, end: to, scroll: Math.round(scroll), focus: view.hasFocus };
    },
    destroy() {
      undoing.abort();
      appears.disconnect();
      view.destroy();
    },
  };
  return editor;
}

/** Elements that have their own undo history, or cover the program. */
const UNDO_THEMSELVES = "input:not([type=range], [type=checkbox], [type=radio]), textarea, .cm-editor, dialog";

/** Undoes or redoes a change of the program, which the stage and State also edit, outside the editor. */
function undoElsewhere(view, event) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!(ctrlKey || metaKey) || altKey) return;
  const letter = key.toLowerCase();
  if (letter !== "z" && !(letter === "y" && ctrlKey)) return;
  if (event.defaultPrevented || event.target.closest?.(UNDO_THEMSELVES)) return;
  const command = shiftKey || letter === "y" ? redo : undo;
  if (command(view)) event.preventDefault();
}

/**
 * Mounts an editor for another text, such as the source of a kernel, in
 * `parent`. `label` is its name; `edited(text)` is called after each edit by
 * the user, and `save()` on Ctrl+S.
 */
export function mountSource(parent, { label, edited, save }) {
  const report = EditorView.updateListener.of(({ docChanged, transactions, state }) => {
    if (docChanged && transactions.some((t) => !t.annotation(fromPage))) edited(state.doc.toString());
  });
  const extensions = [
    history(),
    search({ top: true }),
    bracketMatching(),
    diagnostics,
    help({ hover: () => null }),
    lineNumbers(),
    theme,
    nonce(),
    report,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    keymap.of([{ key: "Mod-s", run: () => (save(), true), preventDefault: true }, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
  const view = new EditorView({ parent, extensions });
  likeATextArea(view);
  return {
    /** Shows a text; one that replaces another can be undone. */
    show(text) {
      const old = view.state.doc.toString();
      if (old !== text) replace(view, difference(old, text));
    },
    setDiagnostics: (list) => showDiagnostics(view, list, {}),
    select(from, to) {
      const { length } = view.state.doc;
      const [anchor, head] = [from, to].map((at) => Math.min(at, length));
      view.dispatch({ selection: { anchor, head }, scrollIntoView: true, annotations: fromPage.of(true) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** Whether several lines are being pasted. */
const pastesLines = (transaction) => {
  let lines = false;
  if (transaction.isUserEvent("input.paste")) {
    transaction.changes.iterChanges((from, to, start, end, inserted) => (lines ||= inserted.lines > 1));
  }
  return lines;
};

/**
 * After pasting lines, scrolls to their starts rather than to the end of the
 * last one.
 */
function showLineStarts(view) {
  const { from } = view.state.doc.lineAt(view.state.selection.main.head);
  view.dispatch({ effects: EditorView.scrollIntoView(from, { xMargin: 60 }) });
}

function setup(host) {
  return [
    history(),
    search({ top: true }),
    highlightSelectionMatches(),
    bracketMatching({ brackets: "()[]<>" }),
    highlightSpecialChars({ addSpecialChars: INVISIBLE, render: invisible }),
    highlighting(host),
    autocompletion({
      override: [completionSource(host)],
      icons: false,
      // Enter starts a new line unless the list has been visible for a moment.
      interactionDelay: 150,
      defaultKeymap: false,
    }),
    help(host),
    diagnostics,
    marks,
    folding(host),
    breakpointGutter(host),
    lineNumbers({ domEventHandlers: pressToToggle(host) }),
    runGutter,
    bytesGutter(host),
    pointing(host),
    EditorView.domEventHandlers({ blur: () => host.report() }),
    lineRoom,
    emptyTheme.of(EMPTY_THEMES[0]),
    theme,
    nonce(),
    EditorView.contentAttributes.of({
      id: "program-text",
      "aria-label": "Program",
      // Focusable without it, but accessibility checkers require it.
      tabindex: "0",
      "aria-describedby": "program-keys",
    }),
    EditorState.languageData.of(() => [{ commentTokens: { line: "//" } }]),
    keymap.of([
      { key: "Ctrl-F10", run: (view) => runToCaret(view, host), preventDefault: true },
      { key: "F12", run: (view) => goToDefinition(view, host, view.state.selection.main.head), preventDefault: true },
      { key: "F9", run: (view) => toggleAtCaret(view, host), preventDefault: true },
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      // Tab is excluded: it moves to the next control.
      ...defaultKeymap,
    ]),
  ];
}

function runToCaret({ state }, host) {
  host.runTo(state.selection.main.head);
  return true;
}

/** Selects the definition of the variable or label at an offset, if any. */
function goToDefinition(view, host, offset) {
  const found = host.definition(offset);
  if (!found) return false;
  view.dispatch({
    selection: { anchor: found[0], head: found[1] },
    effects: EditorView.scrollIntoView(found[0], { y: "center" }),
    annotations: fromPage.of(true),
  });
  return true;
}

function toggleAtCaret({ state }, host) {
  host.toggleBreakpoint(state.doc.lineAt(state.selection.main.head).number - 1);
  return true;
}

/**
 * Empty themes. CodeMirror measures its lines again when the theme changes, but
 * not when only styles change their height.
 */
const EMPTY_THEMES = [EditorView.theme({}), EditorView.theme({})];
const emptyTheme = new Compartment();

function measureLines(view) {
  const other = EMPTY_THEMES.find((known) => known !== emptyTheme.get(view.state));
  queueMicrotask(() => view.dom.isConnected && view.dispatch({ effects: emptyTheme.reconfigure(other) }));
}

/** Width between the gutters, in which the current instruction may wrap. */
const lineRoom = EditorView.updateListener.of(({ view }) => {
  view.requestMeasure({
    key: "line-room",
    read({ scrollDOM }) {
      const gutters = [...scrollDOM.querySelectorAll(":scope > .cm-gutters")];
      return gutters.reduce((room, { offsetWidth }) => room - offsetWidth, scrollDOM.clientWidth);
    },
    write(room, view) {
      const text = `${room}px`;
      const { style } = view.dom;
      if (style.getPropertyValue("--line-room") === text) return;
      style.setProperty("--line-room", text);
      measureLines(view);
    },
  });
});

/** Reports what the pointer is on. */
function pointing(host) {
  let last;
  const point = (offset) => {
    if (offset === last) return;
    last = offset;
    host.pointed(offset);
  };
  return EditorView.domEventHandlers({
    mousedown(event, view) {
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
      const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
      return offset !== null && goToDefinition(view, host, offset);
    },
    mousemove: ({ clientX: x, clientY: y }, view) => point(view.posAtCoords({ x, y }) ?? undefined),
    mouseleave: () => point(undefined),
  });
}

/**
 * Nonce of the page's CSP, if its policy allows the editor's styles by nonce.
 */
function nonce() {
  const given = document.querySelector("[nonce]")?.nonce;
  return given ? EditorView.cspNonce.of(given) : [];
}

/** Properties that make the editor readable like a text area. */
function likeATextArea(view) {
  const selection = () => view.state.selection.main;
  Object.defineProperties(view.contentDOM, {
    value: { get: () => view.state.doc.toString() },
    selectionStart: { get: () => selection().from },
    selectionEnd: { get: () => selection().to },
  });
}

/** Rewrites a range as a single undo step. */
function replace(view, changes) {
  view.dispatch({
    changes,
    annotations: [fromPage.of(true), isolateHistory.of("full"), Transaction.userEvent.of("rewrite")],
  });
}

/** The single range in which two texts differ, as a change. */
function difference(old, now) {
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < least - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return { from: head, to: old.length - tail, insert: now.slice(head, now.length - tail) };
}

/** Maximum number of times that a line is scrolled to again when heights become known. */
const MOST_MOVES = 5;

/**
 * Scrolls an offset into view inside the editor, but never the page. Returns whether it has
 * scrolled.
 */
function reveal(view, offset) {
  const { scrollDOM } = view;
  const { top, bottom, height } = view.lineBlockAt(offset);
  const above = top < scrollDOM.scrollTop;
  const below = bottom + height > scrollDOM.scrollTop + scrollDOM.clientHeight;
  if (above || below) scrollDOM.scrollTop = top - scrollDOM.clientHeight / 3;
  return above || below;
}
