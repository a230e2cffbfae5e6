// `cargo xtask bench web`: how the page's speed compares with that of a bare
// Yew counter, both in one run. Prints figures; passes or fails nothing.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { bench } from "./bench.mjs";
import { CHROMIUM, findChrome } from "./chrome.mjs";
import { serve } from "./server.mjs";

const path = (folder) => fileURLToPath(new URL(`../../${folder}/`, import.meta.url));

/** Cold loads of each page, and clicks in each. */
const LOADS = 15;
const CLICKS = 60;

/** The largest scenario of each picture; the first bundled one comes first. */
const SCENARIOS = [
  "Histogram with conflicts",
  "Two EUs, one counter",
  "Guards and idle lanes",
  "Four planes, sixteen pixels",
  "int8, four rows from each EU",
];

const browser = await chromium.launch({ executablePath: findChrome(), args: CHROMIUM });
const [page, counter] = await Promise.all([serve(path("dist")), serve(path("target/counter"))]);

/** Opens a page in a fresh profile. */
async function fresh(origin) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const opened = await context.newPage();
  opened.setDefaultTimeout(20_000);
  await opened.goto(origin);
  await opened.getByRole("button", { name: "Step", exact: true }).waitFor();
  return opened;
}

/** Milliseconds from the start of the navigation to the first painted Step button. */
async function coldLoad(origin) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const opened = await context.newPage();
  await opened.addInitScript(() => {
    const step = () => document.querySelector("main button");
    const painted = () => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (globalThis.usable = performance.now());
        port2.postMessage(0);
      });
    };
    const observer = new MutationObserver(() => {
      if (!step()) return;
      observer.disconnect();
      painted();
    });
    observer.observe(document, { subtree: true, childList: true });
  });
  await opened.goto(origin);
  const usable = await opened.waitForFunction(() => globalThis.usable);
  const milliseconds = await usable.jsonValue();
  await context.close();
  return milliseconds;
}

/** Clicks a button again and again: milliseconds to paint of each, and of the CPU per click. */
async function clicks(opened, name) {
  const button = opened.getByRole("button", { name, exact: true });
  const session = await opened.context().newCDPSession(opened);
  await session.send("Performance.enable");
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === "TaskDuration").value * 1000;
  };
  const run = (count) =>
    button.evaluate(async (element, count) => {
      const paints = [];
      for (let click = 0; click < count; click++) {
        // Anywhere between two frames, as a reader clicks.
        await new Promise((resolve) => setTimeout(resolve, 20 + ((click * 37) % 17)));
        const start = performance.now();
        element.click();
        await new Promise((resolve) => {
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = resolve;
            port2.postMessage(0);
          });
        });
        paints.push(performance.now() - start);
      }
      return paints;
    }, count);
  await run(5);
  const before = await busy();
  const paints = await run(CLICKS);
  const cpu = ((await busy()) - before) / CLICKS;
  return { paints, cpu };
}

const sorted = (list) => list.toSorted((a, b) => a - b);
const median = (list) => sorted(list)[list.length >> 1];
const p95 = (list) => sorted(list)[Math.ceil(list.length * 0.95) - 1];
const ms = (value) => `${value.toFixed(2)} ms`.padStart(10);
const times = (value) => `${value.toFixed(2)} ×`;

/** As many steps as clicks need: the program's lines again and again. */
async function lengthen(it) {
  const text = await it.program.inputValue();
  const instructions = text.split("\n").filter((line) => /^\s*[^\s./]/.test(line) && !/^\s*\/\//.test(line));
  await it.program.fill(`${text}\n${Array(40).fill(instructions.join("\n")).join("\n")}\n`);
}

try {
  const loads = { page: [], counter: [] };
  for (let load = 0; load < LOADS; load++) {
    loads.counter.push(await coldLoad(counter.origin));
    loads.page.push(await coldLoad(page.origin));
  }
  console.log(`Cold load until the first Step button is painted (median of ${LOADS}):`);
  console.log(`  counter     ${ms(median(loads.counter))}`);
  console.log(
    `  playground  ${ms(median(loads.page))}   ${times(median(loads.page) / median(loads.counter))} (wanted: 1.6 × at most, and under 1 s)`,
  );
  const counted = await fresh(counter.origin);
  const base = await clicks(counted, "Step");
  console.log(`\nClick to paint, and CPU per click (${CLICKS} clicks after 5 to warm up):`);
  console.log(`  counter: median ${ms(median(base.paints))}, p95 ${ms(p95(base.paints))}, CPU ${ms(base.cpu)}`);
  for (const label of SCENARIOS) {
    const opened = await fresh(page.origin);
    const it = bench(opened);
    await it.choose(label);
    await lengthen(it);
    for (const name of ["Step", "Step back"]) {
      const own = await clicks(opened, name);
      const ratio = (of) => times(of(own) / of(base));
      console.log(
        `  ${label}, ${name}: median ${ms(median(own.paints))} (${ratio((x) => median(x.paints))}), ` +
          `p95 ${ms(p95(own.paints))}, CPU ${ms(own.cpu)} (${ratio((x) => x.cpu)})`,
      );
    }
    await opened.context().close();
  }
  console.log("Wanted: p95 16.7 ms at most; median and CPU 1.3 × the counter's at most.");
} finally {
  await browser.close();
  for (const { server } of [page, counter]) {
    server.closeAllConnections();
    server.close();
  }
}
