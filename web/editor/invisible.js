// Shows invisible characters and bidirectional controls by code point.

/**
 * In addition to CodeMirror's own list: bidirectional marks, embeddings,
 * overrides and isolates, joiners, and zero-width characters.
 */
export const INVISIBLE =
  /[\u00a0\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200c-\u200f\u202a-\u202e\u2060-\u206f\u3164\uffa0\u{e0000}-\u{e007f}]/gu;

/** Element that represents such a character. */
export function invisible(code) {
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const badge = document.createElement("span");
  badge.className = "cm-invisible";
  badge.textContent = number;
  badge.title = `Invisible character ${number}`;
  badge.setAttribute("aria-label", badge.title);
  return badge;
}
