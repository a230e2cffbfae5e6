// Programs with control flow: loops, branches, calls, and instructions that are
// not executed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, eventually, open } from "./harness.mjs";

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
.target visa PVC
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ub num_elts=64 align=GRF
add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 1:ud
srnd (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> V32(0,0)<1;1,0>
`;

const program = async (t, text, options = {}) => {
  const page = await open(t, { width: 1400, height: 900, ...options });
  const it = bench(page);
  await it.show("Program");
  await it.program.fill(text);
  const stage = page.getByRole("region", { name: "Stage" });
  const table = stage.getByRole("table");
  const row = (name) => table.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
  return { ...it, stage, table, row, current: page.locator(".cm-current") };
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
  await it.button("To end").click();
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

test("the stage lists what each lane reads and writes", async (t) => {
  const it = await program(t, LOOP);
  await it.table.getByText("about to be executed").waitFor();
  await step(it, 1);
  await eventually(() => it.cells(it.row("2")), ["0", "3", "V33[2]", "0 → 3"]);
  await eventually(() => it.cells(it.row("0")), ["0", "2", "V33[0]", "0 → 2"]);
  await it.summary("add: V33[0] 0 → 2, and 3 more elements");
  assert.deepEqual(await axe(it.page), []);
  // The predicate: lanes 1 and 3 have reached 0.
  await step(it, 2);
  await eventually(() => it.cells(it.row("1")), ["0", "0", "P1[1]", "0 → 0"]);
  await eventually(() => it.cells(it.row("2")), ["2", "0", "P1[2]", "0 → 1"]);
  // In the second pass, these lanes wait.
  await step(it, 2);
  await it.table.getByText("Lanes of add, line 7, execution 2").waitFor();
  await eventually(() => it.cells(it.row("1")), ["disabled: execution mask"]);
  await eventually(() => it.cells(it.row("2")), ["3", "2", "V33[2]", "3 → 5"]);
});

test("a branch shows where channels continue, and can be taken back", async (t) => {
  const it = await program(t, LOOP);
  await step(it, 4);
  await it.summary("goto: 2 channels continue at line 7, 2 channels continue at line 11");
  const rows = async () => [await it.cells(it.row("0")), await it.cells(it.row("1"))];
  const branched = [["taken", "at line 7"], ["not taken", "waits at line 11"]];
  await eventually(rows, branched);
  await it.current.filter({ hasText: "add (M1, 4) V33" }).waitFor();
  await it.button("Step back").click();
  await it.current.filter({ hasText: "goto" }).waitFor();
  await it.table.getByText("Lanes of cmp, line 9").waitFor();
  await it.button("Step").click();
  await eventually(rows, branched);
  await step(it, 1);
  await it.button("Step back").click();
  await eventually(rows, branched);
});

test("an instruction that is not modelled stops the run by name", async (t) => {
  const it = await program(t, STOPS);
  await it.button("To end").click();
  const message = /`srnd` on line 5 is not modelled/;
  await it.summary(message);
  await it.stage.getByText(message).waitFor();
  await it.current.filter({ hasText: "srnd" }).waitFor();
  const title = () => it.page.locator(".cm-runs [title]").getAttribute("title");
  assert.match(await title(), message);
  await it.show("Outcomes");
  await it.panel(/^Outcomes/).getByText(/not modelled/).first().waitFor();
  await it.button("Step back").click();
  await it.table.getByText("Lanes of add, line 4").waitFor();
  // The text stays editable.
  await it.program.fill(CALL);
  await it.button("To end").click();
  await it.summary(/^ret: 4 channels end$/);
});

test("a call is stepped over, and a run goes to the cursor", async (t) => {
  const it = await program(t, CALL);
  await it.button("Step over").click();
  await it.current.filter({ hasText: "1:d" }).waitFor();
  await it.at("step 3 of 5");
  await it.button("To start").click();
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
  const it = await program(t, FOREVER);
  await it.button("To end").click();
  await it.summary(/^Running to the end: step \d+$/);
  await it.button("Pause").click();
  await it.button("Run").waitFor();
  await it.summary(/^(add: V32\[0\] \d+ → \d+|goto: 1 channel continues at line 4)$/);
  await it.button("To start").click();
  await it.program.fill(`.fuel 30000\n${FOREVER}`);
  await it.button("To end").click();
  await it.summary(/after 30000 instructions/);
  await it.at("step 30001 of 30001");
  await it.goTo(12345);
  await it.table.getByText("execution 6173").waitFor();
});

test("a program is readable on a phone", async (t) => {
  const it = await program(t, LOOP, { width: 360, height: 740, touch: true });
  await it.show("Stage");
  await step(it, 1);
  await eventually(() => it.cells(it.row("2")), ["0", "3", "V33[2]", "0 → 3"]);
  assert.deepEqual(await axe(it.page), []);
});
