// Beside the text: breakpoints, signs of problems, numbers.
import { GutterMarker, gutter, lineNumbers } from "@codemirror/view";
import { RangeSet } from "@codemirror/state";
import { facts, fieldOf, startOf } from "./facts.js";
import { current, problems } from "./marks.js";

/** A sign in a gutter. */
class Sign extends GutterMarker {
  constructor(kind, text) {
    super();
    this.kind = kind;
    this.text = text;
    this.elementClass = `cm-has-${kind}`;
  }

  eq(other) {
    return this.kind === other.kind;
  }

  toDOM() {
    const sign = document.createElement("span");
    sign.className = `cm-sign cm-sign-${this.kind}`;
    sign.textContent = this.text;
    return sign;
  }
}

const SIGNS = {
  breakpoint: new Sign("breakpoint", "●"),
  here: new Sign("here", "▶"),
  both: new Sign("both", "▶"),
  error: new Sign("error", "!"),
  warning: new Sign("warning", "!"),
  note: new Sign("note", "i"),
};

/** Where the lines with breakpoints start. */
const breakpoints = fieldOf(
  facts.breakpoints,
  RangeSet.empty,
  (lines, doc) => RangeSet.of(lines.map((line) => SIGNS.breakpoint.range(startOf(doc, line))), true),
  (value, changes) => value.map(changes),
);

const holds = (set, line) => {
  let is = false;
  set.between(line.from, line.from, () => ((is = true), false));
  return is;
};

/** A breakpoint, the instruction at hand, or both at once. */
function stand(view, line) {
  const broken = holds(view.state.field(breakpoints), line);
  const here = holds(view.state.field(current), line);
  if (broken) return here ? SIGNS.both : SIGNS.breakpoint;
  return here ? SIGNS.here : null;
}

/** The worst problem that starts in the line. */
function worst(view, line) {
  const found = new Set();
  view.state.field(problems).between(line.from, line.to, (from, _, mark) => {
    if (from >= line.from) found.add(mark.spec.problem.severity);
  });
  return SIGNS[["error", "warning", "note"].find((severity) => found.has(severity))] ?? null;
}

const changed = (fields) => (update) =>
  update.docChanged || fields.some((f) => update.startState.field(f) !== update.state.field(f));

/** The gutters; a press in one of them sets a breakpoint or takes it away. */
export function gutters(page) {
  const domEventHandlers = {
    mousedown(view, line, event) {
      if (event.button !== 0) return false;
      page.toggle(view.state.doc.lineAt(line.from).number - 1);
      return true;
    },
  };
  return [
    breakpoints,
    gutter({
      class: "cm-breakpoints",
      lineMarker: stand,
      lineMarkerChange: changed([breakpoints, current]),
      domEventHandlers,
    }),
    gutter({
      class: "cm-signs",
      lineMarker: worst,
      lineMarkerChange: changed([problems]),
      domEventHandlers,
    }),
    lineNumbers({ domEventHandlers }),
  ];
}
