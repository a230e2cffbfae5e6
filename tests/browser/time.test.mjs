// Step sizes, timeline marks and speeds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, eventually, open } from "./harness.mjs";

test("steps by lane access and by instruction", async (t) => {
  const it = bench(await open(t));
  await it.choose("Compare-and-swap lock");
  const sizes = it.page.getByLabel("Step by").locator("option");
  await eventually(() => sizes.allTextContents(), ["lane access", "instruction"]);
  await it.button("Step").click();
  await it.at("step 1 of 16");
  await it.option("Step by", "instruction");
  await it.button("Step").click();
  await it.at("step 8 of 16");
  await it.button("Step").click();
  await it.at("step 16 of 16");
  await it.button("Step back").click();
  await it.at("step 8 of 16");
  await it.option("Step by", "lane access");
  await it.button("Step back").click();
  await it.at("step 7 of 16");
  await it.fromMenu("Stepping options", "Next instruction");
  await it.at("step 8 of 16");
  await it.fromMenu("Stepping options", "Previous instruction");
  await it.at("step 0 of 16");
});

test("a DPASW has smaller steps, and changing the step size keeps the position", async (t) => {
  const it = bench(await open(t));
  await it.choose("int8, four rows from each EU");
  await it.button("Step").click();
  await it.page.locator('input[type=range][aria-valuetext^="step 1 of "]').waitFor();
  const most = () => it.timeline.getAttribute("max").then(Number);
  const coarse = await most();
  await it.option("Step by", "channel of a stage");
  await it.page.waitForFunction((old) => Number(document.querySelector("input[type=range]").max) > old, coarse);
  const times = (await most()) / coarse;
  await eventually(async () => Number(await it.timeline.inputValue()), times);
  await it.option("Step by", "stage");
  await it.at(`step 1 of ${coarse}`);
});

test("a fault is marked and can be stepped back from", async (t) => {
  const it = bench(await open(t));
  await it.choose("A fault: unmapped address");
  await it.button("Stepping options").click();
  await it.page.getByText(/^Fault at step \d+$/).waitFor();
  await it.page.keyboard.press("Escape");
  await it.option("Speed", "As fast as possible");
  await it.button("Run").click();
  await it.summary(/^Fault/);
  await it.fromMenu("Stepping options", "Previous instruction");
  await it.summary("Lane 3: svm[0x1000c] 0 + 1 → 1, returned 0");
  await it.button("Run to end").click();
  await it.summary(/^Fault/);
  await it.button("Step back").click();
  await it.summary(/^Lane 3/);
  assert.deepEqual(await axe(it.page), []);
});
