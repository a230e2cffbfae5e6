// State pane: initial values, last and next writes, watches, formats, and
// virtualised registers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, chromiumOnly, close, doubleClick, download, eventually, hasFocus, open, settled } from "./harness.mjs";

/** The cell at an index in a named row. */
const cellOf = (it, tab, row, index) =>
  it.panel(tab).getByRole("row", { name: row }).getByRole("cell").nth(index).getByRole("button");

test("an initial value is edited in its cell by keyboard, and can be undone", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const { page } = it;
  await it.choose("Compare-and-swap lock");
  await it.timeline.fill("3");
  const before = await it.program.inputValue();
  const tab = "Shared local memory";
  await it.tab(tab);
  const rows = page.getByLabel("Memory rows");
  await rows.focus();
  await page.keyboard.press("Enter");
  const bar = page.getByRole("group", { name: /^Cell slm/ });
  await bar.waitFor();
  // To slm[0x40], wherever the grid is scrolled.
  for (let i = 0; i < 20; i++) {
    const name = await bar.getAttribute("aria-label");
    const at = Number(name.match(/\[(0x[0-9a-f]+)\]/)[1]);
    if (at === 0x40) break;
    await page.keyboard.press(at < 0x40 ? "ArrowDown" : "ArrowUp");
    await page.waitForFunction(
      (old) => document.querySelector("[role=group][aria-label^=Cell]").getAttribute("aria-label") !== old,
      name,
    );
  }
  await it.at("step 3 of 16");
  await page.keyboard.press("Enter");
  const input = page.getByRole("textbox", { name: "Initial value of slm[0x40]" });
  await input.waitFor();
  await hasFocus(input);
  await eventually(() => input.inputValue(), "0");
  await bar.getByText("You are editing the initial value").waitFor();

  // An invalid value is reported and kept.
  await page.keyboard.type("zz");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("“zz” as ud: not a number.").waitFor();
  assert.equal(await input.inputValue(), "zz");
  assert.deepEqual(await axe(page), []);

  // Escape discards the edit and returns focus to the cell.
  await page.keyboard.press("Escape");
  await input.waitFor({ state: "detached" });
  assert.equal(await it.program.inputValue(), before);
  await page.locator(":focus", { hasText: "101" }).waitFor();

  await page.keyboard.press("Enter");
  await input.waitFor();
  await input.fill("7");
  await page.keyboard.press("Enter");
  await input.waitFor({ state: "detached" });
  await page.waitForFunction(() => /slm\[0x40\] : ud = 7\n/.test(document.querySelector("#program-text").value));
  await it.summary(/expected 0, found 7: not swapped/);
  await page.locator(":focus", { hasText: "7" }).waitFor();
  await bar.getByText("Initial value 7").waitFor();
  await it.program.focus();
  await page.keyboard.press("Control+z");
  await it.summary(/expected 0, found 101: not swapped/);
  await eventually(() => it.program.inputValue(), before);
});

test("initial values of registers, masks and lanes of a warp", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const { page } = it;
  const edit = async (name, value, wanted) => {
    const input = page.getByRole("textbox", { name: `Initial value of ${name}`, exact: true });
    await input.waitFor();
    await input.fill(value);
    await input.press("Enter");
    await input.waitFor({ state: "detached" });
    await page.waitForFunction((text) => document.querySelector("#program-text").value.includes(text), wanted);
  };
  await it.choose("Two EUs, one counter");
  await it.tab("Registers");
  const eu1 = page.getByRole("rowgroup", { name: "EU1", exact: true });
  await doubleClick(eu1.getByRole("button", { name: "1111 1111", exact: false }).first());
  await edit("EU1.em", "0xf", ".init EU1.em = 0xf\n");
  await it.panel("Registers").getByLabel("Format").selectOption("unsigned");
  await doubleClick(eu1.getByRole("button").nth(3));
  await edit("EU1.V32[2]", "4", ".init EU1.V32 = 0, 0, 4");
  await it.choose("INC wraps at its bound");
  await it.tab("Registers");
  const row = it.panel("Registers").getByRole("row").nth(1);
  await doubleClick(row.getByRole("button", { name: "1", exact: true }));
  await edit("P0 lane 0", "0", ".init P0 = 0xfe\n");
});

test("focus stays with the cell when its editor closes or its row scrolls away", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const { page } = it;
  const tab = "Shared local memory";
  await it.tab(tab);
  await doubleClick(cellOf(it, tab, "0x0000", 1));
  const isOnCell = () => page.waitForFunction(() => document.activeElement.dataset.at?.endsWith(":4"));
  await hasFocus(page.getByRole("textbox", { name: "Initial value of slm[0x4]" }));
  await page.keyboard.press("Escape");
  await isOnCell();
  await page.getByRole("group", { name: "Cell slm[0x4]" }).getByRole("button", { name: "Close" }).click();
  await isOnCell();
  // Again, and far away from it.
  await doubleClick(cellOf(it, tab, "0x0000", 1));
  await hasFocus(page.getByRole("textbox", { name: "Initial value of slm[0x4]" }));
  await page.keyboard.press("Escape");
  await page.getByRole("group", { name: "Memory rows" }).evaluate((rows) => (rows.scrollTop = rows.scrollHeight));
  await page.getByRole("rowheader", { name: "0x03f0" }).waitFor();
  await isOnCell();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("group", { name: "Cell slm[0x8]" }).waitFor();
  // While its value is edited.
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Initial value of slm[0x8]" }).waitFor();
  await page.getByRole("group", { name: "Cell slm[0x8]" }).getByRole("button", { name: "Close" }).click();
  await hasFocus(page.getByRole("group", { name: "Memory rows" }));
});

test("on a phone State shows writes made while another pane was open", async (t) => {
  const it = bench(await open(t, { width: 360, height: 780 }));
  await it.show("Program");
  await it.program.fill(
    ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n.slm 4096\n.init V32 = splat(0x800)\n" +
      "dword_atomic.inc (M1, 4) %slm V32.0 %null.0 %null.0 %null.0\n",
  );
  await it.tab("Shared local memory");
  const row = it.page.getByRole("rowheader", { name: "0x0800" });
  const seen = () =>
    row.evaluate((head) => {
      const [own, box] = [head, head.closest(".memory")].map((e) => e.getBoundingClientRect());
      return own.top >= box.top - 1 && own.bottom <= box.bottom + 1;
    });
  await it.show("Stage");
  await it.button("Step").click();
  await it.show("State");
  await row.waitFor();
  await eventually(seen, true);
});

/** Address of the first memory row entirely in view. */
const firstRow = (it) =>
  it.page.getByRole("group", { name: "Memory rows" }).evaluate((box) => {
    const top = box.querySelector(".heads").getBoundingClientRect().bottom;
    const heads = [...box.querySelectorAll("[role=rowheader]")];
    return heads.find((head) => head.getBoundingClientRect().top >= top - 1)?.textContent;
  });

test("a grid keeps its scroll position when reopened", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const { page } = it;
  const memory = "Shared local memory";
  await it.tab("Registers");
  await doubleClick(it.panel("Registers").getByRole("rowgroup", { name: "EU0" }).getByRole("button").nth(1));
  await page.keyboard.press("Escape");
  await it.tab(memory);
  // A box that is not laid out yet does not scroll.
  const rows = page.getByRole("group", { name: "Memory rows" });
  const scroll = (top) =>
    eventually(() => rows.evaluate((box, top) => {
      box.scrollTop = top;
      return box.scrollTop;
    }, top), top);
  await scroll(24 * 20);
  await eventually(() => firstRow(it), "0140");
  // Another tab, by its name or through the edited cell.
  await it.tab("Registers");
  await it.tab(memory);
  await eventually(() => firstRow(it), "0140");
  await scroll(24 * 30);
  await eventually(() => firstRow(it), "01e0");
  await it.button("Edit initial value").click();
  await it.panel("Registers").waitFor();
  await page.keyboard.press("Escape");
  await it.tab(memory);
  await eventually(() => firstRow(it), "01e0");
});

test("on a phone State keeps its scroll position rather than following a step", async (t) => {
  const it = bench(await open(t, { width: 360, height: 780 }));
  await it.show("Program");
  await it.program.fill(
    ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n.slm 4096\n.init V32 = splat(0x800)\n" +
      "dword_atomic.inc (M1, 4) %slm V32.0 %null.0 %null.0 %null.0\n",
  );
  await it.tab("Shared local memory");
  await it.show("Stage");
  await it.button("Step").click();
  await it.show("State");
  await it.page.getByRole("rowheader", { name: "0x0800" }).waitFor();
  const rows = it.page.getByRole("group", { name: "Memory rows" });
  await rows.evaluate((box) => (box.scrollTop = 24 * 20));
  await it.page.getByRole("rowheader", { name: "0x0800" }).waitFor({ state: "detached" });
  const first = await firstRow(it);
  await it.show("Stage");
  await it.show("State");
  await rows.waitFor();
  await eventually(() => firstRow(it), first);
});

test("with errors in the text, commands that seek to writes are disabled", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const tab = "Shared local memory";
  await it.tab(tab);
  await it.toEnd();
  await cellOf(it, tab, "0x0000", 1).click();
  const bar = it.page.getByRole("group", { name: "Cell slm[0x4]" });
  await bar.getByRole("button", { name: "Watch", exact: true }).click();
  await it.button("Go to start").click();
  await it.timeline.fill("11");
  const names = ["Edit initial value", "Go to last write", "Go to next write", "Continue to the next write"];
  const disabled = () => Promise.all(names.map((name) => it.button(name).getAttribute("aria-disabled")));
  await eventually(disabled, [null, null, null, null]);
  await it.program.fill("nonsense");
  await eventually(disabled, ["true", "true", "true", "true"]);
});

test("last write, next write and watches", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const { page } = it;
  const tab = "Shared local memory";
  await it.tab(tab);
  await cellOf(it, tab, "0x0000", 1).click();
  const bar = page.getByRole("group", { name: "Cell slm[0x4]" });
  await bar.getByText("At the start of the run.").waitFor();
  const tool = (name) => bar.getByRole("button", { name, exact: true });
  await tool("Go to next write").click();
  await it.at("step 2 of 16");
  await it.button("Run to end").click();
  await it.at("step 16 of 16");
  // There is no later write.
  await bar.getByText(/^Written by this step\. Lane 15/).waitFor();
  await eventually(() => tool("Go to last write").getAttribute("aria-disabled"), "true");
  await it.timeline.fill("11");
  const writer = await bar.getByText(/^Last written by step/).innerText();
  const step = writer.match(/step (\d+)\./)[1];
  await tool("Go to last write").click();
  await it.at(`step ${step} of 16`);
  await it.button("Run to end").click();
  await tool("Go to next write").click();
  await page.getByRole("status", { name: "Cell search" }).getByText("No later step writes").waitFor();

  await tool("Watch").click();
  const watches = page.getByRole("group", { name: "Watches" });
  await watches.getByText("slm[0x4]").waitFor();
  await it.button("Stepping options").click();
  await page.getByRole("group", { name: "Stepping options" }).getByText(/^\d+ writes of watched cells$/).waitFor();
  await page.keyboard.press("Escape");
  await it.button("Go to start").click();
  const at = () => it.timeline.inputValue();
  const stops = [];
  while (stops.at(-1) !== step) {
    await it.button("Continue to the next write").click();
    await page.waitForFunction((old) => document.querySelector("input[type=range]").value !== old, stops.at(-1) ?? "0");
    stops.push(await at());
  }
  // A run stops there too.
  await it.button("Go to start").click();
  await it.button("Stepping options").click();
  await page.getByLabel("Speed").selectOption("As fast as possible");
  await page.keyboard.press("Escape");
  for (const stop of stops) {
    await it.button("Run").click();
    await it.at(`step ${stop} of 16`);
    await it.button("Run").waitFor();
  }
  assert.deepEqual(await axe(page), []);
  await it.button("Stop watching slm[0x4]").click();
  await watches.waitFor({ state: "detached" });
});

test("a pane keeps its format between visits", async (t) => {
  const it = bench(await open(t));
  const tab = "Shared local memory";
  await it.tab(tab);
  await it.panel(tab).getByLabel("Format").selectOption("16-bit hexadecimal");
  await it.tab("Registers");
  await it.panel("Registers").getByLabel("Format").selectOption("df: 64-bit float");
  await it.panel("Registers").getByTitle(/^0x[0-9a-f]{16}/).first().waitFor();
  await settled(it.page);
  await it.page.reload();
  await it.summary(/^At the start/);
  await it.tab("Registers");
  const chosen = (label) => it.page.getByLabel(label, { exact: true }).evaluate((e) => e.selectedOptions[0].text);
  await eventually(() => chosen("Format"), "df: 64-bit float");
  await it.tab(tab);
  await eventually(() => chosen("Format"), "16-bit hexadecimal");
});

test("an unmapped address is reported", async (t) => {
  const it = bench(await open(t));
  await it.tab("Shared local memory");
  const field = it.page.getByLabel("Go to address");
  await field.fill("0x7fffffff");
  await field.press("Enter");
  await eventually(() => field.evaluate((e) => e.validationMessage), "This address is not mapped.");
});

for (const width of [1400, 360]) {
  test(`values of neighbouring cells do not overlap, ${width} pixels`, async (t) => {
    const it = bench(await open(t, { width }));
    for (const scenario of ["Regions, one by one", "Guards and idle lanes", "Histogram with conflicts"]) {
      await it.choose(scenario);
      for (let step = 0; step < 9 && (await it.button("Step").isEnabled()); step++) await it.button("Step").click();
      await it.tab("Registers");
      const overlaps = () => it.panel("Registers").getByRole("table").evaluate((table) => {
        const texts = [...table.querySelectorAll("[role=row]")].map((row) =>
          [...row.querySelectorAll("button .now")].map((value) => value.getBoundingClientRect()));
        return texts.flatMap((row) => row.filter((box, i) => i > 0 && box.left < row[i - 1].right).map(({ left }) => left));
      });
      await settled(it.page);
      assert.deepEqual(await overlaps(), [], scenario);
    }
  });
}

test("a region that shrinks still shows its rows", async (t) => {
  const it = bench(await open(t));
  await it.program.fill(".region svm 0x10000 33554432\n");
  await it.tab("Shared virtual memory");
  const rows = it.panel("Shared virtual memory").getByRole("row");
  const field = it.page.getByLabel("Go to address");
  await field.fill("0x1000000");
  await field.press("Enter");
  await rows.filter({ hasText: "1000000" }).first().waitFor();
  await it.program.fill(".region svm 0x10000 4096\n");
  // The start or the end, depending on when the browser scrolls.
  const heads = it.panel("Shared virtual memory").getByRole("rowheader");
  await eventually(async () => (await heads.allInnerTexts())[0], /^10[0-9a-f]{2}0$/);
});

test("64 variables of 4 KB are virtualised and follow the change", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  const { page } = it;
  const decls = Array.from({ length: 64 }, (_, i) => `.decl X${i} v_type=G type=ud num_elts=1024\n`);
  await it.program.fill(
    `${decls.join("")}dword_atomic.inc (M1, 8) %slm X0.0 %null.0 %null.0 X63.4064\n`,
  );
  await it.summary("At the start. 1 instruction.");
  await it.tab("Registers");
  const files = page.getByLabel("Register files");
  const lines = () => files.getByRole("row").count();
  await eventually(lines, (lines) => lines < 50);
  await it.button("Step").click();
  await files.getByText("X63").or(files.getByText("[1014]")).or(files.getByText("[1012]")).or(files.getByText("[1008]")).first().waitFor();
  await files.locator(".same, .changed").first().waitFor();
  await eventually(lines, (lines) => lines < 50);
  // A step with all of them is cheap.
  const spent = [];
  for (let i = 0; i < 6; i++) {
    spent.push(
      await page.evaluate(async () => {
        const start = performance.now();
        [...document.querySelectorAll("button")].find((b) => b.getAttribute("aria-label") === "Step").click();
        await new Promise((resolve) => setTimeout(resolve));
        document.body.getBoundingClientRect();
        return performance.now() - start;
      }),
    );
  }
  t.diagnostic(`${spent.map((ms) => ms.toFixed(1)).join(", ")} ms a step`);
});

test("a memory has row headings, four dwords per row, and eight where they fit", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  const { page } = it;
  const tab = "Shared local memory";
  await it.tab(tab);
  const heads = () => it.panel(tab).getByRole("columnheader").allInnerTexts();
  const eight = ["+0", "+4", "+8", "+C", "+10", "+14", "+18", "+1C"];
  const state = page.getByRole("region", { name: "State" });
  const wide = async (width, wanted) => {
    await state.evaluate((e, width) => (e.style.width = width), width);
    await it.panel(tab).getByRole("columnheader", { name: wanted.at(-1), exact: true }).waitFor();
    await page.waitForFunction(
      ([count]) => document.querySelectorAll("#state-panel [role=columnheader]").length === count,
      [wanted.length + 1],
    );
    await eventually(async () => (await heads()).slice(1), wanted);
  };
  await wide("320px", eight.slice(0, 4));
  await wide("700px", eight);
  // The same addresses: the second row is now 0x20.
  await it.panel(tab).getByRole("rowheader", { name: "0x0020" }).waitFor();
  await eventually(() => it.panel(tab).getByRole("rowheader", { name: "0x0010" }).count(), 0);
  await it.panel(tab).getByLabel("Format").selectOption("16-bit hexadecimal");
  await it.panel(tab).getByRole("columnheader", { name: "+2", exact: true }).waitFor();
});

test("four dwords of a register are in view at the default width", async (t) => {
  const it = bench(await open(t, { path: "/#scenario=dpasw-int8", width: 1400, height: 900 }));
  await it.tab("Registers");
  const files = it.page.getByLabel("Register files");
  const line = files.getByRole("row").filter({ hasText: "[4]" }).first();
  await line.waitFor();
  await eventually(() => line.getByRole("button").count(), 4);
  const edges = async () => [await line.getByRole("button").last().boundingBox(), await files.boundingBox()];
  const isWhole = ([last, box]) => last.x + last.width <= box.x + box.width;
  await eventually(edges, isWhole, "the fourth column is whole");
  await eventually(() => files.evaluate((e) => e.scrollWidth - e.clientWidth), 0);
});

test("an unchanged write is shown as a write, a failed compare as a read", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  await it.choose("Compare-and-swap lock");
  await it.timeline.fill("1");
  const tab = "Shared local memory";
  await it.tab(tab);
  const row = it.panel(tab).getByRole("row", { name: "0x0040" });
  await row.getByText("changed from 0 →").waitFor();
  // A failed compare writes nothing.
  await it.button("Step").click();
  await eventually(async () => (await it.cells(row))[0], "read 101");
  // Lane 0 exchanges a 7 for a 7.
  await it.program.fill(`.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.slm 64
.init V33 = splat(7)
.init slm[0] : ud = 7
dword_atomic.xchg (M1, 1) %slm V32.0 V33.0 %null.0 %null.0
`);
  await it.at("step 1 of 1");
  await it.tab(tab);
  const first = it.panel(tab).getByRole("row", { name: "0x0000" });
  await eventually(async () => (await it.cells(first))[0], "written, unchanged: 7 → 7");
});

test("the same lane and cell are highlighted in Lanes and State", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  const { page } = it;
  const tab = "Shared local memory";
  await it.tab(tab);
  const lanes = page.getByRole("group", { name: "Lanes table" }).last();
  const lit = (box) => box.locator("tr.lit");
  // Lane 2 accesses slm[0x4].
  await lanes.getByRole("row").nth(3).getByRole("rowheader").hover();
  await page.locator("#state-panel .cell.lit").waitFor();
  await eventually(() => page.locator("#state-panel .cell.lit").getAttribute("data-at"), /:4$/);
  await eventually(() => lit(lanes).count(), 1);
  // From the cell to its lanes: four samples hit slm[0x0] in the first
  // scenario.
  await cellOf(it, tab, "0x0000", 3).hover();
  await lit(lanes).nth(1).waitFor();
  const names = () => lit(lanes).evaluateAll((rows) => rows.map((row) => row.querySelector("th").innerText.trim()));
  await eventually(names, ["4", "11"]);
  // By keyboard: focus a row, and press an arrow key.
  await lanes.getByRole("row").nth(1).focus();
  await page.keyboard.press("ArrowDown");
  await lanes.locator("tr.lit[data-unit='0.1']").waitFor();
  // A lane, its offset and its Dst element highlight each other.
  await it.tab("Registers");
  await lanes.getByRole("row").nth(6).getByRole("rowheader").hover();
  const cells = () =>
    page.locator("#state-panel .cell.lit").evaluateAll((all) =>
      all.map((cell) => {
        const line = cell.closest("[role=row]");
        const name = line.querySelector("[role=rowheader]").innerText.trim();
        return [name, [...line.querySelectorAll("button")].indexOf(cell)];
      }),
    );
  // Each variable has two registers of eight elements, four per line.
  await eventually(cells, [["[4] r0", 1], ["[4] r2", 1]]);
  await page.locator("#state-panel .cell.lit").first().hover();
  await lanes.locator("tr.lit[data-unit='0.5']").waitFor();
  await eventually(names, ["5"]);
});

test("Tab goes on to the next cell", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const { page } = it;
  const tab = "Shared local memory";
  await it.tab(tab);
  await doubleClick(cellOf(it, tab, "0x0010", 0));
  const input = (at) => page.getByRole("textbox", { name: `Initial value of slm[${at}]`, exact: true });
  await hasFocus(input("0x10"));
  await input("0x10").fill("5");
  await page.keyboard.press("Tab");
  await hasFocus(input("0x14"));
  await page.keyboard.press("Shift+Tab");
  await hasFocus(input("0x10"));
  const wrote = (text) => eventually(() => it.program.inputValue(), (program) => program.includes(text));
  await wrote(".init slm[0x10] : ud = 5\n");
});

test("a pasted list fills cells", { skip: chromiumOnly("Firefox drops the data of synthetic clipboard events") }, async (t) => {
  const it = bench(await open(t, { width: 1400, height: 1000 }));
  const { page } = it;
  const tab = "Shared local memory";
  await it.tab(tab);
  await doubleClick(cellOf(it, tab, "0x0010", 0));
  const input = page.getByRole("textbox", { name: "Initial value of slm[0x10]", exact: true });
  const wrote = (text) => eventually(() => it.program.inputValue(), (program) => program.includes(text));
  const paste = (locator, text) =>
    locator.evaluate((input, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  // Two rows of a spreadsheet.
  await paste(input, "1\t2\n3\t4\n");
  await wrote(".init slm[0x10] : ud = 1, 2, 3, 4\n");
  await page.waitForFunction(() => document.activeElement.dataset.at?.endsWith(":10"));
  await page.keyboard.press("Enter");
  await paste(input, "1, x");
  await page.getByRole("alert").getByText("Value 2 of the list: “x” as ud: not a number.").waitFor();
});

test("scrolling a grid changes nothing else on the page", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  await it.tab("Shared local memory");
  const rows = it.page.getByRole("group", { name: "Memory rows" });
  // Results of the search appear in the tab and on the stage.
  await it.page.getByRole("tab", { name: "Outcomes", exact: true }).filter({ hasText: /\(\d/ }).waitFor();
  await settled(it.page);
  await it.page.evaluate(() => {
    globalThis.elsewhere = 0;
    new MutationObserver((changes) => {
      const outside = changes.filter(({ target }) => !target.parentElement?.closest(".grid") && !target.matches?.(".grid"));
      globalThis.elsewhere += outside.length;
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await rows.evaluate((box) => (box.scrollTop = 24 * 30));
  await it.page.getByRole("rowheader", { name: "0x01e0" }).waitFor();
  await settled(it.page);
  assert.equal(await it.page.evaluate(() => globalThis.elsewhere), 0);
  assert.ok((await rows.getByRole("row").count()) < 45);
});

const LAUNCH = `.target visa TGLLP
.decl N v_type=G type=ud num_elts=1
.decl BINS v_type=G type=uq num_elts=1
.decl A v_type=G type=uq num_elts=8 align=GRF
.launch global=8 local=8
.simd 8
.buffer bins : ud[6] = 5, 6, 7
.buffer empty : f[64]
.bind N = 200:ud
.bind BINS = &bins
mov (M1, 8) A(0,0)<1> BINS(0,0)<0;1,0>
svm_atomic.inc (M1, 8) A.0 %null.0 %null.0 %null.0
`;

test("buffers of a launch: values before and after, last writer, rows, export and file", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  const { page } = it;
  await it.program.fill(LAUNCH);
  const tabs = page.getByRole("tablist", { name: "State" }).getByRole("tab");
  await eventually(async () => (await tabs.allInnerTexts())[0], /Buffers/);
  await it.tab("Buffers");
  const panel = it.panel("Buffers");
  const bins = panel.getByRole("rowgroup", { name: "bins : ud[6]" });
  await bins.waitFor();
  await panel.getByRole("rowgroup", { name: "empty : f[64]" }).waitFor();
  await panel.getByRole("list", { name: "Numbers" }).getByText("N = 200").waitFor();
  await it.toEnd();
  await eventually(async () => (await it.cells(bins.getByRole("row").nth(1)))[0], "changed from 5 → 13");
  await bins.getByText("1 changed by this launch").waitFor();
  // Who wrote it, and when.
  await bins.getByRole("cell").first().getByRole("button").click();
  const bar = page.getByRole("group", { name: "Cell bins[0]" });
  await bar.getByText(/^Written by this step\. Work-item 7 \(lane 7\)/).waitFor();
  await page.keyboard.press("Escape");
  // Three elements per row.
  await panel.getByLabel("Row length of bins").selectText();
  await page.keyboard.type("3");
  await eventually(() => bins.getByRole("rowheader").count(), 3);
  await bins.getByRole("rowheader", { name: "bins[3]" }).waitFor();
  await page.keyboard.type("000");
  await panel.getByRole("status", { name: "Row length" }).getByText("Enter a row length from 1 to 1024.").waitFor();
  assert.equal(await panel.getByLabel("Row length of bins").getAttribute("aria-invalid"), "true");
  for (let i = 0; i < 3; i++) await page.keyboard.press("Backspace");
  await bins.getByRole("rowheader", { name: "bins[3]" }).waitFor();
  const exported = async (format) => download(page, () => it.button(`Export bins as ${format}`).click());
  const csv = await exported("CSV");
  assert.equal(csv.name, "bins.csv");
  assert.equal(csv.bytes.toString(), "Element,0,1,2\r\n0,13,6,7\r\n3,0,0,0\r\n");
  assert.deepEqual(JSON.parse((await exported("JSON")).bytes.toString()), [13, 6, 7, 0, 0, 0]);
  assert.deepEqual([...(await exported("Raw")).bytes.subarray(0, 8)], [13, 0, 0, 0, 6, 0, 0, 0]);
  const file = { name: "b.bin", mimeType: "application/octet-stream", buffer: Buffer.from([9, 0, 0, 0, 8, 0, 0, 0]) };
  await page.getByLabel("File for bins").setInputFiles(file);
  await page.getByRole("status", { name: "Cell search" }).getByText("bins starts with the values of b.bin.").waitFor();
  await eventually(() => it.program.inputValue(), (text) => text.includes(".buffer bins : ud[6] = 9, 8\n"));
  assert.deepEqual(await axe(page), []);
});

test("as many elements of a buffer are beside each other as fit", async (t) => {
  for (const width of [1400, 1100, 700]) {
    const it = bench(await open(t, { width, height: 900 }));
    await it.choose("Tiled matrix product with DPAS");
    await it.show("Program");
    await it.program.fill((await it.program.inputValue()).replace("c : d[256]", "$& = splat(-1234567890)"));
    await it.tab("Buffers");
    const rows = it.page.getByRole("group", { name: "Buffer rows" });
    await rows.getByText("-1234567890").first().waitFor({ state: "attached" });
    await eventually(() => rows.evaluate((e) => e.scrollWidth - e.clientWidth), 0, `${width} px`);
    await close(it.page);
  }
});

test("buffers of vectors and structures have columns by field", async (t) => {
  const it = bench(await open(t, { width: 1400, height: 900 }));
  const { page } = it;
  await it.program.fill(
    LAUNCH.replace(".buffer empty : f[64]", ".buffer empty : f[64]  // const float4 *empty").replace(
      ".bind N",
      ".buffer p : f[7] = 1, 2, 3, 4\n.bind N",
    ),
  );
  await it.tab("Buffers");
  const panel = it.panel("Buffers");
  const empty = panel.getByRole("rowgroup", { name: "empty : float4[16]" });
  await eventually(() => empty.getByRole("columnheader").allInnerTexts(), ["Element", "x", "y", "z", "w"]);
  await panel.getByLabel("Buffer", { exact: true }).selectOption("p");
  const type = panel.getByLabel("Element type of p");
  const enter = async (text) => {
    await type.selectText();
    await page.keyboard.press("Backspace");
    await page.keyboard.type(text);
    assert.equal(await type.inputValue(), text);
  };
  await enter("{float2 pos; flot id;}");
  await panel.getByRole("status", { name: "Element type" }).getByText("character 14: unknown type `flot`").waitFor();
  assert.equal(await type.getAttribute("aria-invalid"), "true");
  assert.deepEqual(await axe(page), []);
  await enter("{float2 pos; uint id;}");
  const p = panel.getByRole("rowgroup", { name: "p : struct[1] + 12 bytes" });
  await eventually(() => p.getByRole("columnheader").allInnerTexts(), ["Element", "pos.x", "pos.y", "id"]);
  await doubleClick(p.getByRole("row").nth(3).getByRole("button").first());
  await page.getByRole("textbox", { name: "Initial value of p[1].pos.x" }).waitFor();
  await page.keyboard.press("Escape");
  const exported = async (format) => download(page, () => it.button(`Export p as ${format}`).click());
  assert.equal((await exported("CSV")).bytes.toString().split("\r\n")[0], "Element,pos.x,pos.y,id");
  assert.equal(JSON.parse((await exported("JSON")).bytes.toString())[0]["pos.y"], 2);
  const bits = it.button("Hex");
  await bits.click();
  await eventually(() => bits.getAttribute("aria-pressed"), "true");
  await eventually(() => it.cells(p.getByRole("row").nth(2)), (cells) => /^1 3f800000/.test(cells[0]));
  await it.toEnd();
  // The tools name the buffer of the last step, which is in view.
  const buffer = panel.getByLabel("Buffer", { exact: true });
  const chosen = () => buffer.evaluate((select) => select.selectedOptions[0].textContent);
  await eventually(chosen, "bins");
  await buffer.selectOption("p");
  await it.button("Next change of p").click();
  await page.getByRole("status", { name: "Cell search" }).getByText("The launch has not changed p so far.").waitFor();
  // Scrolling goes back to it.
  await panel.getByRole("group", { name: "Buffer rows" }).evaluate((rows) => rows.scrollTo({ top: 0 }));
  await eventually(chosen, "bins");
  await it.button("Next change of bins").click();
  await page.getByRole("group", { name: "Cell bins[0]" }).waitFor();
  await panel.getByLabel("Buffer", { exact: true }).selectOption("p");
  await enter("");
  await panel.getByRole("rowgroup", { name: "p : f[7]" }).waitFor();
});

for (const width of [1000, 360]) {
  test(`the inspected cell and watches, ${width} pixels`, async (t) => {
    const it = bench(await open(t, { width, height: 800 }));
    const { page } = it;
    await it.choose("Compare-and-swap lock");
    await it.timeline.fill("3");
    const tab = "Shared local memory";
    await it.tab(tab);
    await doubleClick(cellOf(it, tab, "0x0040", 0));
    await page.getByRole("textbox", { name: "Initial value of slm[0x40]" }).waitFor();
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.getByRole("group", { name: "Watches" }).waitFor();
    assert.deepEqual(await axe(page, { dark: true }), []);
    const wider = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await eventually(wider, 0);
    await it.tab("Registers");
    await page.getByLabel("Register files").getByText("V35").waitFor();
    assert.deepEqual(await axe(page, { dark: true }), []);
  });
}
