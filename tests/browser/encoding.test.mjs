// Encoding tab: display, highlight, editing and pasting.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { allowClipboard, axe, eventually, hasFocus, open } from "./harness.mjs";

/** The page with the Encoding tab open. */
async function encodingOf(t, options) {
  const it = bench(await open(t, options));
  await it.show("Encoding");
  const pane = it.page.getByRole("region", { name: "Encoding" });
  await pane.getByRole("button", { name: "Copy" }).waitFor();
  await eventually(() => pane.getByRole("textbox", { name: /^(Bytes|Word)$/ }).inputValue(), /./);
  const box = (name) => pane.getByRole("textbox", { name, exact: true });
  const row = (name) =>
    pane.getByRole("table", { name: "Fields", exact: true }).getByRole("row").filter({
      has: it.page.getByRole("rowheader", { name, exact: true }),
    });
  return { ...it, pane, box, row };
}

/** Waits until a text box has or matches a value. */
async function holds(box, wanted) {
  const element = await box.elementHandle();
  const [source, exact] = wanted instanceof RegExp ? [wanted.source, null] : [null, wanted];
  await box.page().waitForFunction(
    ([element, source, exact]) =>
      source === null ? element.value === exact : new RegExp(source).test(element.value),
    [element, source, exact],
  );
}

test("a program of a chip without known encodings is not in error", async (t) => {
  const it = bench(await open(t, { path: "/#scenario=cuda-collatz" }));
  await it.show("Encoding");
  const pane = it.page.getByRole("region", { name: "Encoding" });
  await pane.getByText("Encodings of SM75 are not supported.").waitFor();
  assert.equal(await pane.getByText("error", { exact: true }).count(), 0);
});

test("digits and text follow each other, and undo reverts an edit", async (t) => {
  const it = await encodingOf(t);
  const bytes = it.box("Bytes");
  await holds(bytes, /^7d 02 04 00 00 00 20 00/);
  const before = await it.program.inputValue();
  const digits = await bytes.inputValue();
  await bytes.fill(digits.replace("7d 02", "7d 03"));
  await holds(it.program, before.replace("dword_atomic.inc", "dword_atomic.dec"));
  await hasFocus(bytes);
  await it.program.focus();
  await it.page.keyboard.press("ControlOrMeta+z");
  await holds(it.program, before);
  await holds(bytes, digits);
  await it.program.fill(before.replace("(M1, 16)", "(M1, 8)"));
  await holds(bytes, /^7d 02 03 00/);
});

test("invalid digits stay, with an explanation, and change nothing", async (t) => {
  const it = await encodingOf(t);
  const bytes = it.box("Bytes");
  const digits = await bytes.inputValue();
  const before = await it.program.inputValue();
  for (const [typed, said] of [
    [digits.replace("7d", "7x"), "character 2: `x` is not a hexadecimal digit; use 0 to 9 and a to f"],
    [`${digits} 0`, "character 91: `0` has 1 digit, expected two per byte: 07, not 7"],
    [digits.slice(0, 20), "the bytes end after 7: expected Element_offset id of DWORD_ATOMIC"],
    [digits.replace("7d", "fe"), /fe/],
    [`${digits} 00`, "the instruction ends after 30 bytes"],
  ]) {
    await bytes.fill(typed);
    await it.pane.getByRole("status").getByText(said).waitFor();
    assert.equal(await bytes.inputValue(), typed);
    await eventually(() => bytes.getAttribute("aria-invalid"), "true");
    assert.equal(await it.program.inputValue(), before);
  }
  await it.button("Revert to the text").click();
  await holds(bytes, digits);
  await eventually(() => bytes.getAttribute("aria-invalid"), null);
});

test("bytes that break a rule or set ignored bits are written with a warning", async (t) => {
  const it = await encodingOf(t);
  const bytes = it.box("Bytes");
  const digits = await bytes.inputValue();
  await bytes.fill(digits.replace("7d 02", "7d 42"));
  await it.pane.getByText("Op reserved in byte 1 is 0x1, expected 0").waitFor();
  // 32 lanes do not fit in the variables: the text has an error, and typing can
  // continue.
  await bytes.fill(digits.replace("7d 02 04", "7d 02 05"));
  await it.summary(/^\d+ errors?\./);
  await holds(it.program, /inc \(M1, 32\)/);
  await bytes.fill(digits);
  await holds(it.program, /inc \(M1, 16\)/);
  await it.summary(/^At the start/);
});

test("undeclared variables are reported, and declared on request", async (t) => {
  const it = await encodingOf(t);
  const bytes = it.box("Bytes");
  await bytes.fill((await bytes.inputValue()).replace("21 00", "23 00"));
  await it.pane.getByText("byte 24: Dst 35 is not declared").waitFor();
  await it.button("Declare and write").click();
  await holds(it.program, /\.decl V34 [^\n]*\n\.decl V35 /);
  await holds(it.program, /%null\.0 V35\.0/);
  await it.summary(/^At the start/);
});

test("a field highlights its digits, and its value can be edited", async (t) => {
  const it = await encodingOf(t);
  const op = it.row("Op");
  await eventually(async () => (await op.innerText()).replaceAll(/\s+/g, " "), /b Op byte 1, bits 4–0 INC: new = old \+ 1/);
  await op.hover();
  await it.pane.locator(".bit-digits [data-lit]").first().waitFor();
  await eventually(() => it.pane.locator(".bit-digits [data-lit]").allInnerTexts(), ["0", "2"]);
  await eventually(() => it.pane.locator(".bit-box[data-lit]").allInnerTexts(), ["b"]);
  await it.page.getByRole("tab", { name: "Lanes" }).hover();
  await it.pane.locator(".bit-box[data-lit]").waitFor({ state: "detached" });
  const value = it.box("Op: value");
  await value.focus();
  await it.pane.locator(".bit-box[data-lit]").waitFor();
  await value.fill("0x3");
  await holds(it.program, /dword_atomic\.dec/);
  await value.fill("0x3f");
  await it.pane.getByText("0x3f does not fit in 5 bits; the maximum is 0x1f").waitFor();
  await holds(it.program, /dword_atomic\.dec/);
  await value.fill("0x1e");
  await it.pane.getByText(/Op 0x1e is not defined for DWORD_ATOMIC/).waitFor();
  await eventually(() => value.getAttribute("aria-invalid"), "true");
  const described = (input) => document.getElementById(input.getAttribute("aria-describedby"))?.textContent;
  await eventually(() => value.evaluate(described), /Op 0x1e is not defined for DWORD_ATOMIC/);
});

test("text and field highlight each other without other re-renders", async (t) => {
  const it = await encodingOf(t);
  const op = it.row("Op");
  await op.hover();
  const lit = it.page.locator(".cm-lit");
  await eventually(() => lit.allInnerTexts(), ["inc"]);
  const stage = it.page.getByRole("region", { name: "Stage", exact: true }).first();
  // The search for outcomes must end first: the stage names its result.
  await stage.getByRole("note", { name: "Result of this order" }).filter({ hasText: /./ }).waitFor();
  await stage.evaluate((element) => {
    globalThis.drawn = 0;
    const observer = new MutationObserver((changes) => { globalThis.drawn += changes.length; });
    observer.observe(element, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await it.page.locator(".cm-line").filter({ hasText: /^dword_atomic/ }).getByText(/^\.?inc$/).first().hover();
  await eventually(() => it.pane.locator(".field-row[data-lit]").count(), 1);
  await eventually(() => op.getAttribute("data-lit"), "");
  await eventually(() => lit.count(), 0);
  await it.page.getByRole("tab", { name: "Lanes" }).hover();
  await eventually(() => it.pane.locator(".field-row[data-lit]").count(), 0);
  assert.equal(await it.page.evaluate(() => globalThis.drawn), 0);
});

test("a word has a slot of the control word", async (t) => {
  const it = await encodingOf(t);
  await it.choose("CAS and its pair of registers");
  await holds(it.box("Word"), "0xeef0000000470200");
  const slot = it.box("Control slot");
  await holds(slot, "0x0007f0");
  await it.pane.getByText(/^The text does not specify this instruction's slot/).waitFor();
  await slot.fill("0x7f2");
  await holds(it.program, /R5 \?stall2;/);
  await it.box("Word").fill("0xeef1000000470200");
  await holds(it.program, /ATOM\.E\.CAS R0, \[R2\], R4, R5 \?stall2;/);
});

test("bytes are pasted, decoded and inserted by keyboard alone", async (t) => {
  const it = await encodingOf(t, { width: 1400, height: 1000 });
  const own = await it.box("Bytes").inputValue();
  const summary = it.pane.getByText("Decode bytes", { exact: true });
  await summary.focus();
  await it.page.keyboard.press("Enter");
  const area = it.box("Bytes to decode");
  await area.fill(own.replace("21 00", "22 00").replaceAll(" ", ", 0x").replace("7d", "0x7d"));
  await it.pane.getByText("dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V34.0").waitFor();
  await it.pane.getByRole("listitem").getByText("19 fields").waitFor();
  await it.pane.getByText(".decl V34 v_type=G type=ud num_elts=16 align=GRF").waitFor();
  await it.button("Insert into the program").focus();
  await it.page.keyboard.press("Enter");
  await it.pane.getByText(/^Inserted at line \d+\.$/).waitFor();
  await holds(it.program, /V33\.0\ndword_atomic\.inc \(M1, 16\) %slm V32\.0 %null\.0 %null\.0 V34\.0/);
  await it.summary(/2 instructions/);
  await area.fill("7d 0q");
  await it.pane.getByText("character 5: `q` is not a hexadecimal digit").waitFor();
});

test("SASS words are decoded beside a vISA program", async (t) => {
  const it = await encodingOf(t);
  await it.pane.getByText("Decode bytes", { exact: true }).click();
  await it.pane.getByLabel("Instruction set").selectOption("SASS");
  await it
    .box("Bytes to decode")
    .fill("0x001fc000fe2007f2 0xeef0000000470200 0xeef0000000470200 0xeef0000000470200");
  await it.pane.getByText("Word 1: control").waitFor();
  await it.pane.getByText(/^ATOM\.CAS R0, \[R2\], R4, R5 \?stall2/).waitFor();
  await it.pane.getByText("The program is vISA, but these are SASS instructions.").waitFor();
  // An expanded item belongs to its instruction: new bytes are collapsed.
  await it.pane.getByText(/^\d+ fields$/).nth(1).click();
  await eventually(() => it.pane.locator(".paste-items details[open]").count(), 1);
  await it.box("Bytes to decode").fill("0xeef0000000470200 0xed30000000470200");
  await it.pane.getByText(/^Word 2/).waitFor();
  await eventually(() => it.pane.locator(".paste-items details[open]").count(), 0);
  await eventually(() => it.button("Insert into the program").getAttribute("aria-disabled"), "true");
});

test("Copy puts the digits on the clipboard", async (t) => {
  const it = await encodingOf(t);
  await allowClipboard(it.page);
  await it.button("Copy").click();
  await it.pane.getByText("Copied").waitFor();
  const copied = await it.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await it.box("Bytes").inputValue());
});

for (const width of [1400, 360]) {
  test(`Encoding: axe finds nothing and nothing is too wide, ${width} px`, async (t) => {
    const it = await encodingOf(t, { width });
    for (const scenario of ["Address through a variable", "CAS and its pair of registers"]) {
      await it.choose(scenario);
      await it.pane.getByText(/^\d+ fields$/).waitFor();
      if (scenario.startsWith("Address")) {
        await it.pane.getByText("Decode bytes", { exact: true }).click();
      }
      await it.box("Bytes to decode").fill("7d 02 04 00");
      const whole = it.pane.getByRole("textbox", { name: /^(Bytes|Word)$/ });
      await whole.fill(`${await whole.inputValue()}00`);
      await it.pane.getByRole("button", { name: "Revert to the text" }).waitFor();
      assert.deepEqual(await axe(it.page, { dark: true }), []);
      const over = () => it.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await eventually(over, (over) => over <= 0, "px too wide");
    }
  });
}
