// What may come at the caret, offered while typing or by Ctrl-Space.
import {
  autocompletion,
  completionKeymap,
  insertCompletionText,
  pickedCompletion,
} from "@codemirror/autocomplete";
import { keymap } from "@codemirror/view";

/** Completion; `page` knows what may come. */
export function completion(page) {
  const source = ({ pos, explicit, state }) => {
    const { from, to, candidates } = page.complete(pos);
    const typed = state.sliceDoc(from, pos);
    // Unasked, only where something has been begun that is not whole yet.
    if (!explicit && (!typed || candidates.some(({ insert }) => insert === typed))) return null;
    // What is written behind the caret goes, but is not what offers are for.
    const behind = to - pos;
    const options = candidates.map(({ label, insert, detail, kind }) => ({
      label,
      detail,
      type: kind,
      apply: (view, picked, start, end) =>
        view.dispatch({
          ...insertCompletionText(view.state, insert, start, end + behind),
          annotations: pickedCompletion.of(picked),
        }),
    }));
    return options.length ? { from, options } : null;
  };
  return [
    autocompletion({
      override: [source],
      icons: false,
      // A new line is a new line unless the reader waited for the offer.
      interactionDelay: 150,
      defaultKeymap: false,
    }),
    keymap.of(completionKeymap),
  ];
}
