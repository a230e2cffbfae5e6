// Offline use and updates.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bench } from "./bench.mjs";
import { DIST, eventually, open, settled } from "./harness.mjs";
import { serve } from "./server.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A host with a copy of the build under its own path. */
async function host(t) {
  const folder = await mkdtemp(join(tmpdir(), "lanewise-"));
  const site = join(folder, "some", "where");
  await cp(DIST, site, { recursive: true });
  const seen = [];
  const { server, origin } = await serve(folder, { seen: (path) => seen.push(path) });
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  t.after(async () => {
    await stop().catch(() => {});
    await rm(folder, { recursive: true });
  });
  return { site, origin, url: `${origin}/some/where/`, stop, seen };
}

/** The worker of the folder's contents, as a new version. */
async function workerOf(site, more = "") {
  const folder = await mkdtemp(join(tmpdir(), "lanewise-"));
  await cp(site, folder, { recursive: true });
  const worker = await readFile(join(ROOT, "web/sw.js"), "utf8");
  await writeFile(join(folder, "sw.js"), worker + more);
  execFileSync("node", [join(ROOT, "xtask/offline.mjs"), folder]);
  const made = await readFile(join(folder, "sw.js"), "utf8");
  await rm(folder, { recursive: true });
  return made;
}

/** Publishes a worker atomically: the browser may check for one at any time. */
async function publish(site, worker) {
  await writeFile(join(site, "sw.js.new"), worker);
  await rename(join(site, "sw.js.new"), join(site, "sw.js"));
}

/** Changes a text of a version. */
async function change(path, from, to) {
  const text = await readFile(path, "utf8");
  assert.ok(text.includes(from), `${path} has ${from}`);
  await writeFile(path, text.replaceAll(from, to));
}

/** Opens the page and waits until everything is cached. */
async function visit(t, at) {
  const page = await open(t, { url: at.url, others: [at.origin], workers: "allow", mayFail: true });
  const state = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state);
  await eventually(state, "activated");
  return page;
}

/**
 * Waits until a page has loaded everything, the search worker last. A request
 * that reaches the active worker after the new one has called `skipWaiting`
 * restarts it, and Chromium then waits until it is idle: under test, 5 minutes.
 */
const loaded = (page) =>
  page.getByRole("tab", { name: "Outcomes", exact: true }).filter({ hasText: /\(\d/ }).waitFor();

test("a visit to the guide also makes the page available offline", async (t) => {
  const at = await host(t);
  const page = await visit(t, { ...at, url: `${at.url}guide/` });
  const heading = await page.getByRole("heading", { level: 1 }).innerText();
  await at.stop();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
});

test("after the first visit everything works offline", async (t) => {
  const at = await host(t);
  const page = await visit(t, at);
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const counts = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length));
    return { names, counts };
  });
  console.log(`kept offline: ${kept.counts} files in ${kept.names.length} caches`);
  await at.stop();
  await page.reload();
  const it = bench(page);
  await it.button("Step").click();
  await it.summary(/^Lane 0: slm/);
  await it.choose("INC wraps at its bound");
  await it.button("Step").click();
  await it.summary("Lane 0: global[0x10000] 0 + 1 → 1, returned 0");
  await it.show("Explain");
  await it.panel("Explain").getByText("Reference").waitFor();
  await page.goto(`${at.url}guide/`);
  await page.getByRole("heading", { level: 1, name: "What Lanewise is" }).waitFor();
  await page.getByRole("link", { name: "Lane conflicts and serialization" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Lane conflicts and serialization" }).waitFor();
  await page.getByRole("button", { name: /^Run it/ }).nth(1).click();
  const frame = page.frameLocator("iframe");
  // It runs automatically.
  await frame.getByRole("status", { name: "Step summary" }).filter({ hasText: /^\s*Lane \d/ }).waitFor();
});

/** A file of the build, and some of its text. */
const FILE = "guide/index.html";
const WORDS = "What Lanewise is";

test("an update is complete or rejected, and open pages keep their version", async (t) => {
  const at = await host(t);
  const page = await visit(t, at);
  await page.reload();
  const it = bench(page);
  const news = page.getByText("A new version is ready.");
  // Result of each update check, by the test or by the browser after a reload.
  await page.evaluate(async () => {
    globalThis.came = [];
    const registration = await navigator.serviceWorker.getRegistration();
    registration.addEventListener("updatefound", () => {
      const { installing } = registration;
      installing.addEventListener("statechange", () => globalThis.came.push(installing.state));
    });
  });
  const came = () => page.evaluate(() => globalThis.came);
  const look = () => page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration()).update();
  });
  const installing = () =>
    page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).installing));
  // The list is published, but one of its files is not yet.
  await change(join(at.site, FILE), WORDS, "A newer page");
  const newer = await workerOf(at.site);
  await change(join(at.site, FILE), "A newer page", "Neither of both");
  await publish(at.site, newer);
  await look();
  await eventually(came, (states) => states.includes("redundant"));
  await eventually(installing, false);
  await settled(page);
  assert.ok(!(await came()).includes("installed"), "a mix was accepted");
  assert.equal(await news.count(), 0);
  const versions = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.includes(" v ")));
  await eventually(versions, (names) => names.length === 1);
  // Now the version is complete.
  await change(join(at.site, FILE), "Neither of both", "A newer page");
  await look();
  await eventually(came, (states) => states.includes("installed"));
  await news.waitFor();
  // Another tab activates it; this page keeps its version.
  const other = await page.context().newPage();
  await other.goto(at.url);
  await other.getByRole("main").waitFor();
  await loaded(other);
  await other.evaluate(async () => {
    const { waiting } = await navigator.serviceWorker.getRegistration();
    const active = new Promise((resolve) =>
      waiting.addEventListener("statechange", () => waiting.state === "activated" && resolve()),
    );
    waiting.postMessage({ lanewise: "update" });
    await active;
  });
  const fetched = await page.evaluate(async () => (await fetch("guide/index.html")).text());
  assert.match(fetched, new RegExp(WORDS), "an open page got a file of another version");
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
  await page.getByRole("main").waitFor();
  await eventually(() => page.evaluate(async () => (await fetch("guide/index.html")).text()), /A newer page/);
  await settled(page);
  assert.equal(await news.count(), 0);
});

test("an update does not wait for a page that never opens", async (t) => {
  const at = await host(t);
  const page = await visit(t, at);
  // Leaves an entry of a page that is no longer open.
  await page.reload();
  await page.reload();
  await loaded(page);
  // In a browser that never answers whether the page is being opened.
  await publish(at.site, await workerOf(at.site, "Clients.prototype.get = () => new Promise(() => {});\n"));
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  const news = page.getByText("A new version is ready.");
  await news.waitFor();
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
  await page.getByRole("main").waitFor();
  const waiting = () =>
    page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting));
  await eventually(waiting, false);
});

test("a worker that alone is new takes nothing from the old copy", async (t) => {
  const at = await host(t);
  const page = await visit(t, at);
  await page.reload();
  await publish(at.site, await workerOf(at.site, "// Another comment.\n"));
  // The host no longer has the files that the worker could fetch.
  await rm(join(at.site, "guide"), { recursive: true });
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const coming = registration.installing;
    if (!coming) return;
    await new Promise((resolve) => coming.addEventListener("statechange", resolve, { once: true }));
  });
  await at.stop();
  await page.reload();
  const it = bench(page);
  await it.button("Step").click();
  await it.summary(/^Lane 0: slm/);
});

test("a build without a list unregisters the worker", async (t) => {
  const at = await host(t);
  const page = await visit(t, at);
  await publish(at.site, await readFile(join(ROOT, "web/sw.js"), "utf8"));
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await eventually(() => page.evaluate(async () => Boolean(await navigator.serviceWorker.getRegistration())), false);
  await eventually(() => page.evaluate(() => caches.keys()), []);
});

test("the list is of everything but the worker, the pictures and the kernels of the guide", async () => {
  const worker = await readFile(join(DIST, "sw.js"), "utf8");
  const entries = await readdir(DIST, { recursive: true, withFileTypes: true });
  const isLeftOut = ({ name, parentPath, path }) =>
    name === "sw.js" || /guide.(kernels|pictures)$/.test(parentPath ?? path);
  const files = entries.filter((entry) => entry.isFile() && !isLeftOut(entry));
  const listed = worker.match(/"[^"]+": "[0-9a-f]{24}"/g).length;
  assert.equal(listed, files.length);
});
