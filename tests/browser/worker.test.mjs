// Unit tests of the service worker, for interleavings that browsers cannot
// reproduce, with minimal fakes of caches, pages and host.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const SOURCE = readFileSync(new URL("../../web/sw.js", import.meta.url), "utf8");
const SCOPE = "https://lanewise.example/a/";

const addressOf = (what) => (typeof what === "string" ? what : what.url);

class Cache {
  kept = new Map();
  async put(what, response) {
    if (response.headers.get("vary") === "*") throw new TypeError("Vary: *");
    this.kept.set(addressOf(what), { body: await response.arrayBuffer(), headers: [...response.headers] });
  }
  async match(what) {
    const found = this.kept.get(addressOf(what));
    return found && new Response(found.body, { headers: found.headers });
  }
  async keys() {
    return [...this.kept.keys()].map((url) => ({ url }));
  }
  async delete(what) {
    return this.kept.delete(addressOf(what));
  }
}

/** A fake browser: files of the host, open pages, pages being opened. */
function browser() {
  const all = new Map();
  const world = {
    host: {},
    headers: {},
    open: [],
    opening: [],
    registration: { scope: SCOPE, installing: null, waiting: null },
    versions: () => [...all.keys()].filter((name) => name.includes(" v ")).map((name) => name.split(" v ")[1]),
    lose: (version) => [...all.keys()].filter((name) => name.endsWith(` v ${version}`)).forEach((name) => all.delete(name)),
    forget: (version, path) => all.get(`lanewise ${SCOPE} v ${version}`).kept.delete(SCOPE + path),
  };
  const caches = {
    has: async (name) => all.has(name),
    open: async (name) => all.get(name) ?? all.set(name, new Cache()).get(name),
    keys: async () => [...all.keys()],
    delete: async (name) => all.delete(name),
    match: async (what, { cacheName }) => all.get(cacheName)?.match(what),
  };
  const clients = {
    matchAll: async () => world.open.map((id) => ({ id })),
    get: async (id) => ([...world.open, ...world.opening].includes(id) ? { id } : undefined),
  };
  const fetched = async (what) => {
    const text = world.host[addressOf(what).slice(SCOPE.length)];
    if (text === undefined) return new Response("", { status: 404 });
    return new Response(text, { headers: world.headers });
  };

  /** Starts the worker of a version with these files. */
  world.worker = (version, files) => {
    const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 24);
    const hashes = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, hash(text)]));
    const build = JSON.stringify({ version, files: hashes });
    const heard = {};
    const globals = { caches, clients, fetch: fetched, registration: world.registration, crypto, setTimeout, Response, Headers, URL, Uint8Array };
    const context = vm.createContext({ ...globals, addEventListener: (name, listener) => (heard[name] = listener) });
    context.self = context;
    vm.runInContext(SOURCE.replace("const BUILD = null;", () => `const BUILD = ${build};`), context);
    const lives = async (name) => {
      let done;
      heard[name]({ waitUntil: (promise) => (done = promise) });
      await done;
    };
    const asks = async (address, more) => {
      let [answer, rest] = [undefined, undefined];
      const request = { method: "GET", mode: more.resultingClientId ? "navigate" : "cors", url: address };
      heard.fetch({
        clientId: "", ...more, request,
        respondWith: (promise) => (answer = promise),
        waitUntil: (promise) => (rest = promise),
      });
      await rest;
      return answer;
    };
    return {
      install: () => lives("install"),
      activate: () => lives("activate"),
      /** A page is being opened. */
      opens: (id) => asks(SCOPE, { resultingClientId: id }),
      /** Response to an open page; undefined if left to the browser. */
      gives: async (id, path) => asks(SCOPE + path, { clientId: id }),
    };
  };
  return world;
}

const A = { "index.html": "page A", "app.js": "app A" };
const B = { "index.html": "page B", "app.js": "app B" };
const C = { "index.html": "page C", "app.js": "app C" };

/** A worker that is installed and active. */
async function active(world, version, files) {
  world.host = { ...files };
  const worker = world.worker(version, files);
  await worker.install();
  await worker.activate();
  return worker;
}

test("a partially published older version keeps its cached files", async () => {
  const world = browser();
  const first = await active(world, "a", A);
  world.opening = ["page"];
  await first.opens("page");
  world.open = ["page"];
  await active(world, "b", B);
  // The host returns to A, but serves nothing.
  world.host = {};
  const back = world.worker("a", A);
  await back.install();
  assert.equal(await (await back.gives("page", "app.js")).text(), "app A");
  // If a file is missing, the remaining ones stay.
  world.forget("a", "app.js");
  await assert.rejects(world.worker("a", A).install());
  assert.deepEqual(world.versions(), ["a", "b"]);
  assert.equal(await (await back.gives("page", "")).text(), "page A");
});

test("an incomplete version leaves nothing behind", async () => {
  const world = browser();
  await active(world, "a", A);
  world.host = { "index.html": "page B" };
  await assert.rejects(world.worker("b", B).install());
  assert.deepEqual(world.versions(), ["a"]);
});

test("a page that is being opened while the next version arrives keeps its own", async () => {
  const world = browser();
  const old = await active(world, "a", A);
  world.opening = ["page"];
  assert.equal(await (await old.opens("page")).text(), "page A");
  const next = await active(world, "b", B);
  assert.equal(await (await next.gives("page", "app.js")).text(), "app A");
  // Once it is closed, its version is deleted with the next one.
  world.opening = [];
  await active(world, "c", C);
  assert.deepEqual(world.versions(), ["c"]);
});

test("a version that is being installed is not deleted", async () => {
  const world = browser();
  await active(world, "a", A);
  world.host = { ...B };
  const second = world.worker("b", B);
  await second.install();
  world.host = { ...C };
  const third = world.worker("c", C);
  await third.install();
  world.registration.installing = {};
  await second.activate();
  assert.ok(world.versions().includes("c"), world.versions().join());
  world.registration.installing = null;
  await third.activate();
  assert.deepEqual(world.versions(), ["c"]);
});

test("a version that lost files before its activation fetches them again", async () => {
  const world = browser();
  await active(world, "a", A);
  world.host = { ...B };
  const next = world.worker("b", B);
  await next.install();
  world.lose("b");
  await next.activate();
  world.host = {};
  assert.equal(await (await next.gives("new", "app.js")).text(), "app B");
});

test("a page of an older version gets no file of another", async () => {
  const world = browser();
  const old = await active(world, "a", A);
  await old.opens("page");
  world.open = ["page"];
  const next = await active(world, "b", B);
  world.forget("a", "app.js");
  assert.equal((await next.gives("page", "app.js")).type, "error");
  // Files that no version has come from the host.
  world.host["other.txt"] = "other";
  assert.equal(await (await next.gives("page", "other.txt")).text(), "other");
});

test("unusual headers and addresses are handled", async () => {
  const world = browser();
  world.headers = { vary: "*", "content-length": "3" };
  const worker = await active(world, "a", A);
  assert.equal(await (await worker.gives("page", "app.js?x=%")).text(), "app A");
  assert.equal(await worker.gives("page", "100%"), undefined);
});
