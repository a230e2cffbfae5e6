// Prints one line per file of a folder: bytes, bytes after brotli, path.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { brotliCompressSync } from "node:zlib";

const folder = process.argv[2];
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  // `parentPath` came with Node 20.12; `path` is its older name.
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const bytes = readFileSync(path);
  const name = relative(folder, path).split(sep).join("/");
  console.log([bytes.length, brotliCompressSync(bytes).length, name].join("\t"));
}
