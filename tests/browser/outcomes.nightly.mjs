// Time that the outcomes of each bundled scenario take.
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { eventually, open } from "./harness.mjs";

test("every bundled scenario has its outcomes", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const status = page.getByRole("status", { name: "Outcomes summary" });
  await it.show("Outcomes");
  await page.getByRole("button", { name: /^Scenarios/ }).click();
  const dialog = page.getByRole("dialog", { name: "Choose a scenario" });
  const labels = await eventually(() => dialog.locator("[role=option] b").allTextContents(), (all) => all.length > 40);
  await page.keyboard.press("Escape");
  await it.fromMenu("Program menu", "Plain text");
  let [slowest, name] = [0, ""];
  for (const label of labels) {
    await it.choose(label);
    // The same text again: a new search without the download.
    const text = await it.program.inputValue();
    const took = await page.evaluate(async (text) => {
      const area = document.getElementById("program-text");
      const summary = () => document.querySelector(".outcomes-summary")?.textContent ?? "";
      const done = () => summary() !== "" && !summary().startsWith("Computing");
      const start = performance.now();
      area.value = `${text}\n// again`;
      area.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => {
        const look = () => (done() ? resolve() : setTimeout(look, 0));
        setTimeout(look, 0);
      });
      return performance.now() - start;
    }, text);
    const told = (await status.textContent()).replaceAll(/\s+/g, " ");
    console.log(`  ${took.toFixed(1).padStart(6)} ms  ${label}: ${told}`);
    if (took > slowest) [slowest, name] = [took, label];
  }
  console.log(`  slowest: ${slowest.toFixed(1)} ms, ${name}`);
});
