// Colours of what is in sight, by the classes that the page's own reader of
// programs gives: there is no second grammar here.
import { Decoration, ViewPlugin } from "@codemirror/view";
import { fromPage } from "./sync.js";

/** Highlighting; `page` tells the tokens of lines. */
export function highlighting(page) {
  const classes = page.classes().map((name) => Decoration.mark({ class: `tok-${name}` }));
  const colour = (view) => {
    const { state, viewport } = view;
    const [first, last] = [viewport.from, viewport.to].map((at) => state.doc.lineAt(at).number);
    const found = page.tokens(first - 1, last);
    const ranges = [];
    for (let at = 0; at + 2 < found.length; at += 3) {
      const [from, to, number] = found.subarray(at, at + 3);
      // The page may know another text for a moment; then it tells again.
      if (from < to && to <= state.doc.length) ranges.push(classes[number].range(from, to));
    }
    return Decoration.set(ranges);
  };
  return ViewPlugin.define(
    (view) => ({
      colours: colour(view),
      update(update) {
        const told = update.transactions.some((t) => t.annotation(fromPage));
        const typed = update.docChanged && !told;
        // What was typed the page knows in a moment, and says so.
        if (typed) this.colours = this.colours.map(update.changes);
        else if (told || update.viewportChanged) this.colours = colour(view);
      },
    }),
    { decorations: (plugin) => plugin.colours },
  );
}
