// Loads the WebAssembly, and converts between objects and the JSON of its functions.
import init, * as lanewise from "./lanewise.js";

const address = new URL("./lanewise_bg.wasm", import.meta.url);
if (address.protocol === "file:") {
  // Node does not fetch files.
  const { readFile } = await import("node:fs/promises");
  await init({ module_or_path: await readFile(address) });
} else {
  await init({ module_or_path: address });
}

export const check = (scenario) => JSON.parse(lanewise.check(scenario));

export const run = (scenario) => JSON.parse(lanewise.run(scenario));

export const open = (name, bytes) => JSON.parse(failing(() => lanewise.open(name, bytes)));

export function launch(program, { kernel, global, local, offset = [], args = [], fuel }) {
  const request = { kernel, global, local, offset, args: args.map(encoded), fuel };
  const answer = JSON.parse(failing(() => lanewise.launch(program, JSON.stringify(request))));
  if (!answer.ok) return answer;
  const buffers = Object.entries(answer.buffers).map(([index, hex]) => [index, decoded(hex)]);
  return { ...answer, buffers: Object.fromEntries(buffers) };
}

/** Calls a function that throws texts. */
function failing(call) {
  try {
    return call();
  } catch (why) {
    throw typeof why === "string" ? new Error(why) : why;
  }
}

function encoded(argument) {
  if ("local" in argument || "null" in argument) return argument;
  const [[kind, values]] = Object.entries(argument);
  const bytes = new Uint8Array(values.buffer ?? values, values.byteOffset, values.byteLength);
  return { [kind]: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

const decoded = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
