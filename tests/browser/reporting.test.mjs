// Reports of the editor, without a browser: web/editor/reporting.js.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { reporting } from "../../web/editor/reporting.js";

/** A text as CodeMirror has it. */
const text = (value) => ({
  length: value.length,
  lines: value.split("\n").length,
  eq: (other) => `${other}` === value,
  toString: () => value,
});
const LONG = "x".repeat(100_000);

let calls;
let host;

beforeEach(() => {
  globalThis.window = new EventTarget();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  calls = [];
  const note = (name) => (...values) => void calls.push([name, ...values]);
  const names = ["edited", "pointed", "toggleBreakpoint", "runTo", "fix", "showEncoding", "hover", "definition"];
  const page = Object.fromEntries(names.map((name) => [name, note(name)]));
  host = reporting({ ...page, bytes: (line) => `bytes ${line}`, folds: () => ["fold"] });
});

afterEach(() => mock.timers.reset());

/** Names of the calls so far, which are forgotten. */
const called = () => calls.splice(0).map(([name]) => name);

/** Dispatches an event as if in the text. */
function press(type, properties = {}, inText = true) {
  const event = new Event(type);
  const target = { closest: () => inText };
  const state = (name) => properties.modifier === name;
  for (const [name, value] of Object.entries({ ...properties, target, getModifierState: state })) {
    Object.defineProperty(event, name, { value });
  }
  globalThis.window.dispatchEvent(event);
}

test("a short text is reported at once", () => {
  host.edited(text("a"), text("ab"));
  assert.deepEqual(calls, [["edited", "ab"]]);
  assert.equal(host.isPending(), false);
});

test("a long text is reported after a pause, or after two seconds of typing", () => {
  host.edited(text(LONG), text(`${LONG}a`));
  mock.timers.tick(399);
  assert.deepEqual(called(), []);
  host.edited(text(`${LONG}a`), text(`${LONG}ab`));
  mock.timers.tick(399);
  assert.deepEqual(called(), []);
  mock.timers.tick(1);
  assert.deepEqual(calls.splice(0), [["edited", `${LONG}ab`]]);
  let typed = LONG;
  for (let key = 0; key < 21; key++) {
    host.edited(text(typed), text((typed += "a")));
    mock.timers.tick(100);
  }
  assert.deepEqual(called(), ["edited"]);
});

test("events other than typing report first", () => {
  const flushes = (...event) => {
    host.edited(text(LONG), text(`${LONG}a`));
    press(...event);
    const flushed = !host.isPending();
    host.discard();
    return flushed;
  };
  for (const [event, expected] of [
    [["keydown", { key: "a" }], false],
    [["keydown", { key: "ArrowUp" }], false],
    [["keydown", { key: "{", altKey: true }], false],
    [["keydown", { key: "{", altKey: true, ctrlKey: true, modifier: "AltGraph" }], false],
    [["keydown", { key: "a" }, false], true],
    [["keydown", { key: "F9" }], true],
    [["keydown", { key: "z", ctrlKey: true }], true],
    [["keydown", { key: "z", metaKey: true }], true],
    [["pointerdown"], true],
    [["click"], true],
    [["pagehide"], true],
  ]) {
    assert.equal(flushes(...event), expected, JSON.stringify(event));
  }
  host.stop();
  assert.equal(flushes("click"), false);
});

test("callbacks with a position report first", () => {
  for (const name of ["toggleBreakpoint", "runTo", "showEncoding", "hover", "definition"]) {
    host.edited(text(LONG), text(`${LONG}a`));
    host[name](3);
    assert.deepEqual(called(), ["edited", name]);
  }
  // The pointer may rest in the text: it does not interrupt typing.
  host.edited(text(LONG), text(`${LONG}a`));
  host.pointed(3);
  host.pointed(4);
  assert.deepEqual(called(), []);
  host.report();
  assert.deepEqual(calls.splice(0).at(-1), ["pointed", 4]);
});

test("a fix applies to the text whose problems are shown", () => {
  host.edited(text("a"), text("ab"));
  host.fix(0);
  assert.deepEqual(called(), ["edited"]);
  host.caughtUp();
  host.fix(0);
  assert.deepEqual(called(), ["fix"]);
});

test("an edit that is taken back is not reported, and what was to be shown meanwhile is", () => {
  const shown = [];
  const show = () => {
    host.show("marks", () => shown.push("early marks"));
    host.show("marks", () => shown.push("marks"));
    host.show("diagnostics", () => shown.push("diagnostics"));
  };
  host.edited(text(LONG), text(`${LONG}a`));
  show();
  host.edited(text(`${LONG}a`), text(LONG));
  assert.deepEqual(shown, []);
  host.report();
  assert.deepEqual([called(), shown.splice(0)], [[], ["marks", "diagnostics"]]);
  host.fix(0);
  assert.deepEqual(called(), ["fix"]);
  // Marks of an earlier text are not shown in a new one.
  host.edited(text(LONG), text(`${LONG}a`));
  show();
  host.report();
  assert.deepEqual([called(), shown], [["edited"], []]);
  host.edited(text(LONG), text(`${LONG}a`));
  host.edited(text(`${LONG}a`), text(LONG));
  host.report();
  assert.deepEqual([called(), shown], [[], []]);
});

test("bytes and folds are shown while lines keep their numbers", () => {
  const shown = () => [host.bytes(1), host.folds().length];
  host.edited(text(LONG), text(`${LONG}a`));
  assert.deepEqual(shown(), ["bytes 1", 1]);
  host.edited(text(`${LONG}a`), text(`${LONG}\n`));
  assert.deepEqual(shown(), [undefined, 0]);
  assert.equal(host.folds(), host.folds());
  host.report();
  assert.deepEqual(shown(), ["bytes 1", 1]);
});

test("completion waits for the text that it is about", async () => {
  const [a, b] = [text(`${LONG}a`), text(`${LONG}ab`)];
  assert.equal(await host.hasReceived(a), true);
  host.edited(text(LONG), a);
  const early = host.hasReceived(a);
  host.edited(a, b);
  const late = host.hasReceived(b);
  mock.timers.tick(400);
  assert.deepEqual(await Promise.all([early, late]), [false, true]);
  host.edited(b, a);
  const discarded = host.hasReceived(a);
  host.discard();
  assert.equal(await discarded, false);
});
