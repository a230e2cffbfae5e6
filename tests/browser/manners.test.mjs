// Theme, keyboard, a browser that keeps nothing, a page that fails.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { open } from "./harness.mjs";

const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the theme goes from the system's to light to dark and is kept", async (t) => {
  const page = await open(t, { theme: "dark" });
  const it = bench(page);
  const dark = await paper(page);
  await it.button("Theme").click();
  await page.locator("html[data-theme=light]").waitFor();
  const light = await paper(page);
  assert.notEqual(light, dark);
  await it.button("Theme").click();
  await page.locator("html[data-theme=dark]").waitFor();
  assert.equal(await paper(page), dark);
  await it.button("Theme").click();
  await page.locator("html:not([data-theme])").waitFor();
  await it.button("Theme").click();
  await page.reload();
  await it.summary(/^At the start/);
  assert.equal(await paper(page), light);
});

test("everything is reached and done by keyboard alone", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const { keyboard } = page;
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: e } = document;
      const name = e.getAttribute("aria-label") ?? e.labels?.[0]?.innerText ?? e.innerText;
      // The label of a choice holds its options too.
      return name.trim().split("\n")[0];
    });
  const reached = [];
  do {
    await keyboard.press("Tab");
    reached.push(await focused());
  } while (reached.at(-1) !== "Memory rows" && reached.length < 40);
  assert.deepEqual(reached, [
    "Skip to program",
    "Scenarios",
    "Share",
    "Theme",
    "Keyboard shortcuts",
    "Open file",
    "Download",
    // Tab leaves the program too.
    "Program",
    "Speed",
    "To start",
    "Step back",
    "Step",
    "To end",
    "Run",
    "Reset",
    "Timeline",
    "Lanes table",
    "Shared local memory",
    "Type",
    "Base",
    "Go to address",
    "Memory rows",
  ]);

  await it.button("Step").focus();
  await keyboard.press("Enter");
  await it.at("step 1 of 16");
  await keyboard.press("ArrowRight");
  await it.at("step 2 of 16");
  await keyboard.press("ArrowLeft");
  await it.at("step 1 of 16");
  await keyboard.press("n");
  await keyboard.press("n");
  await it.at("step 3 of 16");
  await keyboard.press("p");
  await it.at("step 2 of 16");
  await keyboard.press("End");
  await it.at("step 16 of 16");
  // The button has nothing left to do and keeps the focus.
  assert.equal(await focused(), "Step");
  await keyboard.press("Home");
  await it.at("step 0 of 16");

  await it.program.focus();
  await keyboard.press("Control+End");
  await keyboard.type("// npr?");
  await it.at("step 0 of 16");
  assert.match(await it.program.inputValue(), /npr\?$/);

  await page.getByRole("tab", { selected: true }).focus();
  await keyboard.press("ArrowLeft");
  await page.getByRole("tabpanel", { name: "Registers" }).waitFor();
  assert.equal(await focused(), "Registers");
  await it.at("step 0 of 16");

  await keyboard.press("Shift+Tab");
  await it.button("Step").focus();
  await keyboard.press("r");
  await it.button("Pause").waitFor();
  await keyboard.press("r");
  await it.button("Run").waitFor();
});

test("the list of shortcuts opens, closes, and turns single keys off", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await it.button("Step").focus();
  await page.keyboard.press("?");
  await list.waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  await it.button("Keyboard shortcuts").click();
  await list.getByRole("checkbox").uncheck();
  await it.button("Close").click();
  await list.waitFor({ state: "hidden" });
  await it.button("Step").focus();
  await page.keyboard.press("n");
  await page.keyboard.press("ArrowRight");
  await it.at("step 1 of 16");
});

test("a browser that keeps nothing is no reason not to start", async (t) => {
  const page = await open(t, {
    before: () => {
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    },
  });
  const it = bench(page);
  await it.summary("At the start. 1 instruction.");
  await it.button("Theme").click();
  await it.button("Step").click();
  await it.at("step 1 of 16");
});

test("a store that is full loses nothing of this visit", async (t) => {
  const page = await open(t, {
    before: () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    },
  });
  const it = bench(page);
  await it.program.fill(".slm 64\n");
  await it.summary("There is no instruction to run.");
});

test("a page that fails says so and hands the text back", async (t) => {
  const page = await open(t, { mayFail: true });
  const it = bench(page);
  await it.program.fill(`${await it.program.inputValue()}// keep me\n`);
  await page.evaluate(() => {
    // The next node that the page wants to insert is refused, once.
    const insert = Node.prototype.insertBefore;
    Node.prototype.insertBefore = function () {
      Node.prototype.insertBefore = insert;
      throw new Error("no more nodes");
    };
  });
  await page.getByRole("tab", { name: "Registers" }).click();
  const alert = page.getByRole("alert");
  await alert.getByRole("heading", { name: "Lanewise has stopped" }).waitFor();
  const text = alert.getByRole("textbox", { name: /^Your program/ });
  assert.match(await text.inputValue(), /keep me/);
  await alert.getByRole("button", { name: "Start again" }).click();
  await it.summary(/^At the start/);
  assert.match(await it.program.inputValue(), /keep me/);
});

test("wasm that does not arrive is told, not a blank page", async (t) => {
  const page = await open(t, { mayFail: true });
  await page.route("**/*.wasm", (route) => route.abort());
  await page.reload();
  await page.getByRole("alert").getByText("Lanewise has stopped").waitFor();
});
