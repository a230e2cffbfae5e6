// Reports edits to the page: at once, or when typing pauses in a text so long
// that the page needs several frames to process it.

/** Length of a long text, in UTF-16 code units. */
const LONG_TEXT = 100_000;
/** Pause in typing, in milliseconds. */
const PAUSE = 400;

/** Events that the page must not process before an edit that precedes them. */
const EVENTS = ["keydown", "pointerdown", "click", "drop", "hashchange", "popstate", "pagehide", "visibilitychange"];

/** Whether an event is a press of a key that edits text. */
const isTyping = ({ type, target, key, ctrlKey, metaKey, altKey }) =>
  type === "keydown" &&
  target.closest?.(".cm-content") &&
  !(ctrlKey || metaKey || altKey || /^F\d/.test(key));

/**
 * Returns the callbacks of `page`, a `Host`, for the editor. Those that concern
 * a position first report the text it is in.
 */
export function reporting(page) {
  let text;
  let timer;
  const waiting = [];
  const forget = (reported) => {
    clearTimeout(timer);
    text = undefined;
    for (const resume of waiting.splice(0)) resume(reported);
  };
  const report = () => {
    if (!text) return;
    page.edited(text.toString());
    forget(text);
  };
  const listen = (event) => isTyping(event) || report();
  for (const type of EVENTS) window.addEventListener(type, listen, true);
  const reported =
    (callback) =>
    (...position) => {
      report();
      return callback(...position);
    };
  return {
    ...page,
    pointed: reported(page.pointed),
    toggleBreakpoint: reported(page.toggleBreakpoint),
    runTo: reported(page.runTo),
    fix: reported(page.fix),
    showEncoding: reported(page.showEncoding),
    hover: reported(page.hover),
    definition: reported(page.definition),
    edited(changed) {
      clearTimeout(timer);
      text = changed;
      if (text.length < LONG_TEXT) report();
      else timer = setTimeout(report, PAUSE);
    },
    report,
    /** Drops an edit that the page has replaced. */
    forget: () => forget(),
    /** Waits until the page has received all edits; returns whether they led to `doc`. */
    async received(doc) {
      if (!text) return true;
      return (await new Promise((resume) => waiting.push(resume))) === doc;
    },
    stop() {
      report();
      for (const type of EVENTS) window.removeEventListener(type, listen, true);
    },
  };
}
