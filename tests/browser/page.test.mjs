// The page through accessible roles and names only.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, hasFocus, open } from "./harness.mjs";
import { bench } from "./bench.mjs";

test("an error appears while typing, Fix repairs it, and the program steps", async (t) => {
  const it = bench(await open(t));
  await it.summary("At the start. 1 instruction.");
  const good = await it.program.inputValue();

  await it.program.fill(good.replace("dword_atomic.inc", "dword_atomic.icn"));
  const problems = it.page.getByRole("region", { name: "Problems" });
  await problems.getByText("E", { exact: false }).first().waitFor();
  await eventually(() => problems.innerText(), /error\s+E\d{4} at 12:\d+/);
  const reason = /unknown atomic operation `icn`/;
  await problems.getByText(reason).waitFor();
  await it.summary(/^1 error\./);
  for (const name of ["Step", "Step back", "Run to end", "Run", "Reset"]) {
    await eventually(() => it.button(name).isDisabled(), true, `${name} is disabled`);
  }
  await eventually(() => it.timeline.isDisabled(), true);
  // A tab's name is stable; its description contains the count.
  const tab = it.page.getByRole("tab", { name: "Problems", exact: true });
  await eventually(() => tab.getAttribute("aria-description"), "1 error");

  await problems.getByRole("button", { name: "Fix", exact: true }).click();
  await problems.waitFor({ state: "detached" });
  await eventually(() => it.program.inputValue(), good);
  await hasFocus(it.program);

  await it.button("Step").click();
  await it.summary("Lane 0: slm[0x0] 0 + 1 → 1, returned 0");
});

test("clicking a problem moves the cursor there; typing keeps its position", async (t) => {
  const it = bench(await open(t));
  const text = await it.program.inputValue();
  await it.program.fill(text.replace(".slm 1024", ".slm many"));
  await it.page.getByRole("button", { name: /\.slm|many/ }).first().click();
  const selected = () =>
    it.program.evaluate((e) => e.value.slice(e.selectionStart, e.selectionEnd));
  await eventually(() => selected(), /many/);
  await hasFocus(it.program);
  await it.page.keyboard.type("64");
  await it.summary("At the start. 1 instruction.");
  await eventually(() => it.program.inputValue(), /\.slm 64\n/);
  await it.page.keyboard.type("\n\n");
  await eventually(() => it.program.inputValue(), /\.slm 64\n\n\n/);
});

test("several fixes are made with one press", async (t) => {
  const it = bench(await open(t));
  const good = await it.program.inputValue();
  const call = good.match(/^dword_atomic\.inc .*$/m)[0];
  await it.program.fill(good.replace(call, `${call}\n${call}`).replaceAll("dword_atomic.inc", "dword_atomic.icn"));
  const problems = it.page.getByRole("region", { name: "Problems" });
  await problems.getByRole("button", { name: "Fix all", exact: true }).click();
  await problems.waitFor({ state: "detached" });
  await eventually(() => it.program.inputValue(), good.replace(call, `${call}\n${call}`));
});

test("a fix can be undone like any edit", async (t) => {
  const it = bench(await open(t));
  const bad = (await it.program.inputValue()).replace(".init", ".inti");
  await it.program.fill(bad);
  await it.button("Fix").click();
  await it.summary(/^At the start/);
  await hasFocus(it.program);
  await it.page.keyboard.press("Control+z");
  await it.summary(/^\d+ errors?\./);
  await eventually(() => it.program.inputValue(), bad);
});

test("a fix in a long program does not block and can be undone", async (t) => {
  const it = bench(await open(t));
  const line = "dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0\n";
  const bad = `// ä🦀\n${(await it.program.inputValue()).replace(".init", ".inti")}${line.repeat(3000)}`;
  await it.program.fill(bad);
  await it.summary(/^\d+ errors?\./);
  await it.button("Fix").click();
  await it.summary("At the start. 3001 instructions.");
  const good = bad.replace(".inti", ".init");
  await eventually(() => it.program.inputValue(), good);
  const end = good.indexOf(".init") + ".init".length;
  await eventually(() => it.program.evaluate((e) => [e.selectionStart, e.selectionEnd]), [end, end]);
  await hasFocus(it.program);
  await it.page.keyboard.press("Control+z");
  await it.summary(/^\d+ errors?\./);
  await eventually(() => it.program.inputValue(), bad);
});

test("step, back, end, start and the timeline", async (t) => {
  const it = bench(await open(t));
  await eventually(() => it.timeline.getAttribute("aria-valuetext"), "step 0 of 16");
  await eventually(() => it.button("Step back").isDisabled(), true);
  await it.button("Step").click();
  await it.button("Step").click();
  await it.summary("Lane 1: slm[0x4] 0 + 1 → 1, returned 0");
  await it.button("Step back").click();
  await it.summary("Lane 0: slm[0x0] 0 + 1 → 1, returned 0");
  await it.button("Run to end").click();
  await it.at("step 16 of 16");
  await eventually(() => it.button("Step").isDisabled(), true);
  await it.timeline.fill("7");
  await it.at("step 7 of 16");
  await it.summary("Lane 6: slm[0x0] 1 + 1 → 2, returned 1");
  await it.button("Go to start").click();
  await it.at("step 0 of 16");
  await it.timeline.focus();
  await it.page.keyboard.press("ArrowRight");
  await it.at("step 1 of 16");
  await it.button("Reset").click();
  await it.at("step 0 of 16");
});

test("run and pause", async (t) => {
  const it = bench(await open(t));
  // Long enough to be still running at the pause.
  const line = "dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0\n";
  await it.program.fill((await it.program.inputValue()) + line.repeat(30));
  await it.at("step 0 of 496");
  const status = it.page.getByRole("status", { name: "Step summary" });
  await eventually(() => status.getAttribute("aria-live"), null);
  await it.option("Speed", "Fast");
  await it.button("Run").click();
  await it.button("Pause").waitFor();
  // Fast steps are not announced.
  await eventually(() => status.getAttribute("aria-live"), "off");
  await it.page.waitForFunction(() => document.querySelector("input[type=range]").value > 2);
  await it.button("Pause").click();
  await it.button("Run").waitFor();
  await eventually(() => status.getAttribute("aria-live"), null);
  const paused = await it.timeline.inputValue();
  assert.ok(Number(paused) < 496);
  // Several ticks of 60 ms, counted in frames.
  await it.page.evaluate(async () => {
    const end = performance.now() + 240;
    while ((await new Promise(requestAnimationFrame)) < end);
  });
  assert.equal(await it.timeline.inputValue(), paused);
  await it.timeline.fill("490");
  await it.at("step 490 of 496");
  await it.button("Run").click();
  await it.at("step 496 of 496");
  await it.button("Run").waitFor();
});

test("the histogram's registers and memory, old → new", async (t) => {
  const it = bench(await open(t));
  await it.timeline.fill("3");
  await it.tab("Shared local memory");
  const row = it.panel("Shared local memory").getByRole("row", { name: "0x0000" });
  await row.getByText("changed from").waitFor();
  await eventually(() => it.cells(row), ["1", "changed from 1 → 2", "0", "0"]);
  await it.button("Run to end").click();
  await row.getByText("7 →").waitFor();
  await eventually(() => it.cells(row), ["3", "changed from 7 → 8", "3", "2"]);
  await it.tab("Registers");
  const panel = it.panel("Registers");
  await panel.getByText("changed from 0 → 7").waitFor();
  await panel.getByLabel("Format").selectOption("hexadecimal");
  await panel.getByText("changed from 0x00000000 → 0x00000007").waitFor();
  await panel.getByLabel("Format").selectOption("bytes, in hexadecimal");
  await panel.getByText("changed from 00 → 07").waitFor();
});

test("the lock: winner, losers and conflict groups", async (t) => {
  const it = bench(await open(t));
  await it.choose("Compare-and-swap lock");
  await it.button("Step").click();
  await it.summary("Lane 0: slm[0x40] expected 0, found 0: 0 → 101, returned 0");
  const lanes = it.page.getByRole("region", { name: "Lanes" });
  const current = lanes.getByRole("row").and(it.page.locator("[aria-current=step]"));
  const cells = () => current.getByRole("cell").allInnerTexts();
  // CMPXCHG stores src0 if the cell equals src1.
  await eventually(async () => (await cells()).slice(0, 9), ["1", "yes", "0x40", "0", "101", "0", "101", "0", "this step"]);
  await eventually(async () => (await cells())[9], /A\s+conflicts with lanes 1–7/);
  const row = it.panel("Shared local memory").getByRole("row", { name: "0x0040" });
  await eventually(async () => (await it.cells(row))[0], "changed from 0 → 101");
  await it.button("Step").click();
  await it.summary("Lane 1: slm[0x40] expected 0, found 101: not swapped, returned 101");
  await it.button("Run to end").click();
  await it.tab("Registers");
  const found = it.panel("Registers").getByText("101", { exact: true });
  // V33 lane 0, seven losers in V35; V36 holds the value found by the release.
  await eventually(() => found.count(), (count) => count >= 8);
});

test("a fault names its lane; stepping back works", async (t) => {
  const it = bench(await open(t));
  await it.choose("A fault: unmapped address");
  await it.button("Run to end").click();
  await it.summary(/^Fault: Lane 2: address 0x20000 is not mapped/);
  const lanes = it.page.getByRole("region", { name: "Lanes" });
  await lanes.getByText("0x20000 unmapped").waitFor();
  await it.button("Step back").click();
  await it.summary("Lane 3: svm[0x1000c] 0 + 1 → 1, returned 0");
  const row = it.panel("Shared virtual memory").getByRole("row", { name: "0x10000" });
  await eventually(() => it.cells(row), ["1", "1", "1", "changed from 0 → 1"]);
});

test("the selected region follows steps and the user", async (t) => {
  const it = bench(await open(t));
  await it.program.fill(
    ".region svm 0x10000 64\n.region svm 0x20000 64\n" +
      ".decl V32 v_type=G type=uq num_elts=4 align=GRF\n" +
      ".init V32 = 0x10000, 0x20000\n" +
      "svm_atomic.inc (M1, 2) V32.0 %null.0 %null.0 %null.0\n",
  );
  await it.summary("At the start. 1 instruction.");
  await it.tab("Shared virtual memory");
  const panel = it.panel("Shared virtual memory");
  const choice = panel.getByLabel("Region");
  const chosen = () => choice.evaluate((e) => e.selectedOptions[0].text);
  await eventually(() => chosen(), "svm 0x10000, 64 bytes");
  const row = (name) => panel.getByRole("row", { name });
  await it.button("Run to end").click();
  await row("0x20000").getByText("changed from 0 →").waitFor();
  await eventually(() => chosen(), "svm 0x20000, 64 bytes");
  await choice.selectOption({ index: 0 });
  await row("0x10000").waitFor();
  await eventually(() => chosen(), "svm 0x10000, 64 bytes");
});

test("two EUs share memory but not registers", async (t) => {
  const it = bench(await open(t));
  await it.choose("Two EUs, one counter");
  await it.page.getByRole("heading", { name: "Two EUs, one counter" }).waitFor();
  await it.timeline.fill("9");
  await it.summary("Lane EU1.0: slm[0x0] 108 + 1 → 109, returned 108");
  await it.tab("Registers");
  const eu = (name) => it.page.getByRole("rowgroup", { name, exact: true });
  await eu("EU0").getByText("100", { exact: true }).waitFor();
  assert.equal(await eu("EU0").getByText("changed from").count(), 0);
  // EU1 is below EU0.
  await it.page.getByRole("group", { name: "Register files" }).evaluate((e) => e.scrollTo(0, e.scrollHeight));
  await eu("EU1").getByText("changed from 0 → 108").waitFor();
});

test("a replaced text is kept as a draft between visits", async (t) => {
  const it = bench(await open(t));
  const mine = `${await it.program.inputValue()}// mine\n`;
  await it.program.fill(mine);
  await it.choose("Out of bounds");
  await it.button("Restore draft").waitFor();
  await eventually(() => it.program.inputValue(), (text) => !text.includes("mine"));
  await it.button("Restore draft").click();
  await it.button("Restore draft").waitFor({ state: "detached" });
  await hasFocus(it.program);
  await it.page.waitForFunction(() => document.getElementById("program-text").value.includes("mine"));
  await it.page.reload();
  await it.summary(/^At the start/);
  await eventually(() => it.program.inputValue(), mine);
  await it.button("Reset text").click();
  await it.button("Reset text").waitFor({ state: "detached" });
  await hasFocus(it.program);
  await eventually(() => it.program.inputValue(), (text) => !text.includes("mine"));
});
