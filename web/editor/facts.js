// What the page knows of the program, as effects that the parts listen to.
import { StateEffect, StateField } from "@codemirror/state";

export const facts = {
  /** The line of the instruction at hand, from 0, or null. */
  current: StateEffect.define(),
  /** from, to, severity, code, message, help, whether there is a fix: one
      problem after the other, by place. */
  problems: StateEffect.define(),
  /** The lines that have breakpoints, from 0. */
  breakpoints: StateEffect.define(),
  /** `[from, to]` of what is lit, or null. */
  lit: StateEffect.define(),
};

/** A fact that was set, made by `take`, and moved along with edits by `move`. */
export function fieldOf(effect, start, take, move, more = {}) {
  return StateField.define({
    create: () => start,
    update(value, transaction) {
      const set = transaction.effects.findLast((e) => e.is(effect));
      if (set) return take(set.value, transaction.newDoc);
      return transaction.docChanged ? move(value, transaction.changes) : value;
    },
    ...more,
  });
}

/** Where a line starts, from 0; lines that are not there start at the end. */
export const startOf = (doc, line) => doc.line(Math.min(line + 1, doc.lines)).from;
