// What the page takes of memory: script, DOM, and the memory of the wasm, which
// the browser's own measure leaves out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { open } from "./harness.mjs";

/** The most that the page may take, in bytes. */
const MOST = 64_000_000;

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
  test(`memory of the page at the end of: ${label}`, async (t) => {
    const it = bench(await open(t, { path: "/?isolated", before: keepMemory }));
    await it.choose(label);
    await it.button("To end").click();
    await it.button("Step back").click();
    await it.button("Step").click();
    const [page, wasm] = await it.page.evaluate(async () => {
      const { bytes } = await performance.measureUserAgentSpecificMemory();
      return [bytes, globalThis.memory.buffer.byteLength];
    });
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    t.diagnostic(`${label}: ${megabytes(page)} MB and ${megabytes(wasm)} MB of wasm memory`);
    assert.ok(page > 0 && wasm > 0 && page + wasm <= MOST, `${page} + ${wasm} bytes`);
  });
}
