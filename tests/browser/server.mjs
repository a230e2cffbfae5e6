// Static file server for the tests.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

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

/** Path and contents of a page without scripts, in every folder served. */
export const EMPTY = "/empty";
const EMPTY_PAGE = '<!doctype html><title>Empty</title><link rel="icon" href="data:,">';

/**
 * Serves a folder on its own port. `headers` are added to every response, and
 * `seen` receives every requested path. `?isolated` isolates a document from
 * other origins, so that it may measure its memory.
 */
export async function serve(folder, { headers = {}, seen = () => {} } = {}) {
  const server = createServer((request, response) => {
    seen(request.url);
    return respond(folder, request, response, headers);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

async function respond(folder, request, response, more) {
  try {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (pathname === EMPTY) return response.writeHead(200, { "content-type": TYPES[".html"] }).end(EMPTY_PAGE);
    // `normalize` keeps an absolute path below its root.
    const path = normalize(decodeURIComponent(pathname));
    const body = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
    const headers = { ...more, "content-type": TYPES[extname(path) || ".html"] ?? "application/octet-stream" };
    if (searchParams.has("isolated")) {
      headers["cross-origin-opener-policy"] = "same-origin";
      headers["cross-origin-embedder-policy"] = "require-corp";
    }
    response.writeHead(200, headers).end(body);
  } catch {
    response.writeHead(404, { "content-type": TYPES[".txt"] }).end("not found\n");
  }
}
