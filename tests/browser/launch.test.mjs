// Kernels of a compiled program: listed, launched, run to the end, stepped.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, close, drop, eventually, hasFocus, open, sideways } from "./harness.mjs";

const zebin = (name) => readFile(new URL(`../vectors/kernels/zebin/${name}`, import.meta.url));

/** Drops a program, and opens the launch of one of its kernels. */
async function launch(page, file, kernel) {
  await drop(page, file, await zebin(file));
  const list = page.getByRole("dialog", { name: file });
  await list.getByRole("button", { name: `Launch ${kernel}`, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Launch", exact: true });
  await dialog.waitFor();
  return dialog;
}

/** Text of the program, once it matches. */
const programText = (it, pattern) => eventually(() => it.program.inputValue(), pattern);

test("a kernel is opened, launched and run, and its buffer has the result", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const dialog = await launch(page, "basics.dg2.bin", "saxpy_tail");
  await dialog.getByText("SIMD 32").waitFor();
  await dialog.getByText("2 groups of 1 thread").waitFor();
  // Names and types are those of the source, and a number follows a buffer.
  await dialog.getByRole("row", { name: /x const float\*/ }).waitFor();
  await dialog.getByText("as long as").waitFor();
  await dialog.getByLabel("y starts as").fill("splat(1)");
  await dialog.getByLabel("x starts as").fill("iota(0, 1)");
  await dialog.getByLabel("Value of a").fill("2");
  await dialog.getByLabel("Value of n").fill("41");
  await dialog.getByRole("button", { name: "Run to end" }).click();
  await dialog.waitFor({ state: "hidden" });
  const text = await programText(it, /\.launch global=64 local=32 group=1\n/);
  assert.match(text, /\.buffer y : f\[64\] = splat\(1\) {2}\/\/ float \*y\n/);
  assert.match(text, /\.bind V\d+ = 41:ud {2}\/\/ uint n\n/);
  // y = 2 x + 1, up to n.
  const values = [...Array(64).keys()].map((i) => (i < 41 ? 2 * i + 1 : 1));
  await eventually(async () => (await page.getByRole("tabpanel", { name: /Buffers|Shared virtual memory/ }).innerText()).includes("41"), true);
  const state = page.getByRole("region", { name: "State" });
  await eventually(async () => {
    const shown = await state.innerText();
    return values.slice(1, 8).every((value) => shown.includes(String(value)));
  }, true);
});

test("a kernel is stepped from the start, and its launch is edited again", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const dialog = await launch(page, "atomics.tgllp.bin", "histogram");
  await dialog.getByRole("button", { name: "Step from the start" }).click();
  await dialog.waitFor({ state: "hidden" });
  await programText(it, /\.launch global=128 local=64\n/);
  await it.button("Step into").click();
  await it.summary(/or/);
  await it.button("Launch…").click();
  const again = page.getByRole("dialog", { name: "Launch", exact: true });
  await again.getByLabel("Work-items in x").fill("256");
  // Lengths that equal the number of work-items follow it.
  await eventually(() => again.getByLabel("Elements of in", { exact: true }).inputValue(), "256");
  await eventually(() => again.getByLabel("Value of n").inputValue(), "256");
  await again.getByLabel("Work-group to step").fill("3");
  await again.getByRole("button", { name: "Step from the start" }).click();
  await again.waitFor({ state: "hidden" });
  await programText(it, /\.launch global=256 local=64 group=3\n/);
  await it.button("Step into").click();
  await it.summary(/or/);
  // There are four groups: another number is invalid, and nothing moves.
  const group = page.getByLabel(/^Group/);
  await group.fill("4");
  await group.press("Enter");
  assert.ok(await group.evaluate((input) => input.matches(":invalid")));
  await group.fill("2");
  await group.press("Enter");
  await programText(it, /\.launch global=256 local=64 group=2\n/);
});

test("a wrong field says what to change, and prevents the start", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const dialog = await launch(page, "groups.pvc.bin", "reduce_local");
  const size = dialog.getByLabel("Work-group size in x");
  await size.fill("48");
  await eventually(() => dialog.getByRole("status", { name: "Groups" }).textContent(), /^3 groups/);
  await size.fill("0");
  await dialog.getByText(/invalid work-group size of 0 work-items: choose/).waitFor();
  await eventually(() => size.getAttribute("aria-invalid"), "true");
  // Only this field is wrong.
  assert.equal(await dialog.locator("[aria-invalid=true]").count(), 1);
  assert.ok(await dialog.getByRole("button", { name: "Run to end" }).isDisabled());
  await size.fill("many");
  await eventually(() => dialog.locator("[aria-invalid=true]").count(), 1);
  await eventually(() => size.getAttribute("aria-invalid"), "true");
  await size.fill("16");
  await dialog.getByLabel("in starts as").fill("random()");
  await dialog.getByRole("row", { name: /in const int/ }).waitFor();
  await eventually(() => dialog.getByLabel("in starts as").getAttribute("aria-invalid"), "true");
  assert.equal(await dialog.locator("[aria-invalid=true]").count(), 1);
  await dialog.getByLabel("in starts as").fill("");
  await eventually(() => dialog.getByRole("button", { name: "Run to end" }).isEnabled(), true);
  await dialog.getByLabel("File for in").setInputFiles({ name: "in.raw", mimeType: "application/octet-stream", buffer: Buffer.from([1, 2, 3]) });
  await dialog.getByText(/3 bytes, which are not whole elements of 4 bytes/).waitFor();
  await dialog.getByLabel("File for in").setInputFiles({ name: "in.raw", mimeType: "application/octet-stream", buffer: Buffer.from(Int32Array.from([5, -6]).buffer) });
  await eventually(() => dialog.getByLabel("in starts as").inputValue(), "5, -6");
  await dialog.getByRole("button", { name: "Edit as text" }).click();
  await programText(it, /\.buffer in : d\[2\] = 5, -6 /);
});

test("a file chooser that is cancelled leaves the launch open", async (t) => {
  const page = await open(t);
  const dialog = await launch(page, "groups.pvc.bin", "reduce_local");
  await dialog.getByLabel("in starts as").fill("splat(3)");
  await dialog.getByLabel("File for in").dispatchEvent("cancel", { bubbles: true });
  await eventually(() => dialog.getByLabel("in starts as").inputValue(), "splat(3)");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

test("a kernel is launched by keyboard", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await drop(page, "loops.dg2.bin", await zebin("loops.dg2.bin"));
  await hasFocus(page.getByRole("button", { name: "Launch collatz" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Launch", exact: true });
  await dialog.waitFor();
  await dialog.getByLabel("Work-items in x").press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await programText(it, /\.title "collatz"/);
  await page.getByRole("button", { name: "Launch…" }).press("Enter");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

test("files that cannot be used are answered with what to do", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill("// mine\n");
  for (const [name, bytes, why] of [
    ["saxpy.cl", Buffer.from("kernel void saxpy(global float *y) { y[0] = 1; }\n"), /OpenCL C; compile it with `ocloc compile/],
    ["saxpy.asm", Buffer.from("//.kernel saxpy\n//.platform DG2\nL0:\n(W)     mov (16|M0)              r10.0<1>:ud   r0.0<1;1,0>:ud\n"), /native code of Intel's compiler/],
    ["saxpy.spv", Buffer.from([3, 2, 0x23, 7, 0, 0, 1, 0]), /SPIR-V; compile it with `ocloc compile -spirv_input/],
  ]) {
    await drop(page, name, bytes);
    await page.getByRole("alert").filter({ hasText: `Cannot open ${name}: ` }).filter({ hasText: why }).waitFor();
    assert.equal(await it.program.inputValue(), "// mine\n");
  }
});

test("a listing pasted over the program, but not into another field, opens as a file", async (t) => {
  const page = await open(t);
  const listing = "        /*0008*/                   ATOM.E.ADD R0, [R2], R4 ;   /* 0xed00000004070200 */\n";
  // Whether the page leaves the paste to the browser.
  const paste = (locator) =>
    locator.evaluate((element, text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      return element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, listing);
  await page.getByRole("tab", { name: "Encoding" }).click();
  await page.getByText("Decode bytes", { exact: true }).click();
  assert.ok(await paste(page.getByLabel("Bytes to decode")));
  assert.ok(!(await paste(page.locator("body"))));
  await page.getByRole("dialog", { name: "pasted text" }).getByText("SASS listing, 1 function").waitFor();
});

test("Open and New are in the bar; a new program keeps the old one", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill("// mine\n");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), it.button("Open").click()]);
  await chooser.setFiles({ name: "a.lanewise", mimeType: "text/plain", buffer: Buffer.from("// file\n") });
  await programText(it, /^\/\/ file\n$/);
  await it.button("New").click();
  await programText(it, /^$/);
  await page.getByRole("region", { name: "Templates" }).waitFor();
  await it.button("Restore draft").click();
  await programText(it, /^\/\/ file\n$/);
});

test("printed text is shown up to the current step", async (t) => {
  const page = await open(t);
  const it = bench(page);
  assert.equal(await page.getByRole("tab", { name: "Output" }).count(), 0);
  const dialog = await launch(page, "print.dg2.bin", "print");
  await dialog.getByLabel("Work-items in x").fill("32");
  await dialog.getByLabel("Work-group size in x").fill("32");
  await dialog.getByRole("button", { name: "Run to end" }).click();
  await dialog.waitFor({ state: "hidden" });
  const output = page.getByRole("region", { name: "Output" });
  const text = output.getByRole("group", { name: "Printed text" });
  await eventually(() => text.textContent(), "3 three\n");
  assert.deepEqual(await axe(page), []);
  await it.button("Go to start").click();
  await output.getByText("Nothing has been printed up to this step.").waitFor();
  await it.button("Run to end").click();
  await text.waitFor();
  // A program without printf has no such tab.
  await it.choose("Histogram: atomics in a loop");
  await output.waitFor({ state: "hidden" });
});

test("a bundled kernel shows its source", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.choose("Histogram: atomics in a loop");
  const source = page.getByRole("region", { name: "Source" });
  await source.getByText("kernel void histogram").waitFor();
  await page.getByText("no GPU needed. Press Continue, or").waitFor();
  await source.getByRole("button", { name: "Run to source line 6" }).click();
  await eventually(() => source.locator("[aria-current]").innerText(), /atomic_inc/);
});

test("a program with lines of a source offers to open it", async (t) => {
  const page = await open(t);
  await bench(page).program.fill('FILE "src/a.cl"\nLOC 3\nbarrier\n');
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a.cl to step by its lines" }).click();
  await chooser;
});

test("a kernel whose first instructions have no line shows its first line of the source", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const kernel = (line) => `.decl V32 v_type=G type=ud num_elts=8 align=GRF
mov (M1, 8) V32(0,0)<1> 1:ud
FILE "src/a.cl"
LOC ${line}
barrier
`;
  await it.program.fill(kernel(1));
  await page.getByRole("button", { name: "Open a.cl to step by its lines" }).waitFor();
  await drop(page, "a.cl", Buffer.from("\n".repeat(99)));
  const source = page.getByRole("region", { name: "Source" });
  const isInView = (line) =>
    source.getByRole("button", { name: `Run to source line ${line}`, exact: true }).evaluate((button) => {
      const list = button.closest("[aria-label='a.cl']").getBoundingClientRect();
      const own = button.getBoundingClientRect();
      return own.top >= list.top && own.bottom <= list.bottom;
    });
  await eventually(() => isInView(1), true);
  // Another kernel of the file.
  await it.program.fill(kernel(60));
  await eventually(() => isInView(60), true);
});

for (const [width, height] of [[360, 740], [700, 450]]) {
  test(`${width} × ${height}: the program has room below the source`, async (t) => {
    const page = await open(t, { width, height, path: "/#scenario=kernel-histogram" });
    const it = bench(page);
    await it.show("Program");
    const lines = () => it.program.evaluate((text) => {
      const { top, bottom } = text.closest(".cm-scroller").getBoundingClientRect();
      const inside = (box) => box.top >= top && box.bottom <= Math.min(bottom, innerHeight);
      return [...text.querySelectorAll(".cm-line")].filter((line) => inside(line.getBoundingClientRect())).length;
    });
    await eventually(lines, (count) => count >= 3);
  });
}

test("360 px: the tools of the program are one row, and focus scrolls to each", async (t) => {
  const page = await open(t, { width: 360, height: 740, path: "/#scenario=kernel-histogram" });
  const it = bench(page);
  await it.show("Program");
  const program = page.getByRole("region", { name: "Program", exact: true });
  const place = (tool) => tool.evaluate((e) => e.getBoundingClientRect().toJSON());
  const [first, last] = [program.getByRole("button", { name: "Next barrier" }), program.getByLabel("Outline")];
  await eventually(async () => Math.abs((await place(first)).bottom - (await place(last)).bottom) < 10, true);
  assert.ok((await place(last)).right > 360);
  await last.focus();
  await eventually(async () => (await place(last)).right <= 360, true);
  await eventually(() => sideways(page), 0);
});

test("line numbers of the source stay in view, and the current line is marked as far as the longest", async (t) => {
  const page = await open(t, { width: 360, height: 740, path: "/#scenario=kernel-histogram" });
  const it = bench(page);
  await it.button("Step into").click();
  await it.show("Program");
  const list = page.getByRole("list", { name: "kernel-histogram.cl" });
  const current = list.locator("[aria-current]");
  await current.waitFor();
  assert.ok(await list.evaluate((e) => e.scrollWidth > e.clientWidth));
  await list.evaluate((e) => (e.scrollLeft = e.scrollWidth));
  const box = (part) => part.evaluate((e) => e.getBoundingClientRect().toJSON());
  await eventually(async () => {
    const { left, right } = await box(list);
    const number = list.getByRole("button", { name: "Run to source line 1", exact: true });
    assert.ok((await box(number)).left >= left);
    assert.ok((await box(current)).right >= right - 1);
  });
});

test("a bundled kernel runs all work-groups, with progress that can be stopped", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.choose("Histogram: atomics in a loop");
  await it.button("Launch…").click();
  const dialog = page.getByRole("dialog", { name: "Launch", exact: true });
  await dialog.getByLabel("Work-items in x").fill("16777216");
  await dialog.getByLabel("Value of n").fill("100");
  await dialog.getByRole("button", { name: "Run to end" }).click();
  await it.summary(/Running work-group \d+ of the 524287 before this one/);
  await it.button("Pause").click();
  await it.summary(/Stopped in work-group \d+ of the 524287/);
  await it.button("Continue").click();
  await it.summary(/Running work-group/);
});

test("accesses out of bounds of a buffer are listed with the problems", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const dialog = await launch(page, "basics.dg2.bin", "saxpy_tail");
  await dialog.getByLabel("Elements of x", { exact: true }).fill("20");
  await dialog.getByLabel("Value of n").fill("64");
  const problems = page.getByRole("tab", { name: /^Problems/ });
  await dialog.getByRole("button", { name: "Run to end" }).click();
  await dialog.waitFor({ state: "hidden" });
  // The work-group before the one in the timeline reads the first elements after the end.
  await problems.click();
  const findings = page.getByRole("list", { name: "Findings" });
  await findings.getByText(/x\[20\]/).first().waitFor();
  await findings.getByText(/^28 occurrences in 2 work-groups/).waitFor();
});

test("axe finds nothing in the Launch dialog, and it fits 360 pixels", async (t) => {
  for (const width of [1400, 360]) {
    const page = await open(t, { width });
    const dialog = await launch(page, "groups.dg2.bin", "reduce_local");
    await dialog.getByLabel("Work-group size in x").fill("0");
    await dialog.getByText(/invalid work-group size/).waitFor();
    assert.deepEqual(await axe(page, { dark: true }), [], `${width}`);
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    await eventually(sideways, false, `no sideways scrolling at ${width}`);
    await close(page);
  }
});

test("on a phone, a launch keeps the focus, and Program is at the line of the step", async (t) => {
  const page = await open(t, { width: 360, height: 780 });
  const dialog = await launch(page, "loops.dg2.bin", "mandelbrot");
  await dialog.getByRole("button", { name: "Step from the start" }).click();
  await dialog.waitFor({ state: "hidden" });
  const step = page.getByRole("button", { name: "Step over" });
  await hasFocus(page.getByRole("button", { name: "Step into" }));
  // While Program is hidden, the step leaves the part of it that was in view.
  for (let i = 0; i < 20; i++) await step.click();
  // The controls and the timeline do not cover each other.
  const boxes = [page.getByRole("button", { name: "Run to end" }), page.getByRole("slider")];
  const [last, slider] = await Promise.all(boxes.map((element) => element.boundingBox()));
  assert.ok(slider.y >= last.y + last.height || slider.x >= last.x + last.width);
  const details = page.getByRole("tablist", { name: "Details" });
  await page.getByRole("tablist", { name: "Areas" }).getByRole("tab", { name: "Details" }).click();
  await details.getByRole("tab", { name: "Problems" }).press("Enter");
  await page.getByRole("tablist", { name: "Areas" }).getByRole("tab", { name: "Stage" }).click();
  await page.getByRole("tablist", { name: "Areas" }).getByRole("tab", { name: "Details" }).click();
  const chosen = await details.getByRole("tab", { selected: true }).boundingBox();
  assert.ok(chosen.x >= 0 && chosen.x + chosen.width <= 360);
  await page.getByRole("tablist", { name: "Areas" }).getByRole("tab", { name: "Program" }).click();
  const isInView = () =>
    page.locator(".cm-current").evaluate((line) => {
      const [own, view] = [line, line.closest(".cm-scroller")].map((element) => element.getBoundingClientRect());
      return own.top >= view.top && own.bottom <= view.bottom;
    });
  await eventually(isInView, true);
});

test("a launch is checked, and a press on a finding goes to its line", async (t) => {
  const race = await readFile(new URL("../../web/src/features/checks/race.lanewise", import.meta.url), "utf8");
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(race);
  await it.toEnd();
  const result = page.getByRole("region", { name: "Result" });
  // A press on a kind of finding moves time, and the result stays.
  const ended = await it.timeline.inputValue();
  await result.getByRole("button", { name: "2 races" }).click();
  await eventually(() => it.timeline.inputValue(), (now) => now !== ended);
  await result.getByText(/^Whole launch: /).waitFor();
  const findings = page.getByRole("list", { name: "Findings" });
  for (let press = 0; press < 2; press++) {
    await result.getByRole("button", { name: "List" }).click();
    await hasFocus(findings.getByRole("listitem").first());
  }
  const accesses = findings.getByRole("button", { name: /^(read|write) by work-item/ });
  await eventually(() => accesses.count(), 4);
  // Both lines are marked.
  const program = page.getByRole("region", { name: "Program" });
  await eventually(() => program.getByText("W0831").count(), 2);
  await findings.getByText(/^\d+ occurrences? in .*W0831/).first().click();
  await findings.getByText(/Two work-items of a group access the same byte/).first().waitFor();
  assert.deepEqual(await axe(page), []);
  await findings.getByRole("button", { name: /^read by/ }).first().click();
  await page.getByText(/[Ll]ine 11/).first().waitFor();
  // The earlier access, by keyboard: in another thread, at another step.
  const step = page.getByRole("slider", { name: "Timeline" });
  const later = await step.inputValue();
  await findings.getByRole("button", { name: /^write by/ }).first().press("Enter");
  await eventually(() => step.inputValue(), (now) => now !== later);
  await page.getByText(/[Ll]ine 10/).first().waitFor();
});

test("on a phone, findings are large enough, and List goes to the first one", async (t) => {
  const race = await readFile(new URL("../../web/src/features/checks/race.lanewise", import.meta.url), "utf8");
  const page = await open(t, { width: 360, height: 780, touch: true });
  const it = bench(page);
  await it.show("Program");
  await it.program.fill(race);
  await it.toEnd();
  const result = page.getByRole("region", { name: "Result" });
  const sizes = async (buttons) => (await Promise.all((await buttons.all()).map((button) => button.boundingBox()))).map(({ width, height }) => Math.min(width, height));
  await result.getByRole("button", { name: "2 races" }).waitFor();
  for (const size of await sizes(result.getByRole("button"))) assert.ok(size >= 40, `${size} px`);
  const list = result.getByRole("button", { name: "List" });
  await list.focus();
  await page.keyboard.press("Enter");
  const findings = page.getByRole("list", { name: "Findings" });
  await hasFocus(findings.getByRole("listitem").first());
  for (const size of await sizes(findings.getByRole("button"))) assert.ok(size >= 40, `${size} px`);
  assert.deepEqual(await axe(page, { dark: true }), []);
});

test("the condition of a breakpoint and its error stay above the step controls", async (t) => {
  const page = await open(t, { path: "/#scenario=kernel-histogram", width: 700, height: 450 });
  const it = bench(page);
  await it.show("Program");
  await page.getByRole("button", { name: /^Breakpoint on source line 8/ }).click();
  const condition = page.getByRole("textbox", { name: /^Condition on/ });
  await condition.fill("local_id.x == 3 &&");
  await condition.press("Enter");
  const error = page.getByText(/^write a condition such as/);
  const end = async (element) => {
    const { y, height } = await element.boundingBox();
    return y + height;
  };
  const { y: controls } = await page.getByRole("region", { name: "Transport" }).boundingBox();
  await eventually(async () => (await end(error)) <= controls, true);
  assert.ok((await end(condition)) <= controls);
});

test("the Launch dialog selects the checks, and the next visit remembers them", async (t) => {
  const page = await open(t);
  const dialog = await launch(page, "atomics.tgllp.bin", "histogram");
  const checks = dialog.getByRole("group", { name: "Check for" });
  const box = (name) => checks.getByRole("checkbox", { name, exact: true });
  assert.equal(await box("races").isChecked(), true);
  assert.equal(await box("unusual floats").isChecked(), false);
  for (const name of ["races", "undefined values", "accesses out of bounds", "barriers"]) await box(name).press("Space");
  await dialog.getByRole("button", { name: "Run to end" }).press("Enter");
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText(/not checked/).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Launch…" }).click();
  assert.equal(await box("races").isChecked(), false);
  await box("races").check();
  await dialog.getByRole("button", { name: "Run to end" }).click();
  await result.getByText(/no findings/).waitFor();
});

test("the Launch dialog says what is out of bounds before the run", async (t) => {
  const page = await open(t);
  const dialog = await launch(page, "atomics.tgllp.bin", "histogram");
  const trial = dialog.getByRole("status", { name: "Trial" });
  await trial.getByText("no access is out of bounds").waitFor();
  await dialog.getByLabel("Elements of bins").fill("2");
  await eventually(() => trial.innerText(), (text) => /\w/.test(text) && !/no access|Trying/.test(text));
  assert.deepEqual(await axe(page), []);
  await dialog.getByRole("button", { name: "Run to end" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByRole("button", { name: /outside (its|their) buffer|dropped|out of bounds/ }).first().waitFor();
});

test("a kernel is debugged by source line, with the keys of debuggers", async (t) => {
  const page = await open(t, { path: "/#scenario=kernel-histogram" });
  const it = bench(page);
  const source = page.getByRole("region", { name: "Source" });
  const line = (text) => source.locator("[aria-current=step]").filter({ hasText: text }).waitFor();
  // By source line.
  await it.button("Step into").click();
  await line("if (get_local_id(0) < 16)");
  await page.keyboard.press("F10");
  await line("barrier(CLK_LOCAL_MEM_FENCE);");
  await page.keyboard.press("F11");
  await line("for (uint i");
  await page.keyboard.press("Shift+F10");
  await line("barrier(CLK_LOCAL_MEM_FENCE);");
  // A breakpoint on a line of the source, for one work-item of the second group.
  await source.getByRole("button", { name: "Breakpoint on source line 8" }).click();
  const condition = page.getByLabel("Condition on kernel-histogram.cl:8");
  await condition.fill("global_id == 40");
  await condition.press("Enter");
  await page.keyboard.press("F5");
  await line("if (get_local_id(0) < 16)");
  await eventually(() => page.getByLabel(/^Group/).inputValue(), "1");
  await it.summary("Stopped at the breakpoint on kernel-histogram.cl:8, work-group 1.");
  // Its instructions are under the line.
  await source.getByRole("button", { name: /^\d+ instructions?$/ }).click();
  await source.locator(".source-code").first().waitFor();
  await page.keyboard.press("Shift+F11");
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Launch finished: 64 work-items, 2 groups").waitFor();
  assert.deepEqual(await axe(page), []);
});

test("the end of a group is not that of the launch, and the start of a later one names those before", async (t) => {
  const page = await open(t, { path: "/#scenario=kernel-histogram" });
  const it = bench(page);
  const result = page.getByRole("region", { name: "Result" });
  await it.button("Run to end").click();
  await result.getByText(/^Group 0 .* the whole launch was checked/).waitFor();
  await it.button("Continue").click();
  await result.getByText(/^Launch finished/).waitFor();
  const group = page.getByLabel(/^Group/);
  await it.button("Go to start").click();
  await it.summary(/^At the start\. /);
  await eventually(() => group.inputValue(), "0");
  await group.fill("1");
  await group.press("Enter");
  await it.summary("At the start of work-group 1; work-group 0 has run.");
});

test("the number of the last group fits the field", async (t) => {
  const page = await open(t, { path: "/#scenario=kernel-histogram" });
  const it = bench(page);
  const text = await it.program.inputValue();
  await it.program.fill(text.replace(/global=\d+/, "global=100000"));
  const group = page.getByLabel(/^Group/);
  await eventually(() => group.getAttribute("max"), "3124");
  const lacks = () => group.evaluate((field) => {
    field.value = field.max;
    return field.scrollWidth > field.clientWidth;
  });
  await eventually(lacks, false);
});

test("work-items of the thread of a fused pair that acts are shown", async (t) => {
  const page = await open(t, { path: "/#scenario=kernel-fused-pair" });
  const it = bench(page);
  await it.goTo(294);
  await it.summary(/^Work-item 15 /);
  const items = page.getByRole("region", { name: "Work-items" });
  const row = items.getByRole("row", { name: /^Work-item 15 / });
  await eventually(() => row.getAttribute("aria-current"), "step");
});

test("the outline jumps to loops, and an instruction without a picture keeps that of the last access", async (t) => {
  const page = await open(t, { path: "/#scenario=kernel-histogram" });
  const it = bench(page);
  const outline = page.getByLabel("Outline");
  await outline.selectOption({ index: 1 });
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("role")), "textbox");
  await it.button("Step into").waitFor();
  const label = page.getByText(/^Last memory access, line \d+: /);
  for (let step = 0; step < 60 && (await label.count()) === 0; step++) await it.timeline.press("ArrowRight");
  await label.waitFor();
  await page.getByRole("region", { name: "Stage" }).locator("[data-picture]").first().waitFor();
});

test("work-items and variables have tables", async (t) => {
  const page = await open(t, { path: "/#scenario=kernel-histogram" });
  const it = bench(page);
  const items = page.getByRole("region", { name: "Work-items" });
  await items.getByRole("row", { name: /^Work-item 0 0 (.* )?runs$/ }).waitFor();
  await page.getByRole("region", { name: "Source" }).getByRole("button", { name: "Run to source line 4" }).click();
  await items.getByRole("row", { name: /^Work-item 20 20 (.* )?runs$/ }).waitFor();
  await items.getByLabel("Variables").fill("V0050");
  await items.getByLabel("Variables").press("Enter");
  await items.getByRole("columnheader", { name: "V0050" }).waitFor();
  await items.getByLabel("Go to global ID").fill("35");
  await items.getByLabel("Go to global ID").press("Enter");
  const found = items.getByRole("button", { name: "Work-item 35", pressed: true });
  await found.waitFor();
  await eventually(async () => (await found.boundingBox()).y < page.viewportSize().height - 20, true);
  // An ID that does not exist is wrong at the field, and nothing moves.
  const id = items.getByLabel("Go to global ID");
  await id.fill("999");
  await id.press("Enter");
  await items.getByRole("alert").filter({ hasText: "Enter a global ID from 0 to 63." }).waitFor();
  await eventually(() => id.getAttribute("aria-invalid"), "true");
  await found.waitFor();
  assert.deepEqual(await axe(page, { dark: true }), []);
  await id.fill("35");
  await id.press("Enter");
  await eventually(() => id.getAttribute("aria-invalid"), null);
  await it.show("Variables");
  const variables = page.getByRole("region", { name: "Variables" });
  await variables.getByRole("row", { name: "n uint 200" }).waitFor();
  await variables.getByRole("table", { name: "Work-item 35" }).waitFor();
  assert.deepEqual(await axe(page, { dark: true }), []);
});

test("threads of a CUDA kernel have a table", async (t) => {
  const page = await open(t, { path: "/#scenario=cuda-product" });
  const it = bench(page);
  const threads = page.getByRole("region", { name: "Threads" });
  await threads.getByRole("row", { name: /^Thread 0 0 (.* )?runs$/ }).waitFor();
  await threads.getByLabel("Go to thread").fill("5");
  await threads.getByLabel("Go to thread").press("Enter");
  await threads.getByRole("button", { name: "Thread 5", pressed: true }).waitFor();
  await threads.getByLabel("Variables").fill("R2");
  await threads.getByLabel("Variables").press("Enter");
  await threads.getByRole("columnheader", { name: "R2" }).waitFor();
  assert.deepEqual(await axe(page), []);
  await it.button("Continue").click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText(/^Launch finished: \d+ threads, \d+ blocks?$/).waitFor();
  await it.show("Variables");
  await page.getByRole("table", { name: "Thread 5" }).waitFor();
});

test("a first visitor sees no work-items", async (t) => {
  const page = await open(t);
  await page.getByRole("tab", { name: "Lanes" }).waitFor();
  assert.equal(await page.getByRole("tab", { name: "Work-items" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Continue" }).count(), 0);
});
