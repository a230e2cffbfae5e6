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

// Which version the open pages have that are not of the newest one, and which
// one is the newest. In a cache: a worker forgets what it is not asked.
const NOTES = urlOf("~notes");
const notes = async () => {
  const kept = await caches.match(NOTES, { cacheName: `${PREFIX}notes` });
  return kept ? kept.json() : { newest: null, clients: {} };
};
const keep = async (told) => {
  const cache = await caches.open(`${PREFIX}notes`);
  await cache.put(NOTES, new Response(JSON.stringify(told)));
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
    // The bytes are unpacked by now.
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
    return new Response(bytes, { headers });
  }
  throw new Error(`${path} is of another version`);
};

// All of it, or nothing.
const install = async () => {
  const own = cacheOf(BUILD.version);
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(cacheOf("")) && name !== own);
  await caches.delete(own);
  try {
    const cache = await caches.open(own);
    const left = Object.entries(BUILD.files);
    const some = async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const [path, hash] = next;
        await cache.put(urlOf(path), await obtain(path, hash, older));
      }
    };
    await Promise.all([some(), some(), some(), some()]);
  } catch (error) {
    await caches.delete(own);
    throw error;
  }
};

const activate = async () => {
  const told = await notes();
  if (told.newest && told.newest !== BUILD.version) {
    // These were opened with the version before, and stay with it.
    for (const { id } of await self.clients.matchAll()) told.clients[id] ??= told.newest;
  }
  told.newest = BUILD.version;
  await tidy(told);
  await keep(told);
};

// Versions that nobody has open go.
const tidy = async (told) => {
  const open = await self.clients.matchAll({ includeUncontrolled: true, type: "all" });
  const ids = new Set(open.map(({ id }) => id));
  for (const id of Object.keys(told.clients)) if (!ids.has(id)) delete told.clients[id];
  const used = new Set([BUILD.version, ...Object.values(told.clients)].map(cacheOf));
  for (const name of await caches.keys()) {
    if (name.startsWith(cacheOf("")) && !used.has(name)) await caches.delete(name);
  }
};

const answer = async ({ request, clientId }, path) => {
  const told = request.mode === "navigate" ? undefined : (await notes()).clients[clientId];
  const cacheName = cacheOf(told ?? BUILD.version);
  return (await caches.match(urlOf(path), { cacheName })) ?? fetch(request);
};

if (BUILD) {
  addEventListener("install", (event) => event.waitUntil(install()));
  addEventListener("activate", (event) => event.waitUntil(activate()));
  addEventListener("message", ({ data }) => {
    if (data?.lanewise === "update") self.skipWaiting();
  });
  addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    url.search = url.hash = "";
    if (event.request.method !== "GET" || !url.href.startsWith(SCOPE)) return;
    const path = decodeURI(url.href.slice(SCOPE.length));
    event.respondWith(answer(event, path === "" || path.endsWith("/") ? `${path}index.html` : path));
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
