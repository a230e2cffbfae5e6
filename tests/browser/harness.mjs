// The release build in a real browser. A test file imports `open` and `axe`;
// server and browser start with the first page and end with the file.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findChrome } from "./chrome.mjs";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const CHROMIUM = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let started;

/** Starts the server and the browser, once. */
function start() {
  started ??= (async () => {
    const server = createServer(respond);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${server.address().port}`;
    try {
      const browser = await chromium.launch({ executablePath: findChrome(), args: CHROMIUM });
      return { origin, browser, server };
    } catch (error) {
      server.close();
      throw error;
    }
  })();
  return started;
}

after(async () => {
  const running = await started?.catch(() => undefined);
  await running?.browser.close();
  running?.server.closeAllConnections();
  running?.server.close();
});

/** Answers a request from `dist/`, as a static host does. */
async function respond(request, response) {
  try {
    const { pathname } = new URL(request.url, "http://localhost");
    // `normalize` of an absolute path cannot climb above its root.
    const path = normalize(decodeURIComponent(pathname));
    const body = await readFile(join(DIST, path.endsWith("/") ? `${path}index.html` : path));
    const type = TYPES[extname(path) || ".html"] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(body);
  } catch {
    response.writeHead(404, { "content-type": TYPES[".txt"] }).end("not found\n");
  }
}

/**
 * Opens the page in a fresh profile and waits until it has drawn itself.
 *
 * `t` is the context that node:test hands to the test. When the test ends the
 * page is closed, and the test fails if the page threw, logged an error, asked
 * for a file that is not there, or asked another host for anything; a test
 * that makes the page fail says `mayFail`. `before` runs in the page before
 * its own scripts.
 */
export async function open(
  t,
  { theme = "light", width = 1280, height = 800, path = "/", mayFail = false, before } = {},
) {
  const { origin, browser } = await start();
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  if (before) await page.addInitScript(before);
  const errors = [];
  page.on("pageerror", (error) => errors.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`logged: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== origin) errors.push(`asked for ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} for ${response.url()}`);
  });
  t.after(async () => {
    await context.close();
    if (!mayFail) assert.deepEqual(errors, [], "the page reported errors");
  });
  await page.goto(origin + path);
  await page.getByRole("main").waitFor();
  return page;
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds wrong with the page as it stands: rule, help, and where. */
export async function axe(page) {
  await page.addScriptTag({ path: AXE });
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map((node) => node.target.join(" ")),
  }));
}
