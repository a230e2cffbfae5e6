// Syntax highlighting based on the page's tokens: the editor has no grammar of
// its own.
import { Decoration, ViewPlugin } from "@codemirror/view";
import { fromPage } from "./marks.js";

/** Highlights the visible lines. The viewport also has those that are folded. */
export function highlighting(host) {
  const classes = host.tokenClasses.map((name) => Decoration.mark({ class: `tok-${name}` }));
  const tokens = ({ state, visibleRanges }) => {
    const ranges = [];
    let first = 1;
    for (const visible of visibleRanges) {
      // Two ranges may share a line.
      first = Math.max(first, state.doc.lineAt(visible.from).number);
      const last = state.doc.lineAt(visible.to).number;
      const found = host.tokens(first - 1, last);
      first = last + 1;
      for (let at = 0; at + 2 < found.length; at += 3) {
        const [from, to, number] = found.subarray(at, at + 3);
        // The page may not have processed the latest text yet; it notifies the
        // editor afterwards.
        if (from < to && to <= state.doc.length) ranges.push(classes[number].range(from, to));
      }
    }
    return Decoration.set(ranges);
  };
  return ViewPlugin.define(
    (view) => ({
      decorations: tokens(view),
      update(update) {
        const read = update.transactions.some((t) => t.annotation(fromPage));
        const shows = read || (update.viewportChanged && !update.docChanged);
        if (shows && !host.isPending()) this.decorations = tokens(view);
        else if (update.docChanged) this.decorations = this.decorations.map(update.changes);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
}
