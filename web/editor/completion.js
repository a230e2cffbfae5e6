// Completion at the caret, while typing or by Ctrl-Space.
import { insertCompletionText, pickedCompletion } from "@codemirror/autocomplete";

/**
 * Whether to offer completion unasked: within a word, after a dot, or where an
 * operand is expected.
 */
function isOffered(typed, before, candidates) {
  // The word is already complete.
  if (typed) return !candidates.some(({ insert }) => insert === typed);
  return before.endsWith(".") || /\S .*\s$/.test(before);
}

export const completionSource = (host) => async (context) => {
  const { pos, explicit, state } = context;
  if (explicit) host.report();
  // Otherwise, typing would wait for a query whose result is discarded.
  context.addEventListener("abort", () => {}, { onDocChange: true });
  if (!(await host.hasReceived(state.doc))) return null;
  const { from, to, candidates } = host.complete(pos);
  const typed = state.sliceDoc(from, pos);
  const before = state.sliceDoc(state.doc.lineAt(pos).from, from);
  if (!explicit && !isOffered(typed, before, candidates)) return null;
  // The rest of the word after the caret is replaced but does not filter.
  const behind = to - pos;
  const options = candidates.map(({ label, insert, detail, kind, doubtful, also }, index) => ({
    label,
    detail,
    type: kind,
    // Equal matches keep the page's order.
    sortText: String(index).padStart(4, "0"),
    // Candidates that would cause a warning are never first.
    boost: doubtful ? -99 : 0,
    apply: (view, picked, start, end) => {
      const word = {
        ...insertCompletionText(view.state, insert, start, end + behind),
        annotations: pickedCompletion.of(picked),
      };
      if (!also) return view.dispatch(word);
      const [from, text] = also;
      view.dispatch(word, { changes: { from, insert: text } });
    },
  }));
  return options.length ? { from, options } : null;
};
