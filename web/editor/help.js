// What is known of the place under the pointer or the caret: its problems with
// their fixes, what it is, and where that is documented.
import { EditorView, hoverTooltip, keymap, showTooltip } from "@codemirror/view";
import { StateEffect, StateField } from "@codemirror/state";
import { problemsAt } from "./marks.js";

const element = (name, className, ...children) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.filter(Boolean));
  return made;
};

/** A problem, with a button that fixes it where there is a way. */
function problemBox(page, { index, severity, code, message, help, fix }) {
  const button = fix && element("button", "cm-button", "Fix");
  if (button) {
    button.type = "button";
    button.onclick = () => page.fix(index);
  }
  const said = element("p", "", element("b", "", severity), ` ${code} `, message);
  const row = (help || button) && element("div", "cm-help-fix", element("p", "", help), button);
  const box = element("div", "cm-help-problem", said, row);
  box.dataset.severity = severity;
  return box;
}

/** The fields of the encoding that it is written to. */
function fieldsBox(fields) {
  const rows = fields.map(({ name, bits, value, meaning }) =>
    element("tr", "", ...[name, bits, value, meaning].map((text) => element("td", "", text))),
  );
  const heads = ["Field", "Bits", "Value", "Meaning"].map((text) => element("th", "", text));
  return element("table", "", element("tr", "", ...heads), ...rows);
}

/** A statement with its mark: documented, observed or assumed. */
const statement = ({ mark, text }) =>
  element("p", "cm-help-known", element("span", "cm-help-mark", mark), ` ${text}`);

/** A contradiction, folded up: both readings and the one that is run. */
function contradictionBox({ title, one, other, taken }) {
  const reading = (name, text) => element("p", "", element("b", "", `${name}: `), text);
  return element(
    "details",
    "cm-help-contradiction",
    element("summary", "", `Contradiction: ${title}`),
    reading("One reading", one),
    reading("The other", other),
    reading("Taken here", taken),
  );
}

const topicBox = ({ title, said, contradictions }) =>
  element(
    "div",
    "cm-help-topic",
    element("h4", "", title),
    ...said.map(statement),
    ...contradictions.map(contradictionBox),
  );

/** The help on a place, or nothing if there is none. */
function helpAt(state, page, place) {
  const problems = problemsAt(state, place);
  const known = page.hover(place);
  if (!known && !problems.length) return null;
  const from = known?.from ?? problems[0].from;
  const to = known?.to ?? problems[0].to;
  return { from, to, problems, known };
}

/** As an element; what is fetched comes into it when it is there. */
function draw(help, page) {
  const { problems, known } = help;
  const box = element("div", "cm-help", ...problems.map((p) => problemBox(page, p)));
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Help");
  if (known) {
    box.append(element("p", "cm-help-title", known.title));
    for (const line of known.lines) box.append(element("p", "", line));
    if (known.fields.length) box.append(fieldsBox(known.fields));
    page.topics(known.topics).then((topics) => box.append(...topics.map(topicBox)));
  }
  return box;
}

/** As it is read out. */
function spoken({ problems, known }) {
  const said = problems.map((p) => `${p.severity}: ${p.message}. ${p.help}`);
  if (known) said.push(known.title, ...known.lines);
  return said.join(". ");
}

const shownAt = StateEffect.define();

/** The help that a key opened. */
const opened = StateField.define({
  create: () => null,
  update(value, transaction) {
    const set = transaction.effects.findLast((e) => e.is(shownAt));
    if (set) return set.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

const tooltip = (help, page) => ({
  pos: help.from,
  end: help.to,
  above: true,
  create: () => ({ dom: draw(help, page) }),
});

function open(view, page) {
  const help = helpAt(view.state, page, view.state.selection.main.head);
  const text = help ? spoken(help) : "Nothing is known of this place.";
  const effects = [EditorView.announce.of(text)];
  if (help) effects.push(shownAt.of(tooltip(help, page)));
  view.dispatch({ effects });
  return true;
}

function close(view) {
  if (!view.state.field(opened)) return false;
  view.dispatch({ effects: shownAt.of(null) });
  return true;
}

/** Fixes the first problem at the caret that can be. */
function fix(view, page) {
  const { head } = view.state.selection.main;
  const found = problemsAt(view.state, head).find((problem) => problem.fix);
  if (found) page.fix(found.index);
  else view.dispatch({ effects: EditorView.announce.of("Nothing to fix at the caret.") });
  return true;
}

/** Help by the pointer and by the key F1; Ctrl-. fixes. */
export function help(page) {
  const source = (view, place) => {
    const found = helpAt(view.state, page, place);
    return found && tooltip(found, page);
  };
  return [
    hoverTooltip(source, { hoverTime: 350 }),
    opened,
    keymap.of([
      { key: "F1", run: (view) => open(view, page), preventDefault: true },
      { key: "Escape", run: close },
      { key: "Mod-.", run: (view) => fix(view, page), preventDefault: true },
    ]),
  ];
}
