// The release build in a real browser. A test file imports `open` and `axe`;
// server and browser start with the first page and end with the file. The
// browser is Chromium, or Firefox where LANEWISE_BROWSER says `firefox`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { chromium, firefox } from "playwright-core";
import { CHROMIUM, findChrome } from "./chrome.mjs";
import { findFirefox, preferences } from "./firefox.mjs";
import { serve } from "./server.mjs";

export const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

/** For tests of what only Chromium has, such as its protocol. */
export const inFirefox = process.env.LANEWISE_BROWSER === "firefox";

/**
 * For the `skip` of a test that needs what only Chromium has: why. On one line
 * with the test's name, for the guide lists these tests (xtask/src/evidence.rs).
 */
export const chromiumOnly = (why) => inFirefox && why;

/**
 * How many times slower than it is Chromium makes the processor for the page:
 * what looks at the page too early then fails at once.
 */
const SLOWDOWN = Number(process.env.LANEWISE_SLOWDOWN ?? 1);

/** How long a test waits for what it expects, in milliseconds: other work may be going on. */
const PATIENCE = 30_000 * SLOWDOWN;

const launchChromium = () => chromium.launch({ executablePath: findChrome(), args: CHROMIUM });
const launchFirefox = (media) =>
  firefox.launch({ channel: "moz-firefox", executablePath: findFirefox(), firefoxUserPrefs: preferences(media) });

let host;
const browsers = new Map();

/**
 * The server, and a browser for pages of these media settings. Chromium has one
 * browser for all of them; to Firefox they are preferences, with which it starts.
 */
async function start(media) {
  host ??= serve(DIST);
  const key = inFirefox ? JSON.stringify(media) : "";
  if (!browsers.has(key)) browsers.set(key, inFirefox ? launchFirefox(media) : launchChromium());
  const [{ origin }, browser] = await Promise.all([host, browsers.get(key)]);
  return { origin, browser };
}

after(async () => {
  for (const browser of browsers.values()) await (await browser.catch(() => undefined))?.close();
  const { server } = (await host?.catch(() => undefined)) ?? {};
  server?.closeAllConnections();
  server?.close();
});

// Where text replaces coloured text, Chromium wants to keep the colour by a
// style; the policy forbids it, and CodeMirror draws the line anew anyhow. The
// same in another place than the editor is an error.
const EDITING = /^Applying inline style violates/;
const watchStyles = () =>
  addEventListener("securitypolicyviolation", ({ target, effectiveDirective }) => {
    const inEditor = target.closest?.(".cm-content");
    if (effectiveDirective === "style-src-attr" && !inEditor) console.error("a style in an attribute:", target);
  });

/**
 * Opens the page in a fresh profile and waits until it has drawn itself.
 *
 * `t` is the context that node:test hands to the test. When the test ends the
 * page is closed, and the test fails if the page threw, logged an error, asked
 * for a file that is not there, or asked another host for anything; a test
 * that makes the page fail says `mayFail`. `theme`, `motion` and `forcedColors`
 * are what the reader's system is set to. `before` runs in the page before
 * its own scripts. A test that looks at what comes before the editor, or that
 * has none, says `editor: false`; players and the guide have none. A page
 * elsewhere is opened by its `url`; `touch` makes it one of a phone; `others` are origins that may be asked too. `workers` are
 * service workers: what they answer is not seen here, so they are kept out
 * unless a test is about them.
 */
export async function open(
  t,
  {
    theme = "light", motion = true, forcedColors = false, width = 1280, height = 800, touch = false, path = "/", mayFail = false, before,
    url, others = [], workers = "block", editor = !url && !/^\/guide\/|[?&]embed/.test(path),
  } = {},
) {
  const media = {
    colorScheme: theme,
    reducedMotion: motion ? "no-preference" : "reduce",
    forcedColors: forcedColors ? "active" : "none",
  };
  const { origin, browser } = await start(media);
  const context = await browser.newContext({
    ...media,
    viewport: { width, height },
    serviceWorkers: workers,
    hasTouch: touch,
    isMobile: touch,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  if (SLOWDOWN > 1) {
    const protocol = await context.newCDPSession(page);
    await protocol.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  }
  await page.addInitScript(watchStyles);
  // Firefox runs it in the empty page before too, which keeps nothing.
  const script = typeof before === "function" ? `(${before})();` : before;
  if (script) await page.addInitScript(`if (origin !== "null") { ${script} }`);
  const errors = [];
  page.on("pageerror", (error) => errors.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !EDITING.test(message.text())) errors.push(`logged: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    const known = [origin, ...others].includes(url.origin);
    if (url.protocol.startsWith("http") && !known) errors.push(`asked for ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} for ${response.url()}`);
  });
  t.after(async () => {
    await context.close();
    if (!mayFail) assert.deepEqual(errors, [], "the page reported errors");
  });
  await page.goto(url ?? origin + path);
  await page.getByRole("main").waitFor();
  if (editor) await edits(page);
  return page;
}

/** Waits until the editor has taken the place of the text area. */
export async function edits(page) {
  await page.locator("[contenteditable=true][role=textbox][aria-label=Program]").waitFor({ state: "attached" });
}

/** Waits until one of these elements has the focus, be it scrolled out of view. */
export const hasFocus = (locator) => locator.and(locator.page().locator(":focus")).waitFor({ state: "attached" });

/** How long it is between two looks at what is waited for, in milliseconds: about a frame. */
const LOOK_AGAIN = 16;

/**
 * Waits until what is read is as expected: deeply equal to it, a match of the
 * pattern, or true for the function. Returns what was read; fails with what was
 * read last. For what an action or the loading of the page changes: an effect, a
 * frame or the other side of a message may still be to come. What asserts by
 * itself and returns nothing needs no `expected`.
 */
export async function eventually(read, expected, message) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      const value = await read();
      compare(value, expected, message);
      return value;
    } catch (error) {
      // What is read may be gone or not there yet.
      if (performance.now() > end) throw error;
      await setTimeout(LOOK_AGAIN);
    }
  }
}

function compare(value, expected, message) {
  if (expected instanceof RegExp) return assert.match(value, expected, message && `${message}: ${inspect(value)}`);
  if (typeof expected !== "function") return assert.deepEqual(value, expected, message && `${message}: ${inspect(value)}`);
  assert.ok(expected(value), `${message ?? "not as expected"}: ${inspect(value)}, ${expected}`);
}

/**
 * Waits until what an action set off is done and drawn, and nothing moves any
 * more: before an assertion that something does not happen, and before something
 * is measured or snapped. Another sign of the action, such as the step that is
 * shown, is waited for first. `page` may be a frame.
 */
export const settled = (page) =>
  page.evaluate(async () => {
    // What is drawn in the next frame may ask for one more.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const moving = document.getAnimations().filter(({ playState, effect }) =>
      playState === "running" && effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });

/** By how many pixels the page, or the page in a frame, can be scrolled sideways. A scroll bar takes room of the window. */
export const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** A double-click. Firefox under test counts no clicks, so it is told there. */
export const doubleClick = (locator) => (inFirefox ? locator.dispatchEvent("dblclick") : locator.dblclick());

/**
 * What a press downloads: its name and its bytes. The protocol for Firefox does
 * not report what a page makes and saves: there it is taken as the page hands it
 * over.
 */
export async function download(page, press) {
  if (!inFirefox) {
    const [download] = await Promise.all([page.waitForEvent("download"), press()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }
  await page.evaluate(() => {
    const { click } = HTMLAnchorElement.prototype;
    globalThis.saved = new Promise((resolve, reject) => {
      HTMLAnchorElement.prototype.click = function () {
        HTMLAnchorElement.prototype.click = click;
        const bytes = fetch(this.href).then((answer) => answer.arrayBuffer());
        bytes.then((bytes) => resolve([this.download, [...new Uint8Array(bytes)]]), reject);
        click.call(this);
      };
    });
  });
  await press();
  const [name, bytes] = await page.evaluate(() => globalThis.saved);
  return { name, bytes: Buffer.from(bytes) };
}

/**
 * Drops a file on an element of the page, after it was dragged over it: what the
 * page said then.
 */
export const drop = (page, name, bytes, target = "body") =>
  page.evaluate(
    ([name, bytes, target]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name));
      const fire = (kind) =>
        document.querySelector(target).dispatchEvent(
          new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }),
        );
      fire("dragenter");
      fire("dragover");
      const said = getComputedStyle(document.body, "::after").content;
      fire("drop");
      return said;
    },
    [name, [...bytes], target],
  );

/** Lets the page and the test use the clipboard. To Firefox it is a preference. */
export async function allowClipboard(page) {
  if (!inFirefox) await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of axe on colours. */
const ON_COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] };

/**
 * What axe finds wrong with the page once it is drawn: rule, help, and where. A
 * dark page differs from the light one in its colours only: a test that looks at
 * both says the `theme`, and all other rules are for the light one.
 */
export async function axe(page, theme = "light") {
  // Colours on their way from one to another have a contrast of their own.
  await settled(page);
  // Not as an element of the page: its policy allows no foreign script.
  await page.evaluate(AXE);
  // Nothing is styled by a sheet of another origin, which it would fetch first.
  const options = { ...(theme === "dark" ? ON_COLOURS : {}), resultTypes: ["violations"], preload: false };
  const { violations } = await page.evaluate((options) => globalThis.axe.run(options), options);
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map((node) => node.target.join(" ")),
  }));
}
