// Characters that are not seen, or that change the order in which others are
// shown, stand in the text by their numbers.

/**
 * Besides CodeMirror's own: marks, embeddings, overrides and isolates of
 * bidirectional text, joiners, and characters without width.
 */
export const INVISIBLE =
  /[\u00a0\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200c-\u200f\u202a-\u202e\u2060-\u206f\u3164\uffa0\u{e0000}-\u{e007f}]/gu;

/** The element that stands for such a character. */
export function invisible(code) {
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const badge = document.createElement("span");
  badge.className = "cm-invisible";
  badge.textContent = number;
  badge.title = `Invisible character ${number}`;
  badge.setAttribute("aria-label", badge.title);
  return badge;
}
