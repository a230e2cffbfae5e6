// Takes the pictures of the guide: the release build (`cargo xtask dist`), driven as
// docs/guide/find-a-bug.md and compiler-bugs.md describe. To take them again:
//
//     node tests/browser/pictures.mjs
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { open, settled } from "./harness.mjs";
import { withPalette } from "./png.mjs";

const GUIDE = new URL("../../docs/guide/", import.meta.url);

/** Pixels of the picture per pixel of the page; xtask/src/guide.rs has the same number. */
const SCALE = 1.5;

/** Opens the page at the size of the pictures. */
async function start(t, { width = 1400, height = 720 } = {}) {
  const page = await open(t, { width, height, scale: SCALE, motion: false });
  const region = (name) => page.getByRole("region", { name, exact: true });
  const it = {
    ...bench(page),
    region,
    result: region("Result"),
    source: region("Source"),
    state: region("State"),
    findings: page.getByRole("list", { name: "Findings" }),
    status: page.getByRole("status", { name: "Step summary" }),
    dialog: page.getByRole("dialog", { name: "Launch", exact: true }),
    /** Opens a compiled kernel with its source, and lists its kernels. */
    async open(name, source) {
      const file = async (name) => ({
        name,
        mimeType: "application/octet-stream",
        buffer: await readFile(new URL(`kernels/${name}`, GUIDE)),
      });
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), it.button("Open").click()]);
      await chooser.setFiles(await Promise.all([name, source].map(file)));
      await page.getByRole("dialog", { name }).waitFor();
    },
    /** Fills fields of the Launch dialog of a kernel, by label. */
    async fill(kernel, fields) {
      await page.getByRole("button", { name: `Launch ${kernel}`, exact: true }).click();
      for (const [label, value] of Object.entries(fields)) {
        await it.dialog.getByLabel(label, { exact: true }).fill(value);
      }
      await it.dialog.getByText("no access is out of bounds").waitFor();
    },
    /** Runs the launch of the dialog and waits for its findings. */
    async run(findings) {
      await it.dialog.getByRole("button", { name: "Run to end" }).click();
      await it.dialog.waitFor({ state: "hidden" });
      await it.result.getByText(findings).waitFor();
    },
    /**
     * Takes a picture of elements that are visible, from the first one to the last one.
     * `width` and `height` limit it.
     */
    async take(name, elements, { width = Infinity, height = Infinity } = {}) {
      await page.mouse.move(0, 0);
      await settled(page);
      const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
      const view = page.viewportSize();
      const x = Math.max(0, Math.min(...boxes.map((box) => box.x)));
      const y = Math.max(0, Math.min(...boxes.map((box) => box.y)));
      const right = Math.min(view.width, Math.max(...boxes.map((box) => box.x + box.width)), x + width);
      const bottom = Math.min(view.height, Math.max(...boxes.map((box) => box.y + box.height)), y + height);
      const clip = { x, y, width: right - x, height: bottom - y };
      await writeFile(new URL(`pictures/${name}.png`, GUIDE), withPalette(await page.screenshot({ clip })));
    },
  };
  return it;
}

/** The Launch dialog of `smooth`. */
const SMOOTH = { "Work-items in x": "128", "Work-group size in x": "64", "in starts as": "iota(0, 1)" };

test("Find a bug in a kernel: the race", async (t) => {
  const it = await start(t);
  await it.open("smooth.bin", "smooth.cl");
  await it.take("01-open", [it.page.getByRole("dialog", { name: "smooth.bin" })]);
  await it.fill("smooth", SMOOTH);
  await it.take("02-launch", [it.dialog]);
  await it.run("1 race");
  await it.state.getByText(/20\.33/).waitFor();
  await it.take("03-result", [it.result, it.state]);
  await it.result.getByRole("button", { name: "1 race" }).click();
  await it.summary(/^Work-item 32 /);
  await it.take("04-race", [it.source, it.status, it.result]);
  await it.result.getByRole("button", { name: "List" }).click();
  await it.take("05-finding", [it.findings], { width: 700 });
  await it.findings.getByRole("button", { name: /^read by work-item 31/ }).click();
  await it.summary(/^Work-item 31 /);
  await it.tab("Shared local memory");
  await it.take("06-read", [it.status, it.state], { height: 400 });
});

test("Find a bug in a kernel: the wrong index", async (t) => {
  const it = await start(t);
  await it.open("smooth-2.bin", "smooth-2.cl");
  await it.fill("smooth", SMOOTH);
  await it.run("1 undefined value");
  await it.result.getByRole("button", { name: "1 undefined value" }).click();
  await it.summary(/^Work-item 63 /);
  await it.take("07-undefined", [it.source, it.status, it.result]);
  await it.result.getByRole("button", { name: "List" }).click();
  await it.findings.getByRole("button", { name: /^read by work-item 63/ }).click();
  await it.summary(/slm\[0x104\] is read/);
  await it.tab("Shared local memory");
  await it.take("08-tile", [it.status, it.state]);
  await it.source.getByRole("button", { name: "Breakpoint on source line 7" }).click();
  const condition = it.page.getByLabel("Condition on smooth-2.cl:7");
  await condition.fill("local_id.x == 63");
  await condition.press("Enter");
  await it.button("Go to start").click();
  await it.button("Continue").click();
  await it.summary(/^Stopped at the breakpoint/);
  await it.take("09-breakpoint", [it.region("Program"), it.status, it.result]);
  await it.button("Step over").click();
  await it.summary(/^Work-item 63 /);
  await it.take("10-write", [it.status, it.state], { height: 360 });
});

test("Is it my kernel or the compiler?", async (t) => {
  const it = await start(t, { width: 1700, height: 1200 });
  await it.open("shl_limbs.bin", "shl_limbs.cl");
  await it.fill("shl_limbs", {
    "Work-items in x": "1",
    "Work-group size in x": "1",
    "Elements of four": "12",
    "four starts as": "splat(0x80000001)",
  });
  await it.run("no findings");
  await it.button("Go to start").click();
  await it.source.getByRole("button", { name: "Run to source line 4" }).click();
  const line = it.source.locator("[aria-current=step]").filter({ hasText: "hi =" });
  await line.waitFor();
  await it.source.getByRole("button", { name: /^\d+ instructions$/ }).click();
  await line.evaluate((element) => element.scrollIntoView({ block: "start" }));
  await it.take("11-miscompile", [it.source]);
});
