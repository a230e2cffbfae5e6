// The editor: CodeMirror, told by the page what is known of the program. The
// page alone knows; what is typed goes to it, and comes back as marks, help
// and offers. Loaded after the page, in place of the textarea.
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { setups } from "./setup.js";
import { fromPage, follow, past } from "./sync.js";
import { facts } from "./facts.js";
import { Page } from "./page.js";

/**
 * Puts an editor into `host`. `ask` asks the page; `texts` are what the
 * program was since the page was drawn, the last as it is now; `left` is how
 * the textarea was left: where its selection starts and ends, how far it is
 * scrolled, whether it has the focus.
 */
export function mount(host, ask, texts, ...left) {
  const [start, end, scroll, focus] = left;
  const page = new Page(ask);
  const extensions = setups(page);
  const fresh = (doc) => EditorState.create({ doc, extensions });
  const view = new EditorView({ state: fresh(texts[0]), parent: host, dispatchTransactions });
  function dispatchTransactions(transactions) {
    view.update(transactions);
    const typed = transactions.some((t) => t.docChanged && !t.annotation(fromPage));
    if (typed) page.edited(view.state.doc.toString());
    else if (transactions.some((t) => t.selection)) page.moved(view.state.selection.main.head);
  }
  face(view);
  past(view, texts);
  let scrolled = scroll;
  view.scrollDOM.addEventListener("scroll", () => (scrolled = view.scrollDOM.scrollTop));
  const [anchor, head] = [start, end].map((at) => Math.min(at, view.state.doc.length));
  view.dispatch({ selection: { anchor, head }, annotations: fromPage.of(true) });
  // Its height is known once it is measured.
  view.requestMeasure({ read: () => {}, write: () => (view.scrollDOM.scrollTop = scroll) });
  if (focus) view.focus();

  let known = [];
  return {
    /** Another program takes the place of this one. */
    load(text) {
      view.setState(fresh(text));
      view.scrollDOM.scrollTop = 0;
    },
    /** A piece of the text is rewritten; the reader can undo it. */
    rewrite: (from, to, insert) => follow(view, from, to, insert),
    /** The caret goes there, and the focus too if so asked. */
    caret(start, end, focus) {
      const selection = { anchor: start, head: end };
      view.dispatch({ selection, annotations: fromPage.of(true) });
      if (focus) {
        view.focus();
        view.dispatch({ effects: EditorView.scrollIntoView(start, { y: "nearest", yMargin: 60 }) });
      } else reveal(view, start);
    },
    /** Something that the page knows has changed: see `facts`. */
    set: (name, value) => known.push(facts[name].of(value)),
    /** Shows what was set; `line`, from 0, is brought into view. */
    show(line) {
      view.dispatch({ effects: known, annotations: fromPage.of(true) });
      known = [];
      const { doc } = view.state;
      if (line >= doc.lines) return;
      const show = () => view.state.doc === doc && view.dom.isConnected && reveal(view, doc.line(line + 1).from);
      show();
      // What is drawn beside the editor, longer notes say, may have made it lower.
      requestAnimationFrame(show);
    },
    /** Opens the panel that searches. */
    search: () => page.search(view),
    /** How it is left, as `left`. */
    leave() {
      const { from, to } = view.state.selection.main;
      return [from, to, scrolled, Number(view.hasFocus)];
    },
    destroy: () => view.destroy(),
  };
}

/** What a textarea tells of itself, for whoever asks the one that is there. */
function face(view) {
  const selection = () => view.state.selection.main;
  Object.defineProperties(view.contentDOM, {
    value: { get: () => view.state.doc.toString() },
    selectionStart: { get: () => selection().from },
    selectionEnd: { get: () => selection().to },
  });
}

/** Scrolls a place into view inside the editor, never the page. */
function reveal(view, place) {
  const { scrollDOM } = view;
  const { top, bottom, height } = view.lineBlockAt(place);
  const above = top < scrollDOM.scrollTop;
  const below = bottom + height > scrollDOM.scrollTop + scrollDOM.clientHeight;
  if (above || below) scrollDOM.scrollTop = top - scrollDOM.clientHeight / 3;
}
