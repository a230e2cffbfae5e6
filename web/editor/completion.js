// What may come at the caret, offered while typing and by Ctrl-Space.
import { insertCompletionText, pickedCompletion } from "@codemirror/autocomplete";

/** Whether a list is offered unasked: in a word, behind a dot, or where the next operand comes. */
function isOffered(typed, before, candidates) {
  // A whole word is finished.
  if (typed) return !candidates.some(({ insert }) => insert === typed);
  return before.endsWith(".") || /\S .*\s$/.test(before);
}

export const completionSource = (host) => ({ pos, explicit, state }) => {
  const { from, to, candidates } = host.complete(pos);
  const typed = state.sliceDoc(from, pos);
  const before = state.sliceDoc(state.doc.lineAt(pos).from, from);
  if (!explicit && !isOffered(typed, before, candidates)) return null;
  // The rest of the word behind the caret is replaced, but does not filter.
  const behind = to - pos;
  const options = candidates.map(({ label, insert, detail, kind, doubtful, also }, index) => ({
    label,
    detail,
    type: kind,
    // In the page's order where they match equally well.
    sortText: String(index).padStart(4, "0"),
    // What gets a warning there is never the first.
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
