// Links, files and exports.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { allowClipboard, axe, close, download, drop, eventually, hasFocus, open, settled } from "./harness.mjs";

const golden = (await readFile(new URL("../vectors/links/golden.jsonl", import.meta.url), "utf8"))
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Sharing controls. */
function sharing(page) {
  const dialog = page.getByRole("dialog", { name: "Share" });
  const group = dialog.getByRole("group", { name: "Export" });
  return {
    dialog,
    link: dialog.getByRole("textbox", { name: "Link" }),
    button: (name) => dialog.getByRole("button", { name, exact: true }),
    status: dialog.getByRole("status"),
    async open() {
      const menu = page.getByRole("button", { name: "Menu", exact: true });
      if ((await menu.count()) > 0) await menu.click();
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await dialog.waitFor();
      return eventually(() => this.link.inputValue(), /#./);
    },
    async pick(what, form) {
      await group.getByLabel("Content").selectOption({ label: what });
      await group.getByLabel("Format").selectOption({ label: form });
    },
    /** Downloads the selected export: name and bytes. */
    download(button = "Download the export") {
      return download(page, () => this.button(button).click());
    },
  };
}

const fragmentOf = (address) => address.slice(address.indexOf("#"));

test("a shared link opened in a fresh profile has the same text, step, tab and formats", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const it2 = sharing(page);
  await it.choose("Compare-and-swap lock");
  for (let step = 0; step < 3; step++) await it.button("Step").click();
  await it.at("step 3 of 16");
  await it.tab("Shared local memory");
  await page.getByLabel("Format", { exact: true }).selectOption("as used, in hexadecimal");
  const summary = page.getByRole("status", { name: "Step summary" });
  const said = await summary.innerText();
  const address = await it2.open();
  await eventually(() => page.evaluate(() => location.href), address);
  t.diagnostic(`${address.length} characters`);
  await it2.dialog.getByText(`${address.length} characters.`).waitFor();
  const text = await it.program.inputValue();

  const there = await open(t, { path: `/${fragmentOf(address)}` });
  const other = bench(there);
  await other.at("step 3 of 16");
  await eventually(() => other.program.inputValue(), text);
  await eventually(() => there.getByRole("status", { name: "Step summary" }).innerText(), said);
  await other.panel("Shared local memory").waitFor();
  await eventually(() => there.getByLabel("Format", { exact: true }).inputValue(), "as used, in hexadecimal");
  assert.equal(await there.getByRole("button", { name: "Restore draft" }).count(), 0);
});

test("inspected and watched cells, step size and plain text are part of the link", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.fromMenu("Program menu", "Plain text");
  await it.button("Stepping options").click();
  await page.getByLabel("Step by").selectOption("instruction");
  await page.keyboard.press("Escape");
  await it.button("Step").click();
  const cell = it.panel("Shared local memory").getByRole("row", { name: "0x0" }).getByRole("cell").nth(1).getByRole("button");
  await cell.click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  const name = await page.getByRole("group", { name: /^Cell slm/ }).getAttribute("aria-label");
  const address = await sharing(page).open();

  const there = await open(t, { path: `/${fragmentOf(address)}`, editor: false });
  const other = bench(there);
  await there.getByRole("group", { name, exact: true }).waitFor();
  await there.getByRole("group", { name: "Watches" }).getByText(name.replace("Cell ", "")).waitFor();
  await other.button("Program menu").click();
  await there.getByRole("button", { name: "Plain text", pressed: true }).waitFor();
  await eventually(() => there.getByLabel("Step by").inputValue(), "instruction");
  // The reader's own choice is separate.
  await there.goto("about:blank");
  await there.goto(page.url().replace(/#.*/, ""));
  await other.button("Program menu").click();
  await there.getByRole("button", { name: "Plain text", pressed: false }).waitFor();
});

test("dialogs are as tall as their contents", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  for (const name of ["Share", "Embed"]) {
    await it.button(name).click();
    const dialog = page.getByRole("dialog", { name });
    await dialog.getByRole("button", { name: "Close" }).waitFor();
    await eventually(() => dialog.evaluate((e) => e.scrollHeight - e.clientHeight), (hidden) => hidden <= 1, name);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  }
});

test("the text box shows the start of the link, all of it selected", async (t) => {
  const page = await open(t, { width: 360 });
  const sharer = sharing(page);
  const address = await sharer.open();
  const shown = () => sharer.link.evaluate((e) => [e.selectionStart, e.selectionEnd, e.scrollLeft, e.scrollWidth > e.clientWidth]);
  await eventually(shown, [0, address.length, 0, true]);
});

test("the link is copied, and leaves the address bar when the text changes", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const sharer = sharing(page);
  await allowClipboard(page);
  const address = await sharer.open();
  await sharer.button("Copy").click();
  await sharer.status.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await page.keyboard.press("Escape");
  await sharer.dialog.waitFor({ state: "hidden" });
  await it.button("Step").click();
  await it.at("step 1 of 16");
  await settled(page);
  assert.equal(await page.evaluate(() => location.href), address, "stepping is not an edit");
  await it.program.fill("// mine\n");
  await page.waitForFunction(() => !location.hash);
  await sharer.open();
  await eventually(() => sharer.link.inputValue(), (now) => now !== address);
});

test("every golden link opens", async (t) => {
  const page = await open(t);
  const it = bench(page);
  for (const { fragment, text, times = 1, view } of golden) {
    await page.evaluate((link) => (location.hash = link), fragment);
    const wanted = text.repeat(times).replaceAll("\r\n", "\n");
    await page.waitForFunction((text) => document.getElementById("program-text")?.value === text, wanted);
    if (view.step) await page.locator(`input[type=range][aria-valuetext^="step ${view.step} of"]`).waitFor();
    if (view.wings) await page.getByText("wings = folded").waitFor();
  }
  await it.button("Run").waitFor();
});

test("a broken link is reported, and the user's work stays", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill("// mine\n.slm 64\n");
  await it.summary("The program has no instructions.");
  const whole = golden.find((g) => g.fragment.startsWith("1") && g.text.length > 200).fragment;
  const bad = {
    [whole.slice(0, whole.length / 2)]: /end is missing|cut off|truncated/,
    [`${whole.slice(0, 40)}A${whole.slice(41)}`]: /damaged|missing/,
    [`8${whole.slice(1)}`]: /newer/,
    "utm_source=mail": /not a link/,
    [`1${"%20".repeat(9)}`]: /invalid character|sign that links/,
    [`1${"A".repeat(400_000)}`]: /longer than|too long/,
  };
  for (const [link, why] of Object.entries(bad)) {
    const started = Date.now();
    await page.evaluate((link) => (location.hash = link), link);
    const alert = page.getByRole("alert").filter({ hasText: why });
    await alert.waitFor();
    t.diagnostic(`${link.slice(0, 12)}…: ${Date.now() - started} ms`);
    assert.equal(await it.program.inputValue(), "// mine\n.slm 64\n");
    await it.button("Dismiss").press("Enter");
    await alert.waitFor({ state: "detached" });
    await hasFocus(page.getByRole("status", { name: "Notice" }));
  }
  await page.evaluate(() => (location.hash = document.getElementById("program-text").id));
  await it.choose("Histogram with conflicts");
  await settled(page);
  assert.equal(await page.getByRole("alert").filter({ hasText: "link" }).count(), 0);
  await it.button("Restore draft").click();
  await eventually(() => it.program.inputValue(), "// mine\n.slm 64\n");
});

test("a link or scenario that cannot be opened stays in the address for correction", async (t) => {
  for (const [fragment, why] of [["1AAAA", /end is missing|cut off|truncated/], ["scenario=histogrum", "unknown scenario “histogrum”"]]) {
    // On a first visit, the page still introduces itself.
    const page = await open(t, { path: `/#${fragment}` });
    const it = bench(page);
    const alert = page.getByRole("alert").filter({ hasText: why });
    await alert.filter({ hasText: "Correct the address" }).waitFor();
    await page.getByRole("button", { name: "open your kernel" }).waitFor();
    const hash = () => page.evaluate(() => location.hash);
    await it.button("Step").click();
    await it.at("step 1 of 16");
    await eventually(hash, `#${fragment}`);
    await page.evaluate(() => (location.hash = "scenario=lock"));
    await page.getByRole("button", { name: "Scenarios Compare-and-swap lock" }).waitFor();
    await alert.waitFor({ state: "hidden" });
    await it.choose("Histogram with conflicts");
    await eventually(hash, "#scenario=histogram");
    // The invalid address does not return with its program.
    await page.evaluate((fragment) => (location.hash = fragment), fragment);
    await alert.waitFor();
    await it.choose("Compare-and-swap lock");
    await eventually(hash, "#scenario=lock");
    await it.choose("Histogram with conflicts");
    await eventually(hash, "#scenario=histogram");
  }
});

test("reloading a link restores the position; in another tab the link starts where it says", async (t) => {
  const { fragment, text } = golden.find((g) => g.text.includes("Compare-and-swap lock"));
  const page = await open(t, { path: `/#${fragment}` });
  const it = bench(page);
  await it.at("step 9 of 16");
  const address = page.url();
  await it.timeline.fill("3");
  await it.at("step 3 of 16");
  await it.show("Encoding");
  await page.reload();
  await it.at("step 3 of 16");
  await it.panel("Encoding").waitFor();
  await eventually(() => it.program.inputValue(), text);
  await eventually(() => page.evaluate(() => location.hash), `#${fragment}`);
  // The same tab, by its address: not a return.
  await page.goto("about:blank");
  await page.goto(address);
  await it.at("step 9 of 16");
  // Another tab of the same browser.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await bench(other).at("step 9 of 16");
});

test("a reload restores the position even if the text is not the link's own", async (t) => {
  // The histogram with CRLF, style=document and step=3.
  const link =
    "1QxsBAo8pGWMmRV54WvSADxOCB5Zhg4TFSrxcvGSmFejQHnSQDjIcqQ4aJM7jJTMZgcwBj2LCxuPBQ98Qk8HuhIUwL5ZwQQwZQAMJzIewoaIQvgnIKPITHgCfGA";
  const page = await open(t, { path: `/#${link}` });
  const it = bench(page);
  await it.at("step 3 of 16");
  await it.timeline.fill("7");
  await it.at("step 7 of 16");
  const text = await it.program.inputValue();
  await page.reload();
  await it.at("step 7 of 16");
  await eventually(() => it.program.inputValue(), text);
  await eventually(() => page.evaluate(() => location.hash), `#${link}`);
  await it.button("Restore draft").waitFor({ state: "detached" });
});

test("copying is confirmed beside the button that was pressed", async (t) => {
  const page = await open(t);
  const sharer = sharing(page);
  await allowClipboard(page);
  await sharer.open();
  const isBeside = async (button) => {
    await sharer.button(button).click();
    // The message of another button may still be shown.
    await eventually(async () => {
      const pressed = await sharer.button(button).boundingBox();
      const said = await Promise.all((await sharer.status.filter({ hasText: "Copied." }).all()).map((status) => status.boundingBox()));
      return said.some((box) => box && Math.abs(pressed.y + pressed.height / 2 - (box.y + box.height / 2)) < pressed.height);
    }, true, button);
  };
  await isBeside("Copy");
  await isBeside("Copy the export");
});

test("opening a link keeps the user's text as a draft, across a reload too", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill("// mine\n");
  await it.summary("The program has no instructions.");
  const { fragment, text } = golden.find((g) => g.text.includes("Compare-and-swap lock"));
  await page.evaluate((link) => (location.hash = link), fragment);
  await it.at("step 9 of 16");
  await eventually(() => it.program.inputValue(), text);
  await page.reload();
  await it.at("step 9 of 16");
  await it.button("Restore draft").click();
  await eventually(() => it.program.inputValue(), "// mine\n");
  await page.waitForFunction(() => !location.hash);
});

test("a scenario is dropped; other files are rejected, and nothing is lost", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill("// mine\n");
  // Screen readers announce changes inside a known live region.
  const notice = await page.getByRole("status", { name: "Notice" }).elementHandle();
  assert.equal(await notice.textContent(), "");
  const target = await drop(page, "mine.lanewise", Buffer.from("﻿.title \"Dropped – here\"\r\n.slm 64\r\n"));
  assert.match(target, /Drop the file/);
  await page.getByRole("status").filter({ hasText: "mine.lanewise is open." }).waitFor();
  assert.equal(await notice.textContent(), "mine.lanewise is open.");
  const text = '.title "Dropped – here"\n.slm 64\n';
  await eventually(() => it.program.inputValue(), text);
  await eventually(() => page.locator("[data-drop]").count(), 0);
  for (const [name, bytes, why] of [
    ["photo.png", [0x89, 0x50, 0x4e, 0x47, 0, 0xff], "neither a vISA object"],
    ["zero.bin", [0, 1, 2], "neither a vISA object"],
    ["broken.lanewise", [0x2e, 0xff], "not UTF-8 text"],
    ["large.txt", Buffer.alloc(1_000_001, 32), "limit of 1 MB"],
  ]) {
    await drop(page, name, bytes);
    await page.getByRole("alert").filter({ hasText: `Cannot open ${name}: ` }).filter({ hasText: why }).waitFor();
    assert.equal(await it.program.inputValue(), text);
  }
  await it.button("Restore draft").click();
  await eventually(() => it.program.inputValue(), "// mine\n");
});

test("a file is opened by a button, and the scenario downloaded under its title", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), it.fromMenu("Program menu", "Open file")]);
  const text = '.title "Four lanes, 2 cells"\n.slm 64\n';
  await chooser.setFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByRole("status").filter({ hasText: "a.txt is open." }).waitFor();
  const { name, bytes } = await download(page, () => it.fromMenu("Program menu", "Download"));
  assert.deepEqual([name, bytes.toString()], ["four-lanes-2-cells.lanewise", text]);
  // A notice about what was done disappears, but not under the pointer.
  const notice = page.getByText(`${name} is in your downloads.`);
  await notice.hover();
  await page.clock.install();
  await page.clock.fastForward(20_000);
  await notice.waitFor();
  await page.mouse.move(0, 0);
  await settled(page);
  await page.clock.fastForward(9_000);
  await notice.waitFor();
  await page.clock.fastForward(2_000);
  await notice.waitFor({ state: "detached" });
});

test("a long link is reported, and the file offered instead", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const sharer = sharing(page);
  const noise = Array.from({ length: 300 }, (_, i) => `.note "${(i * 2654435761) % 4294967296}"`).join("\n");
  await it.program.fill(noise);
  const address = await sharer.open();
  assert.ok(address.length > 2_000);
  await sharer.dialog.getByText("some programs truncate links of more than 2,000").waitFor();
  const { name, bytes } = await sharer.download("Download the scenario");
  assert.deepEqual([name, bytes.toString()], ["scenario.lanewise", noise]);
  await page.keyboard.press("Escape");
  await it.program.fill(`// ${"long ".repeat(60_000)}`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await sharer.dialog.getByText("cannot be shared as a link").waitFor();
});

test("the dialog says what the link of a kernel does not contain", async (t) => {
  const page = await open(t);
  const share = sharing(page);
  const missing = share.dialog.getByText(/source files .* findings are not in the link/i);
  await share.open();
  assert.equal(await missing.count(), 0);
  await page.keyboard.press("Escape");
  await bench(page).choose("Histogram: atomics in a loop");
  await share.open();
  await missing.waitFor();
});

test("exported pictures are self-contained and show the values", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const sharer = sharing(page);
  await it.button("Run to end").click();
  await it.at("step 16 of 16");
  await sharer.open();
  await sharer.pick("Picture of the instruction", "SVG");
  const svg = await sharer.download();
  assert.equal(svg.name, "histogram-with-conflicts-stage-step-16.svg");
  // The page itself creates no elements from text: its policy forbids it.
  const empty = await page.context().newPage();
  const drawn = await empty.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, "image/svg+xml");
    const all = [...root.querySelectorAll("*")];
    const outside = all.flatMap((e) => [...e.attributes])
      .filter((a) => /url\(|https?:|var\(/.test(a.value) && !a.name.startsWith("xmlns"));
    return {
      name: root.localName,
      title: root.querySelector("title").textContent,
      about: root.querySelector("desc").textContent,
      texts: [...root.querySelectorAll("text")].map((text) => text.textContent),
      size: [root.getAttribute("width"), root.getAttribute("height")].map(Number),
      outside: outside.length,
      unstyled: all.filter((e) => e.localName === "text" && !e.getAttribute("font-family")).length,
      ours: all.flatMap((e) => [...e.attributes]).filter((a) => /^(class|style|data-|aria-)/.test(a.name)).length,
      foreign: root.querySelectorAll("foreignObject, script, image").length,
    };
  }, svg.bytes.toString());
  assert.deepEqual([drawn.name, drawn.outside, drawn.foreign, drawn.unstyled, drawn.ours], ["svg", 0, 0, 0, 0]);
  assert.equal(drawn.title, "Histogram with conflicts, Step 16 of 16");
  assert.match(drawn.about, /^dword_atomic\.inc \(M1, 16\) %slm V32\.0 %null\.0 %null\.0 V33\.0\. Lane 15: slm\[0x4\] 7 \+ 1 → 8, returned 7$/);
  // Title, instruction and step, and the lanes and cells of the page.
  assert.equal(drawn.texts[0], "Histogram with conflicts");
  const text = drawn.texts.join(" ").replaceAll(/\s+/g, " ");
  for (const part of [
    "dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0",
    "Step 16 of 16. Lane 15: slm[0x4] 7 + 1 → 8, returned 7",
    "lanes, in this order ↓",
    "slm[0x4] B",
    "6 → 7 → 8",
    "7 → 8",
    "lane 15:",
  ]) assert.ok(text.includes(part), `${part} in ${text}`);
  assert.equal(drawn.texts.filter((text) => text === "inc").length, 16);

  // The PNG equals the SVG pixel by pixel.
  await sharer.pick("Picture of the instruction", "PNG");
  const pixels = await sharer.download();
  const same = await page.evaluate(async ([svg, png]) => {
    const draw = async (bytes, type) => {
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
      await image.decode();
      const canvas = document.createElement("canvas");
      // In its own proportions: Firefox does not stretch an SVG.
      const [width, height] = [400, Math.round((400 * image.naturalHeight) / image.naturalWidth)];
      [canvas.width, canvas.height] = [width, height];
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0, width, height);
      return { data: context.getImageData(0, 0, width, height).data, width: image.naturalWidth, height: image.naturalHeight };
    };
    const [a, b] = [await draw(svg, "image/svg+xml"), await draw(png, "image/png")];
    let [off, inked] = [0, 0];
    for (let i = 0; i < a.data.length; i++) {
      off += Math.abs(a.data[i] - b.data[i]);
      if (i % 4 < 3 && a.data[i] < 128) inked++;
    }
    return { off: off / a.data.length, inked, sizes: [b.width / a.width, b.height / a.height] };
  }, [[...svg.bytes], [...pixels.bytes]]);
  assert.deepEqual(same.sizes.map(Math.round), [2, 2]);
  assert.ok(same.inked > 500, `something is drawn: ${same.inked}`);
  assert.ok(same.off < 6, `mean difference ${same.off} of 255`);
});

test("an exported picture has the values that the page cuts", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const sharer = sharing(page);
  const it = bench(page);
  const texts = async () => {
    await sharer.open();
    await sharer.pick("Picture of the instruction", "SVG");
    const { bytes } = await sharer.download();
    await page.keyboard.press("Escape");
    return bytes.toString().match(/(?<=>)[^<]+(?=<\/text>)/g);
  };
  const cut = (all) => all.filter((text) => text.includes("…"));
  await it.choose("int8, four rows from each EU");
  await it.goTo(7);
  const matrix = await texts();
  assert.deepEqual(cut(matrix), []);
  assert.ok(matrix.includes("-12 -13 -14 -15"), matrix.join("|"));
  // The edges follow the wider boxes.
  await it.choose("Tiled matrix product with DPAS");
  await it.goTo(40);
  assert.deepEqual(cut(await texts()), []);
});

test("the picture of a region is exported without its buttons", async (t) => {
  const page = await open(t);
  const sharer = sharing(page);
  await bench(page).choose("Regions, one by one");
  await sharer.open();
  await sharer.pick("Picture of the instruction", "SVG");
  const texts = (await sharer.download()).bytes.toString().match(/(?<=>)[^<]+(?=<\/text>)/g);
  assert.ok(texts.includes("V32[0]") && !texts.includes("+") && !texts.includes("−"), texts.join(" "));
});

test("the picture of a DPASW is exported too", async (t) => {
  const page = await open(t);
  const sharer = sharing(page);
  await bench(page).choose("int8, four rows from each EU");
  const supply = page.getByRole("region", { name: "Src2 supply" });
  await settled(page);
  const words = await supply.getByRole("status", { name: "Supply summary" }).textContent();
  await sharer.open();
  await sharer.pick("Picture of the instruction", "SVG");
  const svg = await sharer.download();
  // The page itself creates no elements from text: its policy forbids it.
  const empty = await page.context().newPage();
  const drawn = await empty.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, "image/svg+xml");
    return {
      title: root.querySelector("title").textContent,
      about: root.querySelector("desc").textContent,
      texts: [...root.querySelectorAll("text")].map((text) => text.textContent),
      size: ["width", "height"].map((name) => Number(root.getAttribute(name))),
      edges: [...root.querySelectorAll("path[stroke]")].length,
      colours: [...root.querySelectorAll("*")].flatMap((e) => [e.getAttribute("fill"), e.getAttribute("stroke")]),
    };
  }, svg.bytes.toString());
  assert.equal(drawn.title, "int8, four rows from each EU, Step 0 of 64");
  // Each element of A and each register of Src2 has a frame; viewers of SVG need not know all
  // of CSS.
  assert.ok(drawn.edges >= 8 * 8 + 8, `${drawn.edges} frames`);
  assert.deepEqual(drawn.colours.filter((colour) => colour && !/^(none|rgba?\([\d., ]+\))$/.test(colour)), []);
  assert.ok(drawn.about.endsWith(`. Src2 supply: ${words}`), drawn.about);
  const text = drawn.texts.join(" ").replaceAll(/\s+/g, " ");
  for (const part of ["EU0 · Src2", "r24", "row 7", "r28–r31 not read", "A = Src2 of both EUs, 8 × 32 s8", "1 2 3 4", "EU1: C = 1000", "32 B a row"]) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  await sharer.pick("Picture of the instruction", "PNG");
  const { bytes } = await sharer.download();
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], drawn.size.map((size) => Math.floor(2 * size)));
});

test("a narrow window exports areas behind other tabs", async (t) => {
  const page = await open(t, { width: 360, height: 780 });
  const it = bench(page);
  const sharer = sharing(page);
  await it.show("Program");
  await sharer.open();
  await sharer.pick("Picture of the instruction", "SVG");
  assert.match((await sharer.download()).bytes.toString(), /slm/);
  await sharer.pick("Table of the state", "Markdown");
  assert.match((await sharer.download()).bytes.toString(), /^\| Memory \| Address \|/);
  await sharer.pick("Table of the lanes", "CSV");
  assert.match((await sharer.download()).bytes.toString(), /^Lane,Order,Enabled,Address,Old,/);
});

test("tables, the run and the encoding are exported as text", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const sharer = sharing(page);
  await allowClipboard(page);
  await it.button("Run to end").click();
  // Whichever tab of the drawer is open.
  await it.show("Problems");
  await sharer.open();
  const copied = async (what, form) => {
    await sharer.pick(what, form);
    await page.evaluate(() => navigator.clipboard.writeText("before"));
    await sharer.button("Copy the export").click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "before");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const lanes = await copied("Table of the lanes", "CSV");
  assert.match(lanes.split("\r\n")[1], /^0,1,yes,0x0,0,1,0,done,"A conflicts with lanes 6, 10"$/);
  const state = await copied("Table of the state", "Markdown");
  assert.match(state, /\| slm \| 0x0 \| 3 \| 8 \| 3 \| 2 \|/);
  assert.deepEqual(JSON.parse(await copied("Table of the state", "JSON")), [
    { Memory: "slm", Address: "0x0", 0: 3, 4: 8, 8: 3, 12: 2 },
  ]);
  const run = JSON.parse(await copied("The run", "JSON"));
  assert.deepEqual([run.ok, run.steps, run.fault], [true, 16, null]);
  assert.ok(run.memory.slm["0x0"].startsWith("030000000800000003000000"));
  assert.equal(await copied("The program", "as written"), await it.program.inputValue());
  assert.match(await copied("The program", "vISA specification syntax"), /DWORD_ATOMIC\.INC \(16\) T0 V32/);
});

test("a cold link opens at its state", async (t) => {
  const { fragment } = golden.find((g) => g.text.includes("Compare-and-swap lock"));
  const page = await open(t, { path: `/#${fragment}`, fresh: true });
  await bench(page).at("step 9 of 16");
  const time = await page.evaluate(() => performance.now());
  t.diagnostic(`cold link to correct state, ms: ${Math.round(time)}`);
});

test("axe: the dialog and a notice", async (t) => {
  for (const width of [1400, 360]) {
    const page = await open(t, { width });
    const sharer = sharing(page);
    await sharer.open();
    assert.deepEqual(await axe(page, { dark: true }), [], `dialog at ${width}`);
    const wide = () => sharer.dialog.evaluate((e) => e.scrollWidth > e.clientWidth);
    await eventually(wide, false, `the dialog fits ${width} pixels`);
    await page.keyboard.press("Escape");
    await page.evaluate(() => (location.hash = "1broken"));
    await page.getByRole("alert").filter({ hasText: "Cannot open" }).waitFor();
    assert.deepEqual(await axe(page, { dark: true }), [], `notice at ${width}`);
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    await eventually(sideways, false, `no sideways scrolling at ${width}`);
    await close(page);
  }
});

test("sharing by keyboard alone", async (t) => {
  const page = await open(t);
  const sharer = sharing(page);
  await page.getByRole("button", { name: "Share", exact: true }).focus();
  await page.keyboard.press("Enter");
  await sharer.dialog.waitFor();
  await hasFocus(sharer.dialog.getByLabel("Link", { exact: true }));
  await page.keyboard.press("Tab");
  await hasFocus(sharer.dialog.getByRole("button", { name: "Copy", exact: true }));
  await page.keyboard.press("Escape");
  await sharer.dialog.waitFor({ state: "hidden" });
  await hasFocus(page.getByRole("button", { name: "Share", exact: true }));
});
