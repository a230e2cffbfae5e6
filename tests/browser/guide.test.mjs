// Guide: every page in both themes and widths, every link and every
// scenario.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { axe, DIST, eventually, open, sideways } from "./harness.mjs";

const PAGES = readdirSync(join(DIST, "guide")).filter((name) => name.endsWith(".html"));

test("axe finds nothing on any page, and none is too wide", async (t) => {
  const page = await open(t, { path: "/guide/" });
  for (const name of PAGES) {
    await page.goto(new URL(name, page.url()).href);
    await page.getByRole("main").waitFor();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await axe(page, { dark: true }), [], `${name} at ${width} px`);
      await eventually(() => sideways(page), 0, `${name} is wider than ${width} px`);
    }
  }
});

test("every link resolves", async (t) => {
  const page = await open(t, { path: "/guide/" });
  const { origin } = new URL(page.url());
  const links = new Set();
  /** The anchors of each page. */
  const anchors = new Map();
  const visit = async (url) => {
    await page.goto(url);
    await page.getByRole("main").waitFor();
    anchors.set(new URL(url).pathname, await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id)));
  };
  for (const name of PAGES) {
    await visit(new URL(name, page.url()).href);
    const found = await page.getByRole("link").evaluateAll((all) => all.map((a) => a.href));
    for (const link of found) links.add(link);
  }
  const own = [...links].filter((link) => link.startsWith(origin));
  for (const link of own) {
    const { pathname, hash } = new URL(link);
    // Kernels to save.
    if (pathname.includes("/kernels/")) {
      assert.ok((await page.request.get(link)).ok(), link);
      continue;
    }
    if (!anchors.has(pathname)) await visit(origin + pathname);
    const id = decodeURIComponent(hash.slice(1));
    if (id) assert.equal(anchors.get(pathname).filter((anchor) => anchor === id).length, 1, link);
  }
  console.log(`guide: ${PAGES.length} pages, ${own.length} links of its own`);
  assert.ok(own.length >= PAGES.length);
});

test("pictures arrive when they are scrolled to, at the size that their page has reserved", async (t) => {
  for (const width of [1400, 360]) {
    const page = await open(t, { path: "/guide/find-a-bug.html", width });
    const pictures = page.getByRole("img");
    assert.equal(await pictures.count(), 10);
    for (const picture of await pictures.all()) {
      const reserved = await picture.boundingBox();
      await picture.scrollIntoViewIfNeeded();
      await eventually(() => picture.evaluate((image) => image.complete && image.naturalWidth > 0), true);
      const { width, height } = await picture.boundingBox();
      assert.deepEqual([Math.round(width), Math.round(height)], [Math.round(reserved.width), Math.round(reserved.height)]);
      const stretched = await picture.evaluate((image) => image.width / image.height / (image.naturalWidth / image.naturalHeight));
      assert.ok(Math.abs(stretched - 1) < 0.02, `${stretched}`);
    }
  }
});

test("every scenario runs, every instruction has a picture", async (t) => {
  const page = await open(t, { path: "/guide/" });
  page.setDefaultTimeout(30_000);
  let [scenarios, pictures] = [0, 0];
  for (const name of PAGES) {
    await page.goto(new URL(name, page.url()).href);
    await page.getByRole("main").waitFor();
    const all = page.locator("lanewise-scenario");
    for (let left = await all.count(); left > 0; left--) {
      const scenario = all.first();
      await scenario.scrollIntoViewIfNeeded();
      const asked = await scenario.evaluate((e) => Object.keys(e.options));
      if (!asked.includes("autoload")) {
        await scenario.getByRole("button", { name: /^Run it/ }).click();
      }
      const frame = page.frameLocator("iframe").first();
      const step = frame.getByRole("button", { name: "Step", exact: true });
      const timeline = frame.getByRole("slider", { name: "Timeline" });
      const at = async () => Number(await timeline.inputValue());
      scenarios += 1;
      await step.waitFor();
      if (asked.includes("autoload")) {
        pictures += 1;
        await frame.getByRole("region", { name: "Stage", exact: true }).getByRole("group", { name: /^Picture of / })
          .or(frame.getByRole("region", { name: /^(Src2 supply|Vector stage|Control flow)$/ })).first().waitFor();
        await eventually(at, (at) => at > 0, `${name}: the figure is at the start`);
        // A fault is not the step of a lane; the summary reports it.
        const shown = async () => [
          await frame.locator("[aria-current=step]").count(),
          await frame.getByRole("status", { name: "Step summary" }).textContent(),
        ];
        await eventually(shown, ([lit, summary]) => lit > 0 || /fault/i.test(summary), `${name}: no step is highlighted`);
      } else if (asked.includes("run")) {
        // It runs automatically.
        await frame.locator("input[type=range][aria-valuetext]:not([aria-valuetext^='step 0 '])").waitFor();
      }
      assert.equal(await frame.getByText("Unknown pane").count(), 0, name);
      assert.equal(await frame.getByText(/^\d+ errors?\. The picture/).count(), 0, name);
      // One frame at a time.
      await scenario.evaluate((element) => element.remove());
    }
  }
  console.log(`guide: ${scenarios} scenarios run, ${pictures} pictures`);
  assert.ok(scenarios >= 20 && pictures >= 8);
});

test("guide and page link to each other", async (t) => {
  const page = await open(t);
  await page.getByRole("link", { name: "Guide" }).click();
  await page.getByRole("heading", { level: 1, name: "What Lanewise is" }).waitFor();
  await page.getByRole("link", { name: "Open Lanewise" }).click();
  await page.getByRole("heading", { level: 1, name: "Lanewise" }).waitFor();
});

for (const [system, opposite] of [["light", "dark"], ["dark", "light"]]) {
  test(`the first press of Theme changes a ${system} page`, async (t) => {
    const page = await open(t, { theme: system, path: "/guide/" });
    await page.getByRole("button", { name: "Theme" }).click();
    await page.locator(`html[data-theme="${opposite}"]`).waitFor();
  });
}

test("the guide uses the page's theme", async (t) => {
  const page = await open(t, { path: "/guide/" });
  await page.getByRole("button", { name: "Theme" }).click();
  await page.locator('html[data-theme="dark"]').waitFor();
  await page.goto(new URL("../", page.url()).href);
  await page.locator('html[data-theme="dark"]').waitFor();
});
