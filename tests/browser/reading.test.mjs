// What stands beside the run: the bits of the instruction at hand, and what is
// known of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { open } from "./harness.mjs";

test("Explain lights the line of the pseudo-code and gives its variables", async (t) => {
  const it = bench(await open(t));
  const explain = it.page.getByRole("region", { name: "Explain" });
  const lit = explain.locator("li[aria-current=step]");
  assert.equal(await lit.count(), 0);
  await it.timeline.fill("3");
  await lit.filter({ hasText: "surface[offset] = op(old, src0[i], src1[i])" }).waitFor();
  for (const variable of ["i = 2", "offset = 0x4", "old = 0x1"]) {
    await explain.getByText(variable, { exact: true }).waitFor();
  }
  await it.button("To start").click();
  await lit.waitFor({ state: "detached" });
});

test("Explain marks what is assumed, and the operation at hand in its table", async (t) => {
  const it = bench(await open(t));
  const explain = it.page.getByRole("region", { name: "Explain" });
  const row = explain.locator("tr[aria-current]");
  assert.match(await row.innerText(), /^INC\b/);
  for (const mark of ["documented", "observed", "assumed"]) {
    assert.ok((await explain.getByText(mark, { exact: true }).count()) > 0, mark);
  }
  const taken = explain.getByText(/^Taken here: The table$/);
  assert.equal(await taken.isVisible(), false);
  await explain.getByText("The pseudo-code returns the old value for every operation").focus();
  await it.page.keyboard.press("Enter");
  await taken.waitFor({ state: "visible" });
});

test("Encoding follows the text", async (t) => {
  const it = bench(await open(t));
  const encoding = it.page.getByRole("region", { name: "Encoding" });
  await encoding.getByText(/^7d 02 04 00 00 00 20 00/).waitFor();
  await encoding.getByText("19 fields").click();
  await encoding.getByText("INC: new = old + 1").waitFor({ state: "visible" });
  const text = await it.program.inputValue();
  await it.program.fill(text.replace("dword_atomic.inc", "dword_atomic.dec"));
  await encoding.getByText(/^7d 03 04/).waitFor();
  await encoding.getByText("DEC: new = old - 1").waitFor({ state: "visible" });
});
