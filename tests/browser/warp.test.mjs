// SASS: a warp's registers, its global memory, and ATOM step by step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, eventually, open } from "./harness.mjs";

test("ATOM steps forward and back, lane by lane", async (t) => {
  const it = bench(await open(t));
  await it.choose("INC wraps at its bound");
  await it.summary("At the start. 1 instruction.");
  await it.button("Step").click();
  await it.summary("Lane 0: global[0x10000] 0 + 1 → 1, returned 0");
  await it.timeline.fill("3");
  await it.summary(/^\s*Lane 2: global\[0x10000\] 2 .*→ 0, returned 2\s*$/);

  await it.tab("Registers");
  const rows = it.panel("Registers").getByRole("row");
  await eventually(() => rows.count(), 33, "a head and 32 lanes");
  await eventually(async () => (await it.cells(rows.nth(3))).slice(0, 2), [
    "true",
    "changed from 00000000 → 00000002",
  ]);
  await it.tab("Global memory");
  await it.panel("Global memory").getByText("changed from 2 →").waitFor();
  await it.button("Step back").click();
  await it.summary("Lane 1: global[0x10000] 1 + 1 → 2, returned 1");
  await eventually(() => it.page.getByRole("tab", { name: "Surfaces" }).count(), 0);
  assert.deepEqual(await axe(it.page), []);
});

test("the same INC in vISA and in SASS", async (t) => {
  const it = bench(await open(t));
  const ends = { vISA: ["5", "4294967295", "0", "4"], SASS: ["0", "0", "0", "0"] };
  for (const [family, end] of Object.entries(ends)) {
    await it.choose(`Side by side: INC in ${family}`);
    await it.button("To end").click();
    await it.at("step 8 of 8");
    await it.tab(family === "vISA" ? "Shared virtual memory" : "Global memory");
    // The values from 4 on, however many stand in a row.
    const cells = async () => (await it.cells(it.page.locator("#state-panel"))).slice(4, 8);
    await eventually(async () => (await cells()).map((text) => text.split(" ").at(-1)), end);
  }
});

test("an assumption is told where it matters", async (t) => {
  const it = bench(await open(t));
  await it.choose("SAFEADD: a guess");
  await it.show("Problems");
  const problems = it.page.getByRole("region", { name: "Problems" });
  await problems.getByText(/SAFEADD/).first().waitFor();
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  await explain.getByText(/^SAFEADD: .* is all that is public/).waitFor();
});
