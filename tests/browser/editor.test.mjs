// Editor: replacement of the text area, and features.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, close, edits, eventually, hasFocus, open, settled } from "./harness.mjs";

const BUNDLE = /\/editor\.js/;

const TWO = `.decl V32 v_type=G type=ud num_elts=8 align=GRF
dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0

dword_atomic.dec (M1, 2) %slm V32.0 %null.0 %null.0 %null.0
`;

/** Link to the histogram with style=document and step=3. */
const STYLED =
  "1QxsBAo8pGWMmRV54WvSADxOCB5Zhg4TFSrxcvGSmFejQHnSQDjIcqQ4aJM7jJTMZgcwBj2LCxuPBQ98Qk8HuhIUwL5ZwQQwZQAMJzIewoaIQvgnIKPITHgCfGA";

const plain = (it) => it.program.evaluate((e) => e instanceof HTMLTextAreaElement);
const selection = (it) => it.program.evaluate((e) => [e.selectionStart, e.selectionEnd]);
/**
 * Waits until the program menu shows plain text as selected, and leaves the
 * menu open.
 */
async function saysPlain(it) {
  await it.button("Program menu").click();
  await it.page.getByRole("button", { name: "Plain text", pressed: true }).waitFor();
}

/** Opens the page with the editor bundle held back until `go` is called. */
async function heldBack(t) {
  let go;
  const held = new Promise((resolve) => (go = resolve));
  const page = await open(t, { path: "/?fresh" });
  let asked;
  const isAsked = new Promise((resolve) => (asked = resolve));
  await page.route(BUNDLE, async (route) => {
    asked();
    await held;
    await route.continue();
  });
  // The load event waits for the editor if the page starts before it.
  await page.reload({ waitUntil: "commit" });
  await page.getByRole("main").waitFor();
  await isAsked;
  return { it: bench(page), page, go };
}

test("swapping editors keeps text, caret, scroll position, focus and concurrent input", async (t) => {
  const { it, page, go } = await heldBack(t);
  assert.equal(await plain(it), true);
  const before = await it.program.inputValue();
  await it.program.fill(before + "// line\n".repeat(200));
  await it.program.evaluate((e) => {
    // In a comment: a problem would be listed below and shrink the editor.
    const at = e.value.indexOf("// line", 3000) + 3;
    e.setSelectionRange(at, at);
    e.scrollTop = 2000;
  });
  await page.keyboard.type("ab");
  await settled(page);
  const scroll = await it.program.evaluate((e) => e.scrollTop);
  const [at] = await selection(it);
  // The swap happens while these are typed.
  go();
  const text = "0123456789".repeat(8);
  await page.keyboard.type(text);
  await edits(page);
  await eventually(async () => (await it.program.inputValue()).slice(at - 2, at + text.length), `ab${text}`);
  await eventually(() => selection(it), [at + text.length, at + text.length]);
  await hasFocus(it.program);
  const scrolled = () => it.program.evaluate((e) => e.closest(".cm-scroller").scrollTop);
  await eventually(scrolled, (scrolled) => Math.abs(scrolled - scroll) <= 44, `it was ${scroll}`);
  await eventually(() => page.getByRole("textbox", { name: "Program", exact: true }).count(), 1);
  // Input from before and after the swap can be undone.
  for (let i = 0; i < 400 && (await it.program.inputValue()) !== before; i++) {
    await page.keyboard.press("ControlOrMeta+z");
  }
  await eventually(() => it.program.inputValue(), before);
});

test("a kernel is opened at its first instruction, below folded declarations", async (t) => {
  const page = await open(t, { path: "/#scenario=kernel-histogram" });
  const it = bench(page);
  const first = page.getByRole("region", { name: "Program", exact: true }).getByText("or (M1_NM, 1) %cr0(0,0)<1>").first();
  await it.summary(/^\s*At the start/);
  await eventually(async () => {
    const [line, frame] = await Promise.all([first.boundingBox(), page.locator(".cm-scroller").boundingBox()]);
    return line.y >= frame.y && line.y + line.height <= frame.y + frame.height;
  }, true);
});

test("plain text on request, remembered, and back", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const mine = `// mine\n${await it.program.inputValue()}`;
  await it.program.fill(mine);
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("End");
  const caret = await eventually(() => selection(it), [7, 7]);
  await it.fromMenu("Program menu", "Plain text");
  await saysPlain(it);
  await page.keyboard.press("Escape");
  await eventually(() => plain(it), true);
  await eventually(() => it.program.inputValue(), mine);
  await eventually(() => selection(it), caret);
  await it.program.press("x");
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.reload();
  await saysPlain(it);
  await page.keyboard.press("Escape");
  await it.button("Step").click();
  await it.at("step 1 of 16");
  assert.equal(await plain(it), true);
  await eventually(() => it.program.inputValue(), /^\/\/ minex\n/);
  assert.ok(!asked.some((url) => BUNDLE.test(url)), "the editor bundle is not fetched");
  await it.fromMenu("Program menu", "Plain text");
  await edits(page);
  await eventually(() => it.program.inputValue(), /^\/\/ minex\n/);
});

test("the editor is fetched once, however often plain text is selected meanwhile", async (t) => {
  const { it, page, go } = await heldBack(t);
  for (let i = 0; i < 2; i++) await it.fromMenu("Program menu", "Plain text");
  await it.button("Program menu").click();
  await page.getByRole("button", { name: "Plain text", pressed: false }).waitFor();
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await page.evaluate(() => document.querySelectorAll("script[src^='editor.js']").length), 1);
  go();
  await edits(page);
});

test("if the editor fails to load, the page says so and keeps plain text", async (t) => {
  const page = await open(t, { mayFail: true, path: "/?fresh" });
  const it = bench(page);
  await page.route(BUNDLE, (route) => route.abort());
  await page.reload();
  await page.getByText("The code editor could not be loaded; using plain text.").waitFor();
  await it.program.fill(TWO);
  await it.summary("At the start. 2 instructions.");
  assert.equal(await plain(it), true);
  await page.unroute(BUNDLE);
  await it.button("Load the editor again").press("Enter");
  await edits(page);
  await eventually(() => it.program.inputValue(), TWO);
  await hasFocus(it.program);
});

test("removing a breakpoint moves focus to another one, or to the editor", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const inc = "dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0\n";
  await it.program.fill(`.decl V32 v_type=G type=ud num_elts=8 align=GRF\n${inc.repeat(3)}`);
  await it.program.press("ControlOrMeta+Home");
  const remove = (line) => it.button(`Remove the breakpoint on line ${line}`);
  for (const line of [2, 3, 4]) {
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F9");
    await remove(line).waitFor();
  }
  for (const [pressed, focused] of [[2, 3], [4, 3]]) {
    await remove(pressed).press("Enter");
    await remove(pressed).waitFor({ state: "detached" });
    await hasFocus(remove(focused));
  }
  await remove(3).press("Enter");
  await remove(3).waitFor({ state: "detached" });
  await hasFocus(it.program);
});

for (const kind of ["the editor", "plain text"]) {
  test(`breakpoints stop a run and move with edits, ${kind}`, async (t) => {
    const page = await open(t);
    const it = bench(page);
    await it.program.fill(TWO);
    if (kind === "plain text") await it.fromMenu("Program menu", "Plain text");
    await it.button("Stepping options").click();
    await page.getByLabel("Speed").selectOption("Fast");
    await page.keyboard.press("Escape");
    await it.program.press("ControlOrMeta+Home");
    for (let line = 0; line < 2; line++) await page.keyboard.press("ArrowDown");
    // An empty line: the breakpoint goes to the next instruction.
    await page.keyboard.press("F9");
    const remove = (line) => it.button(`Remove the breakpoint on line ${line}`);
    await remove(4).waitFor();
    await page.getByRole("status", { name: "Breakpoint change" }).filter({ hasText: /^Breakpoint on line 4\.$/ }).waitFor({ state: "attached" });
    await it.button("Run").click();
    await it.summary("Stopped at the breakpoint on line 4.");
    await it.at("step 2 of 4");
    if (kind === "the editor") {
      // The next instruction, not the one just executed.
      await page.locator(".cm-current", { hasText: "dword_atomic.dec" }).waitFor();
    }
    await it.button("Stepping options").click();
    await page.getByRole("group", { name: "Stepping options" }).getByText("1 stop", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await it.button("Run").click();
    await it.at("step 4 of 4");
    await it.program.press("ControlOrMeta+Home");
    await page.keyboard.press("Enter");
    await remove(5).waitFor();
    await it.button("Run").click();
    await it.summary("Stopped at the breakpoint on line 5.");
    await page.reload();
    await remove(5).waitFor();
    if (kind === "the editor") {
      await edits(page);
      await page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: /^5$/ }).click();
    } else {
      await settled(page);
      const box = await page.locator(".numbers").boundingBox();
      await page.mouse.click(box.x + 8, box.y + (box.height / 6) * 4.5);
    }
    await remove(5).waitFor({ state: "detached" });
    await it.button("Run").click();
    await it.at("step 4 of 4");
  });
}

test("a rewrite is undone and redone like any edit", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const bad = (await it.program.inputValue()).replace("dword_atomic.inc", "dword_atomic.icn");
  await it.program.fill(bad);
  await it.button("Fix").click();
  await it.summary(/^At the start/);
  const good = await it.program.inputValue();
  await hasFocus(it.program);
  await page.keyboard.type("c");
  await page.keyboard.press("ControlOrMeta+z");
  await eventually(() => it.program.inputValue(), good);
  await page.keyboard.press("ControlOrMeta+z");
  await eventually(() => it.program.inputValue(), bad);
  await page.keyboard.press("ControlOrMeta+y");
  await eventually(() => it.program.inputValue(), good);
  await it.summary(/^At the start/);
});

test("undo does not cross into the previous program", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.choose("Out of bounds");
  const text = await it.program.inputValue();
  await it.program.press("ControlOrMeta+z");
  await settled(page);
  assert.equal(await it.program.inputValue(), text);
});

test("undo after opening a link in a style does not cross into the previous program", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.choose("Out of bounds");
  const before = await it.program.inputValue();
  await page.evaluate((link) => (location.hash = link), STYLED);
  const text = await eventually(() => it.program.inputValue(), /DWORD_ATOMIC/);
  for (let i = 0; i < 2; i++) await it.program.press("ControlOrMeta+z");
  await settled(page);
  assert.notEqual(await it.program.inputValue(), before);
  assert.equal(await it.program.inputValue(), text);
});

test("search finds, moves on, replaces, and restores focus", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.press("ControlOrMeta+f");
  const find = page.getByRole("textbox", { name: "Find" });
  await find.waitFor();
  await find.pressSequentially("V33");
  await find.press("Enter");
  const text = await it.program.inputValue();
  const first = text.indexOf("V33");
  await eventually(() => selection(it), [first, first + 3]);
  await it.button("next").click();
  const second = text.indexOf("V33", first + 1);
  await eventually(() => selection(it), [second, second + 3]);
  await page.getByRole("textbox", { name: "Replace" }).pressSequentially("V40");
  await it.button("replace all").click();
  await eventually(() => it.program.inputValue(), text.replaceAll("V33", "V40"));
  await find.press("Escape");
  await find.waitFor({ state: "detached" });
  await hasFocus(it.program);
  await page.keyboard.press("ControlOrMeta+z");
  await eventually(() => it.program.inputValue(), text);
});

test("Tab and Shift+Tab leave the editor", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const text = await it.program.inputValue();
  await it.program.focus();
  await page.keyboard.press("Tab");
  await page.locator(".cm-editor:not(:focus-within)").waitFor();
  await page.keyboard.press("Shift+Tab");
  await hasFocus(it.program);
  await page.keyboard.press("Shift+Tab");
  await page.locator(".cm-editor:not(:focus-within)").waitFor();
  assert.equal(await it.program.inputValue(), text);
});

test("the current line is marked, and scrolls into view only when it changes", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(`${"// above\n".repeat(100)}${TWO}`);
  const mark = page.locator(".cm-current");
  await mark.filter({ hasText: "dword_atomic.inc" }).waitFor();
  // Scrolling into view happens in the next frame too.
  await settled(page);
  const scrollTop = () => page.locator(".cm-scroller").evaluate((e) => e.scrollTop);
  await it.program.press("ControlOrMeta+Home");
  await eventually(scrollTop, (top) => top < 20);
  await settled(page);
  const scrolled = await scrollTop();
  await it.button("Step").click();
  await it.at("step 1 of 4");
  await settled(page);
  assert.equal(await scrollTop(), scrolled, "the line is unchanged");
  await it.button("Step").click();
  await it.button("Step").click();
  await it.at("step 3 of 4");
  await mark.filter({ hasText: "dword_atomic.dec" }).waitFor();
  await eventually(scrollTop, (top) => top > 1500);
  await settled(page);
  assert.equal(await page.evaluate(() => scrollY), 0, "the page does not scroll");
});

/** Whether the current line is entirely in view. */
const inView = (page) =>
  page.locator(".cm-current").evaluate((line) => {
    const [own, box] = [line, line.closest(".cm-scroller")].map((e) => e.getBoundingClientRect());
    return own.top >= box.top && own.bottom <= box.bottom + 1;
  });

test("the current line is in view when a program opens, whatever the height of its description", async (t) => {
  for (const height of [900, 1100]) {
    const page = await open(t, { width: 1400, height });
    const it = bench(page);
    await edits(page);
    await it.choose("Compare-and-swap lock");
    await page.locator(".cm-current", { hasText: "cmpxchg" }).waitFor();
    await settled(page);
    await eventually(() => inView(page), true, `${height} pixels`);
    await close(page);
  }
});

test("the current line stays marked when text around it is replaced, and is scrolled to in another program", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  const mark = page.locator(".cm-current");
  await it.choose("int8, four rows from each EU");
  await mark.filter({ hasText: "dpasw.s8.s8" }).waitFor();
  // W also rewrites declarations above.
  await page.getByRole("combobox", { name: "W", exact: true }).selectOption("bf");
  await mark.filter({ hasText: "dpasw.bf.bf" }).waitFor();
  await it.program.fill((await it.program.inputValue()).replace("// Src2", "// of A"));
  await page.locator(".cm-line", { hasText: "// of A" }).waitFor();
  await mark.filter({ hasText: "dpasw.bf.bf" }).waitFor();
  // Likewise in another program, whether or not its instruction is on the same
  // line.
  for (const title of ["CAS and its pair of registers", "Compare-and-swap lock", "CAS and its pair of registers"]) {
    await it.choose(title);
    await mark.filter({ hasText: /ATOM\.CAS|dword_atomic/ }).waitFor();
    await settled(page);
    await eventually(() => inView(page), true, title);
  }
});

/** Places the caret after a piece of the text. */
async function behind(it, piece) {
  const at = (await it.program.inputValue()).indexOf(piece) + piece.length;
  const lines = (await it.program.inputValue()).slice(0, at).split("\n");
  await it.program.press("ControlOrMeta+Home");
  for (let line = 1; line < lines.length; line++) await it.page.keyboard.press("ArrowDown");
  await it.page.keyboard.press("Home");
  for (let sign = 0; sign < lines.at(-1).length; sign++) await it.page.keyboard.press("ArrowRight");
  await eventually(() => selection(it), [at, at]);
}

test("tokens are highlighted by the core's classes", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO);
  const line = page.locator(".cm-line", { hasText: "dword_atomic.inc" });
  const classed = (name) => line.locator(`.tok-${name}`).allInnerTexts();
  await line.locator(".tok-suffix").waitFor();
  await eventually(() => classed("mnemonic"), ["dword_atomic"]);
  await eventually(() => classed("surface"), ["%slm"]);
  const colour = (name) =>
    line.locator(`.tok-${name}`).first().evaluate((e) => getComputedStyle(e).color);
  assert.notEqual(await colour("mnemonic"), await colour("surface"));
});

/** Presses an option once the list reflects all input. */
async function press(option) {
  // The list re-renders after input; a press on the old list is lost.
  await eventually(async () => {
    await option.click();
    await option.waitFor({ state: "hidden", timeout: 2000 });
  });
}

test("completion by Ctrl-Space and while typing, with details", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO);
  await behind(it, "dword_atomic.in");
  await page.keyboard.press("Backspace");
  const option = page.getByRole("option", { name: /^inc/ });
  await page.keyboard.press("ControlOrMeta+Space");
  await option.waitFor();
  await page.keyboard.press("Escape");
  await option.waitFor({ state: "detached" });
  await hasFocus(it.program);
  await page.keyboard.type("n");
  await press(option);
  await eventually(() => it.program.inputValue(), TWO);
  await it.program.press("ControlOrMeta+End");
  await page.keyboard.type(".in");
  const directive = page.getByRole("option", { name: /init/ });
  await directive.waitFor();
});

test("help under the pointer includes documentation", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO);
  await it.summary("At the start. 2 instructions.");
  await settled(page);
  await page.locator(".cm-line .tok-mnemonic").first().hover();
  const help = page.getByRole("group", { name: "Help" });
  await help.getByText(/DWORD_ATOMIC/).first().waitFor();
  // It leaves the step controls free, and closes without the pointer.
  const bar = await page.getByRole("region", { name: "Transport" }).boundingBox();
  assert.ok((await help.boundingBox()).y >= bar.y + bar.height);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});

test("F1 help is announced and closed; Ctrl-. applies a fix", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO.replace("atomic.inc", "atomic.icn"));
  await it.summary(/^\d+ errors?\./);
  await behind(it, "dword_atomic.ic");
  // The editor clears its announcements after 200 ms.
  await page.locator(".cm-announced").evaluate((live) => {
    globalThis.announced = "";
    new MutationObserver(() => (globalThis.announced += live.textContent)).observe(live, { childList: true });
  });
  await page.keyboard.press("F1");
  const help = page.getByRole("group", { name: "Help" });
  await help.getByText(/unknown atomic operation/).waitFor();
  await help.getByRole("button", { name: "Fix" }).waitFor();
  await eventually(() => page.evaluate(() => globalThis.announced), /unknown atomic operation/);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  for (const leave of [
    () => page.getByRole("tab", { name: "Registers" }).click(),
    () => page.getByRole("tab", { name: "Registers" }).press("Escape"),
  ]) {
    await it.program.press("F1");
    await help.waitFor();
    await leave();
    await help.waitFor({ state: "detached" });
  }
  await it.program.focus();
  await page.keyboard.press("ControlOrMeta+.");
  await it.summary(/^At the start/);
  await eventually(() => it.program.inputValue(), TWO);
  await page.keyboard.press("ControlOrMeta+z");
  await it.summary(/^\d+ errors?\./);
});

test("a program in either style, and back", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO);
  await it.fromMenu("Program menu", "vISA specification syntax");
  const done = page.getByRole("status", { name: "Format result" });
  await done.filter({ hasText: "2 instructions rewritten." }).waitFor();
  await eventually(() => it.program.inputValue(), /^DWORD_ATOMIC\.INC \(2\)/m);
  await it.fromMenu("Program menu", "IGC assembler syntax");
  await page.waitForFunction(
    (text) => document.getElementById("program-text").value === text,
    TWO,
  );
  for (let i = 0; i < 2; i++) await it.program.press("ControlOrMeta+z");
  await eventually(() => it.program.inputValue(), TWO);
});

test("the help of a problem offers its fix", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO.replace("atomic.inc", "atomic.icn"));
  const mark = page.locator(".cm-lintRange-error");
  await eventually(() => mark.evaluate((e) => getComputedStyle(e).textDecorationStyle), /wavy/);
  await it.summary(/^\d+ errors?\./);
  await settled(page);
  await mark.hover();
  await page.getByRole("group", { name: "Help" }).getByRole("button", { name: "Fix" }).click();
  await it.summary(/^At the start/);
  await eventually(() => it.program.inputValue(), TWO);
});

test("operations are offered after the dot, and operands where one is expected", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO);
  await it.program.press("ControlOrMeta+End");
  await page.keyboard.type("dword_atomic.");
  const option = (name) => page.getByRole("option", { name });
  await option(/^cmpxchg/).waitFor();
  await page.keyboard.type("in");
  // The list re-renders after input; a press on the old list is lost.
  await option(/^cmpxchg/).waitFor({ state: "hidden" });
  await press(option(/^inc/));
  await page.keyboard.type(" (M1, 2) %slm ");
  await press(option(/^V32\.0 ?ud × 8/));
  await page.keyboard.type(" %null.0 %null.0 ");
  // Enter does not accept an option from an automatically opened list.
  await press(option(/^%null\.0/));
  await it.summary("At the start. 3 instructions.");
  const [, , , , last] = (await it.program.inputValue()).split("\n");
  assert.equal(last, "dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0");
});

test("help under the pointer closes on input", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO);
  await it.program.press("ControlOrMeta+End");
  await it.summary("At the start. 2 instructions.");
  await settled(page);
  await page.locator(".cm-line .tok-mnemonic").first().hover();
  const help = page.getByRole("group", { name: "Help" });
  await help.waitFor();
  // On another line, with the pointer still on the word.
  await page.keyboard.type("/");
  await help.waitFor({ state: "detached" });
});

test("an empty program offers templates, which can be undone", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const templates = page.getByRole("region", { name: "Templates" });
  assert.equal(await templates.count(), 0);
  await it.program.fill("");
  const names = ["ADD,", "DWORD_ATOMIC", "SVM_ATOMIC", "SVM_SCATTER4_SCALED", "SVM_GATHER4_SCALED", "ATOM", "RED", "DPAS", "DPASW"];
  await templates.waitFor();
  const buttons = templates.getByRole("button");
  const offered = () => buttons.evaluateAll((all) => all.map((button) => button.textContent.split(" ")[0]).sort());
  await eventually(offered, names.toSorted());
  for (const name of names) {
    await templates.getByRole("button", { name: new RegExp(`^${name} `) }).click();
    await templates.waitFor({ state: "detached" });
    await it.summary(/^At the start/);
    await hasFocus(it.program);
    await page.keyboard.press("ControlOrMeta+z");
    await templates.waitFor();
    await eventually(() => it.program.inputValue(), "");
  }
});

test("the margin shows encoded bytes, which open the encoding", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  await it.program.fill(TWO);
  const bytes = page.getByTitle(/^7d( [0-9a-f]{2}){15,}$/);
  await bytes.nth(1).waitFor();
  const shown = () => bytes.evaluateAll((all) => all.map((e) => [e.title, e.innerText]));
  // The number of bytes, where only some would fit.
  const [first, second] = await eventually(shown, (all) => all.every(([digits, text]) => text === `${digits.split(" ").length} B`));
  assert.notEqual(first[0], second[0]);
  const top = (locator) => locator.evaluate((e) => Math.round(e.getBoundingClientRect().top));
  const line = page.locator(".cm-line", { hasText: "dword_atomic.dec" });
  const tops = async () => [await top(bytes.nth(1)), await top(line)];
  await eventually(tops, ([bytes, line]) => Math.abs(bytes - line) <= 6, "beside its line");
  await bytes.nth(1).click();
  const encoding = page.getByRole("tabpanel", { name: "Encoding" });
  await encoding.waitFor();
  await page.locator(".cm-current", { hasText: "dword_atomic.dec" }).waitFor();
  const digits = encoding.getByRole("textbox", { name: "Bytes" });
  await eventually(() => digits.inputValue(), second[0]);
  // The bytes themselves, where they fit.
  await page.setViewportSize({ width: 890, height: 900 });
  await it.show("Program");
  await eventually(shown, (all) => all.every(([digits, text]) => text === digits));
  await page.setViewportSize({ width: 1400, height: 900 });
  // An instruction with an error has no bytes.
  await it.program.fill(TWO.replace("atomic.dec", "atomic.dce"));
  await it.summary(/^\d+ errors?\./);
  await eventually(() => bytes.count(), 1);
});

/** Vertical positions of the rows of a line. */
const rows = (page, text) => page.locator(".cm-line", { hasText: text }).evaluate((line) => {
  const range = document.createRange();
  range.selectNodeContents(line);
  const starts = new Map();
  for (const { left, top, width } of range.getClientRects()) {
    const row = Math.round(top / 11);
    if (width > 0) starts.set(row, Math.min(left, starts.get(row) ?? left));
  }
  return [...starts.values()];
});

test("lines wrap on a phone and on request, and the setting is kept", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  const entry = page.getByRole("group", { name: "Program menu" }).getByRole("button", { name: "Wrap long lines" });
  const isOn = async (is) => {
    await it.button("Program menu").click();
    await entry.and(page.locator(`[aria-pressed=${is}]`)).waitFor();
    await page.keyboard.press("Escape");
  };
  await eventually(() => rows(page, "Sixteen samples"), (starts) => starts.length === 1);
  await isOn(false);
  await it.fromMenu("Program menu", "Wrap long lines");
  // Continuation rows are indented, and no line is wider than the pane.
  await eventually(() => rows(page, "Sixteen samples"), (starts) => starts.length > 1 && starts.slice(1).every((start) => start > starts[0] + 20));
  await eventually(() => page.locator(".cm-scroller").evaluate((e) => e.scrollWidth - e.clientWidth), 0);
  await isOn(true);
  // Another program wraps too, as does the next visit.
  await it.choose("Compare-and-swap lock");
  await eventually(() => rows(page, "V32 v_type"), (starts) => starts.length > 1);
  await page.reload();
  await edits(page);
  await eventually(() => rows(page, "V32 v_type"), (starts) => starts.length > 1);
  await isOn(true);
  assert.deepEqual(await axe(page), []);

  const phone = await open(t, { width: 360, height: 780 });
  await bench(phone).show("Program");
  await eventually(() => rows(phone, "Sixteen samples"), (starts) => starts.length > 1);
  await bench(phone).fromMenu("Program menu", "Wrap long lines");
  await eventually(() => rows(phone, "Sixteen samples"), (starts) => starts.length === 1);
});

test("invisible characters are shown wherever a text is", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(`.title "ab\u202Ecd"\n.note "e\u200Bf"\n${TWO}// \u2066 end\n`);
  await page.getByTitle("Invisible character U+202E").waitFor();
  await page.getByTitle("Invisible character U+2066").waitFor();
  await page.getByRole("heading", { name: "ab⟨U+202E⟩cd" }).waitFor();
  await page.getByText("e⟨U+200B⟩f").first().waitFor();
  await eventually(() => page.title(), "ab⟨U+202E⟩cd · Lanewise");
  const told = page.getByText("Invisible characters: U+202E on line 1, U+200B on line 2, U+2066 on line 7.");
  assert.equal(await told.count(), 0);
  await it.fromMenu("Program menu", "Plain text");
  await told.waitFor();
  await it.program.fill(TWO);
  await told.waitFor({ state: "detached" });
});

test("the title and description of a scenario do not outlive its instructions", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.choose("Compare-and-swap lock");
  const name = "Compare-and-swap lock";
  await eventually(() => page.title(), `${name} · Lanewise`);
  const heading = (text) => page.getByRole("heading", { name: text, exact: true });
  await heading(name).waitFor();
  const note = page.locator(".first-note");
  const described = await note.textContent();
  const text = await it.program.inputValue();
  // Comments, blanks and the other syntax leave the instructions unchanged.
  await it.program.fill(`// mine\n\n${text}`);
  await it.fromMenu("Program menu", "vISA specification syntax");
  await page.getByRole("status", { name: "Format result" }).filter({ hasText: "rewritten" }).waitFor();
  await heading(name).waitFor();
  await settled(page);
  assert.equal(await note.textContent(), described);
  await it.program.fill(text.replace("iota(101, 1)", "iota(7, 1)"));
  await heading(`${name} (edited)`).waitFor();
  await eventually(() => page.title(), `${name} (edited) · Lanewise`);
  await eventually(() => note.textContent(), /^You have edited this scenario/);
  await eventually(() => page.getByText(described, { exact: true }).count(), 0);
  // A program's own notes still apply.
  await it.program.fill(`${text.replace("iota(101, 1)", "iota(7, 1)")}.note "Mine."\n`);
  await heading(name).waitFor();
  await it.button("Reset text").click();
  await heading(name).waitFor();
  await eventually(() => note.textContent(), described);
});

test("problems stay in view below the text, each with its fix", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  const bad = TWO.replace("atomic.inc", "atomic.icn").replace("atomic.dec", "atomic.dce");
  await it.program.fill("// above\n".repeat(60) + bad);
  const docked = page.getByRole("region", { name: "Problems" });
  const fixes = docked.getByRole("button", { name: "Fix", exact: true });
  await fixes.nth(1).waitFor();
  for (const fix of await fixes.all()) {
    const boxes = async () => [await fix.boundingBox(), await docked.boundingBox()];
    const inside = ([{ y, height }, box]) => y >= box.y && y + height <= Math.min(box.y + box.height + 1, 900);
    await eventually(boxes, inside, "in view");
  }
  await docked.getByRole("button", { name: /62:14/ }).click();
  await hasFocus(it.program);
  const behindCaret = async () => {
    const [start] = await selection(it);
    return (await it.program.inputValue()).slice(start, start + 3);
  };
  await eventually(behindCaret, "icn");
  await fixes.first().click();
  await fixes.nth(1).waitFor({ state: "detached" });
  await fixes.first().click();
  await docked.waitFor({ state: "detached" });
  await it.summary(/^At the start/);
  await eventually(() => it.program.inputValue(), (text) => text.endsWith(TWO));
});

test("F8 goes from one problem to the next", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO.replace("atomic.inc", "atomic.icn").replace("atomic.dec", "atomic.dce"));
  await it.summary(/^\d+ errors?\./);
  await page.locator(".cm-lintRange-error").nth(1).waitFor();
  await it.program.press("ControlOrMeta+Home");
  const selected = async () => {
    const [start, end] = await selection(it);
    return (await it.program.inputValue()).slice(start, end);
  };
  for (const word of ["icn", "dce", "icn"]) {
    await page.keyboard.press("F8");
    await eventually(() => selected(), new RegExp(word));
  }
});

test("axe: problems, breakpoints, search", async (t) => {
  for (const width of [1400, 360]) {
    const page = await open(t, { width, height: 900 });
    const it = bench(page);
    await it.show("Program");
    const bad = "dword_atomic.icn (M1, 2) %slm V32.0 %null.0 %null.0 %null.0\n.init V32 = 1\n";
    await it.program.fill(TWO + bad);
    await it.program.press("ControlOrMeta+Home");
    await page.keyboard.press("F9");
    await page.getByRole("button", { name: /^Remove the breakpoint/ }).waitFor();
    await it.program.press("ControlOrMeta+f");
    await page.getByRole("textbox", { name: "Find" }).fill("V32");
    assert.deepEqual(await axe(page, { dark: true }), []);
    await page.keyboard.press("Escape");
    await it.fromMenu("Program menu", "Plain text");
    await saysPlain(it);
    assert.deepEqual(await axe(page, { dark: true }), []);
    await page.keyboard.press("Escape");
    assert.deepEqual(await axe(page, { dark: true }), []);
    await close(page);
  }
});

test("a fix declares a variable with the type that its instruction requires", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO.replace("type=ud", "type=uw").replace("num_elts=8", "num_elts=16"));
  await it.summary(/^\d+ errors?\./);
  const docked = page.getByRole("region", { name: "Problems" });
  await docked.getByText("declare it with type=ud").first().waitFor();
  await docked.getByRole("button", { name: "Fix", exact: true }).first().click();
  await it.summary(/^At the start/);
  assert.match(await it.program.inputValue(), /^\.decl V32 v_type=G type=ud num_elts=16/);
});

test("a fix inserts all missing commas of a line", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(".target sass SM50\nATOM.E.CAS R0 [R2] R4 R5 ;\n");
  await it.summary(/^\d+ errors?\./);
  const docked = page.getByRole("region", { name: "Problems" });
  await docked.getByRole("button", { name: "Fix", exact: true }).first().click();
  await page.waitForFunction(() => document.getElementById("program-text").value.includes("R0, [R2], R4, R5"));
});

test("completion can declare an undeclared variable, ranked last", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO);
  await it.program.press("ControlOrMeta+End");
  await page.keyboard.type("dword_atomic.inc (M1, 2) %slm V");
  const option = (name) => page.getByRole("option", { name });
  // Declared variables rank first.
  await option(/^V\.0.*declare it/).waitFor();
  await option(/^V32\.0/).and(page.locator("[aria-selected=true]")).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.type("300");
  await option(/^V300\.0.*declare it: v_type=G type=ud/).click();
  const line = ".decl V300 v_type=G type=ud num_elts=16 align=GRF\ndword_atomic.inc (M1, 2) %slm V300.0";
  await page.waitForFunction((line) => document.getElementById("program-text").value.endsWith(line), line);
  await page.keyboard.press("ControlOrMeta+z");
  await page.waitForFunction(() => !document.getElementById("program-text").value.includes(".decl V300"));
});

test("after pasting lines, their starts are in view", async (t) => {
  const page = await open(t, { width: 1000 });
  const it = bench(page);
  const long = `// ${"long ".repeat(80)}`;
  await it.program.fill(`${long}\n${long}`);
  await page.waitForFunction((text) => document.getElementById("program-text").value === text, `${long}\n${long}`);
  await page.waitForFunction(() => {
    const scroller = document.querySelector(".cm-scroller");
    return scroller.scrollWidth > scroller.clientWidth && scroller.scrollLeft === 0;
  });
});

test("commented-out instructions of a kernel are counted", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const kernel = ".target sass SM50\n// 0x0008 @!P0 BRA 0x40\n// 0x0010 MOV R1, R2\nATOM.E.ADD R0, [R2], R4 ;\n";
  await it.program.fill(kernel);
  const note = page.getByRole("note", { name: "Commented-out instructions" });
  await note.filter({ hasText: /^2 instructions are comments .* including control flow \(1\)/ }).waitFor();
  await it.button("Step").click();
  await page.reload();
  await note.waitFor();
  await edits(page);
  await it.program.fill(kernel.replaceAll(/^\/\/.*\n/gm, ""));
  await note.waitFor({ state: "detached" });
});

test("line numbers stand beside their lines when the current instruction wraps", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const tops = (parts) => page.locator(parts).evaluateAll((all) => all.map((e) => Math.round(e.getBoundingClientRect().top)));
  const aligned = async () => {
    const [lines, numbers] = [await tops(".cm-line"), await tops(".cm-lineNumbers .cm-gutterElement:not([style*='visibility'])")];
    return JSON.stringify(lines) === JSON.stringify(numbers);
  };
  await eventually(aligned, true);
  await page.getByRole("textbox", { name: "Program" }).focus();
  await eventually(aligned, true);
  await page.getByRole("button", { name: "Step", exact: true }).focus();
  await eventually(aligned, true);
});

test("a press in the program does not move its text", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const last = page.locator(".cm-line").last();
  const top = async () => (await last.boundingBox()).y;
  await last.hover();
  await settled(page);
  const before = await top();
  await page.mouse.down();
  await hasFocus(page.getByRole("textbox", { name: "Program" }));
  await settled(page);
  assert.equal(await top(), before);
  await page.mouse.up();
});

test("the help of F1 is read by keyboard", async (t) => {
  const page = await open(t, { height: 600 });
  const it = bench(page);
  await it.program.fill(TWO);
  await behind(it, "dword_at");
  await page.keyboard.press("F1");
  const help = page.getByRole("group", { name: "Help" });
  await hasFocus(help);
  await eventually(() => help.evaluate((e) => e.scrollHeight > e.clientHeight), true);
  await page.keyboard.press("PageDown");
  await eventually(() => help.evaluate((e) => e.scrollTop > 0), true);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await hasFocus(it.program);
  await page.keyboard.press("F1");
  await hasFocus(help);
  await page.keyboard.press("F1");
  await help.waitFor({ state: "detached" });
  await hasFocus(it.program);
});

test("problems are announced when typing pauses, and shown at once", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.button("New").click();
  // Typing starts at once.
  await hasFocus(it.program);
  const status = page.getByRole("status", { name: "Step summary" });
  await eventually(() => status.getAttribute("aria-live"), null);
  await status.evaluate((live) => {
    globalThis.announced = [];
    new MutationObserver(() => live.ariaLive !== "off" && globalThis.announced.push(live.textContent))
      .observe(live, { childList: true, subtree: true, characterData: true });
  });
  const announced = () => page.evaluate(() => globalThis.announced);
  await page.keyboard.type("dwo");
  await it.summary("1 error.");
  await page.getByText("Fix the errors to see what each lane does.").waitFor();
  await page.keyboard.type("rd");
  await eventually(announced, ["1 error."]);
});

test("F10 steps, also from the editor", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.press("F10");
  await it.at("step 1 of 16");
});

test("edits of a long text count when typing pauses, and before anything else happens", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(TWO + "// comment\n".repeat(10_000));
  await it.at("step 0 of 4");
  // A key that acts on the new text.
  await it.program.press("ControlOrMeta+Home");
  for (let line = 0; line < 3; line++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("F9");
  await it.button("Remove the breakpoint on line 5").waitFor();
  // A press elsewhere.
  await page.keyboard.press("End");
  await page.keyboard.type("\ndword_atomic.inc (M1, 1) %slm V32.0 %null.0 %null.0 %null.0");
  await it.toEnd();
  await it.at("step 5 of 5");
  // A pause.
  await it.program.press("End");
  await page.keyboard.type(" nonsense");
  await page.getByRole("region", { name: "Problems" }).getByText("unexpected `nonsense`").waitFor();
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.type("\ndword_ato");
  await page.getByRole("option", { name: /^dword_atomic/ }).first().waitFor();
});
