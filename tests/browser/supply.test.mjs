// The picture of a DPASW, through accessible roles and names only.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, open } from "./harness.mjs";

/** Both EUs hold other weights and other data. */
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

const PRECISIONS = ["u2", "s2", "u4", "s4", "u8", "s8", "bf", "hf"];

/** The picture's parts. */
function picture(it) {
  const region = it.page.getByRole("region", { name: "Src2 supply" });
  const status = region.getByRole("status", { name: "Supply summary" });
  const map = region.getByRole("table", { name: /^Which EU supplies/ });
  const matrices = (name) => region.getByRole("table", { name });
  return {
    region,
    map,
    matrices,
    select: (name) => region.getByRole("combobox", { name, exact: true }),
    /** Waits until the summary matches. */
    says: (text) => status.filter({ hasText: text }).waitFor(),
    /** The lit cell of the table of all configurations. */
    lit: map.locator("[aria-current=true]"),
    /** The registers of the combined Src2. */
    tiles: region.getByRole("button", { name: /^EU[01] R\d/ }),
    products: region.getByRole("table", { name: /^The products/ }),
    /** An element of Dst. */
    element: (eu, row, channel) =>
      matrices(new RegExp(`^EU${eu} D `))
        .getByRole("row")
        .nth(row + 1)
        .getByRole("button")
        .nth(channel),
  };
}

async function start(t, options) {
  const it = bench(await open(t, { width: 1400, height: 900, ...options }));
  await it.program.fill(TEXT);
  await it.show("Execution");
  const supply = picture(it);
  await supply.says("W s8, A s4, RC 4");
  return { it, supply };
}

const text = async (locator) => (await locator.textContent()).replaceAll(/\s+/g, " ").trim();

test("RC from 8 to 1 changes table, instruction, registers and data flow at once", async (t) => {
  const { it, supply } = await start(t);
  assert.equal(await supply.lit.count(), 1);
  await supply.select("RC").focus();
  for (let rc = 8; rc >= 1; rc--) {
    await supply.select("RC").selectOption(String(rc));
    const ngrf = Math.ceil(rc / 2);
    const [first, second] = [Math.ceil(ngrf / 2), Math.floor(ngrf / 2)];
    const more = rc < 3 ? "; shares nothing" : rc < 5 ? "; the document's table disagrees" : "";
    await supply.says(
      `W s8, A s4, RC ${rc}: NGrf ${ngrf}, EU0 supplies ${first}, EU1 supplies ${second}${more}`,
    );
    assert.match(await it.program.inputValue(), new RegExp(`^dpasw\\.s8\\.s4\\.8\\.${rc} `, "m"));
    assert.match(await text(supply.lit), new RegExp(`= ${ngrf} = ${first} \\+ ${second}`));
    assert.equal(await supply.lit.locator("xpath=..").getByRole("rowheader").textContent(), `${rc}`);
    assert.equal(await supply.tiles.count(), ngrf);
    for (const name of [/^EU0 D /, /^EU1 C /, /^A /]) {
      assert.equal(await supply.matrices(name).getByRole("row").count(), rc + 1, `${name}`);
    }
    // The choice keeps the focus: the next press of an arrow key is for it.
    const focused = await supply.select("RC").evaluate((e) => e === document.activeElement);
    assert.equal(focused, true);
    await it.at(`step 0 of ${rc * 8}`);
  }
});

test("each precision of W and A does the same", async (t) => {
  const { it, supply } = await start(t);
  const other = (p) => (/f/.test(p) ? p : "");
  for (const which of ["W", "A"]) {
    for (const precision of PRECISIONS) {
      await supply.select(which).selectOption(precision);
      await supply.says(new RegExp(`${which} ${precision}\\b`));
      const shown = await Promise.all(
        ["W", "A"].map((name) =>
          supply.select(name).evaluate((e) => e.selectedOptions[0].textContent),
        ),
      );
      const [, w, a] = /^dpasw\.(\w+)\.(\w+)\.8\.4/m.exec(await it.program.inputValue());
      assert.deepEqual(shown, [w, a]);
      assert.equal(which === "W" ? w : a, precision);
      assert.equal(other(w), other(a), "floats do not mix");
      await it.summary(/^At the start/);
      const bits = (p) => (/f/.test(p) ? 16 : Number(p.slice(1)));
      const ops = bits(w) === 16 ? 2 : Math.max(bits(w), bits(a)) === 8 ? 4 : 8;
      const caption = (name) => supply.matrices(name).locator("caption").textContent();
      assert.match(await caption(/^A /), new RegExp(`4 × ${8 * ops}, ${a}`));
      assert.match(await caption(/^EU1 B /), new RegExp(`${8 * ops} × 8, ${w}`));
      assert.equal(await supply.products.getByRole("row").count(), 2 + 8 * ops);
      const column = { 32: 1, 16: 2, 8: 3 }[ops * bits(a)];
      const index = await supply.lit.evaluate((e) => e.cellIndex);
      assert.equal(index, column, `${w} ${a}`);
    }
  }
});

test("a choice can be undone in the editor", async (t) => {
  const { it, supply } = await start(t);
  await supply.select("RC").selectOption("1");
  await supply.says("RC 1");
  await supply.select("RC").selectOption("4");
  await supply.says("RC 4");
  await it.program.focus();
  await it.page.keyboard.press("Control+z");
  await supply.says("RC 1");
  const chosen = () => supply.select("RC").evaluate((e) => e.selectedOptions[0].textContent);
  assert.equal(await chosen(), "1");
  await it.page.keyboard.press("Control+z");
  await supply.says("RC 4");
  assert.equal(await chosen(), "4");
  assert.equal(await it.program.inputValue(), TEXT);
});

test("stepping goes through repeats and stages, forward and back", async (t) => {
  const { it, supply } = await start(t);
  const row = (name, index) => supply.matrices(name).getByRole("row").nth(index + 1);
  await it.timeline.fill("7");
  await it.summary(/^Repeat 1 of 4, stage 7 of 8/);
  // 1 + 7 × 4 products of 1 × 1; on EU1 of 2 × 1.
  assert.equal(await text(supply.element(0, 0, 0)), "29");
  assert.equal(await text(supply.element(1, 0, 0)), "57");
  assert.equal(await row(/^EU0 D /, 0).getAttribute("aria-current"), "step");
  await it.button("Step").click();
  await it.summary(/row 0 of Dst is written$/);
  assert.equal(await text(supply.element(0, 0, 0)), "33");
  await it.button("Step").click();
  await it.summary(/^Repeat 2 of 4, stage 1 of 8/);
  assert.equal(await row(/^EU0 D /, 0).getAttribute("aria-current"), null);
  assert.equal(await row(/^EU0 D /, 1).getAttribute("aria-current"), "step");
  assert.equal(await text(supply.element(0, 1, 0)), "13");
  await it.button("Step back").click();
  await it.button("Step back").click();
  assert.equal(await text(supply.element(0, 0, 0)), "29");
  await it.button("To end").click();
  // Rows 2 and 3 are multiplied by the register of EU1: 3 × 1 and 3 × 2.
  await it.summary(/^Repeat 4 of 4, stage 8 of 8/);
  assert.equal(await text(supply.element(0, 2, 0)), `${17 + 32 * 3}`);
  assert.equal(await text(supply.element(1, 3, 7)), `${32 + 32 * 6}`);
});

test("an element of Dst tells its products, with EU and register of each", async (t) => {
  const { it, supply } = await start(t);
  await supply.element(1, 3, 7).click();
  await supply.region.getByRole("heading", { name: /EU1 Row 3, channel 7 of Dst comes to 224/ }).waitFor();
  const rows = supply.products.getByRole("row");
  assert.equal(await rows.count(), 2 + 32);
  const cells = await it.cells(rows.nth(2));
  assert.deepEqual(cells, ["R0.DW7", "00000010", "2", "R1 = EU1.R0.DW4", "0011", "3", "6", "56"]);
  const heads = await rows.nth(2).getByRole("rowheader").allTextContents();
  assert.deepEqual(heads, ["0", "0"]);
  const last = await it.cells(rows.nth(33));
  assert.deepEqual(last.slice(3), ["R1 = EU1.R0.DW7", "0011", "3", "6"]);
  // The arrow keys go from element to element, from EU0 to EU1 and round.
  await it.page.keyboard.press("ArrowRight");
  await supply.region.getByRole("heading", { name: /EU0 Row 3, channel 0 of Dst comes to 121/ }).waitFor();
  await it.page.keyboard.press("ArrowUp");
  await supply.region.getByRole("heading", { name: /EU0 Row 2, channel 0 of Dst comes to 113/ }).waitFor();
  assert.equal(await supply.element(0, 2, 0).evaluate((e) => e === document.activeElement), true);
  await it.at("step 0 of 32");
});

test("a register of Src2 tells which elements of Dst it feeds", async (t) => {
  const { supply } = await start(t);
  const tile = supply.tiles.nth(1);
  assert.match(await text(tile), /^EU1R1EU1\.R0rows 2–3$/);
  await tile.click();
  await supply.region.getByText("R1 feeds rows 2–3 of Dst, all channels, on both EUs.").waitFor();
  assert.equal(await tile.getAttribute("aria-pressed"), "true");
  const painted = (eu, row) =>
    supply
      .element(eu, row, 5)
      .locator("xpath=..")
      .evaluate((e) => getComputedStyle(e).backgroundImage !== "none");
  for (const eu of [0, 1]) {
    const rows = [await painted(eu, 1), await painted(eu, 2), await painted(eu, 3)];
    assert.deepEqual(rows, [false, true, true], `EU${eu}`);
  }
  await tile.click();
  await supply.region.getByText("Choose a register").waitFor();
});

test("the two contradicting cells can be looked at either way", async (t) => {
  const { supply } = await start(t);
  const marked = supply.map.getByText(/⚠/);
  assert.equal(await marked.count(), 2);
  assert.match(await text(supply.lit), /EU0R0EU1R1.*= 2 = 1 \+ 1⚠ the table: EU0 2, EU1 0$/);
  assert.equal(await supply.map.getByText("shares nothing").count(), 7);
  await supply.region.getByRole("radio", { name: "by the document’s table" }).check();
  await supply.region.getByText(/What runs, and D below, follows the formula/).waitFor();
  assert.match(await text(supply.lit), /EU0R0R1.*= 2 = 2 \+ 0⚠ the formula: EU0 1, EU1 1shares nothing$/);
  assert.match(await text(supply.tiles.nth(1)), /^EU0R1EU0\.R1/);
  assert.equal(await marked.count(), 2);
  assert.equal(await supply.map.getByText("shares nothing").count(), 9);
  // What runs stays what it is.
  await supply.says("EU0 supplies 1, EU1 supplies 1");
  await supply.region.getByRole("radio", { name: "by the formula" }).check();
  assert.match(await text(supply.tiles.nth(1)), /^EU1R1EU1\.R0/);
  const evidence = supply.region.getByText(/^The formula\. Observed: Intel/);
  assert.equal(await evidence.count(), 1);
});

test("it stays usable while the text has errors", async (t) => {
  const { it, supply } = await start(t);
  await it.program.fill(`${TEXT}.inti V32 = 1\n`);
  await it.summary(/^Cannot run/);
  await supply.select("RC").selectOption("8");
  await supply.says("RC 8");
  assert.match(await it.program.inputValue(), /dpasw\.s8\.s4\.8\.8 /);
});

for (const theme of ["light", "dark"]) {
  for (const [width, height] of [[1400, 900], [360, 780]]) {
    test(`axe and width, ${theme}, ${width} px`, async (t) => {
      const { it, supply } = await start(t, { theme, width, height });
      const check = async (where) => {
        assert.deepEqual(await axe(it.page), [], where);
        const overflow = await it.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(overflow, 0, `${where}: wider than the window`);
      };
      await check("at the start");
      await it.timeline.fill("19");
      await supply.tiles.first().click();
      await check("a row under way, a register chosen");
      await supply.region.getByRole("radio", { name: "by the document’s table" }).check();
      await supply.select("W").selectOption("u4");
      await supply.select("RC").selectOption("8");
      await check("64 products, eight rows");
      await supply.select("A").selectOption("bf");
      await it.timeline.fill("64");
      await check("floats");
    });
  }
}

test("what belongs to a cell is marked while the pointer is on it", async (t) => {
  const { it, supply } = await start(t);
  const near = supply.region.locator("[data-near]");
  const row = (name, index) => supply.matrices(name).getByRole("row").nth(index + 1);
  // Row 2 of A: its rows of C and D on both EUs, and its register.
  await row(/^A the combined Src2/, 2).getByRole("cell").first().hover();
  assert.equal(await near.and(it.page.getByRole("button", { name: /^EU1 R1/ })).count(), 1);
  for (const name of [/^EU0 D /, /^EU1 D /, /^EU0 C /, /^EU1 C /]) {
    assert.equal(await row(name, 2).locator("td[data-near]").count(), 8, `${name}`);
    assert.equal(await row(name, 1).locator("td[data-near]").count(), 0, `${name}`);
  }
  // The first cell is of the first stage: the first row of B.
  assert.equal(await row(/^EU0 B /, 0).locator("td[data-near]").count(), 8);
  assert.equal(await row(/^EU0 B /, 1).locator("td[data-near]").count(), 0);
  // A column of an EU's C, B and D; nothing of the other's.
  await row(/^EU1 B /, 3).getByRole("cell").nth(5).hover();
  assert.equal(await row(/^EU1 D /, 0).locator("td[data-near]").count(), 1);
  assert.equal(await row(/^EU0 D /, 0).locator("td[data-near]").count(), 0);
  await it.button("Step").hover();
  assert.equal(await near.count(), 0);
  // By the focus too.
  await supply.tiles.first().focus();
  assert.equal(await row(/^EU0 D /, 0).locator("td[data-near]").count(), 8);
});

test("a step lights one row of each factor and one stage of A", async (t) => {
  const { it, supply } = await start(t);
  await it.timeline.fill("10");
  // Repeat 2, stage 2.
  const lit = (name) =>
    supply.matrices(name).evaluate((table) => {
      const rows = [...table.querySelectorAll("tbody > tr, col")];
      return rows.filter((e) => e.dataset.lit === "").map((e) => [...e.parentElement.children].indexOf(e));
    });
  assert.deepEqual(await lit(/^EU0 C /), [1]);
  assert.deepEqual(await lit(/^EU1 B /), [1]);
  // The column after the names, and the row.
  assert.deepEqual(await lit(/^A the combined/), [2, 1]);
  await it.button("To start").click();
  for (const name of [/^EU0 C /, /^EU1 B /, /^A the combined/]) assert.deepEqual(await lit(name), []);
});

/** How many elements got their style anew, in one step. */
async function restyled(it) {
  const session = await it.page.context().newCDPSession(it.page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const done = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", { categories: "disabled-by-default-devtools.timeline,devtools.timeline" });
  await it.button("Step").evaluate(async (button) => {
    button.click();
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
  await session.send("Tracing.end");
  await done;
  const counts = events.filter((e) => e.name === "UpdateLayoutTree").map((e) => e.args?.elementCount ?? 0);
  return counts.reduce((sum, count) => sum + count, 0);
}

test("a step restyles what it changes, not the picture", async (t) => {
  const { it, supply } = await start(t);
  await supply.select("RC").selectOption("8");
  await it.timeline.fill("20");
  await it.button("Step").hover();
  const count = await restyled(it);
  t.diagnostic(`${count} elements restyled`);
  assert.ok(count > 0 && count <= 120, `${count}`);
});

test("a step changes little of the page", async (t) => {
  const { it, supply } = await start(t);
  await supply.select("RC").selectOption("8");
  await it.timeline.fill("20");
  await it.page.evaluate(() => {
    globalThis.mutations = 0;
    const observer = new MutationObserver((list) => (globalThis.mutations += list.length));
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document, all);
  });
  await it.button("Step").click();
  await it.at("step 21 of 64");
  const count = await it.page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    return globalThis.mutations;
  });
  t.diagnostic(`${count} mutations`);
  assert.ok(count <= 80, `${count}`);
});
