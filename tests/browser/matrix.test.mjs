// Matrix view, through accessible roles and names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, close, eventually, hasFocus, open, settled } from "./harness.mjs";

/** Each EU has its own weights and data. */
const TEXT = `.target visa XEHP
.decl V32 v_type=G type=d num_elts=64 align=GRF
.decl V33 v_type=G type=d num_elts=64 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=ud num_elts=64 align=GRF
.init V33 = iota(1, 1)
.init EU0.V34 = splat(0x01010101)
.init EU1.V34 = splat(0x02020202)
.init EU0.V35 = splat(0x11111111)
.init EU1.V35 = splat(0x33333333)
dpasw.s8.s4.8.4 (M1, 8) V32.0 V33.0 V34.0 V35(0,0)
`;

/** Parts of the picture. */
function picture(it) {
  const region = it.page.getByRole("region", { name: "Src2 supply" });
  const status = region.getByRole("status", { name: "Supply summary" });
  const cell = (name) => region.getByRole("gridcell", { name });
  return {
    region,
    cell,
    /** An element of D: `EU1 D[3][7] = 224`. */
    dst: (eu, row, channel) => cell(new RegExp(`^EU${eu} D\\[${row}\\]\\[${channel}\\] = `)),
    registers: region.getByRole("button", { name: / of Src2: / }),
    register: (name) => region.getByRole("button", { name: new RegExp(`^${name} of Src2`) }),
    configuration: (name) => region.getByRole("button", { name: new RegExp(`^${name}`) }),
    button: (name) => region.getByRole("button", { name, exact: true }),
    select: (name) => region.getByRole("combobox", { name, exact: true }),
    /** Waits until the summary matches. */
    says: (text) => status.filter({ hasText: text }).waitFor(),
    /** Names of everything the step highlighted. */
    lit: async () =>
      (await region.locator("[aria-current=step]").evaluateAll((all) =>
        all.map((e) => e.getAttribute("aria-label")),
      )).sort(),
    /** Where the hovered element is highlighted: in its matrix and register. */
    probes: region.locator("[data-at][data-probe=itself], .segment-probe"),
  };
}

async function start(t, { text = TEXT, ...options } = {}) {
  const it = bench(await open(t, { width: 1400, height: 900, ...options }));
  await it.show("Program");
  await it.program.fill(text);
  await it.show("Stage");
  const stage = picture(it);
  await stage.region.waitFor();
  return { it, stage };
}

const box = (locator) => locator.evaluate((e) => {
  const { left, top, right, bottom } = e.getBoundingClientRect();
  return { left, top, right, bottom };
});

const covers = (outer, inner, slack = 3) =>
  outer.left - slack <= inner.left && inner.right <= outer.right + slack &&
  outer.top - slack <= inner.top && inner.bottom <= outer.bottom + slack;

test("a step highlights what it touched, and nothing else", async (t) => {
  const { it, stage } = await start(t);
  await stage.says("W s8, A s4, RC 4: NGrf 2, EU0 supplies 1, EU1 supplies 1");
  await eventually(stage.lit, []);
  // Row 2, stage 3: k 12 to 15 of EU1's register.
  await it.timeline.fill(`${2 * 8 + 3 + 1}`);
  await stage.dst(0, 2, 0).and(it.page.locator("[aria-current=step]")).waitFor();
  const wanted = [
    "A[2][12–15] = 3 3 3 3",
    "EU1.r24 of Src2: rows 2–3 of A",
    ...[0, 1].flatMap((eu) =>
      [...Array(8).keys()].flatMap((n) => [
        `EU${eu} B[12–15][${n}] = ${Array(4).fill(eu + 1).join(" ")}`,
        `EU${eu} D[2][${n}] = ${17 + n + 16 * 3 * (eu + 1)}`,
      ]),
    ),
  ].sort();
  await eventually(stage.lit, wanted);
  // The first stage of a row starts from C.
  await it.timeline.fill("1");
  await stage.dst(0, 0, 0).and(it.page.locator("[aria-current=step]")).waitFor();
  const firstLit = ["EU1 C[0][7] = 8", "EU0.r24 of Src2: rows 0–1 of A"];
  await eventually(stage.lit, (lit) => firstLit.every((name) => lit.includes(name)));
  await it.button("Step back").click();
  await it.at("step 0 of 32");
  await eventually(stage.lit, []);
});

test("the configuration table rewrites the program", async (t) => {
  const { it, stage } = await start(t);
  const current = stage.region.getByRole("button", { name: /bytes per row/ }).and(
    it.page.locator("[aria-current=true]"),
  );
  await eventually(() => current.getAttribute("aria-label"), /^RC 4, 16 bytes per row/);
  await stage.configuration("RC 6, 8 bytes per row").click();
  await stage.says("W s8, A s2, RC 6: NGrf 2, EU0 supplies 1, EU1 supplies 1");
  await eventually(() => it.program.inputValue(), /^dpasw\.s8\.s2\.8\.6 /m);
  await eventually(() => current.getAttribute("aria-label"), /^RC 6, 8 bytes per row/);
  // Arrow keys and Enter work too.
  await current.focus();
  await it.page.keyboard.press("ArrowUp");
  await it.page.keyboard.press("ArrowLeft");
  await it.page.keyboard.press("Enter");
  await stage.says("W s8, A s4, RC 5: NGrf 3, EU0 supplies 2, EU1 supplies 1");
  // Incompatible precisions adjust each other.
  await stage.select("W").selectOption("bf");
  await stage.says("W bf, A bf, RC 5");
  await stage.select("A").selectOption("u2");
  await stage.says("W u2, A u2, RC 5");
  // The edit can be undone.
  await it.program.focus();
  await it.page.keyboard.press("Control+z");
  await stage.says("W bf, A bf, RC 5");
  const all = stage.region.getByRole("button", { name: /bytes per row/ });
  await eventually(() => all.count(), 24);
  await eventually(() => stage.configuration("RC . *, .*table and formula disagree").count(), 2);
  await eventually(() => all.filter({ hasText: "≠" }).count(), 2);
  await eventually(() => stage.region.getByRole("button", { name: /shares nothing/ }).count(), 7);
});

test("initial values of another type can be replaced", async (t) => {
  const { it, stage } = await start(t);
  const replace = stage.button("Start A and B with 1 and 2");
  await stage.says("RC 4");
  assert.equal(await replace.count(), 0);
  await stage.select("W").selectOption("bf");
  await replace.click();
  await replace.waitFor({ state: "detached" });
  await eventually(() => it.program.inputValue(), /^\.init V34 = splat\(0x3f803f80\)\n\.init V35 = splat\(0x40003f80\)$/m);
  await hasFocus(stage.select("W"));
  await stage.cell(/^EU1 B\[0–1\]\[0\] = 1 1$/).waitFor();
  // Undo and redo work outside the editor, too.
  await it.page.keyboard.press("Control+z");
  await replace.waitFor();
  await it.page.keyboard.press("Control+Shift+z");
  await replace.waitFor({ state: "detached" });
  await it.page.keyboard.press("Control+z");
  await replace.waitFor();
  await eventually(() => it.program.inputValue(), /^\.init EU1\.V35 = splat\(0x33333333\)$/m);
});

test("selecting an element of D shows its products and dims the rest", async (t) => {
  const { it, stage } = await start(t);
  await stage.dst(1, 3, 7).click();
  const products = it.page.getByRole("table", { name: /^The products of EU1 D\[3\]\[7\]/ });
  await products.waitFor();
  await eventually(() => products.getByRole("columnheader").count(), 8 + 32);
  const row = async (index) => {
    const cells = await products.getByRole("row").nth(2 + index).getByRole("cell").allTextContents();
    return [cells.length, cells[0], cells[31]];
  };
  await eventually(() => row(0), [32, "3 (0011)", "3 (0011)"]);
  await eventually(() => row(1), [32, "EU1.r24.16", "EU1.r24.31"]);
  await eventually(() => row(2), [32, "2 (02)", "2 (02)"]);
  await eventually(() => row(3), [32, "EU1.r16.28", "EU1.r23.31"]);
  await eventually(() => row(4), [32, "6", "6"]);
  await eventually(() => row(5), [32, "38", "224"]);
  const dimmed = (name) => stage.cell(name).getAttribute("data-dimmed");
  await eventually(() => dimmed(/^A\[3\]\[0–3\]/), null);
  await eventually(() => dimmed(/^A\[2\]\[0–3\]/), "");
  await eventually(() => dimmed(/^EU1 B\[4–7\]\[7\]/), null);
  await eventually(() => dimmed(/^EU0 B\[4–7\]\[7\]/), "");
  await eventually(() => dimmed(/^EU1 C\[3\]\[7\]/), null);
  // Pressing again deselects it.
  await stage.dst(1, 3, 7).click();
  await products.waitFor({ state: "detached" });
  await eventually(() => dimmed(/^A\[2\]\[0–3\]/), null);
});

test("a register of Src2 lists the rows that it feeds", async (t) => {
  const { stage } = await start(t);
  await eventually(() => stage.registers.count(), 2);
  await stage.register("EU1.r24").click();
  await stage.region.getByText("EU1.r24 of Src2 feeds rows 2–3 of D, all channels, on both EUs").waitFor();
  await eventually(() => stage.register("EU1.r24").getAttribute("aria-pressed"), "true");
  for (const eu of [0, 1]) {
    await eventually(() => stage.dst(eu, 3, 5).getAttribute("data-dimmed"), null);
    await eventually(() => stage.dst(eu, 1, 5).getAttribute("data-dimmed"), "");
  }
  await stage.region.getByText("r25 not read").first().waitFor();
});

test("an element is highlighted in its matrix and in its register", async (t) => {
  const { it, stage } = await start(t);
  // Row 3 starts at byte 16 of EU1's register.
  const register = stage.register("EU1.r24");
  await settled(it.page);
  const at = await box(register.locator("[data-segment]").nth(1));
  const point = { x: at.left + (at.right - at.left) * (9.5 / 32), y: (at.top + at.bottom) / 2 };
  await it.page.mouse.move(point.x, point.y);
  // An element is only a pixel or two wide there.
  const note = stage.region.getByText(/^A\[3\]\[(8|9|10|11)\] = 3 \(s4\): Src2 EU1\.r24 byte 2[01], bits (3:0|7:4)$/);
  await note.waitFor();
  await eventually(() => stage.probes.count(), 2);
  const probed = () => Promise.all([0, 1].map((n) => box(stage.probes.nth(n))));
  const cell = await box(stage.cell(/^A\[3\]\[8–11\]/));
  await eventually(probed, (probes) => probes.some((probe) => covers(cell, probe)), "in the matrix");
  await eventually(probed, (probes) => probes.some((probe) => covers(at, probe)), "in the register");
  // Packing of B: two stages share a register if W has 4 bits.
  await stage.select("W").selectOption("s4");
  await stage.select("A").selectOption("s8");
  await stage.says("W s4, A s8");
  const b = stage.cell(/^EU0 B\[4–7\]\[2\]/);
  await b.hover({ position: { x: 2, y: 3 } });
  await stage.region.getByText(/^EU0 B\[4\]\[2\] = .* \(s4\): Src1 EU0\.r16 byte 10, bits 3:0, lane 2$/).waitFor();
  await stage.button("Register view").click();
  const dword = stage.cell(/^EU0 B\[0–7\]\[2\]/);
  await eventually(() => dword.count(), 1);
  await dword.hover();
  await eventually(() => stage.probes.count(), 1);
  await eventually(() => dword.locator("[data-probe=itself]").count(), 1, "one element of the dword");
});

test("formula and table can be compared where they disagree", async (t) => {
  const { stage } = await start(t);
  await stage.region.getByRole("rowheader", { name: "Row 2, EU1.r24" }).waitFor();
  await stage.button("By table").click();
  await stage.region.getByText(/by the table; runs by the formula/).waitFor();
  await stage.region.getByRole("rowheader", { name: "Row 2, EU0.r25" }).waitFor();
  await stage.register("EU0.r25").waitFor();
  await eventually(() => stage.register("EU1.r24").count(), 0);
  await stage.configuration("RC 8, 16 bytes per row").click();
  await stage.says("RC 8");
  await eventually(() => stage.button("By table").count(), 0);
});

test("DPAS shares nothing; one scenario shows the difference", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  await it.choose("DPAS and DPASW on the same data");
  const stage = picture(it);
  await stage.says("EU0 supplies 2, EU1 supplies 1");
  await eventually(() => stage.region.getByRole("grid", { name: /A = Src2/ }).count(), 1);
  await it.button("Run to end").click();
  await stage.says("each EU reads its own Src2, 3 registers; nothing is shared");
  await eventually(() => stage.region.getByRole("grid", { name: /A = Src2/ }).count(), 2);
  await stage.cell(/^EU0 D\[2\]\[0\] = 288/).waitFor();
  await stage.cell(/^EU1 D\[2\]\[0\] = 224/).waitFor();
  await it.timeline.fill("24");
  await stage.says("EU0 supplies 2");
  await stage.cell(/^EU0 D\[2\]\[0\] = 160/).waitFor();
  await stage.cell(/^EU1 D\[2\]\[0\] = 160/).waitFor();
});

test("arrow keys move between elements", async (t) => {
  const { it, stage } = await start(t);
  await stage.dst(0, 0, 0).focus();
  await it.page.keyboard.press("ArrowRight");
  await it.page.keyboard.press("ArrowDown");
  await hasFocus(it.page.getByLabel(/^EU0 D\[1\]\[1\] = /));
  await it.page.keyboard.press("Enter");
  await it.page.getByRole("table", { name: /^The products of EU0 D\[1\]\[1\]/ }).waitFor();
  await eventually(() => stage.dst(0, 1, 1).getAttribute("aria-selected"), "true");
  await hasFocus(it.page.getByLabel(/^EU0 D\[1\]\[1\] = /));
});

test("every repeat count and precision fits the stage", async (t) => {
  const { it, stage } = await start(t);
  for (const w of ["u2", "s4", "s8", "bf"]) {
    for (const a of w === "bf" ? ["bf"] : ["s2", "u4", "u8"]) {
      for (const rc of [1, 4, 8]) {
        const sum = w === "bf" ? "f" : "d";
        const text = TEXT.replaceAll(/V3[23] v_type=G type=d/g, (all) => all.replace("=d", `=${sum}`))
          .replace("dpasw.s8.s4.8.4", `dpasw.${w}.${a}.8.${rc}`);
        await it.program.fill(text);
        await stage.says(`W ${w}, A ${a}, RC ${rc}:`);
        const shape = () => stage.region.evaluate((region) => {
          const frame = region.getBoundingClientRect();
          const cells = [...region.querySelectorAll("[role=gridcell], [data-picture] button")].filter((e) => e.checkVisibility());
          const boxes = cells.map((e) => e.getBoundingClientRect());
          const outside = boxes.filter((b) => b.left < frame.left - 1 || b.right > frame.right + 1).length;
          let overlaps = 0;
          boxes.forEach((a, i) => {
            for (const b of boxes.slice(i + 1)) {
              const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
              const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
              const sticky = document.querySelector(".matrix-switch").getBoundingClientRect().top;
              if (x > 0.5 && y > 0.5 && Math.max(a.bottom, b.bottom) <= sticky) overlaps += 1;
            }
          });
          const sums = [...region.querySelectorAll("[data-matrix=D] [data-at]")];
          return { outside, overlaps, cut: sums.filter((e) => e.scrollWidth > e.clientWidth).length };
        });
        await eventually(shape, { outside: 0, overlaps: 0, cut: 0 }, `${w} ${a} ${rc}`);
      }
    }
  }
});

test("long sums wrap their rows and are never cut", async (t) => {
  for (const width of [1400, 1024, 360]) {
    const it = bench(await open(t, { width, height: 900 }));
    await it.choose("Integers wrap");
    const stage = picture(it);
    await stage.says("RC 2");
    await it.goTo(9);
    const cut = () => stage.region.locator("[data-matrix=D] [role=gridcell]").evaluateAll((all) =>
      all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent));
    await eventually(cut, [], `${width} px`);
    // Lanes of D stay below each other in a line.
    const tops = await stage.region.locator("[data-matrix=D][data-of-eu='0'] [data-at^='0 ']").evaluateAll((all) =>
      new Set(all.map((e) => e.getBoundingClientRect().top)).size);
    assert.ok([1, 2, 4].includes(tops), `${tops} lines`);
    await close(it.page);
  }
});

test("the register view shows bits, bytes and lanes, unlike the matrix view", async (t) => {
  const { stage } = await start(t);
  const d = stage.region.getByRole("grid", { name: /^EU0: = D/ });
  const texts = () => d.getByRole("gridcell").allTextContents();
  const before = await texts();
  assert.equal(before[0], "0");
  await stage.button("Register view").click();
  // Bits, with the lanes and bytes of the dwords above Src1.
  await d.filter({ hasText: "00000000" }).waitFor();
  for (const word of ["+0", "+4", "+28", "lane", "byte"]) {
    await eventually(() => stage.region.getByText(word, { exact: true }).filter({ visible: true }).count(), 2, word);
  }
  // Bytes of s8 are told apart: four in each of 8 × 8 dwords.
  const b = stage.region.getByRole("grid", { name: /^EU0: \+ A × B .*4 k a dword/ });
  await eventually(() => b.locator("i").count(), 4 * 64);
  // All rows are drawn.
  const rows = (grid) => grid.getByRole("row").evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")));
  await eventually(() => rows(b), Array.from({ length: 8 }, (_, n) => `Row r${16 + n}`));
  await eventually(() => rows(d), Array.from({ length: 4 }, (_, n) => `Row r${n}`));
  await stage.button("Matrix view").click();
  await b.waitFor({ state: "detached" });
  assert.deepEqual(await texts(), before);
});

test("digits have at least 11 px in every window", async (t) => {
  for (const [width, height] of [[1920, 1080], [1400, 900], [1024, 768], [700, 450], [360, 740]]) {
    const { it, stage } = await start(t, { width, height });
    // Rows drawn as bars have no text.
    const sizes = () => stage.region.evaluate((region) =>
      [...region.querySelectorAll("[role=gridcell], .src2-register, .segment, .matrix-switch")]
        .map((e) => Number.parseFloat(getComputedStyle(e).fontSize))
        .filter((size) => size > 0 && size < 11));
    for (const pair of ["s8.s4", "u2.u2"]) {
      await it.show("Program");
      await it.program.fill(TEXT.replace("dpasw.s8.s4.8.4", `dpasw.${pair}.8.8`));
      await it.show("Stage");
      await stage.says("RC 8");
      assert.deepEqual(await sizes(), [], `${width} ${pair}`);
    }
    await stage.button("Register view").click();
    await stage.region.getByText("byte", { exact: true }).first().waitFor();
    assert.deepEqual(await sizes(), [], `${width} registers`);
    await close(it.page);
  }
});

test("A, C, B and D are in this order in every window", async (t) => {
  for (const [width, height] of [[1920, 1080], [1400, 900], [1024, 768], [700, 450], [360, 740]]) {
    const { it, stage } = await start(t, { width, height });
    await stage.says("RC 4");
    const order = () => stage.region.evaluate((region) => {
      const grids = [...region.querySelectorAll("[role=grid]")].map((e) => ({
        name: document.getElementById(e.getAttribute("aria-labelledby")).textContent,
        ...e.getBoundingClientRect().toJSON(),
      }));
      const of = (eu) => grids
        .filter(({ name }) => name.startsWith(`EU${eu}:`) || name.startsWith("A = "))
        .sort((a, b) => a.top - b.top);
      return [0, 1].map((eu) => of(eu).map(({ name }) => name.match(/(?:A|C|\+ A × B|= D)(?= [(=])/)[0]));
    });
    const wanted = ["A", "C", "+ A × B", "= D"];
    await eventually(order, [wanted, wanted], `${width} px`);
    await close(it.page);
  }
});

test("for D, a step shows previous sums, increments and rows not computed yet", async (t) => {
  const { it, stage } = await start(t);
  const waiting = stage.region.getByRole("gridcell", { name: /^EU. D.*, not computed yet$/ });
  const before = stage.region.getByRole("row", { name: /^Row . of D of EU. before the step/ });
  const d = (state) => stage.region.getByRole("grid", { name: new RegExp(`^EU0: = D .*${state}$`) });
  await eventually(() => waiting.count(), 2 * 4 * 8);
  await eventually(() => before.count(), 0);
  await d("not computed yet").waitFor();
  await it.show("Products");
  await it.page.getByRole("heading", { name: "EU0 D[0][0]: not computed yet" }).waitFor();
  // Row 2, stage 3: four products of 1 × 3, on EU1 of 2 × 3.
  await it.timeline.fill(`${2 * 8 + 3 + 1}`);
  await eventually(() => before.nth(1).getAttribute("aria-label"), /^Row 2 of D of EU1 before the step: 89\+24 90\+24 /);
  await eventually(() => before.nth(0).getByRole("gridcell").allTextContents(), Array.from({ length: 8 }, (_, n) => `${53 + n}+12`));
  await eventually(() => waiting.count(), 2 * 8);
  await d("row 2 not in r2 yet").waitFor();
  await it.button("Run to end").click();
  await eventually(() => waiting.count(), 0);
  await d("computed").waitFor();
});

test("a uniform C is one line, highlighted where sums start from it", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  await it.choose("int8, four rows from each EU");
  const stage = picture(it);
  const c = stage.region.getByText(/^EU1: C = 1000 \(Src0, 8 × 8 d, all equal\)/);
  await c.waitFor();
  await eventually(() => stage.cell(/ C\[0\]\[0\]/).count(), 0);
  await eventually(() => c.getAttribute("aria-current"), null);
  await it.timeline.fill("9");
  await eventually(() => c.getAttribute("aria-current"), "step");
  await it.timeline.fill("10");
  await eventually(() => c.getAttribute("aria-current"), null);
  // Also in the register view, with register names.
  await stage.button("Register view").click();
  await stage.region.getByText("EU1: C = 1000 (Src0 r8–r15, all equal)", { exact: true }).waitFor();
});

test("previous sums are directly above the current ones", async (t) => {
  const { it, stage } = await start(t);
  const height = async () => (await box(stage.dst(0, 3, 0))).bottom - (await box(stage.dst(0, 0, 0))).top;
  await it.goTo(9);
  const first = await height();
  for (const [step, row] of [[1, 0], [20, 2], [32, 3]]) {
    await it.goTo(step);
    for (const eu of [0, 1]) {
      const before = stage.region.getByRole("row", { name: new RegExp(`^Row ${row} of D of EU${eu} before the step: `) });
      await before.waitFor();
      const above = async () => {
        const sums = await before.getByRole("gridcell").evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()));
        const cells = await Promise.all(sums.map((_, n) => box(stage.dst(eu, row, n))));
        return sums.map((sum, n) => Math.abs(sum.left - cells[n].left) < 2 && Math.abs(sum.bottom - cells[n].top) < 3);
      };
      await eventually(above, Array(8).fill(true), `step ${step}, EU${eu}`);
    }
    if (row === 2) await eventually(height, (now) => Math.abs(now - first) < 1, "D keeps its height");
  }
});

test("State marks registers with pending sums", async (t) => {
  const { it } = await start(t);
  await it.tab("Registers");
  const names = () => it.panel("Registers").getByRole("rowheader").filter({ hasText: "pending" }).allTextContents();
  await it.goTo(20);
  // Element numbers are kept: 16 to 23 of EU0, in lines of four dwords or
  // eight.
  await eventually(async () => (await names())[0].trim(), "[16] r2 … pending");
  await eventually(async () => (await names()).every((name) => /^\s*\[\d+\] r2 … pending$/.test(name)), true);
  const isCut = () => it.panel("Registers").getByRole("rowheader").filter({ hasText: "pending" }).evaluateAll((all) => all.some((e) => e.scrollWidth > e.clientWidth));
  await eventually(isCut, false);
  await eventually(() => it.panel("Registers").getByRole("rowheader").filter({ hasText: "pending" }).first().getAttribute("title"), "Row 2 of Dst is still being accumulated; these values are older");
  // Its last stage writes it.
  await it.goTo(24);
  await eventually(names, []);
});

test("the configuration table has a whole legend in every window", async (t) => {
  for (const [width, height] of [[1400, 900], [360, 740]]) {
    const { it, stage } = await start(t, { width, height });
    await stage.says("RC 4");
    const table = stage.region.getByRole("group", { name: /^Every configuration/ });
    for (const text of ["a register from EU0", "from EU1", "EU1 supplies nothing", "table and formula disagree"]) {
      await table.getByText(text).first().waitFor();
    }
    const outside = () => table.evaluate((table) => {
      const { right } = table.getBoundingClientRect();
      return [...table.querySelectorAll("span, i, b")].filter((e) => e.getBoundingClientRect().right > right + 1).length;
    });
    await eventually(outside, 0);
    await close(it.page);
  }
});

test("a narrow window shows the current row of B, and all of them on a press", async (t) => {
  const it = bench(await open(t, { width: 360, height: 740 }));
  await it.choose("int8, four rows from each EU");
  const stage = picture(it);
  const all = stage.region.getByRole("button", { name: "All rows of B of EU1", expanded: false });
  await all.waitFor();
  const rows = stage.region.getByRole("grid", { name: /^EU1: \+ A × B/ }).getByRole("row");
  const names = () => rows.evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")));
  await eventually(names, ["Row 0"]);
  await it.timeline.fill("14");
  await eventually(names, ["Row 5"]);
  // Highlighted, and at its position.
  await stage.cell(/^EU1 B\[20–23\]\[7\]/).and(it.page.locator("[aria-current=step]")).waitFor();
  await all.focus();
  await it.page.keyboard.press("Enter");
  const open_ = stage.region.getByRole("button", { name: "All rows of B of EU1", expanded: true });
  await open_.waitFor();
  await eventually(() => rows.count(), 8);
  await open_.click();
  await eventually(names, ["Row 5"]);
});

test("the description of the hovered element replaces the supply summary, except for screen readers", async (t) => {
  const { it, stage } = await start(t);
  await stage.says("RC 4");
  const before = await box(stage.region.getByRole("group", { name: /D = C \+ A × B$/ }));
  await stage.dst(1, 3, 7).hover();
  const note = stage.region.getByText(/^EU1 D\[3\]\[7\] = /);
  await note.waitFor();
  const status = stage.region.getByRole("status", { name: "Supply summary" });
  await eventually(() => status.textContent(), /^W s8, A s4, RC 4/);
  assert.deepEqual(await box(stage.region.getByRole("group", { name: /D = C \+ A × B$/ })), before, "nothing moves");
  await it.page.mouse.move(5, 5);
  await note.waitFor({ state: "detached" });
});

test("the products are a table of whole rows with sticky headings", async (t) => {
  for (const [width, height, rows] of [[1400, 900, 8], [1024, 768, 5]]) {
    const { it, stage } = await start(t, { width, height });
    await stage.says("RC 4");
    await it.show("Products");
    const products = it.page.getByRole("group", { name: "Products" });
    await it.timeline.fill("8");
    const seen = () => products.evaluate((scroller) => {
      const view = scroller.getBoundingClientRect();
      const bottom = view.top + scroller.clientHeight;
      const all = [...scroller.querySelectorAll("tr")].map((row) => row.getBoundingClientRect());
      const whole = all.filter((row) => row.top >= view.top - 0.5 && row.bottom <= bottom + 0.5);
      const cut = all.filter((row) => row.top < bottom - 1 && row.bottom > bottom + 1);
      return { whole: whole.length, cut: cut.length, below: window.innerHeight - view.bottom };
    });
    const fits = ({ whole, cut, below }) => whole >= rows && cut === 0 && below >= 3;
    await eventually(seen, fits, `${width} px`);
    // The last stage is in view, beyond the row headings.
    const heads = () => products.evaluate((scroller) => {
      const { left } = scroller.getBoundingClientRect();
      const head = scroller.querySelector("tbody th").getBoundingClientRect();
      const columns = [...scroller.querySelectorAll("thead th[scope=col][data-state=current]")];
      return { scrolled: scroller.scrollLeft > 0, at: Math.round(head.left - left), after: columns.every((e) => e.getBoundingClientRect().left >= head.right - 1) };
    });
    await eventually(heads, { scrolled: true, at: 0, after: true }, `${width} px`);
    await close(it.page);
  }
});

test("sums of stages that have not run are marked as such", async (t) => {
  const { it, stage } = await start(t, { width: 1400, height: 900 });
  await stage.says("RC 4");
  await it.show("Products");
  const products = it.page.getByRole("group", { name: "Products" });
  const waiting = products.getByRole("columnheader", { name: /not computed yet/ });
  const all = await products.getByRole("columnheader", { name: /^stage \d/ }).count();
  await eventually(() => waiting.count(), all);
  await it.goTo(1);
  await eventually(() => waiting.count(), all - 1);
});

test("the bits of a mask register fit beside its value in a narrow pane", async (t) => {
  const it = bench(await open(t, { width: 1024, height: 768 }));
  await it.choose("int8, four rows from each EU");
  const files = it.page.getByRole("group", { name: "Register files" });
  const bits = files.getByText(/^1111 1111 /).first();
  const cut = () => bits.evaluate((e) => {
    const name = e.closest("[role=row]").querySelector("[role=rowheader]").getBoundingClientRect();
    return name.right - e.getBoundingClientRect().left;
  });
  await eventually(cut, (cut) => cut <= 0, "px on the value");
});

test("a phone keeps the current rows in view", async (t) => {
  for (const scenario of ["int8, four rows from each EU", "DPAS and DPASW on the same data"]) {
    const it = bench(await open(t, { width: 360, height: 740, touch: true }));
    await it.choose(scenario);
    const stage = picture(it);
    await stage.region.waitFor();
    const step = it.button("Step");
    await step.getByText("Step", { exact: true }).waitFor();
    const steps = it.page.getByRole("region", { name: "Transport" });
    assert.ok((await steps.boundingBox()).height <= 96, "two rows");
    /**
     * Waits until every current row of A and D is entirely visible between the
     * bars.
     */
    const inView = () => it.page.waitForFunction(() => {
      const pane = document.querySelector("section[aria-label=Stage]").getBoundingClientRect();
      const bar = document.querySelector("section[aria-label=Transport]").getBoundingClientRect();
      const rows = [...document.querySelectorAll(":is([data-matrix=A], [data-matrix=D]) .matrix-row[data-current]")];
      const whole = (row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= pane.top - 1 && bottom <= Math.min(pane.bottom, bar.top) + 1;
      };
      return rows.length >= 3 && rows.every(whole);
    });
    const end = Number(await it.timeline.getAttribute("max"));
    for (const at of [0, 8, 17, end - 1]) {
      await it.timeline.fill(`${at}`);
      await step.click();
      await it.page.locator(`input[type=range][aria-valuetext^="step ${at + 1} "]`).waitFor();
      await inView();
      // Whatever the previous scroll position.
      await it.page.locator("section[aria-label=Stage]").evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
      await it.button("Step back").click();
      await step.click();
      await it.page.locator(`input[type=range][aria-valuetext^="step ${at + 1} "]`).waitFor();
      await inView();
    }
  }
});

test("a link opens the register view if it was made there", async (t) => {
  const { it, stage } = await start(t);
  await stage.button("Register view").click();
  await it.page.getByRole("button", { name: "Register view", pressed: true }).waitFor();
  await it.button("Share").click();
  const link = it.page.getByRole("dialog", { name: "Share" }).getByRole("textbox", { name: "Link" });
  const address = await link.inputValue();
  const there = await open(t, { width: 1400, height: 900, path: `/${address.slice(address.indexOf("#"))}` });
  await there.getByRole("button", { name: "Register view", pressed: true }).waitFor();
  // Also after a reload, through the address.
  await there.reload();
  await there.getByRole("button", { name: "Register view", pressed: true }).waitFor();
});

for (const [width, height] of [[1400, 900], [360, 780]]) {
  test(`axe and width, ${width} px`, async (t) => {
    const { it, stage } = await start(t, { width, height });
    await stage.says("W s8, A s4, RC 4");
    assert.deepEqual(await axe(it.page, { dark: true }), []);
    const overflow = () =>
      it.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await eventually(overflow, (overflow) => overflow <= 0, "px too wide");
  });
}

/**
 * Rows of 16 bytes from byte 12 of a register: the second row of each EU spans
 * two registers.
 */
const UNALIGNED = TEXT.replace("V35(0,0)", "V35(0,3)").replaceAll("V35 = splat(0x", "V35 = iota(0x");

test("an unaligned Src2 is drawn at its location, with rows in two registers", async (t) => {
  const { it, stage } = await start(t, { text: UNALIGNED });
  await stage.region.getByRole("rowheader", { name: "Row 1, EU0.r24–r25" }).waitFor();
  await stage.register("EU0.r24").and(it.page.getByRole("button", { name: "EU0.r24 of Src2: rows 0–1 of A" })).waitFor();
  const second = it.page.getByRole("button", { name: "EU1.r25 of Src2: row 3 of A" });
  await second.waitFor();
  await eventually(() => stage.registers.count(), 4);
  await settled(it.page);
  // Row 3 starts with 4 bytes, 8 elements, in EU1's first register; the rest is
  // in the next one.
  const hovered = async (element, place, register) => {
    await stage.cell(new RegExp(`^A\\[3\\]\\[${element}\\]`)).hover({ position: { x: 2, y: 3 } });
    await stage.region.getByText(new RegExp(`^A\\[3\\]\\[\\d+\\] = .*: Src2 ${place}$`)).waitFor();
    await eventually(() => stage.probes.count(), 2);
    const bar = await box(stage.register(register));
    const probed = () => Promise.all([0, 1].map((n) => box(stage.probes.nth(n))));
    await eventually(probed, (probes) => probes.some((probe) => covers(bar, probe)), `in ${register}`);
  };
  await hovered("4–7", "EU1\\.r24 byte 30, bits 3:0", "EU1.r24");
  await hovered("8–11", "EU1\\.r25 byte 0, bits 3:0", "EU1.r25");
  // The register names its elements.
  const at = await box(second.locator("[data-segment]"));
  await it.page.mouse.move(at.left + 1, (at.top + at.bottom) / 2);
  await stage.region.getByText(/^A\[3\]\[(8|9|10)\] = .*: Src2 EU1\.r25 byte [01], bits (3:0|7:4)$/).waitFor();
  // Pressing it dims elements elsewhere.
  await second.click();
  const dimmed = (element) => stage.cell(new RegExp(`^A\\[3\\]\\[${element}\\]`)).and(it.page.locator("[data-dimmed]"));
  await eventually(() => Promise.all(["0–3", "4–7", "8–11", "28–31"].map((e) => dimmed(e).count())), [1, 1, 0, 0]);
  await second.click();
  // A step highlights the one register that it reads, and its summary names it.
  for (const [stageOfRow, register] of [[1, "EU1.r24"], [2, "EU1.r25"]]) {
    await it.timeline.fill(`${3 * 8 + stageOfRow + 1}`);
    await it.summary(new RegExp(`^Row 3, stage ${stageOfRow}: .* from ${register.replace(".", "\\.")};`));
    await eventually(async () => (await stage.lit()).filter((name) => name.includes(" of Src2")).map((name) => name.split(" ")[0]), [register]);
  }
});

test("a low window draws rows that the step does not read as bars, or all of them on a press", async (t) => {
  const { it, stage } = await start(t, { text: TEXT.replace("dpasw.s8.s4.8.4", "dpasw.s8.s8.8.8") });
  await it.goTo(11);
  const drawn = () => stage.region.evaluate((region) =>
    Object.fromEntries(["A", "B", "C", "D"].map((role) => {
      const cells = [...region.querySelectorAll(`[data-matrix=${role}] [data-at$=" 0"]`)];
      const whole = cells.filter((e) => Number.parseFloat(getComputedStyle(e).fontSize) > 0 && e.clientHeight > 10);
      return [role, [whole.length, cells.filter((e) => e.clientHeight > 0).length]];
    })));
  await eventually(drawn, { A: [8, 8], B: [2, 16], C: [2, 16], D: [16, 16] });
  await stage.button("All rows of B of EU0").click();
  await eventually(drawn, { A: [8, 8], B: [16, 16], C: [16, 16], D: [16, 16] });
});
