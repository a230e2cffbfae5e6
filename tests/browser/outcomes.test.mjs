// Outcomes: counting, listing, preview, replay and queries; reordering; the
// search worker and its failures.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, DIST, edits, eventually, hasFocus, open, settled, sideways } from "./harness.mjs";

/** All lanes access one cell; `lanes` of them are enabled. */
const program = (operation, lanes, size) => `.decl V32 v_type=G type=ud num_elts=32 align=GRF
.decl V33 v_type=G type=ud num_elts=32 align=GRF
.decl V34 v_type=G type=ud num_elts=32 align=GRF
.init V33 = iota(1, 1)
.init em = 0x${((2 ** lanes) - 1).toString(16)}
dword_atomic.${operation} (M1, ${size}) %slm V32.0 V33.0 %null.0 V34.0
`;

/** Parts of the pane. */
function outcomes(page) {
  const region = page.getByRole("region", { name: "Outcomes", exact: true });
  const status = region.getByRole("status", { name: "Outcomes summary" });
  const rows = region.getByRole("table", { name: "Results" }).locator("tbody").getByRole("row");
  return {
    region,
    status,
    rows,
    /** Waits until the summary matches. */
    says: (text) => status.filter({ hasText: text }).waitFor({ timeout: 30_000 }),
    replay: (number) => rows.getByRole("button", { name: new RegExp(`result ${number}$`) }),
    own: rows.getByRole("button", { name: /^This run: result/ }),
    ownRow: rows.filter({ has: page.getByRole("button", { name: /^This run: result/ }) }),
    answer: region.getByRole("status", { name: "Returned value answer" }),
    /** Waits for an announcement to screen readers. */
    announces: (text) =>
      region.getByRole("status", { name: "Outcomes action" }).filter({ hasText: text }).waitFor(),
    lanes: region.getByRole("list").getByRole("button"),
    async order() {
      const names = await region.getByRole("list").getByRole("button").evaluateAll((all) =>
        all.map((e) => e.getAttribute("aria-label").match(/^Lane (\S+), number/)[1]),
      );
      return names.join(" ");
    },
  };
}

/** Opens the page with a text. */
async function start(t, text, options) {
  const page = await open(t, { width: 1400, height: 900, ...options });
  const it = bench(page);
  await it.program.fill(text);
  await it.show("Outcomes");
  return { it, page, pane: outcomes(page) };
}

/**
 * Opens the page with a search that takes six seconds of CPU time: four
 * instructions on one cell. The first search reaches its work limit earlier.
 */
async function startLongSearch(t, options) {
  const { it, page, pane } = await start(t, program("sub", 16, 16).replace(/^dword_atomic.*\n/m, (line) => line.repeat(4)), options);
  await pane.region.getByRole("button", { name: "Search longer" }).click({ timeout: 60_000 });
  await pane.region.getByRole("progressbar").waitFor();
  return { it, page, pane };
}

test("results are counted, and choosing one replays it", async (t) => {
  const { it, page, pane } = await start(t, program("xchg", 3, 8));
  await pane.says(/6 results of 6 orders.*Complete/);
  await eventually(() => pane.rows.count(), 6);
  await eventually(() => pane.own.count(), 1);
  for (const number of [6, 2]) {
    await pane.replay(number).click();
    await pane.announces(`Replayed result ${number}:`);
    await pane.own.and(pane.replay(number)).waitFor();
    const order = await pane.ownRow.getByRole("cell").last().textContent();
    await eventually(() => page.getByRole("slider", { name: "Timeline" }).inputValue(), /^3$/);
    await eventually(() => pane.order(), order);
  }
  // Focus stays, and the program keeps its order until the user decides.
  await hasFocus(page.getByRole("button", { name: /result 2$/ }));
  const text = await it.program.inputValue();
  assert.doesNotMatch(text, /\.order/);
  await pane.region.getByRole("button", { name: "Discard order" }).click();
  await eventually(() => pane.order(), "0 1 2");
  await pane.replay(2).click();
  await pane.announces("Replayed result 2:");
  const order = await pane.ownRow.getByRole("cell").last().textContent();
  await pane.region.getByRole("button", { name: "Keep order" }).click();
  await eventually(async () => (await it.program.inputValue()).match(/^\.order (.*)$/m)?.[1], order);
  await eventually(() => pane.order(), order);
  await eventually(() => pane.region.getByRole("button", { name: "Keep order" }).count(), 0);
});

test("lanes are reordered by keyboard and by dragging", async (t) => {
  const { it, page, pane } = await start(t, program("xchg", 4, 8));
  await pane.says(/24 results/);
  await eventually(() => pane.order(), "0 1 2 3");
  await pane.lanes.nth(0).focus();
  await page.keyboard.press("Alt+ArrowDown");
  await pane.announces("Lane 0 is now number 2 of 4.");
  await eventually(() => pane.order(), "1 0 2 3");
  await hasFocus(page.getByLabel(/^Lane 0, number 2 of 4, group A$/));
  await page.keyboard.press("Alt+ArrowDown");
  await pane.announces("Lane 0 is now number 3 of 4.");
  await page.keyboard.press("Alt+ArrowUp");
  await pane.announces("Lane 0 is now number 2 of 4.");
  await eventually(() => it.program.inputValue(), /^\.order 1 0 2 3\ndword_atomic/m);
  const centre = async (turn) => {
    await turn.scrollIntoViewIfNeeded();
    await settled(page);
    const box = await turn.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [from, to] = [await centre(pane.lanes.nth(3)), await centre(pane.lanes.nth(0))];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 5 });
  await page.mouse.up();
  await pane.announces("Lane 3 is now number 1 of 4.");
  await eventually(() => pane.order(), "3 1 0 2");
  await eventually(() => it.program.inputValue(), /^\.order 3 1 0 2\ndword_atomic/m);
  assert.deepEqual(await axe(page), []);
  await it.show("Lanes");
  const lanes = page.getByRole("tabpanel", { name: "Lanes" });
  const third = lanes.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "3" }) });
  await eventually(async () => (await it.cells(third))[0], "1", "the lanes table follows");
});

test("the headline shows the invariant; pressing a grid field replays an order", async (t) => {
  const { it, page, pane } = await start(t, program("xchg", 3, 8));
  await pane.says(/6 results/);
  const headline = "slm[0x0] ends as 1, 2 or 3; what lanes 0–2 return depends on the order.";
  await pane.region.getByText(headline, { exact: true }).waitFor();
  const returned = pane.region.getByRole("table", { name: "Returned values by lane, line 6" });
  const zero = returned.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "0" }) });
  await eventually(() => it.cells(zero), ["33.33%", "33.33%", "33.33%"]);
  await returned.getByRole("button", { name: "Lane 2 returns 0: in 1 of 3 orders, replay one" }).click();
  await pane.announces("Replayed result");
  await eventually(() => pane.order(), /^2 /, "lane 2 is the first");
  await eventually(() => page.getByRole("slider", { name: "Timeline" }).inputValue(), "1", "the step of lane 2");
  const after = pane.region.getByRole("table", { name: "Memory by cell, after line 6" });
  const field = after.getByRole("button", { name: "slm[0x0] is 3: in 1 of 3 orders, replay one" });
  await field.focus();
  await page.keyboard.press("Enter");
  await pane.ownRow.filter({ hasText: / 2\s*$/ }).waitFor();
  await eventually(() => page.getByRole("slider", { name: "Timeline" }).inputValue(), "3", "after the last lane");
  await pane.region.getByRole("button", { name: "Keep order" }).click();
  await eventually(() => it.program.inputValue(), /^\.order .* 2$/m, "lane 2 is the last");
});

test("equally likely results share one sentence with their exact share", async (t) => {
  const { page } = await start(t, program("xchg", 3, 8));
  const it = bench(page);
  await it.choose("A lock taken by one of eight");
  const region = page.getByRole("tabpanel", { name: /^Outcomes/ });
  await region.getByText("Each result comes from 5,040 of 40,320 orders.", { exact: true }).waitFor();
  await region.getByRole("button", { name: "Lane 0 returns 0: in 1 of 8 orders, replay one" }).waitFor();
});

test("a returned value is queried", async (t) => {
  const { page, pane } = await start(t, program("xchg", 3, 8));
  await pane.says(/6 results/);
  await pane.region.getByLabel("Lane", { exact: true }).selectOption("Lane 2");
  const value = pane.region.getByRole("combobox", { name: "Returned value", exact: true });
  await value.fill("1");
  await pane.answer.filter({ hasText: "Yes: lane 2 returns 1 in 2 of 6 orders" }).waitFor();
  await eventually(() => pane.rows.count(), 2);
  await value.fill("7");
  await pane.answer.filter({ hasText: "No: lane 2 returns 7 in no order." }).waitFor();
  await eventually(() => pane.rows.count(), 0);
  await value.fill("x");
  await pane.answer.filter({ hasText: "Enter a value of type ud." }).waitFor();
  assert.deepEqual(await axe(page), []);
  await value.fill("");
  await page.waitForFunction(() => document.querySelectorAll(".results tbody tr").length === 6);
});

test("without conflicts one sentence says so; faults are results", async (t) => {
  const { it, pane } = await start(t, program("add", 8, 8).replace("0xff", "0x1"));
  await pane.says("Lanes do not access the same bytes");
  await eventually(() => pane.rows.count(), 0);
  await it.choose("A fault: unmapped address");
  await pane.says("Every order ends in a fault.");
});

test("a long search can be stopped and resumed, and the page stays responsive", async (t) => {
  const watch = () => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        globalThis.longest = Math.max(globalThis.longest, entry.duration);
      }
    }).observe({ type: "longtask" });
  };
  const { it, page, pane } = await startLongSearch(t, { before: watch });
  const stop = pane.region.getByRole("button", { name: "Stop" });
  const compute = pane.region.getByRole("button", { name: "Compute" });
  await stop.waitFor();
  await page.evaluate(() => (globalThis.longest = 0));
  // Stepping still works.
  const step = async (lane) => {
    await it.button("Step").click();
    await it.summary(new RegExp(`^\\s*Lane ${lane}:`));
  };
  await step(0);
  await stop.click();
  await pane.says("Stopped");
  await compute.click();
  await stop.waitFor();
  for (let lane = 1; lane < 5; lane++) await step(lane);
  const longest = await page.evaluate(() => globalThis.longest);
  // Reported only: the length of a task depends on the machine.
  t.diagnostic(`longest task while searching: ${longest.toFixed(0)} ms`);
  // An edit cancels the search.
  await it.program.fill(program("xchg", 3, 8));
  await pane.says(/6 results/);
});

test("a stopped search does not resume by itself", async (t) => {
  const { page, pane } = await startLongSearch(t, { fresh: true });
  const stop = pane.region.getByRole("button", { name: "Stop" });
  const progress = pane.region.getByRole("progressbar");
  await page.clock.install();
  // From here on, progress reports start timers of the fake clock.
  const reported = await progress.getAttribute("value");
  await eventually(() => progress.getAttribute("value"), (value) => value !== reported);
  await stop.click();
  await pane.says("Stopped");
  await page.clock.fastForward(60_000);
  await settled(page);
  assert.match(await pane.status.innerText(), /Stopped/);
  await pane.region.getByRole("button", { name: "Compute" }).click();
  await stop.waitFor();
});

test("while the text has errors results are view-only, and disabled controls say why", async (t) => {
  const { it, page, pane } = await start(t, program("xchg", 3, 8));
  await pane.says(/6 results/);
  const replay = pane.rows.getByRole("button", { name: /^Replay result/ }).first();
  const field = pane.region.getByRole("button", { name: /^Lane 2 returns/ }).first();
  for (const button of [replay, field]) {
    assert.equal(await button.getAttribute("aria-disabled"), null);
  }
  const text = `${program("xchg", 3, 8)}?`;
  await it.program.fill(text);
  await page.getByRole("region", { name: "Problems" }).waitFor();
  const reason = (element) => document.getElementById(element.getAttribute("aria-describedby"))?.textContent ?? "";
  for (const button of [replay, field]) {
    assert.equal(await button.getAttribute("aria-disabled"), "true");
    assert.match(await button.evaluate(reason), /Fix the errors/);
    await button.click({ force: true });
  }
  assert.equal(await it.program.inputValue(), text);
  const lane = pane.region.getByLabel("Lane", { exact: true });
  await lane.selectOption("Lane 2");
  await pane.region.getByLabel("Returned value", { exact: true }).fill("2");
  await pane.answer.filter({ hasText: /^Yes: lane 2 returns 2/ }).waitFor();
  await eventually(() => lane.evaluate((e) => e.selectedOptions[0].text), "Lane 2");
});

test("a search that reached its limit continues with a higher one", async (t) => {
  // Exchanging and then adding has more results than the work limit covers.
  const two = `${program("xchg", 8, 8)}dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0 V34.0\n`;
  const { page, pane } = await start(t, two);
  const longer = pane.region.getByRole("button", { name: "Search longer" });
  await longer.waitFor({ timeout: 60_000 });
  await pane.says(/At least .*Search limit reached/);
  await page.getByRole("tab", { name: "Outcomes", exact: true }).filter({ hasText: /\(.*\+\)/ }).waitFor();
  await longer.click();
  await pane.says("Computing");
  await pane.region.getByRole("button", { name: "Stop" }).click();
  await pane.says("Stopped");
});

test("hover and focus preview a result in the stage, which names the run's own result", async (t) => {
  const { it, page, pane } = await start(t, program("cmpxchg", 3, 8));
  await it.choose("CMPXCHG that may fail");
  await pane.says(/14 results of 24 orders/);
  const stage = page.getByRole("region", { name: "Stage" });
  const result = stage.getByRole("note", { name: "Result of this order" });
  await result.filter({ hasText: /^Result \d+ of 14, \d+ of 24 orders$/ }).waitFor();
  const own = await result.textContent();
  const text = await it.program.inputValue();
  const lanes = async () => (await stage.getByRole("option").evaluateAll((all) => all.map((e) => e.title))).join();
  const before = await lanes();
  await eventually(() => pane.rows.count(), 14);
  const number = Number(own.match(/\d+/)[0]);
  const other = number === 14 ? 13 : 14;
  const row = pane.rows.nth(other - 1);
  await row.hover();
  await result.filter({ hasText: `Preview: result ${other} of 14` }).waitFor();
  await eventually(lanes, (now) => now !== before, "the stage shows another run");
  assert.equal(await it.program.inputValue(), text, "the program is unchanged");
  await page.getByRole("heading", { level: 1 }).hover();
  await result.filter({ hasText: own }).waitFor();
  await eventually(lanes, before);
  await row.getByRole("button").focus();
  await result.filter({ hasText: `Preview: result ${other} of 14` }).waitFor();
  await page.getByRole("button", { name: "Step", exact: true }).focus();
  await result.filter({ hasText: own }).waitFor();
  await eventually(lanes, before);
  // Pressing it replays the result.
  await row.getByRole("button").click();
  await pane.announces(`Replayed result ${other}:`);
  await page.getByRole("heading", { level: 1 }).hover();
  await result.filter({ hasText: `Preview: result ${other} of 14` }).waitFor();
  await pane.region.getByRole("button", { name: "Keep order" }).click();
  await result.filter({ hasText: new RegExp(`^Result ${other} of 14`) }).waitFor();
});

test("the tab shows the number of results without shifting others", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  const tab = page.getByRole("tab", { name: "Outcomes", exact: true });
  const next = page.getByRole("tab", { name: "Encoding", exact: true });
  // Results of a long search arrive late: compare positions before and after.
  await it.program.fill(program("xor", 16, 16));
  await tab.filter({ hasText: /^Outcomes\s*$/ }).waitFor();
  const places = async () => [await next.boundingBox(), await page.getByRole("region", { name: "Stage" }).boundingBox()];
  await settled(page);
  const before = await places();
  await it.program.fill(program("xchg", 3, 8));
  await tab.filter({ hasText: "Outcomes (6)" }).waitFor();
  await settled(page);
  assert.deepEqual(await places(), before);
  await it.program.fill(program("xchg", 32, 32));
  await tab.filter({ hasText: "(32!)" }).waitFor();
});

/** Error messages of a failed search, and the retry. */
async function fails(t, { broken, says }) {
  // The first worker of this visit is the broken one.
  const page = await open(t, { path: "/guide/", width: 1400, height: 900, mayFail: true, fresh: true });
  const it = bench(page);
  const pane = outcomes(page);
  await broken(page);
  page.setDefaultTimeout(30_000);
  await page.goto(new URL("/", page.url()).href);
  await edits(page);
  await it.show("Outcomes");
  await it.program.fill(program("xchg", 3, 8));
  await pane.says(says);
  // The rest of the page works.
  await it.button("Step").click();
  await it.summary(/^Lane 0:/);
  assert.deepEqual(await axe(page), []);
  await page.unrouteAll({ behavior: "wait" });
  await pane.region.getByRole("button", { name: "Try again" }).click();
  await pane.says(/6 results of 6 orders/);
  await eventually(() => pane.rows.count(), 6);
}

test("a worker that fails to load is reported and retried", (t) =>
  fails(t, {
    broken: (page) => page.route("**/worker_bg.wasm", (route) => route.fulfill({ status: 503 })),
    says: /could not be loaded: .*503/,
  }));

test("offline, the reason is shown", (t) =>
  fails(t, {
    broken: (page) => page.route("**/worker.js", (route) => route.abort()),
    says: /could not be loaded/,
  }));

test("a worker that panics is reported and retried", (t) =>
  fails(t, {
    // The worker cannot parse its third message, the one after the search.
    broken: (page) =>
      page.route("**/worker.js", async (route) => {
        const answer = await route.fetch();
        const garbage = `
          let messages = 0;
          const { set } = Object.getOwnPropertyDescriptor(DedicatedWorkerGlobalScope.prototype, "onmessage")
            ?? Object.getOwnPropertyDescriptor(self, "onmessage");
          Object.defineProperty(self, "onmessage", {
            set: (handler) => set.call(self, (event) => {
              handler(event);
              messages += 1;
              if (messages === 1) setTimeout(() => handler({ data: new Uint8Array([255, 255, 255, 255]) }));
            }),
          });`;
        await route.fulfill({ response: answer, body: `${garbage}\n${await answer.text()}` });
      }),
    says: /The search failed/,
  }));

test("the page never uses XMLHttpRequest", async (t) => {
  const count = () => {
    globalThis.requests = 0;
    const { open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (...given) {
      globalThis.requests += 1;
      return open.apply(this, given);
    };
  };
  const page = await open(t, { before: count });
  const it = bench(page);
  for (const tab of ["Outcomes", "Encoding", "Explain", "Problems", "Lanes"]) await it.show(tab);
  await it.show("Outcomes");
  await outcomes(page).says(/results?/);
  await it.button("Share").click();
  await page.getByRole("dialog", { name: "Share" }).waitFor();
  await settled(page);
  assert.equal(await page.evaluate(() => globalThis.requests), 0);
  // Nor does any file of the build.
  const files = readdirSync(DIST, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|html|wasm)$/.test(entry.name));
  assert.ok(files.some((entry) => entry.name === "worker.js"), "the worker's script is among them");
  for (const entry of files) {
    const bytes = readFileSync(join(entry.parentPath ?? entry.path, entry.name));
    assert.ok(!bytes.includes("XMLHttpRequest"), entry.name);
  }
});

test("the pane is accessible at 360 px", async (t) => {
  const page = await open(t, { width: 360, height: 780 });
  const it = bench(page);
  await it.choose("CMPXCHG that may fail");
  await it.show("Outcomes");
  const pane = outcomes(page);
  await pane.says(/14 results of 24 orders/);
  assert.deepEqual(await axe(page, { dark: true }), []);
  await eventually(() => sideways(page), 0, "no sideways scrolling");
});
