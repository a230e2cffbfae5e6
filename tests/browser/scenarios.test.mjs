// Every bundled scenario in Firefox. A file of its own: it takes as long as all other
// tests in Firefox, which run beside it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { inFirefox, open } from "./harness.mjs";

const elsewhere = !inFirefox && "rows.test.mjs runs them in Chromium";

test("every bundled scenario runs to its end and back", { skip: elsewhere }, async (t) => {
  const it = bench(await open(t));
  await it.page.getByRole("button", { name: /^Scenarios/ }).click();
  const titles = it.page.getByRole("dialog").getByRole("option").locator("b");
  await titles.first().waitFor();
  const names = await titles.allInnerTexts();
  await it.page.keyboard.press("Escape");
  assert.ok(names.length >= 8, `${names.length} scenarios`);
  for (const name of names) {
    await it.choose(name);
    await it.summary(/^At the start/);
    await it.toEnd();
    await it.button("Go to start").click();
    await it.summary(/^At the start/);
  }
});
