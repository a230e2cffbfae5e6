// Where the panes are: two columns, one, or the tabs of a phone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, open } from "./harness.mjs";

const PANES = ["Program", "Encoding", "Explain", "Execution", "State", "Outcomes"];

/** The regions that stand for the panes, by name. */
const REGIONS = ["Program", "Encoding", "Explain", "Execution", "Lanes", "State"];

const boxes = async (page, names) =>
  Object.fromEntries(
    await Promise.all(
      names.map(async (name) => {
        const region = page.getByRole("region", { name, exact: true });
        await region.waitFor();
        return [name, await region.boundingBox()];
      }),
    ),
  );

const below = (a, b) => assert.ok(a.y + a.height <= b.y + 1, JSON.stringify([a, b]));

test("a wide window has two columns, as high as it is", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const box = await boxes(page, REGIONS);
  below(box.Program, box.Encoding);
  below(box.Encoding, box.Explain);
  below(box.Execution, box.Lanes);
  below(box.Lanes, box.State);
  assert.ok(box.Program.x + box.Program.width <= box.Execution.x);
  assert.ok(box.Explain.x + box.Explain.width <= box.State.x);
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), 900);
  assert.equal(await page.getByRole("tablist", { name: "Areas" }).count(), 0);
});

test("a narrow window has one column", async (t) => {
  const page = await open(t, { width: 900, height: 800 });
  const box = await boxes(page, REGIONS);
  for (const name of ["Lanes", "State", "Encoding", "Explain"]) below(box.Program, box[name]);
  below(box.Lanes, box.State);
  below(box.Encoding, box.Explain);
  assert.equal(await page.getByRole("tablist", { name: "Areas" }).count(), 0);
});

test("a phone has a tab for each pane; the steps and the summary are on all of them", async (t) => {
  const page = await open(t, { width: 360, height: 780 });
  const it = bench(page);
  const tabs = page.getByRole("tablist", { name: "Areas" });
  const texts = await tabs.getByRole("tab").allInnerTexts();
  assert.deepEqual(texts, PANES);
  for (const name of PANES) {
    const tab = tabs.getByRole("tab", { name });
    await tab.click();
    await page.getByRole("tabpanel", { name, exact: true }).waitFor({ state: "attached" });
    const places = page.locator(".pane-place");
    const hidden = await places.evaluateAll((all) => all.filter((place) => place.hidden).length);
    assert.equal(hidden, PANES.length - 1, "one pane at a time");
    for (const part of [it.button("Step"), it.button("Step back"), page.getByRole("status", { name: "Step summary" }), tab]) {
      const { x, y, width, height } = await part.boundingBox();
      assert.ok(x >= 0 && x + width <= 360 && y >= 0 && y + height <= 780, `${name}: ${[x, y, width, height]}`);
    }
  }
  await tabs.getByRole("tab", { name: "State" }).click();
  await page.getByRole("tabpanel", { name: "Shared local memory" }).waitFor();
  await it.button("Step").click();
  await it.summary("Lane 0: slm[0x0] 0 + 1 → 1, returned 0");
});

test("the tabs of a phone are gone through by arrow keys", async (t) => {
  const page = await open(t, { width: 360, height: 780 });
  const tabs = page.getByRole("tablist", { name: "Areas" });
  const chosen = async (name) => {
    await tabs.getByRole("tab", { name, selected: true }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), name);
  };
  await tabs.getByRole("tab", { name: "Program" }).focus();
  await page.keyboard.press("ArrowRight");
  await chosen("Encoding");
  await page.keyboard.press("End");
  await chosen("Outcomes");
  await page.keyboard.press("ArrowRight");
  await chosen("Program");
  await page.keyboard.press("ArrowLeft");
  await chosen("Outcomes");
  await page.keyboard.press("Home");
  await chosen("Program");
  // One stop for Tab.
  await page.keyboard.press("Tab");
  assert.equal(await tabs.evaluate((e) => e.contains(document.activeElement)), false);
});

test("a window that becomes a phone's and back keeps its panes and what is typed", async (t) => {
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

test("the skip link leads into the program, on a phone too", async (t) => {
  for (const width of [1200, 360]) {
    const page = await open(t, { width, height: 780 });
    const it = bench(page);
    await page.keyboard.press("Tab");
    const link = page.getByRole("link", { name: "Skip to program" });
    assert.equal(await link.evaluate((e) => e === document.activeElement), true);
    assert.ok((await link.boundingBox()).y >= 0, "it is seen");
    if (width === 360) {
      await page.getByRole("tablist", { name: "Areas" }).getByRole("tab", { name: "State" }).click();
      await page.keyboard.press("Shift+Tab");
      await link.focus();
    }
    await page.keyboard.press("Enter");
    await it.program.waitFor();
    await page.waitForFunction(() => document.activeElement.closest(".editor"));
    assert.equal(new URL(page.url()).hash, "", "links to scenarios have the fragment");
    const past = page.getByRole("link", { name: "Skip to Step" });
    await past.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.ariaLabel === "Step");
    assert.equal(new URL(page.url()).hash, "");
  }
});

const height = async (page, name) =>
  (await page.getByRole("region", { name, exact: true }).boundingBox()).height;

test("panes are resized by keyboard and by dragging, and stay so", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const divider = (name) => page.getByRole("separator", { name });
  const now = async (name) => Number(await divider(name).getAttribute("aria-valuenow"));
  const says = (name, value) =>
    page.locator(`[role=separator][aria-label="${name}"][aria-valuenow="${value}"]`).waitFor();
  // What hears the keys comes after the page.
  await page.waitForFunction(() => performance.getEntriesByName(new URL("divider.js", location).href).length);
  await page.waitForLoadState("networkidle");
  const program = page.getByRole("region", { name: "Program", exact: true });
  const usual = await program.boundingBox();
  await divider("Width of the left column").focus();
  await page.keyboard.press("End");
  await says("Width of the left column", 70);
  assert.ok((await program.boundingBox()).width > usual.width * 1.4);
  await page.keyboard.press("ArrowLeft");
  await says("Width of the left column", 68);
  await page.keyboard.press("Home");
  await says("Width of the left column", 25);
  await divider("Width of the left column").dblclick();
  await says("Width of the left column", 42);
  assert.equal((await program.boundingBox()).width, usual.width);
  // The page has not stepped for it.
  await bench(page).at("step 0 of 16");

  const box = await divider("Height of Lanes").boundingBox();
  const lanes = await height(page, "Lanes");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 80, { steps: 4 });
  await page.mouse.up();
  const dragged = await now("Height of Lanes");
  assert.ok(dragged < 38, `${dragged}`);
  assert.ok(Math.abs((await height(page, "Lanes")) - (lanes - 80)) < 8);
  await page.reload();
  await says("Height of Lanes", dragged);
  assert.ok(Math.abs((await height(page, "Lanes")) - (lanes - 80)) < 8);
});

for (const theme of ["light", "dark"]) {
  for (const [width, height] of [[1400, 900], [1000, 800], [360, 780]]) {
    test(`axe on every pane, ${theme}, ${width} px`, async (t) => {
      const page = await open(t, { theme, width, height });
      await page.locator(".explain").waitFor({ state: "attached" });
      for (const name of width === 360 ? PANES : ["all"]) {
        if (name !== "all") await page.getByRole("tablist", { name: "Areas" }).getByRole("tab", { name }).click();
        assert.deepEqual(await axe(page), [], name);
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(over, 0, `${name}: wider than the window`);
      }
    });
  }
}
