// The page without a network. Every version is kept whole in a cache of its
// own; what is open goes on with the version that it started with.
//
// `cargo xtask dist` puts the list of what it built here: every file with the
// start of its SHA-256. A build without a list takes this worker away again.
const BUILD = null;

const SCOPE = self.registration.scope;
// One host may have several installations, each with its caches.
const PREFIX = `lanewise ${SCOPE} `;
const cacheOf = (version) => `${PREFIX}v ${version}`;
const urlOf = (path) => new URL(path, SCOPE).href;

// Which version is the newest, and which one each open page has. In a cache: a
// worker forgets what it is not asked. A note each, so that two workers at once
// do not undo what the other has noted.
const NOTES = `${PREFIX}notes`;
const NEWEST = urlOf("~newest");
const pageNote = (id) => urlOf(`~page/${id}`);
const noted = async (url) => (await caches.match(url, { cacheName: NOTES }))?.text();
const note = async (url, version) => (await caches.open(NOTES)).put(url, new Response(version));

// How long a page may take to open, in milliseconds, before the worker goes on.
const OPENING = 1_000;

// Whether a page is being opened. The browser answers once it has opened or been
// given up, which may be never: until it is known, the page counts as one.
const isBeingOpened = (id) =>
  Promise.race([
    self.clients.get(id).then(Boolean),
    new Promise((resolve) => setTimeout(resolve, OPENING, true)),
  ]);

// The versions of pages that are open or being opened; what is noted of others
// goes. `own` is one that this worker is opening.
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

// A file as it was built, or an error: what a host is half-way through
// publishing is not taken.
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
    // The bytes are unpacked by now, and the only ones of their address.
    for (const name of ["content-encoding", "content-length", "vary"]) headers.delete(name);
    return new Response(bytes, { headers });
  }
  throw new Error(`${path} is of another version`);
};

// What of this version is not kept yet.
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
      // The others need not go on after an error.
      left.length = 0;
    }
  };
  const all = await Promise.allSettled([some(), some(), some(), some()]);
  const failed = all.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
};

// All of it, or nothing. A version that comes back after another may be open
// still: what was there before is only added to.
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
  // Another worker may have tidied up since it was all there.
  await complete().catch(() => {});
  const before = await noted(NEWEST);
  if (before && before !== BUILD.version) {
    // These were opened with the version before, and stay with it.
    for (const { id } of await self.clients.matchAll()) {
      if (!(await noted(pageNote(id)))) await note(pageNote(id), before);
    }
  }
  await note(NEWEST, BUILD.version);
  await tidy();
};

// Versions that nobody has open go. What the next worker has got together so
// far is none of them: that one tidies up once it is there.
const tidy = async () => {
  const used = new Set([BUILD.version, ...(await openPages())].map(cacheOf));
  for (const name of await caches.keys()) {
    const { installing, waiting } = self.registration;
    if ([installing, waiting].some((worker) => worker && worker !== self.serviceWorker)) return;
    if (name.startsWith(cacheOf("")) && !used.has(name)) await caches.delete(name);
  }
};

// A page that is being opened gets this version, and keeps it if the next
// worker comes before its other files are asked for.
const open = async (id) => {
  await note(pageNote(id), BUILD.version);
  await openPages(id);
};

const answer = async ({ request, clientId }, path) => {
  const told = request.mode === "navigate" ? undefined : await noted(pageNote(clientId));
  const version = told ?? BUILD.version;
  const kept = await caches.match(urlOf(path), { cacheName: cacheOf(version) });
  if (kept) return kept;
  // What the host has under that name is of another version.
  if (version !== BUILD.version && path in BUILD.files) return Response.error();
  return fetch(request);
};

// The file that an address stands for; nothing where it is none of ours.
const pathOf = (address) => {
  const url = new URL(address);
  url.search = url.hash = "";
  if (!url.href.startsWith(SCOPE)) return undefined;
  try {
    const path = decodeURI(url.href.slice(SCOPE.length));
    return path === "" || path.endsWith("/") ? `${path}index.html` : path;
  } catch {
    // A lone % is no name of a file.
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
