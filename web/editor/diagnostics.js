// Diagnostics: underlined in the text, and marked in the gutter.
import { forEachDiagnostic, lintGutter, lintKeymap, linter, setDiagnostics } from "@codemirror/lint";
import { EditorView, keymap } from "@codemirror/view";
import { fromPage } from "./marks.js";

const SEVERITIES = { error: "error", warning: "warning", note: "info" };

/**
 * Shows `{ from, to, severity, code, message, help, fixable }` in the page's
 * order.
 */
export function showDiagnostics(view, list, host) {
  const { length } = view.state.doc;
  const diagnostics = list.map((problem, index) => {
    const [from, to] = [problem.from, problem.to].map((at) => Math.min(at, length));
    const { code, message, fixable } = problem;
    const severity = SEVERITIES[problem.severity];
    const actions = fixable ? [{ name: "Fix", apply: () => host.fix(index) }] : [];
    return { from, to, severity, source: code, message, actions, problem: { ...problem, index } };
  });
  view.dispatch({ ...setDiagnostics(view.state, diagnostics), annotations: fromPage.of(true) });
}

/** Diagnostics at an offset, with their current positions. */
export function diagnosticsAt(state, offset) {
  const found = [];
  forEachDiagnostic(state, ({ problem }, from, to) => {
    if (from <= offset && offset <= to) found.push({ ...problem, from, to });
  });
  return found;
}

/** Tells screen readers whether the program is valid. */
const validity = EditorView.contentAttributes.of(({ state }) => {
  let wrong = false;
  forEachDiagnostic(state, ({ severity }) => (wrong ||= severity === "error"));
  return wrong ? { "aria-invalid": "true" } : {};
});

export const diagnostics = [
  // The page runs the checks; `help.js` shows the messages with other help.
  linter(null, { tooltipFilter: () => [] }),
  lintGutter(),
  validity,
  // F8 goes to the next problem. The page provides its own list.
  keymap.of(lintKeymap.filter(({ key }) => key === "F8")),
];
