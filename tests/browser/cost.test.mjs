// Cost of a step: few DOM mutations and few memory rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { eventually, open, settled } from "./harness.mjs";

/**
 * Maximum number of mutations per step: stage, lane table and a State tab are
 * all in view, and each shows the change.
 */
const MUTATIONS = 120;

/** Maximum number of memory rows in the DOM, for a height of 900 pixels. */
const ROWS = 60;

/** Starts counting mutations. */
async function counting(page) {
  await page.evaluate(() => {
    globalThis.mutations = 0;
    const observer = new MutationObserver((list) => (globalThis.mutations += list.length));
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document, all);
  });
  return () =>
    page.evaluate(async () => {
      // Observers run before the next task.
      await new Promise((resolve) => setTimeout(resolve));
      const { mutations } = globalThis;
      globalThis.mutations = 0;
      return mutations;
    });
}

for (const tab of ["Registers", "Shared local memory"]) {
  test(`mutations per step, ${tab}`, async (t) => {
    const it = bench(await open(t, { width: 1400, height: 900 }));
    await it.tab(tab);
    await it.button("Step").click();
    await it.at("step 1 of 16");
    // The search for outcomes must end first, because its end changes the page.
    await it.page.getByRole("note", { name: "Result of this order" }).filter({ hasText: /\w/ }).waitFor();
    await settled(it.page);
    const count = await counting(it.page);
    await count();
    const counts = { forward: [], back: [] };
    for (let step = 2; step <= 14; step++) {
      await it.button("Step").click();
      await it.at(`step ${step} of 16`);
      counts.forward.push(await count());
    }
    for (let step = 13; step >= 2; step--) {
      await it.button("Step back").click();
      await it.at(`step ${step} of 16`);
      counts.back.push(await count());
    }
    for (const [way, list] of Object.entries(counts)) {
      const most = Math.max(...list);
      const median = list.toSorted((a, b) => a - b)[list.length >> 1];
      t.diagnostic(`${tab}, ${way}: median ${median}, most ${most} mutations per step`);
      assert.ok(most <= MUTATIONS, `${way}: ${list}`);
    }
  });
}

test("64 KB of memory are virtualised, wherever the grid is scrolled", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  await it.program.fill(
    ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n" +
      ".init V32 = 0, 0x8000, 0xfff0\n" +
      "dword_atomic.inc (M1, 4) %slm V32.0 %null.0 %null.0 %null.0\n",
  );
  await it.summary("At the start. 1 instruction.");
  await it.tab("Shared local memory");
  const table = it.page.getByRole("table", { name: "Shared local memory" });
  await eventually(() => table.getAttribute("aria-rowcount"), "4097", "a header and 4096 rows");
  const row = (name) => table.getByRole("row", { name });
  const few = async () => {
    const rows = await eventually(() => table.getByRole("row").count(), (rows) => rows > 3 && rows <= ROWS);
    t.diagnostic(`${rows} rows on the page`);
  };
  await few();
  // A step scrolls its changes into view.
  await it.button("Step").click();
  await it.button("Step").click();
  await row("0x8000").getByText("changed from 0 →").waitFor();
  await few();
  await it.button("Step").click();
  await row("0xfff0").getByText("changed from 0 →").waitFor();
  await few();
  const address = it.page.getByLabel("Go to address");
  await address.fill("0x4560");
  await address.press("Enter");
  await row("0x4560").waitFor();
  await address.fill("nonsense");
  await address.press("Enter");
  await it.page.locator("[aria-invalid=true]").waitFor();
  const scroller = it.page.getByLabel("Memory rows");
  await scroller.evaluate((e) => (e.scrollTop = e.scrollHeight / 2));
  await row("0x8000").waitFor();
  await few();
});

test("a long program re-renders after every keystroke", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  const line = "dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0\n";
  await it.program.fill((await it.program.inputValue()) + line.repeat(1000));
  await it.summary("At the start. 1001 instructions.");
  await it.program.press("ControlOrMeta+End");
  const spent = await it.program.evaluate(async () => {
    const start = performance.now();
    for (let i = 0; i < 5; i++) {
      document.execCommand("insertText", false, "x");
      // The page renders before the next task, and lays out on request.
      await new Promise((resolve) => setTimeout(resolve));
      document.body.getBoundingClientRect();
    }
    return (performance.now() - start) / 5;
  });
  t.diagnostic(`${spent.toFixed(1)} ms per keystroke in 1,000 lines`);
  await it.summary(/^\d+ errors?\./);
  await it.program.fill(".slm 64\n" + line.replaceAll("V3", "V4"));
  await it.summary(/^\d+ errors?\./);
});
