// The guide: every page, in both themes, wide and narrow; every link; every
// scenario runs and every question has an answer.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DIST, axe, open } from "./harness.mjs";

const PAGES = readdirSync(join(DIST, "guide")).filter((name) => name.endsWith(".html"));

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing on any page, ${theme}, and none is too wide`, async (t) => {
    const page = await open(t, { theme, path: "/guide/" });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of PAGES) {
        await page.goto(new URL(name, page.url()).href);
        await page.getByRole("main").waitFor();
        assert.deepEqual(await axe(page), [], `${name} at ${width} px`);
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(over, 0, `${name} is wider than ${width} px`);
      }
    }
  });
}

test("every link leads somewhere", async (t) => {
  const page = await open(t, { path: "/guide/" });
  const links = new Set();
  for (const name of PAGES) {
    await page.goto(new URL(name, page.url()).href);
    const found = await page.getByRole("link").evaluateAll((all) => all.map((a) => a.href));
    for (const link of found) links.add(link);
  }
  const { origin } = new URL(page.url());
  const own = [...links].filter((link) => link.startsWith(origin));
  for (const link of own) {
    const { pathname, hash } = new URL(link);
    await page.goto(origin + pathname);
    if (hash) assert.equal(await page.locator(`[id="${decodeURIComponent(hash.slice(1))}"]`).count(), 1, link);
    await page.getByRole("main").waitFor();
  }
  console.log(`guide: ${PAGES.length} pages, ${own.length} links of its own`);
  assert.ok(own.length >= PAGES.length);
});

test("every scenario of the guide opens; every question has an answer", async (t) => {
  const page = await open(t, { path: "/guide/" });
  page.setDefaultTimeout(20_000);
  let [scenarios, questions] = [0, 0];
  for (const name of PAGES) {
    await page.goto(new URL(name, page.url()).href);
    const buttons = page.getByRole("button", { name: /^Run it/ });
    if ((await page.locator("lanewise-scenario").count()) === 0) continue;
    await buttons.first().waitFor();
    const count = await buttons.count();
    for (let at = 0; at < count; at++) {
      await buttons.first().click();
      const frame = page.frameLocator("iframe").last();
      const step = frame.getByRole("button", { name: "Step", exact: true });
      const show = frame.getByRole("button", { name: "Show me" });
      await step.or(show).waitFor();
      scenarios += 1;
      if (await show.count()) {
        questions += 1;
        await show.click();
        const verdict = frame.getByRole("status", { name: "Verdict" }).filter({ hasText: /\./ });
        await verdict.waitFor();
        assert.doesNotMatch(await verdict.textContent(), /no answer/, name);
        await step.waitFor();
      }
      assert.equal(await frame.getByText("There is no pane").count(), 0, name);
      assert.equal(await frame.getByText(/^Cannot run/).count(), 0, name);
      // One frame at a time.
      await page.getByRole("button", { name: /^Show the listing/ }).click();
      await page.locator("lanewise-scenario").first().evaluate((element) => element.remove());
    }
  }
  console.log(`guide: ${scenarios} scenarios run, ${questions} questions answered`);
  assert.ok(scenarios >= 20 && questions >= 5);
});

test("guide and page lead to each other", async (t) => {
  const page = await open(t);
  await page.getByRole("link", { name: "Guide" }).click();
  await page.getByRole("heading", { level: 1, name: "What Lanewise is" }).waitFor();
  await page.getByRole("link", { name: "Open Lanewise" }).click();
  await page.getByRole("heading", { level: 1, name: "Lanewise" }).waitFor();
});

test("the guide wears the page's theme", async (t) => {
  const page = await open(t, { path: "/guide/" });
  await page.getByRole("button", { name: "Theme" }).click();
  await page.locator('html[data-theme="light"]').waitFor();
  await page.goto(new URL("../", page.url()).href);
  await page.locator('html[data-theme="light"]').waitFor();
});
