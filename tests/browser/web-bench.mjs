// `cargo xtask bench web`: speed of the page relative to a minimal Yew counter,
// measured in one run. Prints figures only; there is no pass or fail.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { bench } from "./bench.mjs";
import { CHROMIUM, findChrome } from "./chrome.mjs";
import { serve } from "./server.mjs";

const path = (folder) => fileURLToPath(new URL(`../../${folder}/`, import.meta.url));

/** Number of cold loads and clicks per page. */
const LOADS = 15;
const CLICKS = 60;

/**
 * The largest scenario of each kind of picture; the first bundled one comes
 * first.
 */
const SCENARIOS = [
  "Histogram with conflicts",
  "Two EUs, one counter",
  "Guards and idle lanes",
  "Four planes, sixteen pixels",
  "int8, four rows from each EU",
];

/** Measured links: a small picture, and the largest. */
const LINKS = ["#scenario=lock", "#scenario=dpasw-int8"];

const browser = await chromium.launch({ executablePath: findChrome(), args: CHROMIUM });
const [page, counter] = await Promise.all([serve(path("dist")), serve(path("target/counter"))]);

/** Opens a page in a fresh profile. */
async function fresh(origin) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const opened = await context.newPage();
  opened.setDefaultTimeout(20_000);
  await opened.goto(origin);
  await opened.locator(":not([aria-busy]) > main").waitFor();
  return opened;
}

/**
 * Milliseconds from navigation start to the first contents, and to the first
 * painted button of the program. With a link, no other program is shown before
 * its own (windows.test.mjs), so the button belongs to its program.
 */
async function coldLoad(address) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const opened = await context.newPage();
  await opened.addInitScript(() => {
    // Not those of the picture that is shown before.
    let picture;
    const ready = () => {
      const main = document.querySelector("main");
      if (document.querySelector("#app[aria-busy]")) picture ??= main;
      return main !== picture && main?.querySelector("button");
    };
    const painted = () => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (globalThis.usable = performance.now());
        port2.postMessage(0);
      });
    };
    const observer = new MutationObserver(() => {
      if (!ready()) return;
      observer.disconnect();
      painted();
    });
    observer.observe(document, { subtree: true, childList: true });
  });
  await opened.goto(address);
  const usable = await (await opened.waitForFunction(() => globalThis.usable)).jsonValue();
  const paint = await opened.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  const first = await paint.jsonValue();
  await context.close();
  return { first, usable };
}

/**
 * Clicks a button repeatedly: milliseconds to paint for each click, and CPU
 * time per click.
 */
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
        // At varying times between frames, like a user.
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

/** Repeats the program's lines to get enough steps for the clicks. */
async function lengthen(it) {
  const text = await it.program.inputValue();
  const instructions = text.split("\n").filter((line) => /^\s*[^\s./]/.test(line) && !/^\s*\/\//.test(line));
  await it.program.fill(`${text}\n${Array(40).fill(instructions.join("\n")).join("\n")}\n`);
}

try {
  const addresses = [counter.origin, page.origin, ...LINKS.map((link) => `${page.origin}/${link}`)];
  const loads = addresses.map(() => []);
  for (let load = 0; load < LOADS; load++) {
    for (const [i, address] of addresses.entries()) loads[i].push(await coldLoad(address));
  }
  const [base, plain, ...linked] = loads.map((all) => ({
    first: median(all.map((load) => load.first)),
    usable: median(all.map((load) => load.usable)),
  }));
  console.log(`Cold loads (median of ${LOADS}):`);
  console.log(`  counter: first contents ${ms(base.first)}, Step painted ${ms(base.usable)}`);
  console.log(
    `  page:    first contents ${ms(plain.first)} (${times(plain.first / base.first)}, wanted: 1.2 × at most), ` +
      `Step painted ${ms(plain.usable)} (${times(plain.usable / base.usable)}, wanted: 2.5 × at most, and under 1 s)`,
  );
  for (const [i, link] of linked.entries()) {
    console.log(
      `  ${LINKS[i]}: first contents ${ms(link.first)}, Step painted ${ms(link.usable)} ` +
        `(${times(link.usable / plain.usable)} the load without a link, wanted: 1.2 × at most)`,
    );
  }
  const counted = await fresh(counter.origin);
  const clicked = await clicks(counted, "Step");
  console.log(`\nClick to paint, and CPU per click (${CLICKS} clicks after 5 to warm up):`);
  console.log(`  counter: median ${ms(median(clicked.paints))}, p95 ${ms(p95(clicked.paints))}, CPU ${ms(clicked.cpu)}`);
  for (const label of SCENARIOS) {
    const opened = await fresh(page.origin);
    const it = bench(opened);
    await it.choose(label);
    await lengthen(it);
    for (const name of ["Step", "Step back"]) {
      const own = await clicks(opened, name);
      const ratio = (of) => times(of(own) / of(clicked));
      console.log(
        `  ${label}, ${name}: median ${ms(median(own.paints))} (${ratio((x) => median(x.paints))}), ` +
          `p95 ${ms(p95(own.paints))}, CPU ${ms(own.cpu)} (${ratio((x) => x.cpu)})`,
      );
    }
    await opened.context().close();
  }
  console.log("Wanted: median 1.5 × the counter's at most, p95 20 ms, CPU 3 ×.");
} finally {
  await browser.close();
  for (const { server } of [page, counter]) {
    server.closeAllConnections();
    server.close();
  }
}
