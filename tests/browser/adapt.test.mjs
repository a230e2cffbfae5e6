// Adaptations: forced colours, touch, and 200 % and 400 % zoom.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, eventually, open, sideways } from "./harness.mjs";

const AREAS = ["Stage", "Program", "State", "Details"];

test("200 % zoom, 700 × 450: axe on every area", async (t) => {
  const page = await open(t, { width: 700, height: 450 });
  const it = bench(page);
  for (const scenario of ["histogram", "scatter-overlap", "dpasw-int8"]) {
    await page.evaluate((id) => (location.hash = `scenario=${id}`), scenario);
    await it.summary(/^\s*At the start/);
    await it.goTo(3);
    for (const area of AREAS) {
      await it.show(area);
      assert.deepEqual(await axe(page, { dark: true }), [], `${scenario}, ${area}`);
      await eventually(() => sideways(page), 0, `${scenario}, ${area}`);
    }
  }
});

test("400 % zoom, 320 × 256: everything is reachable and nothing scrolls sideways", async (t) => {
  const page = await open(t, { width: 320, height: 256 });
  const it = bench(page);
  for (const area of AREAS) {
    await it.show(area);
    await eventually(() => sideways(page), 0, area);
    const panel = page.getByRole("tabpanel", { name: area, exact: true });
    const steps = page.getByRole("region", { name: "Transport" });
    await eventually(() => panel.boundingBox(), ({ height }) => height >= 150, area);
    await eventually(() => steps.boundingBox(), ({ y, height }) => y >= 0 && y + height <= 257, "the steps stay in view");
    // Its end can be scrolled above the step controls.
    const end = () => page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      return Math.max(...[...document.querySelectorAll(".area:not([hidden])")].map((e) => e.getBoundingClientRect().bottom));
    });
    await eventually(async () => [await end(), await steps.boundingBox()], ([end, { y }]) => end <= y + 1, area);
    await page.evaluate(() => scrollTo(0, 0));
  }
  await it.button("Step").click();
  await it.summary(/^\s*Lane 0:/);
});

test("400 % zoom of 1400 × 900, 350 × 225: the stage shows the lanes and cells of a step", async (t) => {
  const page = await open(t, { width: 350, height: 225 });
  const it = bench(page);
  const lanes = page.getByRole("listbox", { name: "Lanes in order" });
  await lanes.waitFor();
  /**
   * Waits until this many elements are entirely visible between the top of the
   * window and the step controls.
   */
  const whole = (selector, least) => page.waitForFunction(([selector, least]) => {
    const end = document.querySelector("section[aria-label=Transport]").getBoundingClientRect().top;
    const seen = [...document.querySelectorAll(selector)].filter((e) => {
      const { top, bottom, height } = e.getBoundingClientRect();
      // The element is not covered.
      const { left, width } = e.getBoundingClientRect();
      const on = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
      return height > 0 && top >= 0 && bottom <= end + 0.5 && (e.contains(on) || (on?.closest("svg") && on.closest("svg") === e.closest("svg")));
    });
    return seen.length >= least;
  }, [selector, least]);
  await whole("[aria-label='Lanes in order'] [role=option]", 2);
  for (const at of [1, 9, 16]) {
    await it.timeline.fill(`${at}`);
    await it.at(`step ${at} of 16`);
    await whole("[aria-label='Lanes in order'] [aria-current=step]", 1);
  }
  assert.equal(await sideways(page), 0);
  // Current rows of a matrix: of A and, below, of D.
  await it.choose("int8, four rows from each EU");
  await it.timeline.fill("20");
  await it.at("step 20 of 64");
  await whole("[data-matrix=A] .matrix-row[data-current]", 1);
  await whole("[data-matrix=D] .matrix-row[data-current]", 1);
  assert.equal(await sideways(page), 0);
});

test("360 px: lanes show complete operands, disabled lanes complete reasons", async (t) => {
  const page = await open(t, { width: 360, height: 780 });
  const it = bench(page);
  const stage = page.getByRole("region", { name: "Stage" });
  await it.choose("CAS and its pair of registers");
  await stage.getByText("CAS if, set", { exact: true }).waitFor();
  const operands = stage.getByRole("option").locator(".operation").filter({ visible: true });
  await eventually(() => operands.allTextContents(), (texts) => texts.length === 32 && texts.every((text) => /^0, 1\d\d$/.test(text)));
  await it.choose("Guards and idle lanes");
  await eventually(() => stage.getByRole("list", { name: "Disabled lanes" }).getByRole("listitem").allTextContents(), [
    "1, 2 disabled: helper pixel",
    "4 disabled: killed",
    "5 disabled: no raster coverage",
    "8–31 disabled: guard @!P0",
  ]);
});

test("360 px: the lanes beside each other fit, with numbers of any length", async (t) => {
  const page = await open(t, { width: 360, height: 780 });
  const it = bench(page);
  const bits = (number) => new Uint32Array(Float32Array.of(number).buffer)[0];
  const integers = ["-1234", "-214748364", "-2147483647"].map((number) => [number, "IMAD R1, R0, 0x1, RZ;", number]);
  for (const [value, instruction, text] of [...integers, [bits(-1.29422e-30), "FMUL R1, R0, 1;", "-1.29422e-30"]]) {
    await it.show("Program");
    await it.program.fill(`.target sass SM80\n.init R0 = splat(${value})\n${instruction}\n`);
    await it.show("Stage");
    const lanes = page.locator(".lane-grid");
    await lanes.getByText(text, { exact: true }).first().waitFor();
    const beyond = (e) => e.scrollWidth - e.clientWidth;
    assert.equal(await lanes.evaluate(beyond), 0, text);
    assert.equal(await lanes.locator("td").evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).length), 0, text);
  }
});

test("a narrow State pane shows the whole chosen format", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const format = page.getByRole("region", { name: "State" }).getByLabel("Format");
  await page.getByRole("separator", { name: "Width of State" }).press("Home");
  await eventually(() => page.locator(".pane.state").evaluate((e) => e.clientWidth), (width) => width < 300);
  // Room for the text and the arrow.
  const [text, width] = await format.evaluate((e) => {
    const context = document.createElement("canvas").getContext("2d");
    context.font = getComputedStyle(e).font;
    return [context.measureText(e.selectedOptions[0].textContent).width, e.clientWidth];
  });
  assert.ok(width > text + 24, `${text} px of text in ${width} px`);
});

test("forced colours: the current step, changes and the open tab are marked by lines", async (t) => {
  const page = await open(t, { forcedColors: true, width: 1400, height: 900 });
  const it = bench(page);
  await it.timeline.fill("6");
  await it.summary(/^\s*Lane 5:/);
  const style = (selector, ...names) =>
    page.locator(selector).first().evaluate((e, names) => {
      const style = getComputedStyle(e);
      return names.map((name) => style[name]);
    }, names);
  const width = async (selector, name) => Number.parseFloat((await style(selector, name))[0]);
  // The outline and the edge of the current step are thicker.
  await eventually(() => width(".stage-lane[data-state=current]", "outlineWidth"), (width) => width > 0);
  await eventually(() => style(".stage-lane[data-state=waiting]", "outlineStyle"), ["none"]);
  await eventually(async () => [await width(".current-edge .line", "strokeWidth"), await width(".edge[data-state=waiting]", "strokeWidth")], ([current, waiting]) => current > waiting);
  await eventually(() => style("#state-panel .changed .now", "fontWeight"), ([bold]) => Number(bold) >= 700);
  const tabs = async () => [
    ...(await style("[role=tab][aria-selected=true]", "borderBottomColor")),
    ...(await style("[role=tab][aria-selected=false]", "borderBottomColor")),
  ];
  await eventually(tabs, ([open, shut]) => open !== shut, "the open tab");
});

test("controls outside the picture are at least 24 × 24", async (t) => {
  const page = await open(t, { width: 360, height: 780, touch: true });
  const it = bench(page);
  await it.goTo(6);
  for (const area of AREAS) {
    await it.show(area);
    const small = () => page.evaluate(() => {
      const controls = document.querySelectorAll("button, select, input, summary, a[href], [role=tab]");
      return [...controls].flatMap((e) => {
        const { width, height } = e.getBoundingClientRect();
        // Except inline links and elements out of view.
        const seen = width > 1 && height > 1 && e.checkVisibility() && !e.closest(".unseen, p, [data-picture]");
        const name = e.ariaLabel ?? e.textContent.trim().slice(0, 40);
        return seen && (width < 23.9 || height < 23.9) ? [`${name}: ${width.toFixed(0)} × ${height.toFixed(0)}`] : [];
      });
    });
    await eventually(small, [], area);
  }
});
