// Help at the pointer or caret: diagnostics with quick fixes, the kind of word,
// and its documentation.
import { StateEffect, StateField } from "@codemirror/state";
import {
  closeHoverTooltips,
  EditorView,
  hasHoverTooltips,
  hoverTooltip,
  keymap,
  showTooltip,
  tooltips,
  ViewPlugin,
} from "@codemirror/view";
import { diagnosticsAt } from "./diagnostics.js";

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.filter(Boolean));
  return made;
}

/** Diagnostic, with a button if a quick fix is available. */
function diagnosticBox(host, { index, severity, code, message, help, fixable }) {
  const button = fixable && element("button", "cm-button", "Fix");
  if (button) {
    button.type = "button";
    button.onclick = () => host.fix(index);
  }
  const text = element("p", "", element("b", "", severity), ` ${code} `, message);
  const row = (help || button) && element("div", "cm-help-fix", element("p", "", help), button);
  const box = element("div", "cm-help-problem", text, row);
  box.dataset.severity = severity;
  return box;
}

/** Encoding fields of an operand. */
function fieldsTable(fields) {
  const rows = fields.map(({ name, bits, value, meaning }) =>
    element("tr", "", ...[name, bits, value, meaning].map((text) => element("td", "", text))),
  );
  const heads = ["Field", "Bits", "Value", "Meaning"].map((text) => element("th", "", text));
  return element("table", "", element("tr", "", ...heads), ...rows);
}

/** Statement with its provenance: documented, observed or assumed. */
const statement = ({ mark, text }) => element("p", "", element("span", "cm-help-mark", mark), ` ${text}`);

/** Collapsed contradiction: both readings, and the implemented one. */
function contradictionBox({ title, one, other, taken }) {
  const reading = (name, text) => element("p", "", element("b", "", `${name}: `), text);
  return element(
    "details",
    "cm-help-contradiction",
    element("summary", "", `Contradiction: ${title}`),
    reading("One reading", one),
    reading("The other", other),
    reading("Lanewise implements", taken),
  );
}

const topicBox = ({ title, said, contradictions }) =>
  element(
    "div",
    "",
    element("h4", "", title),
    ...said.map(statement),
    ...contradictions.map(contradictionBox),
  );

/** Documentation by topic, once fetched. */
let documented;
let fetching;

/** Fetches the documentation; retries after a failure. */
function fetchTopics() {
  fetching ??= fetch("explain/hover.json").then(
    async (answer) => (documented = await answer.json()),
  );
  return fetching.catch(() => (fetching = undefined));
}

/** Help at an offset, or null. */
function helpAt(state, host, offset) {
  const problems = diagnosticsAt(state, offset);
  const known = host.hover(offset);
  if (!known && !problems.length) return null;
  const { from, to } = known ?? problems[0];
  return { from, to, problems, known };
}

/** Renders help as an element. */
function draw({ problems, known }, host) {
  const box = element("div", "cm-help", ...problems.map((problem) => diagnosticBox(host, problem)));
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Help");
  box.tabIndex = 0;
  if (known) {
    box.append(element("p", "cm-help-title", known.title));
    for (const line of known.lines) box.append(element("p", "", line));
    if (known.fields.length) box.append(fieldsTable(known.fields));
    const append = () => {
      const found = known.topics.map((key) => documented?.[key]).filter(Boolean);
      box.append(...found.map(topicBox));
    };
    if (documented) append();
    else fetchTopics().then(append);
  }
  return box;
}

/** Renders help as text for screen readers. */
function spoken({ problems, known }) {
  const sentences = problems.map(({ severity, message, help }) => `${severity}: ${message}. ${help}`);
  if (known) sentences.push(known.title, ...known.lines);
  return sentences.join(". ");
}

const tooltip = (help, host, takesFocus) => ({
  pos: help.from,
  end: help.to,
  above: true,
  create() {
    const dom = draw(help, host);
    return { dom, mount: () => takesFocus && dom.focus({ preventScroll: true }) };
  },
});

const helpOpened = StateEffect.define();

/** Help opened by F1, which gets the focus; closed by an edit, caret movement or input elsewhere. */
const opened = StateField.define({
  create: () => null,
  update(value, transaction) {
    const set = transaction.effects.findLast((e) => e.is(helpOpened));
    if (set) return set.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

function open(view, host) {
  const help = helpAt(view.state, host, view.state.selection.main.head);
  const effects = [EditorView.announce.of(help ? spoken(help) : "No help here.")];
  if (help) effects.push(helpOpened.of(tooltip(help, host, true)));
  view.dispatch({ effects });
  return true;
}

function close(view) {
  if (!view.state.field(opened)) return false;
  if (document.activeElement?.closest(".cm-help")) view.focus();
  view.dispatch({ effects: helpOpened.of(null) });
  return true;
}

/** Keys that do not close help, nor does any key with Ctrl or Meta, such as to copy from it. */
const NEUTRAL_KEYS = ["F1", "Tab", "Shift", "Control", "Alt", "AltGraph", "Meta"];

/**
 * Closes help on Escape, also while the editor does not have focus, and help
 * opened by F1 on any input outside it, such as a step.
 */
const dismissal = ViewPlugin.define((view) => {
  const press = (event) => {
    const { key, ctrlKey, metaKey, target } = event;
    if (key === "Escape" && hasHoverTooltips(view.state)) view.dispatch({ effects: closeHoverTooltips });
    const isInside = target.closest?.(".cm-help");
    const isToggled = key === "F1" && isInside;
    if (isToggled) event.preventDefault();
    if (isToggled || key === "Escape" || !(isInside || ctrlKey || metaKey || NEUTRAL_KEYS.includes(key))) close(view);
  };
  const types = ["keydown", "pointerdown"];
  for (const type of types) addEventListener(type, press);
  return {
    destroy() {
      for (const type of types) removeEventListener(type, press);
    },
  };
});

/** Help does not cover what is above the editor, such as the step controls. */
const space = tooltips({
  tooltipSpace: ({ dom }) => ({
    top: Math.max(0, dom.getBoundingClientRect().top),
    left: 0,
    bottom: innerHeight,
    right: innerWidth,
  }),
});

/** Applies the first quick fix at the caret. */
function fix(view, host) {
  const { head } = view.state.selection.main;
  const found = diagnosticsAt(view.state, head).find(({ fixable }) => fixable);
  if (found) host.fix(found.index);
  else view.dispatch({ effects: EditorView.announce.of("No fix at the caret.") });
  return true;
}

/** Help under the pointer and by F1; Ctrl-. applies a quick fix. */
export function help(host) {
  const source = (view, offset) => {
    const found = helpAt(view.state, host, offset);
    return found && tooltip(found, host, false);
  };
  return [
    hoverTooltip(source, { hoverTime: 350, hideOnChange: true }),
    opened,
    dismissal,
    space,
    // Prefetched so that help is complete when it opens and does not grow under
    // the pointer.
    EditorView.domEventHandlers({ mouseenter: () => void fetchTopics(), focus: () => void fetchTopics() }),
    keymap.of([
      { key: "F1", run: (view) => open(view, host), preventDefault: true },
      { key: "Escape", run: close },
      { key: "Mod-.", run: (view) => fix(view, host), preventDefault: true },
    ]),
  ];
}
