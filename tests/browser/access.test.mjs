// axe and horizontal overflow: every area and tab, in both themes, on desktop
// and phone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, eventually, open, settled, sideways } from "./harness.mjs";

/** Areas that a narrow window shows one at a time, and tabs of two of them. */
const AREAS = ["Stage", "Program", "State"];
const STATE = ["Registers", "Shared local memory", "Shared virtual memory", "Surfaces"];
const DRAWER = ["Lanes", "Outcomes", "Encoding", "Explain", "Problems"];

/** States of the page to check, in order. */
const LOOKS = {
  "two EUs, a changed cell": async (it) => {
    await it.choose("Two EUs, one counter");
    await it.show("Program");
    await it.page.getByRole("heading", { name: "Two EUs, one counter" }).waitFor();
    await it.show("Stage");
    await it.goTo(9);
  },
  "lanes that are disabled": async (it) => {
    await it.choose("Predicated lanes");
    await it.show("Stage");
    await it.button("Step").click();
    await it.summary(/Lane \d/);
  },
  "out of bounds": async (it) => {
    await it.choose("Out of bounds");
    await it.toEnd();
  },
  "a surface": async (it) => {
    await it.choose("Buffer surface");
    await it.button("Step").click();
    await it.summary(/Lane \d/);
  },
  "a fault": async (it) => {
    await it.choose("A fault: unmapped address");
    await it.button("Run to end").click();
    await it.summary(/^Fault/);
  },
  "errors, warnings and notes": async (it) => {
    await it.choose("PREDEC and DEC");
    await it.show("Program");
    const text = await it.program.inputValue();
    await it.program.fill(`${text}.inti\n.init V32 = 1, 2\ndword_atomic.add (M1, 8) V99\n`);
    await it.summary(/^\d+ errors?\./);
  },
  "the list of shortcuts": async (it) => {
    await it.menu();
    await it.button("Keyboard shortcuts").click();
    await it.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  },
};

for (const [width, height] of [[1400, 900], [360, 780]]) {
  test(`axe and width, ${width} px`, async (t) => {
    const it = bench(await open(t, { width, height }));
    const check = async (where, part) => {
      assert.deepEqual(await axe(it.page, { dark: true, part }), [], where);
      await eventually(() => sideways(it.page), 0, `${where}: wider than the window`);
    };
    await check("the start");
    for (const area of width === 360 ? AREAS : []) {
      await it.show(area);
      await check(area);
    }
    for (const tab of STATE) {
      await it.tab(tab);
      await check(tab, "#state-panel");
    }
    for (const tab of DRAWER) {
      await it.show(tab);
      await check(tab, "#drawer-panel");
    }
    for (const [name, show] of Object.entries(LOOKS)) {
      await show(it);
      await check(name);
    }
  });
}

test("on a phone the step buttons and the summary stay in sight", async (t) => {
  const it = bench(await open(t, { width: 360, height: 780 }));
  const inSight = async () => {
    for (const part of [it.button("Step"), it.button("Step back"), it.page.getByRole("status", { name: "Step summary" })]) {
      await eventually(() => part.boundingBox(), ({ y, height }) => y >= 0 && y + height <= 780 && height >= 40);
    }
  };
  await inSight();
  await it.show("Stage");
  await inSight();
  await it.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await settled(it.page);
  await inSight();
});

test("reduced motion is respected", async (t) => {
  const it = bench(await open(t));
  const time = await it.button("Step").evaluate((e) => getComputedStyle(e).transitionDuration);
  assert.equal(time, "0s");
});
