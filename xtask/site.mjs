// Trunk calls this at the end of each build: `cargo xtask site`, by the xtask
// that runs Trunk if there is one.
import { spawnSync } from "node:child_process";

const { LANEWISE_XTASK, ...env } = process.env;
// Those of the page's wasm would have xtask compiled anew.
delete env.CARGO_ENCODED_RUSTFLAGS;
const [program, before] = LANEWISE_XTASK ? [LANEWISE_XTASK, []] : ["cargo", ["xtask"]];
const { status, error } = spawnSync(program, [...before, "site"], { env, stdio: "inherit" });
if (error) throw error;
process.exit(status ?? 1);
