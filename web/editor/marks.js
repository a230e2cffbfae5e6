// Marks: the current instruction, breakpoints, and text highlighted elsewhere
// on the page. They move along with edits until the page has processed the new
// text.
import { Annotation, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType } from "@codemirror/view";

/** Annotates transactions from the page, which knows their text. */
export const fromPage = Annotation.define();

const marksChanged = StateEffect.define();

/**
 * Shows `{ current, breakpoints, highlighted, runs }`: the line of the current
 * instruction or null, lines with breakpoints, a highlighted range or null, and
 * notes on the execution of lines, `{ line, text, title, fault, waits }`.
 */
export function setMarks(view, marks) {
  const { state } = view;
  const shown = state.field(current).iter();
  const isSame = shown.value && state.doc.lineAt(shown.from).number - 1 === marks.current;
  const wraps = isSame ? shown.value === wrappedLine : !view.hasFocus;
  view.dispatch({ effects: marksChanged.of({ ...marks, wraps }), annotations: fromPage.of(true) });
}

/** State field that `make` computes from the marks and the text. */
const fieldOf = (start, make, provide) =>
  StateField.define({
    create: () => start,
    update(value, transaction) {
      const set = transaction.effects.findLast((e) => e.is(marksChanged));
      if (set) return make(set.value, transaction.newDoc);
      return value.map(transaction.changes);
    },
    provide,
  });

const decorated = (field) => EditorView.decorations.from(field);

/** Start of a line; lines beyond the end map to the last. */
const startOf = (doc, line) => doc.line(Math.min(line + 1, doc.lines)).from;

const currentLine = Decoration.line({ class: "cm-current" });
const wrappedLine = Decoration.line({ class: "cm-current cm-current-wraps" });

/**
 * Line of the current instruction. Wraps unless the editor has focus when the line becomes
 * current: text must not move while it is pressed, nor rows be added under the caret.
 */
export const current = fieldOf(
  Decoration.none,
  ({ current, wraps }, doc) =>
    current === null
      ? Decoration.none
      : Decoration.set((wraps ? wrappedLine : currentLine).range(startOf(doc, current))),
  decorated,
);

const breakpoint = new (class extends GutterMarker {})();

/** Lines with breakpoints. */
export const breakpoints = fieldOf(RangeSet.empty, ({ breakpoints }, doc) =>
  RangeSet.of(breakpoints.map((line) => breakpoint.range(startOf(doc, line)))),
);

/** Note on the execution of a line. */
class RunNote extends GutterMarker {
  constructor(text, title, fault) {
    super();
    Object.assign(this, { text, title, fault });
  }

  eq(other) {
    return this.title === other.title;
  }

  toDOM() {
    const note = document.createElement("span");
    note.textContent = this.text;
    note.title = this.title;
    if (this.fault) note.className = "cm-fault";
    return note;
  }
}

/** Notes on the execution of lines. */
export const runs = fieldOf(RangeSet.empty, ({ runs }, doc) =>
  RangeSet.of(
    runs
      .filter(({ text }) => text)
      .map(({ line, text, title, fault }) => new RunNote(text, title, fault).range(startOf(doc, line))),
  ),
);

/** Note behind a line where lanes or threads wait. */
class WaitNote extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }

  eq(other) {
    return this.text === other.text;
  }

  toDOM() {
    const note = document.createElement("span");
    note.className = "cm-waits";
    note.textContent = this.text;
    return note;
  }
}

const waits = fieldOf(
  Decoration.none,
  ({ runs }, doc) =>
    Decoration.set(
      runs
        .filter((note) => note.waits && note.line < doc.lines)
        .map(({ line, waits }) =>
          Decoration.widget({ widget: new WaitNote(waits), side: 1 }).range(doc.line(line + 1).to),
        ),
    ),
  decorated,
);

const highlight = Decoration.mark({ class: "cm-lit" });

/** Highlighted range. */
const highlighted = fieldOf(
  Decoration.none,
  ({ highlighted }, doc) => {
    const [from, to] = (highlighted ?? [0, 0]).map((at) => Math.min(at, doc.length));
    return from < to ? Decoration.set(highlight.range(from, to)) : Decoration.none;
  },
  decorated,
);

export const marks = [current, breakpoints, highlighted, runs, waits];
