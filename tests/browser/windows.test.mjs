// Windows and addresses: concurrent windows, Back and Forward, and loading a
// link on a slow connection.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { chromiumOnly, drop, edits, eventually, open, settled } from "./harness.mjs";

const saved = (page) => page.evaluate(() => localStorage["lanewise.text"]);

test("two windows do not overwrite each other silently", async (t) => {
  const first = await open(t);
  const one = bench(first);
  await one.program.fill("// of the first window\n");
  const second = await first.context().newPage();
  await first.waitForFunction(() => localStorage["lanewise.text"] === "// of the first window\n");
  await second.goto(new URL("/", first.url()).href);
  await edits(second);
  const two = bench(second);
  await eventually(() => two.program.inputValue(), "// of the first window\n", "it starts with the saved program");
  await two.program.fill("// of the second window\n");
  // The first window is notified immediately and keeps its own program.
  const told = first.getByRole("status").filter({ hasText: "Another Lanewise window" });
  await told.waitFor();
  assert.equal(await one.program.inputValue(), "// of the first window\n");
  await eventually(() => saved(first), "// of the second window\n");
  // The overwritten program is kept, with a notice.
  await one.program.fill("// of the first window again\n");
  await first.getByRole("status").filter({ hasText: "among the earlier drafts" }).waitFor();
  await eventually(() => saved(first), "// of the first window again\n");
  await one.button("Restore draft").click();
  await first.waitForFunction(() => localStorage["lanewise.text"] === "// of the second window\n");
  await first.getByRole("textbox", { name: "Program" }).filter({ hasText: "// of the second window" }).waitFor();
});

test("a window names its own program when another has saved one", async (t) => {
  const first = await open(t);
  const second = await first.context().newPage();
  await second.goto(new URL("/", first.url()).href);
  await edits(second);
  await bench(first).goTo(3);
  await bench(second).choose("Compare-and-swap lock");
  await first
    .getByRole("status", { name: "Notice" })
    .filter({ hasText: /^Another Lanewise window has saved “Compare-and-swap lock”\. This window still shows “Histogram with conflicts”/ })
    .waitFor();
  // Each window reloads its own program, and its own position.
  await bench(second).goTo(1);
  await first.reload();
  await edits(first);
  await first.locator('input[type=range][aria-valuetext^="step 3 of "]').waitFor();
  await eventually(() => bench(first).program.inputValue(), (text) => text.includes("Histogram with conflicts"));
  assert.match(await bench(second).program.inputValue(), /Compare-and-swap lock/);
});

test("the replaced drafts of two windows are all kept", async (t) => {
  const first = await open(t);
  const one = bench(first);
  const second = await first.context().newPage();
  await second.goto(new URL("/", first.url()).href);
  await edits(second);
  const two = bench(second);
  const kept = () => first.evaluate(() => localStorage["lanewise.drafts"] ?? "");
  const replace = async (it, words, label) => {
    await it.program.fill(`// ${words}\n`);
    await it.choose(label);
  };
  const words = [];
  for (const [it, text, label] of [[one, "apple", "Compare-and-swap lock"], [two, "pear", "Out of bounds"], [one, "plum", "Out of bounds"]]) {
    await replace(it, text, label);
    words.push(text);
    await eventually(kept, (drafts) => words.every((word) => drafts.includes(word)), text);
  }
});

test("showing or closing a window does not overwrite what another has saved since", async (t) => {
  const first = await open(t);
  const kept = () => first.evaluate(() => localStorage["lanewise.settings"]);
  await bench(first).show("Encoding");
  await eventually(kept, /encoding/);
  const second = await first.context().newPage();
  await second.goto(new URL("/", first.url()).href);
  await edits(second);
  await bench(second).show("Problems");
  await eventually(kept, /problems/);
  await first.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("pagehide"));
  });
  assert.match(await kept(), /problems/);
});

test("a text that did not fit in storage is not later mistaken for another window's", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.fill("// one\n");
  await eventually(() => saved(page), "// one\n");
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    globalThis.refused = 0;
    Storage.prototype.setItem = function (key, value) {
      if (key !== "lanewise.text") return setItem.call(this, key, value);
      globalThis.refused++;
      throw new DOMException("full", "QuotaExceededError");
    };
    globalThis.makeRoom = () => (Storage.prototype.setItem = setItem);
  });
  await it.program.fill("// two\n");
  await page.waitForFunction(() => globalThis.refused > 0);
  await page.evaluate(() => globalThis.makeRoom());
  await it.program.fill("// three\n");
  await eventually(() => saved(page), "// three\n");
  await settled(page);
  assert.equal(await page.getByRole("status", { name: "Notice" }).textContent(), "");
  assert.equal(await it.button("Restore draft").count(), 0);
});

test("Back returns to the previous scenario even if it was edited", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const hash = () => page.evaluate(() => location.hash);
  const isOpen = async (label, id) => {
    await page.getByRole("button", { name: `Scenarios ${label}` }).waitFor();
    await eventually(hash, `#scenario=${id}`);
  };
  await it.choose("Compare-and-swap lock");
  await isOpen("Compare-and-swap lock", "lock");
  await it.program.fill(`${await it.program.inputValue()}// mine\n`);
  await eventually(hash, "");
  await it.choose("Four planes, sixteen pixels");
  await isOpen("Four planes, sixteen pixels", "scatter-planes");
  await page.goBack();
  await isOpen("Compare-and-swap lock", "lock");
  // The edited text is among the replaced drafts.
  await it.button("Restore draft").click();
  await eventually(() => it.program.inputValue(), /\/\/ mine/);
});

test("Back and Forward move between scenarios", async (t) => {
  const page = await open(t);
  const it = bench(page);
  /**
   * Waits until a scenario is open: in the bar, the address and the window
   * title.
   */
  const isOpen = async (label, id, title) => {
    await page.getByRole("button", { name: `Scenarios ${label}` }).waitFor();
    await page.waitForFunction(
      ([id, title]) => location.hash === `#scenario=${id}` && document.title === `${title} · Lanewise`,
      [id, title],
    );
  };
  const first = ["Histogram with conflicts", "histogram", "Histogram with conflicts"];
  const lock = ["Compare-and-swap lock", "lock", "Compare-and-swap lock"];
  const planes = ["Four planes, sixteen pixels", "scatter-planes", "Four planes, sixteen pixels"];
  await isOpen(...first);
  await it.choose(lock[0]);
  await isOpen(...lock);
  const text = await it.program.inputValue();
  await it.choose(planes[0]);
  await isOpen(...planes);
  await page.goBack();
  await isOpen(...lock);
  await eventually(() => it.program.inputValue(), text);
  await page.goBack();
  await isOpen(...first);
  await page.goForward();
  await isOpen(...lock);
  await eventually(() => it.program.inputValue(), text);
  await page.goForward();
  await isOpen(...planes);
});

test("Back returns to the scenario before a file, and before programs opened after it", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const hash = () => page.evaluate(() => location.hash);
  const isOpen = async (label, id) => {
    await page.getByRole("button", { name: `Scenarios ${label}` }).waitFor();
    await eventually(hash, id && `#scenario=${id}`);
  };
  const dropFile = async () => {
    await drop(page, "mine.lanewise", Buffer.from("// of a file\n"));
    await isOpen("mine.lanewise", "");
  };
  await it.choose("Compare-and-swap lock");
  await isOpen("Compare-and-swap lock", "lock");
  await dropFile();
  await page.goBack();
  await isOpen("Compare-and-swap lock", "lock");
  // Once edited, it leaves the address.
  await it.program.fill(`${await it.program.inputValue()}// mine\n`);
  await eventually(hash, "");
  await dropFile();
  await it.choose("Four planes, sixteen pixels");
  await isOpen("Four planes, sixteen pixels", "scatter-planes");
  await page.goBack();
  await isOpen("Compare-and-swap lock", "lock");
  await page.goBack();
  await isOpen("Histogram with conflicts", "histogram");
});

/**
 * Records every text that shows a program, by kind, from the first byte of the
 * page on.
 */
const watch = () => {
  globalThis.seen = { title: [], program: [], chooser: [], heading: [], stage: [], summary: [] };
  const places = {
    program: "#program-text, .cm-content, [aria-label=Program][role=textbox]",
    chooser: ".chooser .chosen",
    heading: ".notes h2",
    stage: "[aria-label=Stage]",
    summary: "[aria-label='Step summary']",
  };
  const note = (kind, text) => {
    const list = globalThis.seen[kind];
    if (text && list.at(-1) !== text) list.push(text);
  };
  const look = () => {
    note("title", document.title);
    for (const [kind, place] of Object.entries(places)) {
      for (const element of document.querySelectorAll(place)) {
        note(kind, (element.value ?? element.textContent).trim());
      }
    }
  };
  new MutationObserver(look).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
  // Properties that a script sets without DOM mutations.
  const frame = () => {
    look();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
};

for (const [name, address, wanted] of [
  ["of a bundled scenario", "#scenario=dpasw-int8", { heading: "int8, four rows from each EU", mnemonic: /dpasw/i }],
  ["that was shared", undefined, { heading: "A program of my own", mnemonic: /dword_atomic\.dec/i }],
]) {
  test(`on a slow connection, a link to ${name} never shows another program`, { skip: chromiumOnly("only Chromium's protocol throttles the connection") }, async (t) => {
    let fragment = address;
    if (!fragment) {
      const sender = await open(t);
      const it = bench(sender);
      const text = (await it.program.inputValue())
        .replace(/^\.title.*$/m, '.title "A program of my own"')
        .replace("dword_atomic.inc", "dword_atomic.dec");
      await it.program.fill(text);
      await it.button("Share").click();
      fragment = new URL(await eventually(() => sender.getByRole("textbox", { name: "Link" }).inputValue(), /#./)).hash;
    }
    // A previous visit saved another program.
    const page = await open(t, { path: "/guide/", editor: false, before: watch, fresh: true });
    const { origin } = new URL(page.url());
    const line = await page.context().newCDPSession(page);
    await line.send("Network.enable");
    await line.send("Network.emulateNetworkConditions", {
      offline: false, latency: 80, downloadThroughput: 3_000_000 / 8, uploadThroughput: 1_000_000 / 8,
    });
    page.setDefaultTimeout(120_000);
    await page.goto(`${origin}/${fragment}`, { timeout: 120_000 });
    await bench(page).summary(/^At the start/);
    await edits(page);
    await settled(page);
    const seen = await page.evaluate(() => globalThis.seen);
    // Each kind was recorded.
    for (const [kind, texts] of Object.entries(seen)) assert.ok(texts.length > 0, kind);
    const first = /Histogram with conflicts/;
    for (const [kind, texts] of Object.entries(seen)) {
      for (const text of texts) assert.doesNotMatch(text, first, `${kind}: ${text}`);
    }
    assert.deepEqual(new Set(seen.heading), new Set([wanted.heading]));
    for (const text of seen.program) assert.match(text, wanted.mnemonic);
    assert.deepEqual(new Set(seen.title.filter((text) => text !== "Lanewise")), new Set([`${wanted.heading} · Lanewise`]));
  });
}
