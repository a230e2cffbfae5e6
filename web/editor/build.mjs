// Bundles the editor into one file, `editor.js`, beside the page. Trunk calls
// it before each build and says where that is.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
if (!folder) throw new Error("say where to put editor.js");

let esbuild;
try {
  esbuild = await import("esbuild");
} catch {
  throw new Error("npm packages are missing: run `npm ci` or `cargo xtask setup`");
}
const file = (name) => fileURLToPath(new URL(name, import.meta.url));
await esbuild.build({
  entryPoints: [file("main.js")],
  outfile: join(folder, "editor.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
});
