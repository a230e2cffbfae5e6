// Builds three files beside the page: the classic scripts `editor.js`, with
// CodeMirror and `web/editor`, and `picture.js`, with `web/picture`, and
// `page.css`, a single sheet with `web/style`.
// Trunk runs this before each build and passes the output folder in
// TRUNK_STAGING_DIR.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
if (!folder) throw new Error("usage: node web/bundle.mjs <folder for the files>");

let esbuild;
try {
  esbuild = await import("esbuild");
} catch {
  throw new Error("npm packages are missing: run `npm ci` or `cargo xtask setup`");
}
const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const common = { bundle: true, minify: true, legalComments: "none", logLevel: "warning" };
for (const [name, globalName] of [["editor", "LanewiseEditor"], ["picture", "LanewisePicture"]]) {
  await esbuild.build({
    ...common,
    entryPoints: [file(`${name}/main.js`)],
    outfile: join(folder, `${name}.js`),
    format: "iife",
    globalName,
    target: "es2022",
  });
}
await esbuild.build({
  ...common,
  entryPoints: [file("style/page.css")],
  outfile: join(folder, "page.css"),
});
