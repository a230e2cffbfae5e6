// Bundles CodeMirror and what this folder adds to it into one classic script,
// `editor.js`, beside the page. Trunk calls it before each build and passes the
// folder in TRUNK_STAGING_DIR.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
if (!folder) throw new Error("usage: node web/editor/build.mjs <folder for editor.js>");

let esbuild;
try {
  esbuild = await import("esbuild");
} catch {
  throw new Error("npm packages are missing: run `npm ci` or `cargo xtask setup`");
}
await esbuild.build({
  entryPoints: [fileURLToPath(new URL("main.js", import.meta.url))],
  outfile: join(folder, "editor.js"),
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "LanewiseEditor",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
});
