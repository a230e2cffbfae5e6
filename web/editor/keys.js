// The keys of the editor. Tab is not among them: it goes on to what follows.
import * as command from "@codemirror/commands";
import { searchKeymap } from "@codemirror/search";
import { keymap } from "@codemirror/view";

function breakHere({ state }, page) {
  page.toggle(state.doc.lineAt(state.selection.main.head).number - 1);
  return true;
}

export function keys(page) {
  return keymap.of([
    { key: "F9", run: (view) => breakHere(view, page), preventDefault: true },
    ...searchKeymap,
    ...command.historyKeymap,
    { key: "Enter", run: command.insertNewlineKeepIndent },
    { key: "Mod-Enter", run: command.insertBlankLine },
    { key: "Alt-ArrowUp", run: command.moveLineUp },
    { key: "Alt-ArrowDown", run: command.moveLineDown },
    { key: "Shift-Alt-ArrowUp", run: command.copyLineUp },
    { key: "Shift-Alt-ArrowDown", run: command.copyLineDown },
    { key: "Mod-[", run: command.indentLess },
    { key: "Mod-]", run: command.indentMore },
    { key: "Shift-Mod-k", run: command.deleteLine },
    { key: "Mod-/", run: command.toggleComment },
    ...command.standardKeymap,
  ]);
}
