// Layout promises at 1400 × 900 for every bundled scenario: 18 lines of the program,
// with those of its source,
// the picture of up to 16 lanes, and 20 rows of memory and registers, without
// partially visible rows.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bench } from "./bench.mjs";
import { close, open, settled } from "./harness.mjs";

const SCENARIOS = readdirSync(fileURLToPath(new URL("../../core/scenarios/", import.meta.url)))
  .map((name) => name.replace(/\.lanewise$/, ""))
  .sort();

/** Measures the visible contents, in the page. */
const measure = () => {
  const box = (element) => element.getBoundingClientRect();
  const section = (name) => document.querySelector(`section[aria-label="${name}"]`);
  /** Number of elements entirely within a frame, and number cut off. */
  const count = (elements, frame) => {
    let [whole, cut] = [0, 0];
    for (const { top, bottom } of elements.map(box)) {
      if (top >= frame.top - 0.5 && bottom <= frame.bottom + 0.5) whole += 1;
      else if (bottom > frame.top + 0.5 && top < frame.bottom - 0.5) cut += 1;
    }
    return { whole, cut };
  };
  const found = { problems: [] };
  const lines = [...section("Program").querySelectorAll(".cm-line")];
  const program = box(section("Program"));
  found.lines = count(lines, program);
  found.line = lines.length && box(lines[0]).height;
  const source = [...document.querySelectorAll('section[aria-label="Source"] li')];
  const sourceLines = source.length && count(source, box(source[0].closest("ol"))).whole;
  found.lineRoom = sourceLines + Math.floor((program.bottom - box(lines[0]).top) / found.line);

  const stage = section("Stage");
  const lanes = "[aria-label='Lanes in order'] [role=option], .lane-grid th[scope=col]";
  found.lanes = stage.querySelectorAll(lanes).length;
  const scrolled = [stage, ...stage.querySelectorAll(".stage-picture")];
  found.stageCut = scrolled.some((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1);
  const picture = stage.querySelector("[data-picture]");
  if (picture) {
    const frame = box(stage);
    const parts = [...picture.querySelectorAll("[role=option], [role=gridcell], [role=button]")];
    for (const part of parts) {
      const { top, bottom, left, right } = box(part);
      if (top < frame.top - 1 || bottom > frame.bottom + 1 || left < frame.left - 1 || right > frame.right + 1) {
        found.problems.push(part.getAttribute("aria-label"));
      }
    }
    // No text extends beyond the picture.
    const edge = box(picture);
    for (const text of picture.querySelectorAll("text, span")) {
      if (text.closest("[role=option]") || !text.textContent || !text.checkVisibility()) continue;
      const { left, right } = box(text);
      if (left < edge.left - 2 || right > edge.right + 2) found.problems.push(`text ${text.textContent}`);
    }
  }
  return found;
};

/** Opens each State tab that has a grid and measures it, in the page. */
const measureState = async () => {
  const found = [];
  const frame = () => new Promise(requestAnimationFrame);
  for (const tab of document.querySelectorAll("[role=tablist][aria-label=State] [role=tab]")) {
    tab.click();
    const isOpen = () => document.querySelector(`#state-panel[aria-labelledby="${tab.id}"]`);
    for (let frames = 0; !isOpen(); frames++) {
      if (frames > 300) throw new Error(`${tab.id} does not open`);
      await frame();
    }
    // The grid measures itself in the next frame.
    for (let frames = 0; frames < 2; frames++) await frame();
    const grid = document.querySelector("#state-panel .grid");
    if (grid) found.push({ tab: tab.id, ...measureGrid(grid) });
  }
  return found;
};

/** Measures the grid of a State tab, in the page. */
const measureGrid = (grid) => {
  const frame = grid.getBoundingClientRect();
  const rows = [...grid.querySelectorAll("[role=row]:not(.heads)")];
  let [whole, cut] = [0, 0];
  const head = grid.querySelector(".heads")?.getBoundingClientRect().bottom ?? frame.top;
  for (const row of rows) {
    const { top, bottom } = row.getBoundingClientRect();
    if (top >= head - 1 && bottom <= frame.bottom + 0.5) whole += 1;
    else if (bottom > head + 1 && top < frame.bottom - 1) cut += 1;
  }
  // A value wider than its cell overlaps its neighbour.
  const over = [...grid.querySelectorAll(".cell .now")].filter((value) => {
    const [own, cell] = [value.getBoundingClientRect(), value.parentElement.getBoundingClientRect()];
    return own.left < cell.left - 1.5 || own.right > cell.right + 1.5;
  });
  return {
    whole,
    cut,
    room: rows.length && Math.floor((frame.bottom - head) / rows[0].getBoundingClientRect().height),
    ends: grid.scrollHeight <= grid.clientHeight + 1,
    over: over.map((value) => value.textContent),
    wider: grid.scrollWidth - grid.clientWidth,
  };
};

test("every scenario runs to its end and back; 1400 × 900 shows program, picture and state without clipping", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  await page.evaluate(`globalThis.measureGrid = ${measureGrid}`);
  page.setDefaultTimeout(30_000);
  const it = bench(page);
  const wrong = [];
  const least = { lines: Infinity, rows: Infinity };
  for (const id of SCENARIOS) {
    await page.evaluate((id) => (location.hash = `scenario=${id}`), id);
    await page.waitForFunction((id) => location.hash.includes(id), id);
    await it.summary(/^\s*At the start/);
    const check = (condition, what) => condition || wrong.push(`${id}: ${what}`);
    await it.toEnd();
    const end = Number(await it.timeline.getAttribute("max"));
    await it.button("Go to start").click();
    await it.summary(/^\s*At the start/);
    for (const at of [0, Math.ceil(end / 2)]) {
      await it.goTo(at);
      await settled(page);
      const found = await page.evaluate(measure);
      check(found.lineRoom >= 18, `room for ${found.lineRoom} lines`);
      least.lines = Math.min(least.lines, found.lineRoom);
      if (found.lanes <= 16) check(!found.stageCut, `at ${at} the stage scrolls`);
      if (found.lanes <= 16) check(found.problems.length === 0, `at ${at} cut off: ${found.problems.slice(0, 3)}`);
      for (const state of await page.evaluate(measureState)) {
        const name = `${state.tab} at ${at}`;
        check(state.room >= 20, `${name}: room for ${state.room} rows`);
        least.rows = Math.min(least.rows, state.room);
        check(state.cut === 0, `${name}: ${state.cut} rows cut`);
        check(state.over.length === 0, `${name}: too wide: ${state.over.slice(0, 4)}`);
        if (!/warp|registers/.test(name)) check(state.wider <= 0, `${name}: ${state.wider} px wider`);
      }
    }
  }
  t.diagnostic(`${SCENARIOS.length} scenarios; at least ${least.lines} lines and ${least.rows} rows`);
  assert.deepEqual(wrong, []);
});

test("the Lanes table cuts off no row at any scroll position", async (t) => {
  for (const viewport of [{ width: 1400, height: 900 }, { width: 1024, height: 768 }]) {
    const page = await open(t, viewport);
    const it = bench(page);
    for (const scenario of ["Histogram with conflicts", "Two EUs, one counter", "Four planes, sixteen pixels"]) {
      await it.choose(scenario);
      const scroller = it.panel("Lanes").getByRole("group", { name: "Lanes table" });
      for (const step of [0, 7, 11]) {
        await it.goTo(step);
        await settled(page);
        const { cut, whole } = await scroller.evaluate((scroller) => {
          const frame = scroller.getBoundingClientRect();
          const head = scroller.querySelector("thead tr > :last-child").getBoundingClientRect().bottom;
          const rows = [...scroller.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect());
          return {
            cut: rows.filter(({ top, bottom }) => [head, frame.bottom].some((edge) => top < edge - 1 && bottom > edge + 1)).length,
            whole: rows.filter(({ top, bottom }) => top >= head - 1 && bottom <= frame.bottom + 1).length,
          };
        });
        const where = `${scenario} at ${step}, ${viewport.width} × ${viewport.height}`;
        assert.equal(cut, 0, where);
        assert.ok(whole >= 3, `${where}: ${whole} rows`);
      }
    }
    await close(page);
  }
});

test("1400 × 900: the headline of Outcomes stands beside its grid, which shows five rows", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  await it.choose("A lock taken by one of eight");
  await it.show("Outcomes");
  const grid = page.getByRole("group", { name: /^Returned values by lane/ });
  await grid.waitFor();
  const panel = await it.panel(/^Outcomes/).boundingBox();
  const headline = await page.getByText("Exactly one of 8 lanes wins").boundingBox();
  const rows = grid.locator("tbody tr");
  const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
  const whole = boxes.filter(({ y, height }) => y + height <= panel.y + panel.height + 0.5);
  assert.ok(whole.length >= 5, `${whole.length} rows`);
  assert.ok(headline.x + headline.width <= boxes[0].x, "beside it");
});
