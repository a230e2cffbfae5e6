// Makes the page available offline. Each version is stored completely in its
// own cache; open pages stay with the version they started with.
//
// `cargo xtask dist` inserts the list of build outputs: each file with the
// start of its SHA-256. A build without a list unregisters the worker.
const BUILD = null;

const SCOPE = self.registration.scope;
// A host may have several installations, each with its own caches.
const PREFIX = `lanewise ${SCOPE} `;
const cacheOf = (version) => `${PREFIX}v ${version}`;
const urlOf = (path) => new URL(path, SCOPE).href;

// Newest version, and the version of each open page. Stored in a cache, because
// workers lose their state when stopped. Separate entries, so that concurrent
// workers do not overwrite each other's.
const NOTES = `${PREFIX}notes`;
const NEWEST = urlOf("~newest");
const pageNote = (id) => urlOf(`~page/${id}`);
const noted = async (url) => (await caches.match(url, { cacheName: NOTES }))?.text();
const note = async (url, version) => (await caches.open(NOTES)).put(url, new Response(version));

// How long the worker waits for a page to open, in milliseconds.
const OPENING = 1_000;

// Whether a page is being opened. The browser answers when the page has opened
// or was abandoned, possibly never; until then, the page counts as opening.
const isBeingOpened = (id) =>
  Promise.race([
    self.clients.get(id).then(Boolean),
    new Promise((resolve) => setTimeout(resolve, OPENING, true)),
  ]);

// Versions of pages that are open or opening; forgets all others. `own` is
// being opened by this worker.
const openPages = async (own) => {
  const open = await self.clients.matchAll({ includeUncontrolled: true, type: "all" });
  const ids = new Set(open.map(({ id }) => id)).add(own);
  const cache = await caches.open(NOTES);
  const versionOf = async ({ url }) => {
    if (url === NEWEST) return undefined;
    const id = url.slice(pageNote("").length);
    const isPage = url.startsWith(pageNote(""));
    if (isPage && (ids.has(id) || (await isBeingOpened(id)))) return noted(url);
    await cache.delete(url);
    return undefined;
  };
  const versions = await Promise.all((await cache.keys()).map(versionOf));
  return new Set(versions.filter(Boolean));
};

const digest = async (bytes) => {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

// Fetches a file of this build, or fails: rejects files of a partially
// published version.
const obtain = async (path, hash, older) => {
  const url = urlOf(path);
  for (const name of older) {
    const kept = await caches.match(url, { cacheName: name });
    if (kept && (await digest(await kept.clone().arrayBuffer())) === hash) return kept;
  }
  for (const cache of ["no-cache", "reload"]) {
    const answer = await fetch(url, { cache });
    if (!answer.ok) throw new Error(`${answer.status} for ${path}`);
    const bytes = await answer.arrayBuffer();
    if ((await digest(bytes)) !== hash) continue;
    const headers = new Headers(answer.headers);
    // The body is already decoded, and the cache has one entry per address.
    for (const name of ["content-encoding", "content-length", "vary"]) headers.delete(name);
    return new Response(bytes, { headers });
  }
  throw new Error(`${path} is of another version`);
};

// Files of this version that are not cached yet.
const complete = async () => {
  const own = cacheOf(BUILD.version);
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(cacheOf("")) && name !== own);
  const cache = await caches.open(own);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const left = Object.entries(BUILD.files).filter(([path]) => !kept.has(urlOf(path)));
  const some = async () => {
    try {
      for (let next = left.pop(); next; next = left.pop()) {
        const [path, hash] = next;
        await cache.put(urlOf(path), await obtain(path, hash, older));
      }
    } finally {
      // Stop the remaining downloads after an error.
      left.length = 0;
    }
  };
  const all = await Promise.allSettled([some(), some(), some(), some()]);
  const failed = all.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
};

// Installs all files or none. A version that returns after another may still be
// open: existing entries are kept.
const install = async () => {
  const own = cacheOf(BUILD.version);
  const known = await caches.has(own);
  try {
    await complete();
  } catch (error) {
    if (!known) await caches.delete(own);
    throw error;
  }
};

const activate = async () => {
  // Another worker may have removed entries since the installation.
  await complete().catch(() => {});
  const before = await noted(NEWEST);
  if (before && before !== BUILD.version) {
    // Pages opened with the previous version stay with it.
    for (const { id } of await self.clients.matchAll()) {
      if (!(await noted(pageNote(id)))) await note(pageNote(id), before);
    }
  }
  await note(NEWEST, BUILD.version);
  await tidy();
};

// Deletes versions without open pages. Does not touch the partial cache of the
// next worker, which tidies up after its own installation.
const tidy = async () => {
  const used = new Set([BUILD.version, ...(await openPages())].map(cacheOf));
  for (const name of await caches.keys()) {
    const { installing, waiting } = self.registration;
    if ([installing, waiting].some((worker) => worker && worker !== self.serviceWorker)) return;
    if (name.startsWith(cacheOf("")) && !used.has(name)) await caches.delete(name);
  }
};

// Assigns this version to a page that is being opened, even if the next worker
// activates before the page's other files are requested.
const open = async (id) => {
  await note(pageNote(id), BUILD.version);
  await openPages(id);
};

const answer = async ({ request, clientId }, path) => {
  const told = request.mode === "navigate" ? undefined : await noted(pageNote(clientId));
  const version = told ?? BUILD.version;
  const kept = await caches.match(urlOf(path), { cacheName: cacheOf(version) });
  if (kept) return kept;
  // The host's file of that name belongs to another version.
  if (version !== BUILD.version && path in BUILD.files) return Response.error();
  return fetch(request);
};

// File for an address; undefined for foreign addresses.
const pathOf = (address) => {
  const url = new URL(address);
  url.search = url.hash = "";
  if (!url.href.startsWith(SCOPE)) return undefined;
  try {
    const path = decodeURI(url.href.slice(SCOPE.length));
    return path === "" || path.endsWith("/") ? `${path}index.html` : path;
  } catch {
    // A stray % is not a valid encoding.
    return undefined;
  }
};

if (BUILD) {
  addEventListener("install", (event) => event.waitUntil(install()));
  addEventListener("activate", (event) => event.waitUntil(activate()));
  addEventListener("message", ({ data }) => {
    if (data?.lanewise === "update") self.skipWaiting();
  });
  addEventListener("fetch", (event) => {
    const path = event.request.method === "GET" ? pathOf(event.request.url) : undefined;
    if (path === undefined) return;
    event.respondWith(answer(event, path));
    if (event.request.mode === "navigate" && event.resultingClientId) {
      event.waitUntil(open(event.resultingClientId));
    }
  });
} else {
  addEventListener("install", () => self.skipWaiting());
  addEventListener("activate", (event) =>
    event.waitUntil(
      (async () => {
        for (const name of await caches.keys()) {
          if (name.startsWith(PREFIX)) await caches.delete(name);
        }
        await self.registration.unregister();
      })(),
    ),
  );
}
