// `lanewise serve`: the page with a file that is compiled when it changes. The
// compiler is a script that copies a recorded program.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bench } from "./bench.mjs";
import { eventually, open } from "./harness.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCE = "kernel void saxpy_tail() {\n  int i = 0;\n}\n";

const COMPILER = `#!/bin/sh
case "$1" in query) printf %s 22.43.24595 > OCL_DRIVER_VERSION; exit 0 ;; esac
while [ $# -gt 0 ]; do
  case "$1" in -file) file=$2 ;; -device) device=$2 ;; -out_dir) out=$2 ;; esac
  shift
done
if grep -q broken "$file"; then exit 1; fi
if grep -q slow "$file"; then sleep 2; fi
if grep -q oops "$file"; then echo "$file:2:3: error: unknown type name 'oops'"; exit 1; fi
program="${ROOT}tests/vectors/kernels/zebin/basics.$device.bin"
if grep -q tree "$file"; then program="${ROOT}tests/vectors/checks/08-tree-barrier-in-if.2026-dg2.bin"; fi
cp "$program" "$out/program_$device.bin"
`;

const SCENARIO = `.target visa DG2
.title "Copy"
.launch global=8 local=8
.simd 8
.buffer out : ud[8]
.decl V40 v_type=G type=ud num_elts=8 align=GRF
mov (M1, 8) V40(0,0)<1> 1:ud
mov (M1, 8) V40(0,0)<1> 2:ud
ret (M1, 1)
`;

/** The command line: that of `cargo xtask test`, or built here. */
function lanewise() {
  if (process.env.LANEWISE_PROGRAM) return process.env.LANEWISE_PROGRAM;
  const built = spawnSync("cargo", ["build", "--quiet", "-p", "lanewise"], { cwd: ROOT, stdio: "inherit" });
  assert.equal(built.status, 0);
  return join(ROOT, "target/debug/lanewise");
}

/** Serves files in a folder of their own. Returns the folder and the page. */
async function serve(t, files, ...options) {
  if (process.platform === "win32") return t.skip("the compiler is a shell script");
  const folder = await mkdtemp(join(tmpdir(), "lanewise-serve-"));
  for (const [name, text] of Object.entries({ ...files, ocloc: COMPILER })) await writeFile(join(folder, name), text);
  await chmod(join(folder, "ocloc"), 0o755);
  const all = ["serve", "--no-open", "--port", "0", "--page", join(ROOT, "dist"), ...options, ...Object.keys(files)];
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, LANEWISE_CACHE: "", LANEWISE_OCLOC: "" };
  const server = spawn(lanewise(), all, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(async () => {
    server.kill();
    await rm(folder, { recursive: true });
  });
  const url = await new Promise((resolve) => createInterface(server.stdout).once("line", resolve));
  const page = await open(t, { url, others: [new URL(url).origin], mayFail: true, editor: true });
  return { folder, page, it: bench(page) };
}

test("a source is edited and compiled on the page", async (t) => {
  const served = await serve(t, { "a.cl": SOURCE }, "--kernel", "saxpy_tail", "--global", "32", "--local", "8");
  if (!served) return;
  const { folder, page, it } = served;
  await eventually(() => it.program.inputValue(), (text) => text.includes(".launch global=32 local=8"));
  await page.getByRole("tab", { name: "Source" }).click();
  const editor = page.getByRole("textbox", { name: "Source" });
  const says = page.locator("lanewise-source").getByRole("status");
  await eventually(() => says.textContent(), "Compiled for dg2.");
  const text = () => editor.evaluate((e) => e.value);
  await eventually(text, SOURCE);

  // An error is marked in the text and listed.
  await editor.fill(SOURCE.replace("int", "oops"));
  await page.getByRole("button", { name: "Save and compile" }).click();
  await eventually(() => says.textContent(), "Not compiled: 1 error. The page shows the last version that compiled.");
  await page.getByRole("button", { name: "error at 2:3: unknown type name 'oops'" }).click();
  await eventually(() => page.locator("lanewise-source .cm-lint-marker-error").count(), 1);
  assert.match(await readFile(join(folder, "a.cl"), "utf8"), /oops/);
  // The last program stays.
  assert.match(await it.program.inputValue(), /saxpy_tail/);

  await editor.fill(SOURCE);
  await editor.press("ControlOrMeta+s");
  await eventually(() => says.textContent(), "Compiled for dg2.");
  assert.equal(await readFile(join(folder, "a.cl"), "utf8"), SOURCE);

  // An edit on disk does not replace one on the page, nor the other way round.
  const onDisk = () => readFile(join(folder, "a.cl"), "utf8");
  const theirs = `${SOURCE}// theirs\n`;
  await editor.fill(`${SOURCE}// mine\n`);
  await writeFile(join(folder, "a.cl"), theirs);
  await eventually(() => says.textContent(), /^a\.cl has changed on disk .*Overwrite and compile .*Discard my edits /);
  assert.equal(await text(), `${SOURCE}// mine\n`);
  assert.equal(await page.getByRole("button", { name: "Save and compile" }).count(), 0);
  await editor.press("ControlOrMeta+s");
  await eventually(() => says.textContent(), /^Not saved: a\.cl has changed on disk/);
  assert.equal(await onDisk(), theirs);
  await page.getByRole("button", { name: "Overwrite and compile" }).click();
  await eventually(onDisk, `${SOURCE}// mine\n`);
  await eventually(() => says.textContent(), "Compiled for dg2.");
  await page.getByRole("button", { name: "Discard my edits" }).waitFor({ state: "hidden" });

  await editor.fill("mine");
  await writeFile(join(folder, "a.cl"), theirs);
  await eventually(() => says.textContent(), /has changed on disk/);
  await page.getByRole("button", { name: "Discard my edits" }).click();
  await eventually(text, theirs);
  assert.equal(await onDisk(), theirs);

  // The same if the compiler does not say what is wrong.
  await editor.fill("mine");
  await writeFile(join(folder, "a.cl"), "broken");
  await eventually(() => says.textContent(), /has changed on disk/);
  await page.getByRole("button", { name: "Discard my edits" }).click();
  await eventually(text, "broken");
});

test("edits of a source are kept beside other files, and the page asks before it loses them", async (t) => {
  const served = await serve(t, { "a.cl": SOURCE, "b.cl": `${SOURCE}// b\n` }, "--kernel", "saxpy_tail");
  if (!served) return;
  const { page } = served;
  await page.getByRole("tab", { name: "Source" }).click();
  const editor = page.getByRole("textbox", { name: "Source" });
  const text = () => editor.evaluate((e) => e.value);
  await eventually(text, SOURCE);
  // Without an edit, a reload does not ask.
  const asked = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    return dialog.dismiss();
  });
  await page.reload();
  await eventually(text, SOURCE);
  assert.deepEqual(asked, []);

  await editor.fill("mine");
  await page.getByRole("combobox", { name: /^File/ }).selectOption("b.cl");
  await eventually(text, `${SOURCE}// b\n`);
  // The dismissed question cancels the reload.
  await page.reload({ timeout: 2000 }).catch(() => {});
  await eventually(() => asked, ["beforeunload"]);
  await page.getByRole("combobox", { name: /^File/ }).selectOption("a.cl");
  await eventually(text, "mine");
  await page.getByRole("button", { name: "Discard my edits" }).click();
});

test("a served file is opened again from the picker, by Back and after a reload", async (t) => {
  const served = await serve(t, { "a.cl": SOURCE, "b.lanewise": SCENARIO });
  if (!served) return;
  const { page, it } = served;
  const shows = (part) => eventually(() => it.program.inputValue(), (text) => text.includes(part));
  const search = async (query) => {
    await page.getByRole("button", { name: /^Scenarios/ }).click();
    await page.getByRole("combobox", { name: /^Search/ }).fill(query);
    const options = page.getByRole("dialog").getByRole("option");
    await eventually(async () => (await options.count()) > 0, true);
    return options;
  };
  await page.getByRole("tab", { name: "Source" }).click();
  const kernels = await page.getByLabel("Kernel").locator("option").allTextContents();
  assert.ok(kernels.length > 1);
  // Each kernel of the file that is shown, and the other file.
  const second = await search(`${kernels[1]} a.cl`);
  await eventually(() => second.first().textContent(), (text) => text.includes(`${kernels[1]} of a.cl`));
  await page.keyboard.press("Enter");
  await shows(kernels[1]);
  await eventually(() => page.getByLabel("Kernel").inputValue(), kernels[1]);
  await (await search("b.lanewise")).first().click();
  await shows(SCENARIO);
  await it.choose("Histogram with conflicts");
  await shows("Histogram with conflicts");
  await page.goBack();
  await shows(SCENARIO);
  await page.goBack();
  await shows(kernels[1]);
  await page.reload();
  await eventually(() => page.getByLabel("Kernel").inputValue(), kernels[1]);
  await shows(kernels[1]);
});

test("the lines of a program are those of the source it was compiled from", async (t) => {
  const source = (comment) => `kernel void tree() {\n}\n// ${comment}\n`;
  const name = "08-tree-barrier-in-if.cl";
  const served = await serve(t, { [name]: source("first") });
  if (!served) return;
  const { folder, page } = served;
  const lines = page.getByRole("region", { name: "Source" });
  const last = async () => (await lines.getByRole("listitem").allTextContents())[2];
  await eventually(last, /first/);
  await writeFile(join(folder, name), source("second, in the same program"));
  await eventually(last, /second/);
  await page.getByRole("tab", { name: "Source" }).click();
  const says = page.locator("lanewise-source").getByRole("status");
  await writeFile(join(folder, name), source("slow"));
  await eventually(() => says.textContent(), "Compiling …");
  await eventually(last, /slow/);
  await writeFile(join(folder, name), source("oops"));
  await eventually(() => says.textContent(), /^Not compiled: 1 error/);
  assert.match(await last(), /slow/);
});

test("a source with an error is not shown as another program", async (t) => {
  const wrong = SOURCE.replace("int", "oops");
  const served = await serve(t, { "a.cl": wrong }, "--kernel", "saxpy_tail", "--global", "32", "--local", "8");
  if (!served) return;
  const { folder, page, it } = served;
  await eventually(() => it.program.inputValue(), "");
  const problem = page.getByRole("region", { name: "Program" }).getByRole("button", { name: /a\.cl:2:3: unknown type name/ });
  await problem.click();
  const editor = page.getByRole("textbox", { name: "Source" });
  await eventually(() => editor.evaluate((e) => e.value), wrong);
  // The error is selected.
  await eventually(() => page.evaluate(() => String(getSelection())), "oops");
  await writeFile(join(folder, "a.cl"), SOURCE);
  await eventually(() => it.program.inputValue(), (text) => text.includes(".launch global=32 local=8"));
  await problem.waitFor({ state: "detached" });
});

test("a saved program keeps the launch, breakpoints and step", async (t) => {
  const served = await serve(t, { "b.lanewise": SCENARIO });
  if (!served) return;
  const { folder, it } = served;
  await eventually(() => it.program.inputValue(), SCENARIO);
  await it.program.fill(SCENARIO.replace("global=8", "global=4"));
  await it.program.press("ControlOrMeta+End");
  await it.program.press("ArrowUp");
  await it.program.press("F9");
  await it.page.getByRole("button", { name: "Remove the breakpoint on line 9" }).waitFor();
  await it.button("Step into").click();
  const step = () => it.timeline.getAttribute("aria-valuetext");
  await eventually(step, /^step 1 of /);
  const start = performance.now();
  await writeFile(join(folder, "b.lanewise"), SCENARIO.replace("1:ud", "7:ud"));
  await eventually(() => it.program.inputValue(), (text) => text.includes("7:ud"));
  t.diagnostic(`${Math.round(performance.now() - start)} ms from the save to the program`);
  assert.match(await it.program.inputValue(), /global=4/);
  await it.page.getByRole("button", { name: "Remove the breakpoint on line 9" }).waitFor();
  await eventually(step, /^step 1 of /);
});

test("declarations stay folded when a save changes them", async (t) => {
  const declared = (count) => {
    const lines = Array.from({ length: count }, (_, i) => `.decl V${count + i} v_type=G type=ud num_elts=8 align=GRF\n`);
    return SCENARIO.replace("mov ", `${lines.join("")}mov `);
  };
  const served = await serve(t, { "b.lanewise": declared(60) });
  if (!served) return;
  const { folder, page, it } = served;
  const program = page.getByRole("textbox", { name: "Program" });
  const folded = async () => {
    const texts = await program.locator(".cm-line").allTextContents();
    return texts.filter((text) => /\.decl|declarations/.test(text));
  };
  await eventually(folded, ["▸ 61 declarations"]);
  for (const count of [80, 50]) {
    await writeFile(join(folder, "b.lanewise"), declared(count).replace("1:ud", `${count}:ud`));
    await eventually(folded, [`▸ ${count + 1} declarations`]);
    assert.equal(await it.button("Reset text").count(), 0);
  }
});

test("the hosted page has no tab Source", async (t) => {
  const page = await open(t);
  await page.getByRole("tab", { name: "Problems" }).waitFor();
  assert.equal(await page.getByRole("tab", { name: "Source" }).count(), 0);
});
