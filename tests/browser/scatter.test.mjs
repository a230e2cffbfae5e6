// SVM_SCATTER4_SCALED: the planes of Src, lanes down and channels across.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, eventually, open } from "./harness.mjs";

test("a scatter steps forward and back, plane after plane", async (t) => {
  const it = bench(await open(t));
  await it.choose("Four planes, sixteen pixels");
  const lanes = it.page.getByRole("region", { name: "Lanes" });
  await eventually(() => lanes.getByRole("columnheader").allTextContents(), ["Lane", "R", "G", "B", "A"].map((name, at) => (at ? `${name} plane, ch_pos ${at - 1}` : name)));
  await it.timeline.fill("6");
  await it.summary("Lane 5, channel R: svm[0x10050] 0 → 105");
  const lit = lanes.locator("td[aria-current=step]");
  await eventually(() => lit.textContent(), /^105→ 0x10050written, order 6$/);
  await it.timeline.fill("18");
  await it.summary("Lane 1, channel G: svm[0x10014] 0 → 201");
  await eventually(() => lit.textContent(), /^201→ 0x10014written, order 18$/);
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  for (const variable of ["c = 1", "ch_pos = 1", "ch_start = 16", "i = 1"]) {
    await explain.getByText(variable, { exact: true }).waitFor();
  }
  await it.button("Step back").click();
  await it.summary("Lane 0, channel G: svm[0x10004] 0 → 200");
  await it.tab("Shared virtual memory");
  await it.panel("Shared virtual memory").getByText("changed from 0 →").waitFor();
  assert.deepEqual(await axe(it.page), []);
});

test("a gather lists the values read and their addresses", async (t) => {
  const it = bench(await open(t));
  await it.choose("Sixteen pixels, four planes");
  const lanes = it.page.getByRole("region", { name: "Lanes" });
  const row = lanes.getByRole("row").nth(3);
  await eventually(() => row.getByRole("cell").first().textContent(), /^–← 0x10020order 3$/);
  await it.timeline.fill("3");
  await it.summary("Lane 2, channel R: svm[0x10020] = 108 → dst[2]");
  await eventually(() => lanes.locator("td[aria-current=step]").textContent(), /^108← 0x10020read, order 3$/);
  // State marks the cell that was read.
  await it.tab("Shared virtual memory");
  await eventually(() => it.panel("Shared virtual memory").locator("[data-at]").filter({ hasText: "read" }).allTextContents(), ["read 108"]);
});

test("overlapping cells are grouped, and an order names a lane's channel", async (t) => {
  const it = bench(await open(t, { width: 360, height: 780 }));
  await it.choose("Overlapping cells");
  await it.show("Lanes");
  const lanes = it.page.getByRole("region", { name: "Lanes" });
  // Letters and hues stand for channels: overlapping elements are named.
  await eventually(() => lanes.getByTitle("overlaps 1.R").textContent(), " also 1.R");
  await eventually(() => lanes.locator(".group").count(), 0);
  await it.timeline.fill("17");
  await it.summary(/^\s*Lane 3, channel R: svm\[0x2000c\]/);
  assert.deepEqual(await axe(it.page), []);
});
