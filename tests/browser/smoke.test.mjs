import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, eventually, open } from "./harness.mjs";

test("the page opens with its title", async (t) => {
  const page = await open(t);
  await eventually(() => page.title(), "Histogram with conflicts · Lanewise");
  await page.getByRole("heading", { level: 1, name: "Lanewise" }).waitFor();
});

for (const width of [1280, 360]) {
  test(`axe finds nothing, ${width} px wide`, async (t) => {
    const page = await open(t, { width });
    assert.deepEqual(await axe(page, { dark: true }), []);
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await eventually(overflow, 0, "the page is wider than its window");
  });
}
