// A visit by keyboard alone, through accessible names: open a scenario, edit,
// step, reorder, replay an outcome, export.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { download, eventually, hasFocus, open } from "./harness.mjs";

/** Name of the focused element. */
const focused = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    const by = at.getAttribute("aria-labelledby");
    // The title of a lane is its name.
    const title = at.role === "option" ? at.title : null;
    const name = at.getAttribute("aria-label") ?? title ?? (by ? document.getElementById(by)?.textContent : at.textContent);
    return (name ?? "").replaceAll(/\s+/g, " ").trim();
  });

/**
 * Presses a key until an element with this name has focus; returns the number
 * of presses.
 */
async function press(page, key, name, most = 120) {
  for (let count = 1; count <= most; count++) {
    await page.keyboard.press(key);
    if (name.test(await focused(page))) return count;
  }
  throw new Error(`${most} × ${key} do not lead to ${name}; the focus is on “${await focused(page)}”`);
}

test("open, edit, step, reorder, replay an outcome and export, without a mouse", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  const keys = page.keyboard;
  const stops = {};

  stops.scenarios = await press(page, "Tab", /^Scenarios/);
  await keys.press("Enter");
  await page.getByRole("dialog", { name: "Choose a scenario" }).waitFor();
  await keys.type("order of the lanes");
  await page.getByRole("option", { name: /The order of the lanes/, selected: true }).waitFor();
  await keys.press("Enter");
  await page.getByRole("button", { name: /^Scenarios The order of the lanes/ }).waitFor();

  // The dialog restored focus; the editor is a few tab stops further.
  stops.program = await press(page, "Tab", /^Program$/);
  await keys.press("ControlOrMeta+End");
  await keys.type("// by keyboard");
  await page.waitForFunction(() => document.querySelector("#program-text").value.endsWith("// by keyboard"));
  stops.step = await press(page, "Shift+Tab", /^Step$/);
  await keys.press("Enter");
  await it.at("step 1 of 4");

  stops.lane = await press(page, "Tab", /^Lane \S+, number 1 of 4/);
  await keys.press("Alt+ArrowDown");
  const order = /^\.order (.*)$/m;
  await page.waitForFunction(() => /^\.order /m.test(document.querySelector("#program-text").value));
  const reordered = (await it.program.inputValue()).match(order)[1];

  stops.drawer = await press(page, "Tab", /^Lanes$/);
  await press(page, "ArrowRight", /^Outcomes/, 5);
  await page.getByRole("tabpanel", { name: /^Outcomes/ }).getByRole("button", { name: /replay/i }).first().waitFor();
  // A result of another order: the run's own result has no such button.
  stops.outcome = await press(page, "Tab", /^Replay result \d+$/);
  await keys.press("Enter");
  const replayed = page.getByRole("status", { name: "Outcomes action" }).filter({ hasText: /^Replayed result/ });
  await replayed.waitFor({ state: "attached" });
  stops.keep = await press(page, "Shift+Tab", /^Keep order$/, 40);
  await keys.press("Enter");
  // The numeric order needs no line.
  const now = async () => (await it.program.inputValue()).match(order)?.[1] ?? "0 1 2 3";
  await eventually(now, (now) => now !== reordered, "another order is replayed");

  stops.share = await press(page, "Shift+Tab", /^Share$/);
  await keys.press("Enter");
  await page.getByRole("dialog", { name: "Share" }).waitFor();
  stops.export = await press(page, "Tab", /^Download the export$/, 20);
  const { name } = await download(page, () => keys.press("Enter"));
  assert.match(name, /\.svg$/);
  await keys.press("Escape");
  await page.getByRole("dialog", { name: "Share" }).waitFor({ state: "hidden" });
  // Focus is restored.
  await hasFocus(it.button("Share"));
  t.diagnostic(Object.entries(stops).map(([name, count]) => `${name} ${count}`).join(", "));
});
