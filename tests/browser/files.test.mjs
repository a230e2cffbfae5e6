// Compiler files: dropped or chosen, listed, opened, stepped.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { allowClipboard, axe, close, drop, eventually, hasFocus, open, settled } from "./harness.mjs";

const sample = (name) => readFile(new URL(`../vectors/files/${name}`, import.meta.url));

test("text dropped on the editor opens as a file instead of being inserted", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill("// mine\n");
  await drop(page, "add.ptx", Buffer.from("//\n.version 8.0\n.target sm_60\n.visible .entry k()\n{\n  ret;\n}\n"), ".cm-content");
  await page.getByRole("alert").filter({ hasText: "Cannot open" }).waitFor();
  await settled(page);
  assert.equal(await it.program.inputValue(), "// mine\n");
});

/** Waits until the program is a text. */
async function programIs(page, text) {
  const program = await page.getByRole("textbox", { name: "Program", exact: true }).elementHandle();
  await page.waitForFunction(([editor, text]) => editor.value === text, [program, text]);
}

/** Chooses a file through the program menu. */
async function choose(page, it, files) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), it.fromMenu("Program menu", "Open file")]);
  const chosen = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: "application/octet-stream", buffer }));
  await chooser.setFiles(chosen);
}

/** Raw code: from the first to the last group in a cubin. */
async function code() {
  const cubin = await sample("atoms_sm50.cubin");
  const header = cubin.readBigUInt64LE(0x28);
  for (let index = 0; index < cubin.readUInt16LE(0x3c); index++) {
    const at = Number(header) + 64 * index;
    const [kind, flags] = [cubin.readUInt32LE(at + 4), cubin.readBigUInt64LE(at + 8)];
    // Executable program bits.
    if (kind === 1 && (flags & 4n) !== 0n) {
      const [offset, size] = [Number(cubin.readBigUInt64LE(at + 24)), Number(cubin.readBigUInt64LE(at + 32))];
      return cubin.subarray(offset, offset + size);
    }
  }
  throw new Error("no code");
}

// One file of each kind: bytes, description in the list, and a function with
// runnable instructions, with its first one.
const KINDS = [
  ["four_families.isa", null, /vISA object, version 4\.1, 1 function/, "four_families", /dword_atomic|svm_|dpasw/],
  ["loop_with_labels.visaasm", null, /vISA listing, 1 function/, "loop_with_labels", /dword_atomic|svm_/],
  ["atoms_sm50.cubin", null, /cubin for SM50, 2 functions/, "reds", /MOV R1, c/],
  ["atoms_sm52.nvdisasm.sass", null, /SASS listing, 2 functions/, "atoms", /MOV R1, c/],
  ["atoms_sm60.cuobjdump.sass", null, /SASS listing, 2 functions/, "atoms", /MOV R1, c/],
  ["add_host.o", null, /CUDA fat binary with 2 entries, 1 function/, "add", /MOV R1, c/],
  ["code.bin", code, /SASS code, 1 function/, "code", /(ATOM|RED)\.E/],
];

for (const [name, bytes, kind, functionName, instruction] of KINDS) {
  test(`${name} is dropped, and one of its functions is opened and stepped`, async (t) => {
    const page = await open(t);
    const it = bench(page);
    await it.program.fill("// mine\n");
    await drop(page, name, bytes ? await bytes() : await sample(name));
    const dialog = page.getByRole("dialog", { name });
    await dialog.getByText(kind).waitFor();
    // The program is unchanged until a function is chosen.
    assert.equal(await it.program.inputValue(), "// mine\n");
    const entry = dialog.getByRole("listitem").filter({ has: page.getByRole("heading", { name: functionName, exact: true }) });
    await entry.getByText(/[1-9]\d* of \d+ instructions can run here/).waitFor();
    await entry.getByText(instruction).first().waitFor();
    await entry.getByRole("button", { name: /^(Open|Launch) / }).click();
    await dialog.waitFor({ state: "hidden" });
    const launches = /cubin|SASS listing|fat binary/.test(kind.source);
    if (launches) await page.getByRole("button", { name: "Step from the start" }).click();
    await page.getByRole("status").filter({ hasText: `${functionName} of ${name} is open.` }).waitFor();
    const text = await eventually(() => it.program.inputValue(), instruction);
    assert.match(text, /^\.target (visa|sass) /);
    // The proposed memory exists: the first step does not fault.
    assert.match(text, /Not from the file: proposed start values/);
    // A kernel of a launch has the buttons of a debugger.
    await page.getByRole("button", { name: /^Step( into)?$/ }).click();
    await it.summary(/[Ll]ane (EU\d\.)?\d|stage|mov|: .* = /);
    await it.button("Restore draft").click();
    await programIs(page, "// mine\n");
  });
}

test("a file is chosen by keyboard, closed, and its list reopened", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await choose(page, it, { "several.cubin": await sample("several_sm60.cubin") });
  const dialog = page.getByRole("dialog", { name: "several.cubin" });
  await dialog.waitFor();
  // Focus is on the first function with runnable instructions.
  await hasFocus(page.getByRole("button", { name: "Launch call" }));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await it.fromMenu("Program menu", "Functions of several.cubin");
  await dialog.waitFor();
  const lock = dialog.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "lock", exact: true }) });
  await lock.getByText("All instructions").click();
  const table = lock.getByRole("table");
  await table.getByRole("row").filter({ hasText: /runs/ }).first().waitFor();
  await eventually(() => table.getByRole("row").filter({ hasText: /runs/ }).count(), 18);
  await dialog.getByRole("button", { name: "Launch lock" }).press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await it.button("Edit as text").click();
  await eventually(() => it.program.inputValue(), /ATOM\.E\.CAS R\d+, \[R\d+\]/);
});

test("a listing that names its source has the names of the parameters", async (t) => {
  const page = await open(t);
  const kernel = (form) => readFile(new URL(`../vectors/sass-kernels/flow.sm_120.${form}`, import.meta.url));
  const listing = String(await kernel("sass")).replace(/^\.text\.early:$/m, '$&\n\t//## File "/src/flow.cu", line 1');
  await choose(page, bench(page), {
    "flow.cu": Buffer.from('extern "C" __global__ void early(int *o, const int *in, int n) {}\n'),
    "flow.sass": Buffer.from(listing),
    "flow.cubin": await kernel("cubin"),
  });
  await page.getByRole("button", { name: "Launch early" }).click();
  for (const name of ["o", "in", "n"]) await page.getByRole("dialog").getByText(name, { exact: true }).first().waitFor();
});

test("a fat binary lists its entries, and the kernels of its newest readable cubin", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await drop(page, "add.fatbin", await sample("add.fatbin"));
  const dialog = page.getByRole("dialog", { name: "add.fatbin" });
  await dialog.getByText("CUDA fat binary with 4 entries, 1 function").waitFor();
  await dialog.getByText(/cubin for SM80, 3112 bytes, add\.cu: not read, as only SM50 to SM62/).waitFor();
  await dialog.getByText(/PTX for SM50, 194 bytes, add\.cu: compressed and not read/).waitFor();
  await dialog.getByRole("button", { name: "Launch add" }).click();
  await dialog.waitFor({ state: "hidden" });
  await it.button("Edit as text").click();
  await page.getByRole("status").filter({ hasText: "add of add.fatbin is open." }).waitFor();
  await eventually(() => it.program.inputValue(), /^\.target sass SM61\n/);
});

test("skipped and recovered parts are reported", async (t) => {
  const page = await open(t);
  await drop(page, "mixed.isa", await sample("mixed.shipped.isa"));
  const dialog = page.getByRole("dialog", { name: "mixed.isa" });
  await dialog.getByText(/last operands of each instruction are missing/).waitFor();
  await dialog.getByText(/4 of 2\d instructions can run here/).waitFor();
  await page.keyboard.press("Escape");
  await drop(page, "later.cubin", await sample("several_sm80.cubin"));
  const later = page.getByRole("dialog", { name: "later.cubin" });
  await later.getByText(/SM50 to SM62 are supported.*drop both on the page/).first().waitFor();
  await allowClipboard(page);
  await later.getByRole("button", { name: "Copy" }).click();
  await later.getByText("Copied.").waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await eventually(copied, "nvdisasm -c -g FILE.cubin > FILE.sass");
  await later.getByText("no readable instructions").first().waitFor();
  assert.equal(await later.getByRole("button", { name: /^(Open|Launch)/ }).count(), 0);
});

test("a file that cannot be opened is reported with a reason and location, and nothing is lost", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill("// mine\n");
  const object = await sample("four_families.isa");
  for (const [name, bytes, why] of [
    ["cut.isa", object.subarray(0, 100), /byte 0x[0-9a-f]+: /],
    ["cut.fatbin", (await sample("add.fatbin")).subarray(0, 5000), /byte 0x8: expected 8176 bytes/],
    ["graph.dot", await sample("several_sm60.graph.dot"), /control flow graph/],
    ["empty.isa", Buffer.alloc(0), /the file is empty/],
  ]) {
    await drop(page, name, bytes);
    const alert = page.getByRole("alert").filter({ hasText: `Cannot open ${name}: ` });
    await alert.filter({ hasText: why }).waitFor();
    assert.equal(await it.program.inputValue(), "// mine\n");
  }
});

test("Explain names the source construct of an instruction", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill(".target sass SM50\nRED.E.ADD [R2], R0;\n");
  await it.show("Explain");
  const explain = page.getByRole("tabpanel", { name: "Explain" });
  await explain.getByText("red{.global}.add.u32").first().waitFor();
  await explain.getByText("observed").first().waitFor();
  await explain.getByText("ptxas 12.4").first().waitFor();
});

test("axe finds nothing in the list, and it fits 360 pixels", async (t) => {
  for (const width of [1400, 360]) {
    const page = await open(t, { width });
    await drop(page, "atoms.cubin", await sample("atoms_sm50.cubin"));
    const dialog = page.getByRole("dialog", { name: "atoms.cubin" });
    await dialog.waitFor();
    await dialog.getByText("All instructions").first().click();
    await dialog.getByRole("table").waitFor();
    assert.deepEqual(await axe(page, { dark: true }), [], `${width}`);
    await eventually(() => dialog.evaluate((e) => e.scrollWidth > e.clientWidth), false, `the list fits ${width} pixels`);
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    await eventually(sideways, false, `no sideways scrolling at ${width}`);
    await close(page);
  }
});

/**
 * Delays reading a file of 1 kB or more until a function in `window.held` is
 * called.
 */
const holdLongFiles = () => {
  const read = FileReader.prototype.readAsArrayBuffer;
  window.held = [];
  FileReader.prototype.readAsArrayBuffer = function (blob) {
    if (blob.size < 1000) return read.call(this, blob);
    window.held.push(
      () =>
        new Promise((done) => {
          this.addEventListener("loadend", done);
          read.call(this, blob);
        }),
    );
  };
};

test("of two files, the later one is opened, however slow the first", async (t) => {
  const page = await open(t, { before: holdLongFiles });
  await drop(page, "long.lanewise", Buffer.from("// long\n".repeat(200)));
  await page.waitForFunction(() => window.held.length === 1);
  await drop(page, "short.lanewise", Buffer.from("// short\n"));
  await programIs(page, "// short\n");
  await page.evaluate(() => window.held[0]());
  await settled(page);
  await programIs(page, "// short\n");
  await page.getByRole("status", { name: "Notice" }).filter({ hasText: "short.lanewise is open." }).waitFor();
});

test("a rejected file does not cancel a pending read", async (t) => {
  const page = await open(t, { before: holdLongFiles });
  const long = "// long\n".repeat(200);
  await drop(page, "long.lanewise", Buffer.from(long));
  await page.waitForFunction(() => window.held.length === 1);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(33e6)], "large.lanewise"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.getByRole("alert").filter({ hasText: "Cannot open large.lanewise: it is larger than 32 MB" }).waitFor();
  await page.evaluate(() => window.held[0]());
  await programIs(page, long);
});

test("the list of a dropped file replaces another dialog", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.button("Share").click();
  const share = page.getByRole("dialog", { name: "Share" });
  await share.waitFor();
  await drop(page, "atoms.cubin", await sample("atoms_sm50.cubin"));
  const list = page.getByRole("dialog", { name: "atoms.cubin" });
  await list.waitFor();
  await share.waitFor({ state: "hidden" });
  await hasFocus(list.locator("[autofocus]"));
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  assert.equal(await page.getByRole("dialog").count(), 0);
});

test("the list of a new file starts collapsed", async (t) => {
  const page = await open(t);
  const all = page.getByRole("group", { name: "All instructions" });
  await drop(page, "first.cubin", await sample("atoms_sm50.cubin"));
  await page.getByRole("dialog", { name: "first.cubin" }).getByText("All instructions").first().click();
  await all.waitFor();
  await drop(page, "second.cubin", await sample("atoms_sm50.cubin"));
  const dialog = page.getByRole("dialog", { name: "second.cubin" });
  await dialog.getByText("All instructions").first().waitFor();
  await settled(page);
  assert.equal(await all.count(), 0);
});
