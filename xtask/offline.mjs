// Adds to a build the list of files for its service worker, with the start of
// their SHA-256, and to its pages the location of the worker.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const folder = process.argv[2];
const WORKER = "sw.js";

/** Files that a visitor may never ask for. They are not kept for offline use. */
const ON_DEMAND = /^guide\/(kernels|pictures)\//;

const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  // `parentPath` exists since Node 20.12; `path` is its older name.
  .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).split(sep).join("/"))
  .filter((path) => path !== WORKER && !ON_DEMAND.test(path))
  .sort();

for (const path of paths.filter((path) => path.endsWith(".html"))) {
  const html = readFileSync(join(folder, path), "utf8");
  // HTML fragments do not have a head.
  const up = "../".repeat(path.split("/").length - 1) || "./";
  if (html.includes('<meta name="offline"')) continue;
  const annotated = html.replace(/<meta charset="utf-8"/, `<meta name="offline" content="${up}${WORKER}">\n    $&`);
  if (annotated !== html) writeFileSync(join(folder, path), annotated);
}

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 24);
const files = Object.fromEntries(paths.map((path) => [path, hash(readFileSync(join(folder, path)))]));
const worker = readFileSync(join(folder, WORKER), "utf8");
// Include the worker's code, so that different workers use different caches.
const version = hash(JSON.stringify([worker, files])).slice(0, 12);

const EMPTY = "const BUILD = null;";
if (!worker.includes(EMPTY)) throw new Error(`${WORKER} has no place for what it keeps`);
const build = JSON.stringify({ version, files }, null, 1);
writeFileSync(join(folder, WORKER), worker.replace(EMPTY, () => `const BUILD = ${build};`));
console.log(`Offline: version ${version}, ${paths.length} files.`);
