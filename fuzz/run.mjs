// Runs fuzz targets one after another and adds their statistics to figures.json:
//   node fuzz/run.mjs [--seconds N] [--sanitizer NAME] [--built] [TARGET …]
// Runs all targets by default, each for N seconds. `--built` skips the build.
// Exits with 1 if a target fails; the input is in artifacts/TARGET.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const figures = `${folder}figures.json`;
// Allows the unstable flags of cargo-fuzz on the stable compiler.
const env = { ...process.env, RUSTC_BOOTSTRAP: "1" };

const names = [];
let seconds = 60;
let sanitizer = "none";
let isBuilt = false;
for (let given = process.argv.slice(2); given.length > 0; ) {
  const argument = given.shift();
  if (argument === "--seconds") seconds = Number(given.shift());
  else if (argument === "--sanitizer") sanitizer = given.shift();
  else if (argument === "--built") isBuilt = true;
  else names.push(argument);
}
if (!(seconds > 0)) throw new Error("--seconds requires a number");

function run(program, arguments_) {
  const done = spawnSync(program, arguments_, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (done.status !== 0) throw new Error(`${program} ${arguments_.join(" ")} failed`);
  return done.stdout;
}

if (!isBuilt) {
  run("cargo", ["fuzz", "build", "--sanitizer", sanitizer]);
  run("cargo", ["build", "--manifest-path", "../Cargo.toml", "-p", "lanewise-tests", "--bin", "fuzz_seeds"]);
}
/** Writes the seeds of a target into a folder, or gives all names. */
const seedsOf = (...given) => run("../target/debug/fuzz_seeds", given);
const host = run("rustc", ["-vV"]).match(/^host: (.*)$/m)[1];
const binaries = `${folder}target/${host}/release`;
const targets = names.length > 0 ? names : seedsOf().trim().split("\n");

let found = false;
for (const target of targets) {
  const seeds = `${folder}corpus/${target}.seeds`;
  const corpus = `${folder}corpus/${target}`;
  const artifacts = `${folder}artifacts/${target}/`;
  for (const path of [corpus, artifacts]) mkdirSync(path, { recursive: true });
  seedsOf(target, seeds);
  const [status, log] = await fuzz(target, corpus, seeds, artifacts);
  add(target, status, log, artifacts);
}
process.exitCode = found ? 1 : 0;

/** Runs a target; how it ended, and what it printed. */
function fuzz(target, corpus, seeds, artifacts) {
  const options = [
    corpus, seeds, `-artifact_prefix=${artifacts}`, `-max_total_time=${seconds}`,
    "-print_final_stats=1", "-timeout=30", "-rss_limit_mb=2048", "-len_control=100",
  ];
  return new Promise((resolve) => {
    const child = spawn(`${binaries}/${target}`, options, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text) => (log += text));
    child.on("close", (status) => resolve([status, log]));
  });
}

/** Adds a run to the figures. */
function add(target, status, log, artifacts) {
  let all = {};
  try {
    all = JSON.parse(readFileSync(figures, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const number = (pattern) => Number([...log.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const before = all[target] ?? { executions: 0, seconds: 0, findings: 0 };
  const failed = status !== 0;
  if (failed) {
    found = true;
    console.error(log.slice(-4000));
  }
  all[target] = {
    executions: before.executions + number(/stat::number_of_executed_units:\s+(\d+)/g),
    seconds: before.seconds + number(/Done \d+ runs in (\d+) second/g),
    // Control-flow edges, as counted by libFuzzer.
    edges: number(/\bcov: (\d+)/g),
    edgesOfAll: number(/\((\d+) inline 8-bit counters\)/g),
    features: number(/\bft: (\d+)/g),
    corpus: number(/\bcorp: (\d+)/g),
    findings: before.findings + (failed ? 1 : 0),
    lastRun: new Date().toISOString().slice(0, 10),
  };
  writeFileSync(figures, `${JSON.stringify(all, null, 2)}\n`);
  const { executions, edges } = all[target];
  console.log(`${target}: ${executions} executions, ${edges} edges${failed ? `, FOUND SOMETHING: ${readdirSync(artifacts).join(" ")}` : ""}`);
}
