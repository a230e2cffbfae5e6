// Memory of the page: scripts, DOM, and wasm memory, which the browser's own
// measurement omits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { chromiumOnly, keepMemory, open } from "./harness.mjs";

/** Maximum memory of the page in bytes. */
const MOST = 64_000_000;

// The largest bundled scenario of each kind: lanes, planes, matrices, a warp.
for (const label of [
  "Two EUs, one counter",
  "Four planes, sixteen pixels",
  "int8, four rows from each EU",
  "Guards and idle lanes",
]) {
  test(`memory of the page at the end of: ${label}`, { skip: chromiumOnly("only Chromium measures the memory of a page") }, async (t) => {
    const it = bench(await open(t, { path: "/?isolated", before: keepMemory, whole: true }));
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
