// The wasm in two parts, and the texts that are fetched: what comes when, and
// what a reader is told if it does not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { open } from "./harness.mjs";

const REST = /_rest\.wasm$/;

/** Opens the page with a hand on the second part; `answer` is told how it is asked for. */
async function withRest(t, answer, mayFail = false) {
  const page = await open(t, { mayFail, path: "/?fresh" });
  const kinds = [];
  await page.route(REST, async (route) => {
    kinds.push(route.request().resourceType());
    await answer(route);
  });
  await page.reload();
  await page.getByRole("main").waitFor();
  return { page, kinds, it: bench(page) };
}

test("the first scenario runs without the second part, which is fetched meanwhile", async (t) => {
  let let_go;
  const held = new Promise((resolve) => (let_go = resolve));
  const { kinds, it } = await withRest(t, async (route) => {
    await held;
    await route.continue();
  });
  for (let step = 0; step < 3; step++) await it.button("Step").click();
  await it.summary("Lane 2: slm[0x4] 1 + 1 → 2, returned 1");
  await it.button("Step back").click();
  await it.button("To end").click();
  await it.tab("Registers");
  await it.tab("Surfaces");
  const text = await it.program.inputValue();
  await it.program.fill(text.replace("dword_atomic.inc", "dword_atomic.dec"));
  await it.summary(/^Lane 15/);
  assert.deepEqual(kinds, ["fetch"], "nobody waited for it");
  let_go();
});

test("what needs the second part waits for it", async (t) => {
  const { kinds, it } = await withRest(t, async (route) => {
    // The one that is fetched meanwhile never comes.
    if (route.request().resourceType() === "fetch") return;
    await route.continue();
  });
  await it.choose("INC wraps at its bound");
  await it.summary("At the start. 1 instruction.");
  await it.button("Step").click();
  await it.summary("Lane 0: global[0x10000] 0 + 1 → 1, returned 0");
  assert.deepEqual(kinds, ["fetch", "xhr"]);
});

test("where the second part cannot be had, the page says so and keeps the text", async (t) => {
  const { page, it } = await withRest(t, (route) => route.abort(), true);
  await it.program.fill(".target sass SM50\nATOM.INC R0, [R2], R4; // mine\n");
  const alert = page.getByRole("alert");
  await alert.getByText("A part of the page could not be loaded").waitFor();
  assert.match(await alert.getByRole("textbox").inputValue(), /\/\/ mine/);
});

test("a scenario that cannot be had is told, and the work stays", async (t) => {
  const page = await open(t, { mayFail: true });
  const it = bench(page);
  await page.route(/scenarios\//, (route) => route.abort());
  await it.program.fill("// mine\n");
  await it.choose("Compare-and-swap lock");
  await it.summary(/^The scenario could not be loaded/);
  assert.equal(await it.program.inputValue(), "// mine\n");
  await page.unroute(/scenarios\//);
  await it.choose("Two EUs, one counter");
  await it.summary(/^At the start/);
  await it.button("Bring back my text").click();
  assert.equal(await it.program.inputValue(), "// mine\n");
});

test("an explanation that cannot be had is told", async (t) => {
  const page = await open(t, { mayFail: true });
  await page.route(/explain\//, (route) => route.abort());
  await page.reload();
  const explain = page.getByRole("region", { name: "Explain" });
  await explain.getByText("What is known of this instruction could not be loaded.").waitFor();
});

test("what comes after the first paint can be asked for again", async (t) => {
  let fails = true;
  const { page, it } = await withRest(t, (route) => (fails ? route.abort() : route.continue()), true);
  const again = it.button("Load again");
  await again.waitFor();
  await it.button("Step").click();
  await it.summary("Lane 0: slm[0x0] 0 + 1 → 1, returned 0");
  fails = false;
  await again.click();
  await page.getByRole("region", { name: "Encoding" }).waitFor();
  await page.getByRole("region", { name: "Explain" }).waitFor();
});
