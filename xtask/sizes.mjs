// Prints one line per file: bytes, bytes compressed with brotli, path.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { brotliCompressSync } from "node:zlib";

const folder = process.argv[2];
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  // `parentPath` exists since Node 20.12; `path` is its older name.
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const bytes = readFileSync(path);
  const name = relative(folder, path).split(sep).join("/");
  console.log([bytes.length, brotliCompressSync(bytes).length, name].join("\t"));
}
