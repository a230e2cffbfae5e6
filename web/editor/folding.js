// Folding of declarations. The page knows which lines they are.
import { codeFolding, foldEffect, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { keymap } from "@codemirror/view";
import { fromPage } from "./marks.js";

const rangeOf = (doc, { from, to }) =>
  to < doc.lines ? { from: doc.line(from + 1).from, to: doc.line(to + 1).to } : undefined;

/** Lines that can be folded, with a summary of their contents. */
export function folding(host) {
  const foldAt = (line) => host.folds().find(({ from }) => from === line);
  let shown;
  const foldsChanged = () => {
    const [before, now] = [shown, host.folds()];
    shown = now;
    return before !== now;
  };
  return [
    foldService.of(({ doc }, start) => {
      const fold = foldAt(doc.lineAt(start).number - 1);
      return fold ? (rangeOf(doc, fold) ?? null) : null;
    }),
    codeFolding({
      preparePlaceholder: ({ doc }, { from }) => foldAt(doc.lineAt(from).number - 1)?.summary ?? "…",
      placeholderDOM(view, onclick, summary) {
        const button = document.createElement("button");
        button.className = "cm-fold";
        button.textContent = `▸ ${summary}`;
        button.title = "Show the declarations";
        button.onclick = onclick;
        return button;
      },
    }),
    foldGutter({ openText: "▾", closedText: "▸", foldingChanged: foldsChanged }),
    keymap.of(foldKeymap),
  ];
}

/** Folds all declarations, as when a program is opened. */
export function foldAll(view, host) {
  const ranges = host.folds().map((fold) => rangeOf(view.state.doc, fold)).filter(Boolean);
  const { head } = view.state.selection.main;
  const hidden = ranges.filter(({ from, to }) => head <= from || head > to);
  view.dispatch({ effects: hidden.map((range) => foldEffect.of(range)), annotations: fromPage.of(true) });
}
