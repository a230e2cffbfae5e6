// Memory of the page: scripts, DOM, and wasm memory, which the browser's own
// measurement omits.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { chromiumOnly, open } from "./harness.mjs";

/** Maximum memory of the page in bytes. */
const MOST = 64_000_000;

/** Bundled scenarios, one file each. */
const SCENARIOS = new URL("../../core/scenarios/", import.meta.url);

/** In the page: exposes the wasm memory for measurement. */
function keepMemory() {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (...given) => {
    const made = await instantiateStreaming.apply(WebAssembly, given);
    globalThis.memory = made.instance.exports.memory;
    return made;
  };
}

// The largest bundled scenario of each kind: lanes, planes, matrices, a warp.
for (const label of [
  "Two EUs, one counter",
  "Four planes, sixteen pixels",
  "int8, four rows from each EU",
  "Guards and idle lanes",
]) {
  test(`memory of the page at the end of: ${label}`, { skip: chromiumOnly("only Chromium measures the memory of a page") }, async (t) => {
    const it = bench(await open(t, { path: "/?isolated", before: keepMemory }));
    await it.choose(label);
    await it.toEnd();
    await it.button("Step back").click();
    await it.toEnd();
    const [page, wasm] = await it.page.evaluate(async () => {
      const { bytes } = await performance.measureUserAgentSpecificMemory();
      return [bytes, globalThis.memory.buffer.byteLength];
    });
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    t.diagnostic(`${label}: ${megabytes(page)} MB and ${megabytes(wasm)} MB of wasm memory`);
    assert.ok(page > 0 && wasm > 0 && page + wasm <= MOST, `${page} + ${wasm} bytes`);
  });
}

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
  const page = await open(t, { path: "/", before: keepMemory, width: 1400, height: 900 });
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
