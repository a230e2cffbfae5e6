// Programs with control flow: loops, branches, calls, and instructions that are
// not executed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, drop, eventually, open } from "./harness.mjs";

/** Counts V32 down to 0 and sums it up; lane 2 takes longest. */
const LOOP = `\
.decl V32 v_type=G type=d num_elts=4 align=GRF
.decl V33 v_type=G type=d num_elts=4 align=GRF
.decl P1 v_type=P num_elts=4
.init em = 0xf
.init V32 = 2, 1, 3, 1
LOOP:
add (M1, 4) V33(0,0)<1> V33(0,0)<1;1,0> V32(0,0)<1;1,0>
add (M1, 4) V32(0,0)<1> V32(0,0)<1;1,0> -1:d
cmp.gt (M1, 4) P1 V32(0,0)<1;1,0> 0:d
(P1) goto (M1, 4) LOOP
ret (M1, 1)
`;

const CALL = `\
.decl V32 v_type=G type=d num_elts=4 align=GRF
.init em = 0xf
call (M1, 4) SUB
add (M1, 4) V32(0,0)<1> V32(0,0)<1;1,0> 1:d
ret (M1, 1)
.function "SUB"
SUB:
add (M1, 4) V32(0,0)<1> V32(0,0)<1;1,0> 10:d
ret (M1, 4)
`;

const FOREVER = `\
.decl V32 v_type=G type=d num_elts=1 align=GRF
.init em = 1
LOOP:
add (M1, 1) V32(0,0)<1> V32(0,0)<0;1,0> 1:d
goto (M1, 1) LOOP
`;

const STOPS = `\
.target visa SKL
.decl V32 v_type=G type=f num_elts=16 align=GRF
.decl V33 v_type=G type=f num_elts=16 align=GRF
add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 1.0:f
plane (M1, 16) V33(0,0)<1> V32(0,0)<0;4,1> V32(0,0)<1;1,0>
`;

const program = async (t, text, options = {}) => {
  const page = await open(t, { width: 1400, height: 900, ...options });
  const it = bench(page);
  await it.show("Program");
  await it.program.fill(text);
  const stage = page.getByRole("region", { name: "Stage" });
  const vector = stage.getByRole("region", { name: "Vector stage" });
  // The values of all lanes in a row of the grid.
  const row = (name) =>
    vector.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) })
      .getByRole("cell").allInnerTexts();
  const flow = stage.getByRole("region", { name: "Control flow" });
  const decisions = () => flow.getByRole("list", { name: "What the lanes do" }).getByRole("listitem").allInnerTexts();
  return { ...it, stage, vector, row, flow, decisions, current: page.locator(".cm-current") };
};

/** Moves the caret to a line, from 1. */
const toLine = async ({ page, program }, line) => {
  await program.press("ControlOrMeta+Home");
  for (let at = 1; at < line; at++) await page.keyboard.press("ArrowDown");
};

const step = async (it, count) => {
  for (let i = 0; i < count; i++) await it.button("Step").click();
};

test("a loop runs to its end and shows how often lines were executed", async (t) => {
  const it = await program(t, LOOP);
  const hits = () => it.page.locator(".cm-runs [title]").evaluateAll((all) => all.map((e) => e.title));
  assert.deepEqual(await hits(), []);
  await it.button("Run to end").click();
  await eventually(hits, Array(4).fill("executed 3 times"));
  await it.summary(/^ret: 4 channels end$/);
  await it.at("step 13 of 13");
  await it.goTo(9);
  await eventually(hits, ["executed 3 times", ...Array(3).fill("executed 2 times")]);
  await it.goTo(2);
  await eventually(hits, []);
});

test("a breakpoint in a loop stops at every execution", async (t) => {
  const it = await program(t, LOOP);
  await it.option("Speed", "As fast as possible");
  await toLine(it, 9);
  await it.page.keyboard.press("F9");
  await it.button("Remove the breakpoint on line 9").waitFor();
  for (const at of ["step 2 of 13", "step 6 of 13", "step 10 of 13"]) {
    await it.button("Run").click();
    await it.at(at);
    await it.summary("Stopped at the breakpoint on line 9.");
    await it.current.filter({ hasText: "cmp.gt" }).waitFor();
  }
  await it.button("Run").click();
  await it.at("step 13 of 13");
});

test("the stage shows what each lane reads and writes", async (t) => {
  const it = await program(t, LOOP);
  await it.vector.getByText("about to be executed").waitFor();
  assert.deepEqual(await it.row("dst now"), ["0", "0", "0", "0"]);
  await step(it, 1);
  await eventually(() => it.row("dst was"), ["0", "0", "0", "0"]);
  assert.deepEqual(await it.row("src1"), ["2", "1", "3", "1"]);
  assert.deepEqual(await it.row("result"), ["2", "1", "3", "1"]);
  await it.summary("add: V33[0] 0 → 2, and 3 more elements");
  assert.deepEqual(await axe(it.page), []);
  // The predicate: lanes 1 and 3 have reached 0.
  await step(it, 2);
  await eventually(() => it.row("result"), ["1", "0", "1", "0"]);
  // In the second pass, these lanes wait.
  await step(it, 2);
  await it.vector.getByText("execution 2").waitFor();
  await eventually(() => it.row("result"), ["3", "–", "5", "–"]);
  await it.vector.getByText("Lanes 1, 3 are disabled: they wait at line 11.").waitFor();
});

test("Explain shows syntax, facts and fields of the instructions of a program", async (t) => {
  const it = await program(t, LOOP);
  await it.show("Explain");
  const panel = it.panel("Explain");
  await panel.getByText("[(P)] add (M1, n) dst src0 src1").waitFor();
  await step(it, 4);
  await panel.getByText("goto", { exact: false }).first().waitFor();
  await panel.getByText("(M1, n) label").first().waitFor();
  await panel.getByRole("listitem").filter({ hasText: /^documented.*label/ }).first().waitFor();
  await panel.getByText("Opcode 6c").waitFor();
});

test("a branch shows where lanes continue, and can be taken back", async (t) => {
  const it = await program(t, LOOP);
  await step(it, 4);
  await it.summary("goto: 2 channels continue at line 7, 2 channels continue at line 11");
  const branched = (found) =>
    found.length === 2
    && /lanes 0, 2:\s+branch to LOOP: \(P1\) holds/.test(found[0])
    && /lanes 1, 3:\s+continue at line 11: \(P1\) does not hold/.test(found[1]);
  await eventually(it.decisions, branched);
  await it.flow.getByRole("button", { name: /^LOOP: lines 7–10, run once, lanes 0, 2 run here/ }).waitFor();
  await it.flow.getByRole("button", { name: /^line 11: line 11, ret, not run, lanes 1, 3 wait here/ }).waitFor();
  assert.deepEqual(await axe(it.page), []);
  await it.current.filter({ hasText: "add (M1, 4) V33" }).waitFor();
  await it.button("Step back").click();
  await it.current.filter({ hasText: "goto" }).waitFor();
  await it.page.getByText(/^Line 9, executed/).waitFor();
  await it.button("Step").click();
  await eventually(it.decisions, branched);
  await step(it, 1);
  await it.button("Step back").click();
  await eventually(it.decisions, branched);
});

test("a press on a block runs to its next execution", async (t) => {
  const it = await program(t, LOOP);
  await step(it, 1);
  await it.show("Control flow");
  const blocks = it.panel("Control flow").getByRole("region", { name: "Control flow" }).getByRole("button");
  await blocks.filter({ hasText: "LOOP" }).click();
  await it.at("step 4 of 13");
  await blocks.filter({ hasText: "line 11" }).click();
  await it.at("step 12 of 13");
  await it.current.filter({ hasText: "ret" }).waitFor();
});

test("a region is edited in place", async (t) => {
  const it = await program(t, `\
.decl V32 v_type=G type=d num_elts=32 align=GRF
.decl V33 v_type=G type=d num_elts=8 align=GRF
.init em = 0xff
.init V32 = iota(0, 1)
mov (M1, 8) V33 V32(0,0)<1;1,0>
`);
  await step(it, 1);
  await eventually(() => it.row("result"), ["0", "1", "2", "3", "4", "5", "6", "7"]);
  await it.button("Increase the vertical stride of src0").click();
  await eventually(() => it.row("result"), ["0", "2", "4", "6", "8", "10", "12", "14"]);
  assert.match(await it.program.inputValue(), /V32\(0,0\)<2;1,0>/);
  await it.button("Decrease the vertical stride of src0").click();
  await it.button("Decrease the vertical stride of src0").click();
  await eventually(() => it.row("result"), Array(8).fill("0"));
  await it.vector.getByText("one element, repeated for all lanes").waitFor();
  // The program omits the region of the destination.
  await it.button("Increase the horizontal stride of dst").click();
  await eventually(async () => assert.match(await it.program.inputValue(), /V33\(0,0\)<2>/));
});

test("a lane, its elements and the operand in the text light up together", async (t) => {
  const it = await program(t, LOOP);
  await step(it, 1);
  const grid = it.vector.getByRole("group", { name: /^Lanes by column/ });
  await grid.focus();
  await it.page.keyboard.press("ArrowRight");
  await it.page.keyboard.press("ArrowRight");
  await it.vector.getByRole("status", { name: "Selected lane" }).getByText(/^Lane 1: src0 0, src1 1, result 1/).waitFor();
  // V33[1] as source and destination, and V32[1].
  await eventually(() => it.vector.locator(".strip-element[data-lit]").count(), 3);
  await it.vector.getByRole("group", { name: /^src1 V32/ }).hover();
  await eventually(() => it.page.locator(".cm-lit").allInnerTexts(), ["V32(0,0)<1;1,0>"]);
});

test("an instruction that is not modeled stops the run by name", async (t) => {
  const it = await program(t, STOPS);
  await it.button("Run to end").click();
  const message = /`plane` on line 5 is not modeled/;
  await it.summary(message);
  await it.current.filter({ hasText: "plane" }).waitFor();
  const title = () => it.page.locator(".cm-runs [title]").getAttribute("title");
  assert.match(await title(), message);
  await it.show("Outcomes");
  await it.panel(/^Outcomes/).getByText(/not modeled/).first().waitFor();
  await it.button("Step back").click();
  await it.page.getByText(/^Line 4[:,]/).waitFor();
  // The text stays editable.
  await it.program.fill(CALL);
  await it.button("Run to end").click();
  await it.summary(/^ret: 4 channels end$/);
});

test("a call is stepped over, and a run goes to the cursor", async (t) => {
  const it = await program(t, CALL);
  await it.button("Step over").click();
  await it.current.filter({ hasText: "1:d" }).waitFor();
  await it.at("step 3 of 5");
  await it.button("Go to start").click();
  await toLine(it, 7);
  await it.fromMenu("Program menu", "Run to cursor");
  await it.current.filter({ hasText: "10:d" }).waitFor();
  await it.at("step 1 of 5");
  await toLine(it, 4);
  await it.page.keyboard.press("Control+F10");
  await it.current.filter({ hasText: "1:d" }).waitFor();
  await it.at("step 3 of 5");
});

test("a long run shows its progress, can be stopped and ends at its fuel", async (t) => {
  // Without a limit of its own, it might end before the press of Pause.
  const it = await program(t, `.fuel 100000000\n${FOREVER}`);
  await it.button("Run to end").click();
  await it.summary(/^Running to the end: step \d+$/);
  await it.button("Pause").click();
  await it.button("Run").waitFor();
  await it.summary(/^(add: V32\[0\] \d+ → \d+|goto: 1 channel continues at line 5)$/);
  await it.button("Go to start").click();
  await it.program.fill(`.fuel 30000\n${FOREVER}`);
  await it.button("Run to end").click();
  await it.summary(/after 30000 instructions/);
  await it.at("step 30001 of 30001");
  await it.goTo(12345);
  await it.vector.or(it.flow).getByText(/execution 6173|run 617[23] times/).first().waitFor();
});

test("a program is readable on a phone", async (t) => {
  const it = await program(t, LOOP, { width: 360, height: 740, touch: true });
  await it.show("Stage");
  await step(it, 1);
  await eventually(() => it.row("result"), ["2", "1", "3", "1"]);
  assert.deepEqual(await axe(it.page), []);
});

test("lines say which lanes wait, and iterations are one press", async (t) => {
  const it = await program(t, LOOP);
  await step(it, 5);
  const waits = () => it.page.locator(".cm-waits").allInnerTexts();
  await eventually(waits, ["lanes 1, 3 wait here"]);
  await it.button("Next iteration").click();
  await it.at("step 9 of 13");
});

test("threads are listed, chosen and stepped", async (t) => {
  const it = await program(t, `\
.threads 2
.decl V32 v_type=G type=d num_elts=8 align=GRF
.decl P1 v_type=P num_elts=8
.init em = 0xff
.init EU0.P1 = 0xff
(P1) goto (M1, 8) LATER
barrier
ret (M1, 1)
LATER:
barrier
mov (M1, 8) V32(0,0)<1> 2:d
`);
  await it.button("Next barrier").click();
  await it.current.filter({ hasText: "barrier" }).waitFor();
  await it.show("Threads");
  const threads = it.page.getByRole("region", { name: "Threads" });
  const row = (name) => threads.getByRole("row").filter({ hasText: name }).innerText();
  await it.button("Step").click();
  await eventually(() => row("EU1"), /waits at the barrier/);
  assert.match(await row("EU0"), /10\s+0–7\s+runs/);
  await eventually(() => it.page.locator(".cm-waits").allInnerTexts(), ["EU1 waits here"]);
  await threads.getByRole("button", { name: "EU1", exact: true }).click();
  await it.current.filter({ hasText: "ret" }).waitFor();
  // The stage shows the chosen thread.
  const picker = it.page.getByLabel("Thread", { exact: true });
  const arrived = it.page.getByRole("list", { name: "Threads at the barrier" });
  await eventually(() => arrived.getByRole("listitem").allInnerTexts(), ["EU1 waits for the others", "EU0 not yet arrived (line 10)"]);
  await picker.selectOption("EU0");
  await arrived.waitFor({ state: "hidden" });
  await picker.selectOption("EU1");
  await arrived.waitFor();
  await threads.getByRole("button", { name: "Step EU0" }).click();
  await eventually(() => it.timeline.inputValue(), "4");
  assert.deepEqual(await axe(it.page), []);
});

test("declarations are folded, and definitions are found", async (t) => {
  const declared = Array.from({ length: 20 }, (_, n) => `.decl V${32 + n} v_type=G type=d num_elts=8 align=GRF\n`);
  const text = `${declared.join("")}.init em = 0xff\nmov (M1, 8) V40(0,0)<1> V51(0,0)<1;1,0>\n`;
  const it = await program(t, text);
  const isSaved = () => it.page.evaluate(() => JSON.stringify({ ...localStorage }).includes("V51(0,0)"));
  await eventually(isSaved, true);
  await it.page.reload();
  const fold = it.page.getByRole("button", { name: "▸ 20 declarations" });
  await fold.waitFor();
  await toLine(it, 1);
  await it.page.keyboard.press("ControlOrMeta+End");
  await it.page.keyboard.press("ArrowUp");
  await it.page.keyboard.press("Home");
  for (let n = 0; n < 13; n++) await it.page.keyboard.press("ArrowRight");
  await it.page.keyboard.press("F12");
  await eventually(() => it.page.evaluate(() => getSelection().toString()), "V40");
  await fold.waitFor({ state: "detached" });
});

test("a breakpoint stops only where its condition holds", async (t) => {
  const it = await program(t, LOOP);
  await it.option("Speed", "As fast as possible");
  await toLine(it, 9);
  await it.page.keyboard.press("F9");
  const condition = it.page.getByRole("textbox", { name: "Condition on line 9" });
  await condition.fill("V33(0,2) > 4");
  await condition.press("Enter");
  await it.button("Run").click();
  await it.at("step 6 of 13");
  await condition.fill("V99 > 4");
  await condition.press("Enter");
  await it.page.getByRole("alert").getByText("unknown variable `V99`").waitFor();
});

test("the source of a kernel is shown, and a press on a line runs to it", async (t) => {
  const it = await program(t, `\
.decl V32 v_type=G type=d num_elts=8 align=GRF
FILE "/home/me/saxpy.cl"
LOC 2
mov (M1, 8) V32(0,0)<1> 2:d
LOC 3
mov (M1, 8) V32(0,0)<1> 3:d
LOC 5
mov (M1, 8) V32(0,0)<1> 5:d
`);
  await it.page.getByText("saxpy.cl:2", { exact: true }).waitFor();
  await drop(it.page, "saxpy.cl", Buffer.from("kernel void f() {\n  a();\n  b();\n\n  c();\n}\n"));
  const source = it.page.getByRole("region", { name: "Source" });
  await source.getByRole("button", { name: "Run to source line 3" }).click();
  await source.locator("[aria-current=step]").filter({ hasText: "b();" }).waitFor();
  assert.ok(await source.getByRole("button", { name: "Run to source line 4" }).isDisabled());
  // A step passes the marks of lines.
  await it.button("Step").click();
  await it.summary(/mov: V32\[0\] 2 → 3/);
  assert.deepEqual(await axe(it.page), []);
});
