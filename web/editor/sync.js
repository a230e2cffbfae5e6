// What the page writes into the editor.
import { Annotation, Transaction } from "@codemirror/state";
import { isolateHistory } from "@codemirror/commands";

/** Marks what the page knows already. */
export const fromPage = Annotation.define();

/** A piece of the text is rewritten, as one thing to undo. */
export function follow(view, from, to, insert) {
  view.dispatch({
    changes: { from, to, insert },
    annotations: [fromPage.of(true), isolateHistory.of("full"), Transaction.userEvent.of("rewrite")],
  });
}

/** What was typed before the editor was there can be undone in it. */
export function past(view, texts) {
  for (const text of texts.slice(1)) {
    const { from, to, insert } = difference(view.state.doc.toString(), text);
    follow(view, from, to, insert);
  }
}

function difference(old, now) {
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < least - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return { from: head, to: old.length - tail, insert: now.slice(head, now.length - tail) };
}
