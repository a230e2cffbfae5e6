// Trunk calls this at the end of each build. Runs `cargo xtask site`, with the
// xtask that runs Trunk if there is one.
import { spawnSync } from "node:child_process";

const { LANEWISE_XTASK, ...env } = process.env;
// The flags of the WebAssembly build would cause xtask to be recompiled.
delete env.CARGO_ENCODED_RUSTFLAGS;
const [program, before] = LANEWISE_XTASK ? [LANEWISE_XTASK, []] : ["cargo", ["xtask"]];
const { status, error } = spawnSync(program, [...before, "site"], { env, stdio: "inherit" });
if (error) throw error;
process.exit(status ?? 1);
