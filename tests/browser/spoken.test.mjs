// Snapshots of the accessibility tree, task by task, stored in `spoken/`. After
// an intended change, run `node tests/browser/spoken.test.mjs --update` and
// review the result.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { hasFocus, open, settled } from "./harness.mjs";

const update = process.argv.includes("--update");

/** A task: parts of the page, by their headings in the snapshot. */
async function compare(task, parts) {
  const file = new URL(`spoken/${task}.yml`, import.meta.url);
  let told = "";
  // A part with an accessible name is read by it, not by its contents.
  const named = (part) => part.replaceAll(/^(\s*- '?(?:rowheader|img) ".*"'?): .*$/gm, "$1");
  for (const [name, part] of parts) told += `# ${name}\n${named(part)}\n\n`;
  if (update) return writeFile(file, told);
  assert.equal(told, await readFile(file, "utf8"), `${file.pathname} differs`);
}

const WINDOW = { width: 1400, height: 900 };
const focused = (page) => page.locator(":focus");

/** Accessibility tree of a part, once rendered. */
async function spoken(part) {
  await settled(part.page());
  return part.ariaSnapshot();
}

test("open a scenario from the picker", async (t) => {
  const page = await open(t, WINDOW);
  const parts = [["The bar", await spoken(page.getByRole("banner"))]];
  await page.getByRole("button", { name: /^Scenarios/ }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Choose a scenario" });
  await dialog.waitFor();
  await page.keyboard.type("two eus");
  await dialog.getByRole("option", { name: /Two EUs, one counter/, selected: true }).waitFor();
  parts.push(["The picker, after “two eus”", await spoken(dialog)]);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await hasFocus(page.getByRole("button", { name: /^Scenarios Two EUs/ }));
  parts.push(["Where the focus is then", await spoken(focused(page))]);
  await compare("open-a-scenario", parts);
});

test("step an atomic and read what happened", async (t) => {
  const page = await open(t, WINDOW);
  const it = bench(page);
  await it.button("Step").focus();
  for (const step of [1, 2, 3]) {
    await page.keyboard.press("Enter");
    await it.at(`step ${step} of 16`);
  }
  await it.summary(/^\s*Lane 2:/);
  // The search for outcomes must end first.
  await page.getByRole("note", { name: "Result of this order" }).filter({ hasText: /\w/ }).waitFor();
  const row = page.getByRole("region", { name: "Lanes" }).getByRole("row");
  await compare("step-an-atomic", [
    ["The steps", await spoken(page.getByRole("region", { name: "Transport" }))],
    ["The stage", await spoken(page.getByRole("tabpanel", { name: "Stage", exact: true }).or(page.getByRole("region", { name: "Stage", exact: true })).first())],
    ["The table of lanes: its heads", await spoken(row.first())],
    ["The table of lanes: the lane at hand", await row.and(page.locator("[aria-current=step]")).ariaSnapshot()],
    ["Memory", await it.panel("Shared local memory").getByRole("row", { name: "0x0000" }).ariaSnapshot()],
  ]);
});

test("reorder lanes by keyboard", async (t) => {
  const page = await open(t, WINDOW);
  const it = bench(page);
  await it.choose("The order of the lanes");
  const lane = page.getByRole("option", { name: /^Lane \S+, number 1 of 4/ });
  await lane.waitFor();
  const lanes = page.getByRole("listbox").filter({ has: lane });
  // Lanes follow the order of `aria-owns`, which the snapshot ignores.
  const inOrder = () =>
    lanes.evaluate((list) =>
      list.getAttribute("aria-owns").split(" ").map((id) => `- option "${document.getElementById(id).ariaLabel}"`).join("\n"));
  const parts = [["The lanes", await inOrder()]];
  await lane.focus();
  await page.keyboard.press("Alt+ArrowDown");
  const said = page.getByRole("status").filter({ hasText: "is now number 2 of 4" });
  await said.waitFor();
  parts.push(["What is said", await spoken(said)]);
  await settled(page);
  parts.push(["The lanes then", await inOrder()]);
  parts.push(["Where the focus is then", await spoken(focused(page))]);
  await compare("reorder-lanes", parts);
});

test("find which EU supplies a register of Src2 in DPASW", async (t) => {
  const page = await open(t, WINDOW);
  const it = bench(page);
  await it.choose("int8, four rows from each EU");
  await it.button("Step").click();
  await page.getByRole("slider", { name: "Timeline" }).and(page.locator("[aria-valuenow=\"1\"], [aria-valuetext^=\"step 1 \"]")).waitFor();
  await compare("which-eu-supplies-src2", [
    ["The stage", await spoken(page.getByRole("region", { name: "Stage", exact: true }).first())],
  ]);
});

test("read the outcomes", async (t) => {
  const page = await open(t, WINDOW);
  const it = bench(page);
  await it.choose("The order of the lanes");
  await it.show("Outcomes");
  const panel = page.getByRole("tabpanel", { name: /^Outcomes/ });
  await panel.getByRole("button", { name: /replay/i }).first().waitFor();
  await panel.getByText("Complete").first().waitFor();
  await compare("read-the-outcomes", [["Outcomes", await spoken(panel)]]);
});
