// In place of CodeMirror's packages for parse trees, which its commands ask
// where to indent: programs here have no trees, and lines no nesting. It saves
// a tenth of the bundle. See `build.mjs`.
import { Facet } from "@codemirror/state";

export const indentUnit = Facet.define({ combine: (given) => given[0] ?? "    " });
export const getIndentUnit = (state) => state.facet(indentUnit).length;
export const indentString = (_, columns) => " ".repeat(columns);
/** Nobody knows: a new line is indented as the one before. */
export const getIndentation = () => null;
export class IndentContext {}
export const matchBrackets = () => null;
const nothing = { childBefore: () => null, childAfter: () => null, parent: null };
export const syntaxTree = () => ({ resolveInner: () => nothing, resolveStack: () => null });
export const NodeProp = {};
