// What the editor asks of the page. There is one way to it, so that there is
// one in the wasm: a name, two numbers, a text.
import { openSearchPanel } from "@codemirror/search";

/** What is known of each topic, fetched once. */
let prose;

export class Page {
  #ask;
  #point = null;

  constructor(ask) {
    this.#ask = ask;
  }

  /** The text has been edited to this. */
  edited(text) {
    this.#ask("edit", 0, 0, text);
  }

  /** The caret is there. */
  moved(at) {
    this.point(at);
  }

  /** The pointer or the caret is there; nowhere if `null`. */
  point(at) {
    if (at === this.#point) return;
    this.#point = at;
    if (at === null) this.#ask("away", 0, 0);
    else this.#ask("point", at, 0);
  }

  /** A breakpoint comes to a line, from 0, or goes. */
  toggle(line) {
    this.#ask("breakpoint", line, 0);
  }

  /** Follows the fix of a problem, by its index. */
  fix(index) {
    this.#ask("fix", index, 0);
  }

  /** The names of the classes of tokens, by their numbers. */
  classes() {
    return this.#ask("classes", 0, 0);
  }

  /** Start, end and class of the tokens of lines, from 0, the last left out. */
  tokens(from, to) {
    return this.#ask("tokens", from, to);
  }

  /** What stands at a place, or nothing. */
  hover(at) {
    return JSON.parse(this.#ask("hover", at, 0));
  }

  /** What may come at a place. */
  complete(at) {
    return JSON.parse(this.#ask("complete", at, 0));
  }

  /** What is known of topics; nothing of those that cannot be had. */
  async topics(keys) {
    try {
      prose ??= fetch("explain/hover.json").then((answer) => answer.json());
      const all = await prose;
      return keys.map((key) => all[key]).filter(Boolean);
    } catch {
      // It is asked for again the next time.
      prose = undefined;
      return [];
    }
  }

  search(view) {
    openSearchPanel(view);
  }
}
