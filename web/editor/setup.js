// All that an editor is made of.
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { history } from "@codemirror/commands";
import { highlightSelectionMatches, search } from "@codemirror/search";
import { completion } from "./complete.js";
import { gutters } from "./gutters.js";
import { help } from "./help.js";
import { keys } from "./keys.js";
import { marks } from "./marks.js";
import { theme } from "./theme.js";
import { highlighting } from "./tokens.js";

/** The extensions of an editor on this page. */
export function setups(page) {
  return [
    history(),
    search({ top: true }),
    highlightSelectionMatches(),
    highlighting(page),
    completion(page),
    help(page),
    marks,
    gutters(page),
    pointing(page),
    theme,
    nonce(),
    EditorView.contentAttributes.of({
      id: "program-text",
      "aria-label": "Program",
      // It takes the focus anyhow; checkers want it in writing.
      tabindex: "0",
      "aria-describedby": "program-keys",
    }),
    EditorState.languageData.of(() => [{ commentTokens: { line: "//" } }]),
    keys(page),
  ];
}

/** Tells the page what the pointer is on. */
function pointing(page) {
  return EditorView.domEventHandlers({
    mousemove(event, view) {
      page.point(view.posAtCoords({ x: event.clientX, y: event.clientY }));
    },
    mouseleave: () => page.point(null),
  });
}

/** Where the page's policy allows styles by a nonce, those of the editor too. */
function nonce() {
  const given = document.querySelector("style[nonce], script[nonce]")?.nonce;
  return given ? EditorView.cspNonce.of(given) : [];
}
