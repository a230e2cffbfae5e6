// SASS: warp registers, global memory, and ATOM step by step.
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
  await eventually(() => it.page.getByRole("table", { name: "Registers" }).getAttribute("aria-rowcount"), "33");
  await eventually(async () => (await it.cells(rows.nth(3))).slice(0, 2), [
    "1",
    "changed from 0x00000000 → 0x00000002",
  ]);
  await it.tab("Global memory");
  await it.panel("Global memory").getByText("changed from 2 →").waitFor();
  await it.button("Step back").click();
  await it.summary("Lane 1: global[0x10000] 1 + 1 → 2, returned 1");
  await eventually(() => it.page.getByRole("tab", { name: "Surfaces" }).count(), 0);
  assert.deepEqual(await axe(it.page), []);
});

test("a step scrolls a truncated register into view", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const named = [1, 3, 5].map((register) => `.init R${register} = splat(${register})\n`);
  await it.program.fill(
    `.target sass SM52\n.region global 0x10000 64\n${named.join("")}.init R2 = splat(0x10000)\n` +
      ".init R4 = splat(1)\nATOM.ADD R7, [R2], R4;\n",
  );
  await it.tab("Registers");
  const rows = it.page.getByRole("group", { name: "Warp registers" });
  // As wide as the lane column plus four and a half registers.
  await rows.evaluate((box) => {
    const heads = [...box.querySelectorAll("[role=columnheader]")].map((head) => head.getBoundingClientRect());
    box.style.width = `${(heads[5].left + heads[5].right) / 2 - heads[0].left}px`;
  });
  const isWhole = (name) =>
    it.page.getByRole("columnheader", { name, exact: true }).evaluate((head) => {
      const lane = head.parentElement.firstElementChild;
      const [own, lanes, box] = [head, lane, head.closest(".grid")].map((e) => e.getBoundingClientRect());
      return own.left >= lanes.right - 1 && own.right <= box.right + 1;
    });
  await eventually(() => isWhole("R4"), true);
  await eventually(() => isWhole("R7"), false);
  await it.button("Step").click();
  await it.at("step 1 of 32");
  await eventually(() => isWhole("R7"), true);
});

test("a register that changed while its tab was closed is in view", async (t) => {
  const it = bench(await open(t, { path: "/#scenario=cuda-collatz", width: 1400, height: 900 }));
  await it.tab("Buffers");
  await it.button("Step into").waitFor();
  const panel = it.panel("Registers");
  await it.timeline.fill("39");
  await it.tab("Registers");
  const changed = panel.getByRole("button", { name: /^changed from/ }).first();
  const isInView = () =>
    changed.evaluate((cell) => {
      const [own, box] = [cell, cell.closest(".grid")].map((element) => element.getBoundingClientRect());
      return own.right <= box.right + 1 && own.left >= box.left;
    });
  await eventually(isInView, true);
});

test("the same INC in vISA and in SASS", async (t) => {
  const it = bench(await open(t));
  const ends = { vISA: ["5", "4294967295", "0", "4"], SASS: ["0", "0", "0", "0"] };
  for (const [family, end] of Object.entries(ends)) {
    await it.choose(`Side by side: INC in ${family}`);
    await it.button("Run to end").click();
    await it.at("step 8 of 8");
    await it.tab(family === "vISA" ? "Shared virtual memory" : "Global memory");
    // The values from 4 on, whatever the row length.
    const cells = async () => (await it.cells(it.page.locator("#state-panel"))).slice(4, 8);
    await eventually(async () => (await cells()).map((text) => text.split(" ").at(-1)), end);
  }
});

test("an assumption is shown where it matters", async (t) => {
  const it = bench(await open(t));
  await it.choose("SAFEADD: a guess");
  await it.show("Problems");
  const problems = it.page.getByRole("region", { name: "Problems" });
  await problems.getByText(/SAFEADD/).first().waitFor();
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  await explain.getByText(/SAFEADD is only publicly described/).first().waitFor();
});

test("a bundled CUDA kernel shows its source, the shuffles of its lanes, and the checks for it", async (t) => {
  const it = bench(await open(t));
  await it.choose("CUDA: sum of a warp with SHFL");
  const source = it.page.getByRole("region", { name: "Source", exact: true });
  await source.getByText("__shfl_down_sync").waitFor();
  await it.timeline.fill("82");
  const shuffle = it.page.getByRole("img", { name: "Source lane of each lane" });
  await eventually(() => shuffle.locator("line").count(), 32);
  const first = shuffle.locator("line").first();
  await eventually(() => Promise.all(["x1", "x2"].map((at) => first.getAttribute(at))), ["33", "1"]);
  assert.deepEqual(await axe(it.page), []);
  await it.button("Launch…").click();
  const checks = it.page.getByRole("group", { name: "Check for" }).getByRole("checkbox");
  await eventually(() => checks.count(), 6);
});
