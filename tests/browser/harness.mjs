// Test harness: the release build in a real browser. Test files import `open`
// and `axe`; server and browser start with the first page and stop with the
// file. The browser is Chromium, or Firefox if LANEWISE_BROWSER is `firefox`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { chromium, firefox } from "playwright-core";
import { CHROMIUM, findChrome, findShell } from "./chrome.mjs";
import { findFirefox, preferences } from "./firefox.mjs";
import { EMPTY, serve } from "./server.mjs";

export const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

/** For features that only Chromium has, such as its protocol. */
export const inFirefox = process.env.LANEWISE_BROWSER === "firefox";

/**
 * `skip` value for a test that needs Chromium, with the reason. Must be on one
 * line with the test's name, because the guide lists these tests
 * (xtask/src/evidence.rs).
 */
export const chromiumOnly = (why) => inFirefox && why;

/**
 * Slowdown factor for Chromium's CPU throttling, which exposes tests that do
 * not wait properly.
 */
const SLOWDOWN = Number(process.env.LANEWISE_SLOWDOWN ?? 1);

/**
 * Timeout of expectations in milliseconds, generous because the machine may be
 * busy.
 */
const PATIENCE = 30_000 * SLOWDOWN;

const launchChromium = (whole) =>
  chromium.launch({ executablePath: whole ? findChrome() : findShell(), args: CHROMIUM });
const launchFirefox = (media) =>
  firefox.launch({ channel: "moz-firefox", executablePath: findFirefox(), firefoxUserPrefs: preferences(media) });

let host;
const browsers = new Map();

/**
 * Starts the server, and a browser for pages with these media settings.
 * Chromium uses one browser for all settings, and the whole one where the shell does
 * not do; Firefox needs them as preferences at startup.
 */
async function start(media, whole) {
  host ??= serve(DIST, { headers: { "cache-control": "max-age=3600" } });
  const key = inFirefox ? JSON.stringify(media) : whole;
  if (!browsers.has(key)) browsers.set(key, inFirefox ? launchFirefox(media) : launchChromium(whole));
  const [{ origin }, browser] = await Promise.all([host, browsers.get(key)]);
  return { origin, browser };
}

after(async () => {
  for (const browser of browsers.values()) await (await browser.catch(() => undefined))?.close();
  const { server } = (await host?.catch(() => undefined)) ?? {};
  server?.closeAllConnections();
  server?.close();
});

// When text replaces coloured text, Chromium tries to preserve the colour with
// an inline style, which the policy forbids; CodeMirror re-renders the line
// anyway. Outside the editor this is an error.
const EDITING = /^Applying inline style violates/;
const watchStyles = () =>
  addEventListener("securitypolicyviolation", ({ target, effectiveDirective }) => {
    const inEditor = target.closest?.(".cm-content");
    if (effectiveDirective === "style-src-attr" && !inEditor) console.error("a style in an attribute:", target);
  });

/** Idle pages of passed tests, by whether they emulate a phone. */
const idle = new Map([[false, []], [true, []]]);

/** How to end the use of each page. */
const finishing = new WeakMap();

/** Closes a page before the end of its test, so that the next one is it again. */
export const close = (page) => finishing.get(page)();

/** A page in a new profile. */
async function newPage(browser, media, { viewport, scale, touch, workers }) {
  const context = await browser.newContext({
    ...media,
    viewport,
    deviceScaleFactor: scale,
    serviceWorkers: workers,
    hasTouch: touch,
    isMobile: touch,
  });
  const page = await context.newPage();
  if (SLOWDOWN > 1) {
    const protocol = await context.newCDPSession(page);
    await protocol.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  }
  return page;
}

/**
 * Makes a page like new for another test: no windows, storage, permissions,
 * routes, history or hovered element.
 */
async function reset(page, origin) {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll();
  // A page that is left saves its settings, at times after the next has loaded.
  await page.evaluate(() => (Storage.prototype.setItem = () => {}));
  // A page of the same origin keeps the process, and with it the compiled code.
  await page.goto(origin + EMPTY);
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  const protocol = await context.newCDPSession(page);
  await protocol.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await protocol.send("Page.resetNavigationHistory");
  await protocol.detach();
  await context.clearPermissions();
  await page.mouse.move(-1, -1);
  for (const event of ["console", "pageerror", "request", "response"]) page.removeAllListeners(event);
}

/**
 * Opens the page in an empty profile and waits until it has rendered.
 *
 * `t` is the context of the test. At the end of the test the page is closed,
 * and the test fails if the page threw, logged an error, requested a missing
 * file or contacted another host; a test that provokes failures sets `mayFail`.
 * `theme`, `motion` and `forcedColors` emulate system settings; by default the
 * system asks for reduced motion, because animations take time. `before` runs
 * in the page before its own scripts. Tests of the page before or without the
 * editor set `editor: false`; players and the guide have no editor. `url` opens
 * another page; `touch` emulates a phone; `others` lists further allowed
 * origins. Service workers are blocked unless `workers` is set, because their
 * responses are not visible here.
 *
 * A page is used for several tests, because loading it with compiled code takes
 * a fifth of the time. A test that measures loading or memory, or that leaves
 * something that `reset` does not undo, sets `fresh`. A test that measures memory,
 * which the headless shell cannot, sets `whole`.
 */
export async function open(
  t,
  {
    theme = "light", motion = false, forcedColors = false, width = 1280, height = 800, scale = 1, touch = false, path = "/",
    mayFail = false, before,
    url, others = [], workers = "block", editor = !url && !/^\/guide\/|[?&]embed/.test(path),
    whole = false, fresh = whole || inFirefox || Boolean(url) || scale !== 1 || workers !== "block",
  } = {},
) {
  const media = {
    colorScheme: theme,
    reducedMotion: motion ? "no-preference" : "reduce",
    forcedColors: forcedColors ? "active" : "none",
  };
  const viewport = { width, height };
  const { origin, browser } = await start(media, whole);
  const used = fresh ? undefined : idle.get(touch).pop();
  await used?.emulateMedia(media);
  await used?.setViewportSize(viewport);
  const page = used ?? (await newPage(browser, media, { viewport, scale, touch, workers }));
  page.setDefaultTimeout(PATIENCE);
  // Firefox also runs scripts in the initial empty page, which has no storage.
  const script = typeof before === "function" ? `(${before})();` : before;
  const scripts = [await page.addInitScript(watchStyles)];
  if (script) scripts.push(await page.addInitScript(`if (origin !== "null") { ${script} }`));
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
  const finish = async () => {
    if (fresh || page.isClosed() || errors.length) {
      await page.context().close();
    } else {
      for (const script of scripts) await script.dispose();
      await reset(page, origin);
      idle.get(touch).push(page);
    }
    if (!mayFail) assert.deepEqual(errors, [], "the page reported errors");
  };
  let finished;
  finishing.set(page, () => (finished ??= finish()));
  t.after(finishing.get(page));
  await page.goto(url ?? origin + path);
  await page.locator(":not([aria-busy]) > main").waitFor();
  if (editor) await edits(page);
  return page;
}

/** In the page: exposes the wasm memory for measurement. */
export function keepMemory() {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (...given) => {
    const made = await instantiateStreaming.apply(WebAssembly, given);
    globalThis.memory = made.instance.exports.memory;
    return made;
  };
}

/** Waits until the editor has replaced the text area. */
export async function edits(page) {
  await page.locator("[contenteditable=true][role=textbox][aria-label=Program]").waitFor({ state: "attached" });
}

/**
 * Waits until one of these elements has focus, even if scrolled out of view.
 */
export const hasFocus = (locator) => locator.and(locator.page().locator(":focus")).waitFor({ state: "attached" });

/** Polling interval in milliseconds. */
const LOOK_AGAIN = 50;

/**
 * Polls until the value read is as expected: deeply equal, matching a pattern,
 * or accepted by a function. Returns the value, or fails with the last one. Use
 * it for effects of an action or of loading, which may take a frame or a
 * message. A `read` that asserts by itself and returns nothing needs no
 * `expected`.
 */
export async function eventually(read, expected, message) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      const value = await read();
      compare(value, expected, message);
      return value;
    } catch (error) {
      // The value may not exist yet, or no longer.
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
 * Waits until all effects of an action are rendered and transitions have ended.
 * Use it before asserting that something does not happen, and before
 * measurements and snapshots. First wait for another sign of the action, such
 * as the displayed step. `page` may be a frame.
 */
export const settled = (page) =>
  page.evaluate(async () => {
    // A frame may schedule one more.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const moving = document.getAnimations().filter(({ playState, effect }) =>
      playState === "running" && effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });

/**
 * Horizontal scroll range, in pixels, of the page or frame. Scroll bars reduce
 * the window's width.
 */
export const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Double-clicks. Firefox under test does not count clicks, so it receives the
 * event directly.
 */
export const doubleClick = (locator) => (inFirefox ? locator.dispatchEvent("dblclick") : locator.dblclick());

/**
 * Name and bytes of a download. Firefox's protocol does not report downloads of
 * generated files, so they are intercepted in the page.
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

/** Drags a file over an element and drops it. Returns the page's notice. */
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

/** Grants clipboard access; in Firefox, a preference does. */
export async function allowClipboard(page) {
  if (!inFirefox) await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** axe rules about colours. */
const ON_COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] };

/**
 * Violations that axe finds once the page is rendered: theme, rule, help and
 * location. With `dark`, looks at the dark theme too, which differs only in
 * colours, so that the other rules need not run again. `part` selects the
 * elements to look at.
 */
export async function axe(page, { dark = false, part } = {}) {
  // Not as a script element: the policy forbids foreign scripts.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const violations = await violationsIn(page, "light", part);
  // Firefox has a preference instead.
  if (!dark || inFirefox) return violations;
  await page.emulateMedia({ colorScheme: "dark" });
  violations.push(...(await violationsIn(page, "dark", part)));
  await page.emulateMedia({ colorScheme: "light" });
  return violations;
}

async function violationsIn(page, theme, part) {
  // Colours in transition have a contrast of their own.
  await settled(page);
  // Fetches no style sheets of other origins, of which there are none, and does
  // not wait for answers of frames, which have no axe.
  const options = { ...(theme === "dark" ? ON_COLOURS : {}), resultTypes: ["violations"], preload: false, iframes: false };
  const { violations } = await page.evaluate(([part, options]) => globalThis.axe.run(part ?? document, options), [part, options]);
  return violations.map(({ id, help, nodes }) => ({
    theme,
    id,
    help,
    where: nodes.map((node) => node.target.join(" ")),
  }));
}
