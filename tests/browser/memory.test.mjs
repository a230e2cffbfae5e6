// What the page takes of memory: script, DOM, and the memory of the wasm, which
// the browser's own measure leaves out.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { chromiumOnly, open } from "./harness.mjs";

/** The most that the page may take, in bytes. */
const MOST = 64_000_000;

/** The bundled scenarios, a file each. */
const SCENARIOS = new URL("../../core/scenarios/", import.meta.url);

/** In the page: keeps the memory of the wasm where it can be measured. */
function keepMemory() {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (...given) => {
    const made = await instantiateStreaming.apply(WebAssembly, given);
    globalThis.memory = made.instance.exports.memory;
    return made;
  };
}

// The largest bundled scenarios of each kind: lanes, planes, matrices, a warp.
for (const label of [
  "Two EUs, one counter",
  "Four planes, sixteen pixels",
  "int8, four rows from each EU",
  "Guards and idle lanes",
]) {
  test(`memory of the page at the end of: ${label}`, { skip: chromiumOnly("it alone measures the memory of a page") }, async (t) => {
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

/** How many scenarios are opened before memory is measured for the first time, and in all. */
const OPENED = [10, 100];

/**
 * By how much script and wasm may have grown between the two, in bytes: entries
 * of the history, and room that is kept for the next scenario. What one scenario
 * takes, its program and its run, is 30 kB or more; a page that kept them would
 * be above it.
 */
const GROWTH = 2_000_000;

test("a hundred scenarios opened and closed leave nothing behind", { skip: chromiumOnly("its protocol collects garbage and counts") }, async (t) => {
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
