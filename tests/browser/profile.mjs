// Opens the build in the folder that is named and does what a first visit does
// before it needs anything else; prints which functions of the wasm ran, by
// their places. For `cargo xtask profile`.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { bench } from "./bench.mjs";
import { CHROMIUM, findChrome } from "./chrome.mjs";
import { serve } from "./server.mjs";

const links = await readFile(new URL("../vectors/links/golden.jsonl", import.meta.url), "utf8");
/** One that opens. */
const LINK = links.trim().split("\n").map((line) => JSON.parse(line)).find((link) => link.text.includes("Compare-and-swap lock")).fragment;

const { origin, server } = await serve(resolve(process.argv[2]));
const browser = await chromium.launch({ executablePath: findChrome(), args: CHROMIUM });
const ran = new Set();
try {
  for (const viewport of [
    { width: 1400, height: 900 },
    { width: 360, height: 740 },
  ]) {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.addInitScript(() => {
      globalThis.ran = new Set();
      for (const name of ["instantiate", "instantiateStreaming"]) {
        const original = WebAssembly[name];
        WebAssembly[name] = (source, imports) =>
          original.call(WebAssembly, source, { ...imports, told: { ran: (place) => globalThis.ran.add(place) } });
      }
      // What comes after the first paint does not come.
      Object.defineProperty(globalThis, "lanewise", {
        configurable: true,
        set(value) {
          globalThis.waiting = [];
          value.whole = (then) => globalThis.waiting.push(then);
          Object.defineProperty(globalThis, "lanewise", { value });
        },
      });
    });
    await page.goto(origin);
    const it = bench(page);
    await it.summary("At the start. 1 instruction.");
    for (let step = 0; step < 3; step++) await it.button("Step").click();
    await it.summary(/^Lane 2/);
    await it.button("Step back").click();
    await it.button("To end").click();
    await it.button("To start").click();
    for (const tab of ["Registers", "Surfaces"]) await it.tab(tab);
    await it.show("Program");
    const text = await it.program.inputValue();
    await it.program.fill(text.replace("dword_atomic.inc", "dword_atomic.dec"));
    await it.summary(/^At the start/);
    const first = await page.evaluate(() => [...globalThis.ran]);
    // The next visit, with what is kept of this one.
    await page.reload();
    await it.summary(/^At the start/);
    for (const place of first) ran.add(place);
    // What is said when it cannot be had must not need it.
    const fail = () => page.evaluate(() => globalThis.waiting.splice(0).forEach((tell) => tell(false)));
    await fail();
    await it.show("Explain");
    await it.button("Load again").first().click();
    const second = await page.evaluate(() => [...globalThis.ran]);
    for (const place of second) ran.add(place);
    // A link that has to wait for it.
    await page.goto("about:blank");
    await page.goto(`${origin}/#1AAAA`);
    await it.summary(/./);
    await fail();
    await it.summary(/^The link waits/);
    const third = await page.evaluate(() => [...globalThis.ran]);
    for (const place of third) ran.add(place);
    // A link that was opened, at the next visit. What opened it is not counted.
    await page.goto("about:blank");
    await page.goto(`${origin}/#${LINK}`);
    await it.summary(/./);
    await page.evaluate(() => globalThis.waiting.splice(0).forEach((tell) => tell(true)));
    await page.waitForFunction(() => localStorage.getItem("lanewise.scenario") === "link");
    await page.reload();
    await it.summary(/./);
    await fail();
    await it.summary(/^The link waits/);
    for (const place of await page.evaluate(() => [...globalThis.ran])) ran.add(place);
  }
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
console.log([...ran].join(" "));
