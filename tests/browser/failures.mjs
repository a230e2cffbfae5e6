// node:test reporter: file, name and first reason of each failed test. `cargo
// xtask test` repeats them at its end (xtask/src/test.rs).
import { relative } from "node:path";

/**
 * Error code of a file or suite with failed subtests, which adds no
 * information.
 */
const OF_ANOTHER = "subtestsFailed";

export default async function* failures(events) {
  for await (const { type, data } of events) {
    const error = data.details?.error;
    if (type !== "test:fail" || error?.failureType === OF_ANOTHER) continue;
    const reason = error?.cause?.message ?? error?.cause ?? error?.message ?? "no reason";
    const file = data.file ? relative(process.cwd(), data.file) : "";
    yield `${file}: ${data.name}\n${String(reason).trim().replace(/^/gm, "    ")}\n`;
  }
}
