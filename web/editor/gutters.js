// Gutters: breakpoints and the current instruction on the left, encoded bytes
// on the right.
import { GutterMarker, gutter } from "@codemirror/view";
import { breakpoints, current, fromPage, runs } from "./marks.js";

/** Gutter marker. */
class Sign extends GutterMarker {
  constructor(name, text) {
    super();
    this.name = name;
    this.text = text;
    this.elementClass = `cm-has-${name}`;
  }

  eq(other) {
    return this.name === other.name;
  }

  toDOM() {
    const sign = document.createElement("span");
    sign.className = `cm-sign cm-sign-${this.name}`;
    sign.textContent = this.text;
    return sign;
  }
}

const BREAKPOINT = new Sign("breakpoint", "●");
const CURRENT = new Sign("here", "▶");
const BOTH = new Sign("both", "▶");

/** Whether a set has a mark at the start of a line. */
function has(set, line) {
  let found = false;
  set.between(line.from, line.from, () => !(found = true));
  return found;
}

const lineOf = (view, block) => view.state.doc.lineAt(block.from).number - 1;

/** Pressing the gutter toggles a breakpoint. */
export const pressToToggle = (host) => ({
  mousedown(view, block, event) {
    if (event.button !== 0) return false;
    host.toggleBreakpoint(lineOf(view, block));
    return true;
  },
});

export function breakpointGutter(host) {
  const changed = ({ startState, state }) =>
    [breakpoints, current].some((field) => startState.field(field) !== state.field(field));
  return gutter({
    class: "cm-breakpoints",
    lineMarker(view, block) {
      const [stops, here] = [breakpoints, current].map((field) => has(view.state.field(field), block));
      if (stops) return here ? BOTH : BREAKPOINT;
      return here ? CURRENT : null;
    },
    lineMarkerChange: changed,
    domEventHandlers: pressToToggle(host),
  });
}

/** How often lines were executed, and where threads are. */
export const runGutter = gutter({
  class: "cm-runs",
  side: "after",
  markers: (view) => view.state.field(runs),
});

/** Bytes of an instruction, or their number where space is short. */
class Bytes extends GutterMarker {
  constructor(digits) {
    super();
    this.digits = digits;
  }

  eq(other) {
    return this.digits === other.digits;
  }

  toDOM() {
    const bytes = document.createElement("span");
    bytes.className = "cm-instruction-bytes";
    bytes.title = this.digits;
    const part = (name, text) => {
      const span = document.createElement("span");
      span.className = `cm-byte-${name}`;
      span.textContent = text;
      return span;
    };
    const count = this.digits.replace(/^0x/, "").replaceAll(" ", "").length / 2;
    bytes.append(part("digits", this.digits), part("count", `${count} B`));
    return bytes;
  }
}

/** Pressing the bytes opens the encoding of their instruction. */
export function bytesGutter(host) {
  return gutter({
    class: "cm-bytes",
    side: "after",
    lineMarker(view, block) {
      const digits = host.bytes(lineOf(view, block));
      return digits === undefined ? null : new Bytes(digits);
    },
    lineMarkerChange: (update) => update.transactions.some((t) => t.annotation(fromPage)),
    domEventHandlers: {
      mousedown(view, block, event) {
        if (event.button !== 0 || host.bytes(lineOf(view, block)) === undefined) return false;
        host.showEncoding(lineOf(view, block));
        return true;
      },
    },
  });
}
