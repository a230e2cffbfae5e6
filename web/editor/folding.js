// Folding of declarations. The page knows which lines they are.
import { codeFolding, foldEffect, foldGutter, foldKeymap, foldService, foldedRanges, unfoldEffect } from "@codemirror/language";
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

/**
 * Calls `rewrite`, which makes a change to the text, and then folds the declarations in place of
 * those that were folded: the change may start, end or replace a folded range.
 */
export function keepFolds(view, host, { from, to, insert }, rewrite) {
  const grown = insert.length - (to - from);
  const folded = foldedIn(view).map((fold) => ({
    from: fold.from < to ? Math.min(fold.from, from) : fold.from + grown,
    to: fold.to > from ? Math.max(fold.to, to) + grown : fold.to,
  }));
  rewrite();
  const wasFolded = (range) => folded.some((fold) => fold.from < range.to && fold.to > range.from);
  // Folds have the summary of the text in which they were made.
  const stale = foldedIn(view).map((range) => unfoldEffect.of(range));
  const now = host.folds().map((fold) => rangeOf(view.state.doc, fold));
  const kept = now.filter((range) => range && wasFolded(range)).map((range) => foldEffect.of(range));
  view.dispatch({ effects: [...stale, ...kept], annotations: fromPage.of(true) });
}

function foldedIn({ state }) {
  const ranges = [];
  foldedRanges(state).between(0, state.doc.length, (from, to) => void ranges.push({ from, to }));
  return ranges;
}
