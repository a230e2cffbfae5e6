// Memory of the page after many scenarios: scripts, DOM, and wasm memory.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { chromiumOnly, keepMemory, open } from "./harness.mjs";

/** Bundled scenarios, one file each. */
const SCENARIOS = new URL("../../core/scenarios/", import.meta.url);

/**
 * Number of scenarios opened before the first measurement, so that all have been
 * open once and the largest has set the size of wasm memory, and in all.
 */
const OPENED = [readdirSync(SCENARIOS).length, 150];

/**
 * Maximum growth in bytes of script and wasm memory between the two: history
 * entries and reserved capacity. A scenario's program and run take 30 kB or
 * more, so retaining them would exceed this.
 */
const GROWTH = 2_000_000;

test("opened scenarios leave nothing behind", { skip: chromiumOnly("only Chromium's protocol collects garbage and counts nodes") }, async (t) => {
  const page = await open(t, { before: keepMemory, whole: true, width: 1400, height: 900 });
  const it = bench(page);
  const protocol = await page.context().newCDPSession(page);
  const scenarios = readdirSync(SCENARIOS).map((name) => ({
    id: name.replace(/\.lanewise$/, ""),
    title: /^\.title "(.*)"$/m.exec(readFileSync(new URL(name, SCENARIOS), "utf8"))[1],
  }));
  const measure = async () => {
    await protocol.send("HeapProfiler.collectGarbage");
    const { usedSize } = await protocol.send("Runtime.getHeapUsage");
    const { nodes } = await protocol.send("Memory.getDOMCounters");
    const wasm = await page.evaluate(() => globalThis.memory.buffer.byteLength);
    return { script: usedSize, nodes, wasm };
  };
  const measured = [];
  for (let count = 0; count <= OPENED[1]; count++) {
    if (OPENED.includes(count)) {
      // The same scenario at the same step each time.
      await page.evaluate(() => (location.hash = "scenario=histogram"));
      await it.at("step 0 of 16");
      measured.push(await measure());
    }
    const { id, title } = scenarios[count % scenarios.length];
    await page.evaluate((id) => (location.hash = `scenario=${id}`), id);
    await page.waitForFunction((title) => document.title === title, `${title} · Lanewise`);
    await it.toEnd();
  }
  const [before, after] = measured;
  t.diagnostic(`after ${OPENED[0]}: ${JSON.stringify(before)}; after ${OPENED[1]}: ${JSON.stringify(after)}`);
  assert.ok(after.script + after.wasm - before.script - before.wasm <= GROWTH, "script and wasm");
  assert.ok(after.nodes <= before.nodes * 1.1, "nodes of the page");
});
