// Layout: areas side by side above the drawer, or behind tabs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { close, doubleClick, eventually, hasFocus, open, settled, sideways } from "./harness.mjs";

/** Areas in the tab order of a narrow window. */
const AREAS = ["Stage", "Program", "State", "Details"];

/** Tabs of the drawer. */
const DRAWER = ["Lanes", "Outcomes", "Encoding", "Explain", "Problems"];

const region = (page, name) => page.getByRole("region", { name, exact: true });

/** Boxes of named elements. */
const boxes = async (parts) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(parts).map(async ([name, part]) => {
        await part.waitFor();
        return [name, await part.boundingBox()];
      }),
    ),
  );

const below = (a, b) => assert.ok(a.y + a.height <= b.y + 1, JSON.stringify([a, b]));
const beside = (a, b) => assert.ok(a.x + a.width <= b.x + 1, JSON.stringify([a, b]));

/** Fails if a box is outside the window or overlaps another one. */
function apart(parts, width, height) {
  const all = Object.entries(parts);
  for (const [index, [name, a]] of all.entries()) {
    const inside = a.x >= 0 && a.x + a.width <= width + 1 && a.y >= 0 && a.y + a.height <= height + 1;
    assert.ok(inside, `${name} is cut off: ${JSON.stringify(a)}`);
    for (const [other, b] of all.slice(index + 1)) {
      const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      assert.ok(across <= 1 || down <= 1, `${name} overlaps ${other}: ${JSON.stringify([a, b])}`);
    }
  }
}

/** Parts of the window checked by layout tests. */
const parts = (page) => ({
  bar: page.getByRole("banner"),
  program: region(page, "Program"),
  summary: page.getByRole("status", { name: "Step summary" }),
  stage: region(page, "Stage"),
  state: region(page, "State"),
  tabs: page.getByRole("tablist", { name: "Details" }),
  drawer: page.getByRole("tabpanel", { name: "Lanes" }),
});

/** Names of the visible buttons and links of the top bar. */
const inBar = async (page) => {
  const bar = page.getByRole("banner");
  const found = {};
  for (const role of ["button", "link", "slider"]) {
    for (const part of await bar.getByRole(role).all()) {
      found[(await part.getAttribute("aria-label")) ?? (await part.innerText())] = await part.boundingBox();
    }
  }
  return found;
};

test("the name of a scenario is not cut off at its bottom", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  await it.choose("Tiled matrix product with DPAS");
  const name = page.getByRole("button", { name: /^Scenarios/ }).getByText("Tiled matrix product");
  await eventually(() => name.evaluate((e) => e.scrollHeight <= e.clientHeight), true);
});

for (const [width, height] of [[1400, 900], [1000, 800], [900, 800]]) {
  test(`${width} × ${height}: three areas side by side, the drawer below, as high as the window`, async (t) => {
    const page = await open(t, { width, height });
    await eventually(async () => {
      const box = await boxes(parts(page));
      for (const area of [box.program, box.summary, box.state]) {
        below(box.bar, area);
        below(area, box.tabs);
      }
      below(box.summary, box.stage);
      below(box.tabs, box.drawer);
      beside(box.program, box.stage);
      beside(box.stage, box.state);
      apart(box, width, height);
      apart(await inBar(page), width, height);
      const bar = await inBar(page);
      if (width >= 1250) assert.ok(box.bar.height <= 49, "one bar");
      assert.ok(bar.Timeline.width >= 200, `the timeline is ${bar.Timeline.width} px wide`);
    });
    await eventually(() => page.evaluate(() => document.documentElement.scrollHeight), height);
    await eventually(() => page.getByRole("tablist", { name: "Areas" }).count(), 0);
    for (const tab of DRAWER) {
      await bench(page).show(tab);
      await eventually(() => sideways(page), 0, `${tab}: wider than the window`);
    }
  });
}

test("the step controls stay in place when a program with a shorter name is open", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  const left = async () => (await it.button("Step").boundingBox()).x;
  const before = await left();
  await it.button("New").click();
  await page.getByRole("button", { name: "Scenarios New program" }).waitFor();
  assert.equal(await left(), before);
});

test("1400 × 900 has room for 18 lines, 16 lanes and 20 rows of memory, none of them cut off", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const lacking = () => bench(page).program.evaluate((editor) => {
    const style = getComputedStyle(editor.querySelector(".cm-line") ?? editor);
    return 18 * Number.parseFloat(style.lineHeight)
      - (editor.closest("section").getBoundingClientRect().bottom - editor.getBoundingClientRect().top);
  });
  await eventually(lacking, (lacking) => lacking <= 0, "pixels that 18 lines lack");

  const stage = region(page, "Stage");
  const lanes = stage.getByRole("option", { name: /^Lane \d+,/ });
  await eventually(() => lanes.count(), 16);
  await eventually(async () => {
    const frame = await stage.boundingBox();
    for (const lane of await lanes.all()) {
      const { y, height } = await lane.boundingBox();
      assert.ok(y >= frame.y && y + height <= frame.y + frame.height, "a lane is cut off");
    }
  });
  const whole = () => stage.evaluate((e) => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth);
  await eventually(whole, true, "the stage scrolls");

  const rows = page.getByLabel("Memory rows");
  await eventually(async () => {
    const view = await rows.boundingBox();
    const state = await region(page, "State").boundingBox();
    const heads = await rows.getByRole("rowheader").all();
    const places = await Promise.all(heads.map((head) => head.boundingBox()));
    const bottom = Math.min(view.y + view.height, state.y + state.height) + 0.5;
    const seen = places.filter(({ y, height }) => y >= view.y && y + height <= bottom);
    assert.ok(seen.length >= 20, `${seen.length} rows`);
  });
  await eventually(() => rows.evaluate((e) => e.scrollWidth <= e.clientWidth), true, "the rows are cut off");
});

for (const [width, height] of [[700, 450], [360, 780]]) {
  test(`${width} × ${height}: a tab for each area; the steps and the summary are on all of them`, async (t) => {
    const page = await open(t, { width, height });
    const it = bench(page);
    const areas = page.getByRole("tablist", { name: "Areas" });
    await eventually(() => areas.getByRole("tab").allInnerTexts(), AREAS);
    for (const name of AREAS) {
      await areas.getByRole("tab", { name }).click();
      const shown = page.getByRole("tabpanel", { name, exact: true });
      await shown.waitFor();
      for (const other of AREAS.filter((area) => area !== name)) {
        await eventually(() => page.getByRole("tabpanel", { name: other, exact: true }).count(), 0, "one at a time");
      }
      const steps = page.getByRole("region", { name: "Transport" });
      await eventually(async () => {
        const box = await boxes({
          scenarios: page.getByRole("button", { name: /^Scenarios/ }),
          menu: it.button("Menu"),
          areas,
          summary: page.getByRole("status", { name: "Step summary" }),
          shown,
          steps,
        });
        apart(box, width, height);
        assert.ok(box.shown.height >= 150, `${name} is ${box.shown.height} px high`);
        const controls = {};
        for (const role of ["button", "slider"]) {
          for (const part of await steps.getByRole(role).all()) {
            controls[await part.getAttribute("aria-label")] = await part.boundingBox();
          }
        }
        for (const wanted of ["Go to start", "Step back", "Step", "Run to end", "Run", "Reset", "Timeline", "Stepping options"]) {
          assert.ok(controls[wanted], `${wanted} is in the step bar`);
        }
        apart(controls, width, height);
        if (height < 560) assert.ok(box.steps.height <= 56, "the steps are one row");
        const row = ["Go to start", "Step back", "Step", "Run to end", "Run", "Reset"].map((name) => controls[name]);
        for (const [index, a] of row.entries()) {
          assert.ok(a.width >= 32, `control ${index} is ${a.width} px wide`);
          const next = row[index + 1];
          if (next) assert.ok(next.x - a.x - a.width >= 5.9, `control ${index} is close to the next one`);
        }
      });
      await eventually(() => page.evaluate(() => document.documentElement.scrollHeight), height);
    }
    await areas.getByRole("tab", { name: "State" }).click();
    await page.getByRole("tabpanel", { name: "Shared local memory" }).waitFor();
    await it.button("Step").click();
    await it.summary("Lane 0: slm[0x0] 0 + 1 → 1, returned 0");
  });
}

test("arrow keys move between the tabs of a narrow window", async (t) => {
  const page = await open(t, { width: 360, height: 780 });
  const tabs = page.getByRole("tablist", { name: "Areas" });
  const chosen = async (name) => {
    await hasFocus(tabs.getByRole("tab", { name, selected: true }));
  };
  await tabs.getByRole("tab", { name: "Stage" }).focus();
  await page.keyboard.press("ArrowRight");
  await chosen("Program");
  await page.keyboard.press("End");
  await chosen("Details");
  await page.keyboard.press("ArrowRight");
  await chosen("Stage");
  await page.keyboard.press("ArrowLeft");
  await chosen("Details");
  await page.keyboard.press("Home");
  await chosen("Stage");
  // One tab stop.
  await page.keyboard.press("Tab");
  await page.getByRole("tablist", { name: "Areas" }).and(page.locator(":not(:focus-within)")).waitFor();
});

test("resizing to a phone and back keeps areas and typed text", async (t) => {
  const page = await open(t, { width: 1200, height: 800 });
  const it = bench(page);
  await it.program.fill("// mine\n");
  await it.program.evaluate((e) => (e.isTheSame = true));
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole("tablist", { name: "Areas" }).waitFor();
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.getByRole("tablist", { name: "Areas" }).waitFor({ state: "detached" });
  assert.equal(await it.program.inputValue(), "// mine\n");
  assert.equal(await it.program.evaluate((e) => e.isTheSame), true, "the element is the same");
});

test("the skip link leads to the editor, on a phone too", async (t) => {
  for (const width of [1200, 360]) {
    const page = await open(t, { width, height: 780 });
    const it = bench(page);
    const hash = () => page.evaluate(() => location.hash);
    await eventually(hash, "#scenario=histogram");
    await page.keyboard.press("Tab");
    const link = page.getByRole("link", { name: "Skip to program" });
    await hasFocus(link);
    await eventually(() => link.boundingBox(), ({ y }) => y >= 0, "it is visible");
    if (width === 360) {
      await page.getByRole("tablist", { name: "Areas" }).getByRole("tab", { name: "State" }).click();
      await page.keyboard.press("Shift+Tab");
      await link.focus();
    }
    await page.keyboard.press("Enter");
    await it.program.waitFor();
    await page.waitForFunction(() => document.activeElement.closest(".editor"));
    await settled(page);
    assert.equal(await hash(), "#scenario=histogram", "the scenario keeps the URL fragment");
    const past = page.getByRole("link", { name: "Skip to Step" });
    await past.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.ariaLabel === "Step");
    await settled(page);
    assert.equal(await hash(), "#scenario=histogram");
    await close(page);
  }
});

/** Dividers, the direction in which their areas grow, and their sizes. */
const DIVIDERS = {
  "Width of Program": { area: "program", side: "width", more: "ArrowRight", less: "ArrowLeft", usual: 25, limits: [15, 45], drag: [60, 0] },
  "Width of State": { area: "state", side: "width", more: "ArrowLeft", less: "ArrowRight", usual: 29, limits: [15, 45], drag: [-60, 0] },
  "Height of the drawer": { area: "drawer", side: "height", more: "ArrowUp", less: "ArrowDown", usual: 24, limits: [5, 70], drag: [0, -60] },
};

for (const [name, { area, side, more, less, usual, limits, drag }] of Object.entries(DIVIDERS)) {
  test(`${name}: resized by keyboard and by dragging, and remembered`, async (t) => {
    const page = await open(t, { width: 1400, height: 900 });
    const divider = page.getByRole("separator", { name });
    const size = async () => (await parts(page)[area].boundingBox())[side];
    const says = (value) =>
      page.locator(`[role=separator][aria-label="${name}"][aria-valuenow="${value}"]`).waitFor();
    await says(usual);
    await settled(page);
    const first = await size();
    assert.deepEqual(
      [await divider.getAttribute("aria-valuemin"), await divider.getAttribute("aria-valuemax")],
      limits.map(String),
    );
    await divider.focus();
    await page.keyboard.press("End");
    await says(limits[1]);
    await eventually(size, (size) => size > first * 1.4, `it was ${first}`);
    await page.keyboard.press(less);
    await says(limits[1] - 2);
    await page.keyboard.press("Home");
    await says(limits[0]);
    await eventually(size, (size) => size < first * 0.7, `it was ${first}`);
    await page.keyboard.press(more);
    await says(limits[0] + 2);
    await page.keyboard.press("Enter");
    await says(usual);
    await eventually(size, first);
    // The key must not step the run.
    await settled(page);
    await bench(page).at("step 0 of 16");

    const { x, y, width, height } = await divider.boundingBox();
    const from = [x + width / 2, y + height / 2];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + drag[0], from[1] + drag[1], { steps: 4 });
    await page.mouse.up();
    const moved = Math.abs(drag[0] + drag[1]);
    const isMoved = (size) => Math.abs(size - (first + moved)) < 8;
    await eventually(size, isMoved, `it was ${first}, and moved by ${moved}`);
    const dragged = await eventually(async () => Number(await divider.getAttribute("aria-valuenow")), (now) => now > usual);
    // The pointer was released.
    await page.mouse.move(from[0] - drag[0], from[1] - drag[1]);
    await settled(page);
    await says(dragged);
    await page.reload();
    await says(dragged);
    await eventually(size, isMoved, `it was ${first}, and moved by ${moved}`);
    await doubleClick(divider);
    await says(usual);
    await eventually(size, first);
  });
}
