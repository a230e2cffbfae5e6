// What lies over the text: problems, the line at hand, what is lit.
import { Decoration, EditorView } from "@codemirror/view";
import { facts, fieldOf, startOf } from "./facts.js";

const moved = (value, changes) => value.map(changes);
const shown = { provide: (field) => EditorView.decorations.from(field) };

/** A place of one sign at least, so that there is something to see. */
function seen(from, to, doc) {
  const [start, end] = [Math.min(from, doc.length), Math.min(to, doc.length)];
  if (start < end) return [start, end];
  const line = doc.lineAt(start);
  return end < line.to ? [start, end + 1] : [Math.max(start - 1, line.from), end];
}

/** The problems, as marks that hold them. */
export const problems = fieldOf(
  facts.problems,
  Decoration.none,
  (list, doc) => {
    const ranges = [];
    for (let at = 0; at < list.length; at += 7) {
      const [from, to, severity, code, message, help, fix] = list.slice(at, at + 7);
      const problem = { index: at / 7, severity, code, message, help, fix };
      const [start, end] = seen(from, to, doc);
      const mark = Decoration.mark({ class: `cm-problem cm-${severity}`, problem });
      if (start < end) ranges.push(mark.range(start, end));
    }
    return Decoration.set(ranges, true);
  },
  moved,
  shown,
);

/** The problems at a place. */
export function problemsAt(state, place) {
  const found = [];
  state.field(problems).between(place, place, (from, to, mark) => {
    found.push({ ...mark.spec.problem, from, to });
  });
  return found;
}

const band = Decoration.line({ class: "cm-current" });

/** The line of the instruction at hand. */
export const current = fieldOf(
  facts.current,
  Decoration.none,
  (line, doc) => (line === null ? Decoration.none : Decoration.set(band.range(startOf(doc, line)))),
  moved,
  shown,
);

const light = Decoration.mark({ class: "cm-lit" });

/** What is pointed at elsewhere on the page. */
export const lit = fieldOf(
  facts.lit,
  Decoration.none,
  (place, doc) => {
    const [from, to] = (place ?? [0, 0]).map((at) => Math.min(at, doc.length));
    return from < to ? Decoration.set(light.range(from, to)) : Decoration.none;
  },
  moved,
  shown,
);

/** Whether the program is right is told to those who do not see the marks. */
export const validity = EditorView.contentAttributes.compute([problems], (state) => {
  for (let at = state.field(problems).iter(); at.value; at.next()) {
    if (at.value.spec.problem.severity === "error") return { "aria-invalid": "true" };
  }
  return {};
});

export const marks = [problems, current, lit, validity];
