// Reports edits to the page: at once, or when typing pauses in a text so long
// that the page needs several frames to process it.

/** Length of a long text, in UTF-16 code units. */
const LONG_TEXT = 100_000;
/** Pause in typing, and longest delay of an edit, in milliseconds. */
const PAUSE = 400;
const LONGEST_DELAY = 2000;

/** Events before which a pending edit is reported. */
const FLUSHING_EVENTS = ["keydown", "pointerdown", "click", "drop", "hashchange", "popstate", "pagehide", "visibilitychange"];

/** Whether an event is a key press that only types or moves the caret. */
const isTyping = (event) =>
  event.type === "keydown" &&
  event.target.closest?.(".cm-content") &&
  (event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey || /^F\d/.test(event.key)));

const NO_FOLDS = [];

/**
 * Returns the callbacks of `page`, a `Page`, for the editor. Callbacks that take
 * an offset or a line report the pending edit first, so that the position refers
 * to the page's text.
 */
export function reporting(page) {
  // Latest text that the page has not received, and the text that it has.
  let pending;
  let known;
  let since;
  let timer;
  // Whether the page has yet to process the last reported text.
  let isBehind = false;
  let pointedAt;
  const waiting = [];
  // What the page has shown while an edit was pending, by kind.
  const missed = new Map();
  const settle = (reported) => {
    clearTimeout(timer);
    pending = undefined;
    for (const resume of waiting.splice(0)) resume(reported);
  };
  const report = () => {
    if (!pending) return;
    const text = pending;
    settle(text);
    if (text.eq(known)) {
      for (const show of missed.values()) show();
    } else {
      isBehind = true;
      page.edited(text.toString());
    }
    missed.clear();
    if (pointedAt) page.pointed(...pointedAt);
    pointedAt = undefined;
  };
  const flush = (event) => isTyping(event) || report();
  for (const type of FLUSHING_EVENTS) window.addEventListener(type, flush, { capture: true });
  const reported =
    (callback) =>
    (...position) => {
      report();
      return callback(...position);
    };
  const hasKnownLines = () => !pending || pending.lines === known.lines;
  return {
    ...page,
    toggleBreakpoint: reported(page.toggleBreakpoint),
    runTo: reported(page.runTo),
    showEncoding: reported(page.showEncoding),
    hover: reported(page.hover),
    definition: reported(page.definition),
    bytes: (line) => (hasKnownLines() ? page.bytes(line) : undefined),
    folds: () => (hasKnownLines() ? page.folds() : NO_FOLDS),
    /** Applies a quick fix, unless its index is that of an earlier text. */
    fix: (index) => isBehind || pending || page.fix(index),
    /** Reports the latest position of the caret or pointer, with the next edit if one is pending. */
    pointed(...offset) {
      if (pending) pointedAt = offset;
      else page.pointed(...offset);
    },
    /** Takes an edit from one text to another. */
    edited(from, to) {
      if (!pending) [known, since] = [from, Date.now()];
      pending = to;
      clearTimeout(timer);
      if (to.length < LONG_TEXT || Date.now() - since >= LONGEST_DELAY) report();
      else timer = setTimeout(report, PAUSE);
    },
    report,
    /** Discards an edit that the page has replaced. */
    discard() {
      missed.clear();
      settle();
    },
    /**
     * Shows something about the page's text, such as its marks. While an edit is
     * pending, this waits: what is shown about a new text replaces it.
     */
    show(kind, show) {
      if (pending) missed.set(kind, show);
      else show();
    },
    /** Whether the page has yet to receive an edit: what it says is about an earlier text. */
    isPending: () => pending !== undefined,
    /** The page has processed the last text that it received. */
    caughtUp: () => (isBehind = false),
    /** Waits until the page has received all edits; returns whether they led to `text`. */
    async hasReceived(text) {
      if (!pending) return true;
      return (await new Promise((resume) => waiting.push(resume))) === text;
    },
    stop() {
      report();
      for (const type of FLUSHING_EVENTS) window.removeEventListener(type, flush, { capture: true });
    },
  };
}
