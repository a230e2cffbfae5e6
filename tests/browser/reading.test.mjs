// Explanations beside the run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { eventually, open, settled } from "./harness.mjs";

test("Explain highlights the pseudocode line and shows its variables", async (t) => {
  const it = bench(await open(t));
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  const lit = explain.locator("li[aria-current=step]");
  assert.equal(await lit.count(), 0);
  await it.timeline.fill("3");
  await lit.filter({ hasText: "surface[offset] = op(old, src0[i], src1[i])" }).waitFor();
  for (const variable of ["i = 2", "offset = 0x4", "old = 0x1"]) {
    await explain.getByText(variable, { exact: true }).waitFor();
  }
  await it.button("Go to start").click();
  await lit.waitFor({ state: "detached" });
});

test("Explain marks assumptions, and the current operation in its table", async (t) => {
  const it = bench(await open(t));
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  const row = explain.locator("tr[aria-current]");
  await eventually(() => row.innerText(), /^INC\b/);
  for (const mark of ["documented", "observed", "assumed"]) {
    await explain.getByText(mark, { exact: true }).first().waitFor();
  }
  const taken = explain.getByText(/^Lanewise implements: The table$/);
  assert.equal(await taken.isVisible(), false);
  await explain.getByText("The pseudo-code returns the old value for every operation").focus();
  await it.page.keyboard.press("Enter");
  await taken.waitFor({ state: "visible" });
});

test("contradictions that affect the instruction are marked", async (t) => {
  const it = bench(await open(t));
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  const here = explain.locator("summary").filter({ hasText: "applies here" });
  const marked = async () => {
    const all = await explain.locator("details[data-about]").evaluateAll((all) =>
      all.filter((e) => e.querySelector(".mark-word")).map((e) => e.dataset.about),
    );
    return all.join(" ");
  };
  await explain.getByText("CMPXCHG and FCMPWR use their operands").waitFor();
  await eventually(marked, "");
  await it.choose("Compare-and-swap lock");
  await here.filter({ hasText: "CMPXCHG and FCMPWR", visible: true }).waitFor();
  await eventually(marked, "swapped-roles");
  await it.choose("PREDEC and DEC");
  // DEC is first.
  await it.button("Run to end").click();
  await it.page.waitForFunction(() =>
    document.querySelector('[data-about="predec-return"] .mark-word'),
  );
  await it.choose("u4 with s8: table against formula");
  await it.page.waitForFunction(() =>
    document.querySelector('[data-about="supply-table"] .mark-word'),
  );
  await eventually(marked, "supply-table");
});

test("fields are listed with their allowed values", async (t) => {
  const it = bench(await open(t));
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  await explain.getByText("Opcode 7d", { exact: true }).click();
  await explain.getByText(/0x7 CMPXCHG: new = /).waitFor({ state: "visible" });
});

test("the pseudocode scrolls in its own box", async (t) => {
  const it = bench(await open(t, { height: 720 }));
  await it.show("Explain");
  await it.choose("int8, four rows from each EU");
  const explain = it.page.getByRole("region", { name: "Explain" });
  const code = explain.getByRole("group", { name: "Pseudo-code" });
  await code.evaluate((box) => {
    box.style.maxHeight = "66px";
  });
  // The current line scrolls into view without scrolling the boxes around the
  // code.
  const around = () =>
    code.evaluate((box) => {
      const tops = [];
      for (let around = box.parentElement; around; around = around.parentElement) tops.push(around.scrollTop);
      return tops;
    });
  await settled(it.page);
  const before = await around();
  await it.button("Step").click();
  const lit = code.locator("li[aria-current=step]");
  await lit.waitFor();
  const inside = () => lit.evaluate((line) => {
    const [box, own] = [line.closest("[role=group]"), line].map((e) => e.getBoundingClientRect());
    return box.top - 1 <= own.top && own.bottom <= box.bottom + 1 && line.closest("[role=group]").scrollTop > 0;
  });
  await eventually(inside, true, "the line is in view, and the box has scrolled");
  await settled(it.page);
  assert.deepEqual(await around(), before);
});

test("a step re-renders only the current line and the variables", async (t) => {
  const it = bench(await open(t));
  await it.show("Explain");
  await it.button("Step").click();
  const explain = it.page.getByRole("region", { name: "Explain" });
  await explain.locator("li[aria-current=step]").waitFor();
  await explain.evaluate((region) => {
    globalThis.touched = new Set();
    const note = (changes) => {
      for (const { target } of changes) {
        const element = target.nodeType === 1 ? target : target.parentElement;
        globalThis.touched.add(element.closest(".variables, .code li, .facts, .bits, .paste")?.className ?? element.tagName);
      }
    };
    const observer = new MutationObserver(note);
    observer.observe(region, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  await it.button("Step").click();
  await explain.getByText("i = 1", { exact: true }).waitFor();
  await settled(it.page);
  const touched = await it.page.evaluate(() => [...globalThis.touched]);
  assert.deepEqual(
    touched.filter((name) => name !== "" && !name.startsWith("variables")),
    [],
  );
});

test("Explain reports a failed download and retries", async (t) => {
  const page = await open(t, { path: "/guide/", mayFail: true });
  let fails = true;
  await page.route("**/explain/*.json", (route) => (fails ? route.abort() : route.continue()));
  await page.goto(new URL("/", page.url()).href);
  await page.getByRole("main").waitFor();
  const it = bench(page);
  await it.show("Explain");
  const explain = page.getByRole("region", { name: "Explain" });
  await explain.getByText("The reference for this instruction could not be loaded.").waitFor();
  fails = false;
  await explain.getByRole("button", { name: "Try again" }).click();
  await explain.getByText("Contradictions", { exact: true }).waitFor();
});

test("an example of Explain opens as the program", async (t) => {
  const it = bench(await open(t));
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  const example = explain.locator("details").filter({ has: it.page.getByRole("button", { name: "Open this program", includeHidden: true }) });
  await example.first().locator("summary").click();
  const text = await example.first().locator("pre").innerText();
  await example.first().getByRole("button", { name: "Open this program" }).click();
  await it.summary(/^At the start/);
  await eventually(async () => (await it.program.inputValue()).trim(), text.trim());
});

test("Explain lists the messages of an operation and the purpose of DPASW", async (t) => {
  const it = bench(await open(t));
  await it.show("Explain");
  const explain = it.page.getByRole("region", { name: "Explain" });
  const heads = explain.getByRole("group", { name: "Operations" }).getByRole("columnheader");
  await heads.filter({ hasText: "Message types" }).waitFor();
  const row = (name) =>
    explain.getByRole("group", { name: "Operations" }).getByRole("row").filter({
      has: it.page.getByRole("rowheader", { name, exact: true }),
    });
  await eventually(() => row("INC").innerText(), /DWORD, SVM, TYPED$/);
  await eventually(() => row("FMAX").innerText(), /DWORD, SVM$/);
  await it.choose("int8, four rows from each EU");
  await explain.getByText(/the number of threads in a work group must be even/).waitFor();
});

test("an explanation is loaded once, and again on request after a failure", async (t) => {
  const page = await open(t, { mayFail: true });
  const it = bench(page);
  const asked = [];
  page.on("request", (request) => {
    if (/\/explain\//.test(request.url())) asked.push(request.url());
  });
  await page.route("**/explain/*.json", (route) => route.fulfill({ status: 503 }), { times: 1 });
  await it.show("Explain");
  const explain = page.getByRole("region", { name: "Explain" });
  // With the reason.
  await explain.getByRole("status").filter({ hasText: /could not be loaded.*503/ }).waitFor();
  await explain.getByRole("button", { name: "Try again" }).click();
  await explain.getByText("Reference", { exact: true }).waitFor();
  // The button has disappeared; focus moves to the loaded content.
  assert.equal(await page.evaluate(() => document.activeElement.textContent.includes("Reference")), true);
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
  await eventually(() => asked.length, 2);
  await it.show("Lanes");
  await explain.waitFor({ state: "detached" });
  // Cached content appears in the render that opens the tab.
  await page.evaluate(() => {
    window.loading = 0;
    new MutationObserver(() => {
      window.loading += document.body.innerText.includes("Loading …") ? 1 : 0;
    }).observe(document.body, { childList: true, subtree: true });
  });
  await it.show("Explain");
  await explain.getByText("Reference", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => window.loading), 0);
  assert.equal(asked.length, 2);
});
