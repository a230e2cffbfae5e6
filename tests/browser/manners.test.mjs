// Theme, keyboard use, missing storage, crashes.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { axe, close, download, edits, eventually, hasFocus, open, settled } from "./harness.mjs";

/** Bundled scenarios, one file each. */
const SCENARIOS = new URL("../../core/scenarios/", import.meta.url);

/** Instructions in the order of the picker. */
const INSTRUCTIONS = [
  "ATOM",
  "DPAS",
  "DPASW",
  "DWORD_ATOMIC",
  "RED",
  "SVM_ATOMIC",
  "SVM_GATHER4_SCALED",
  "SVM_SCATTER4_SCALED",
];

const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the theme cycles from system to light to dark and is saved", async (t) => {
  const page = await open(t, { theme: "dark" });
  const it = bench(page);
  const dark = await paper(page);
  await it.button("Theme").click();
  await page.locator("html[data-theme=light]").waitFor();
  const light = await eventually(() => paper(page), (light) => light !== dark);
  await it.button("Theme").click();
  await page.locator("html[data-theme=dark]").waitFor();
  await eventually(() => paper(page), dark);
  await it.button("Theme").click();
  await page.locator("html:not([data-theme])").waitFor();
  await it.button("Theme").click();
  await page.reload();
  await it.summary(/^At the start/);
  await eventually(() => paper(page), light);
});

test("the first press on Theme always changes the appearance", async (t) => {
  const page = await open(t, { theme: "light" });
  const it = bench(page);
  const light = await paper(page);
  await it.button("Theme").click();
  await page.locator("html[data-theme=dark]").waitFor();
  await eventually(() => paper(page), (dark) => dark !== light);
  await it.button("Theme").click();
  await page.locator("html[data-theme=light]").waitFor();
  await eventually(() => paper(page), light);
  await it.button("Theme").click();
  await page.locator("html:not([data-theme])").waitFor();
  // The system switches to dark.
  await page.emulateMedia({ colorScheme: "dark" });
  await eventually(() => it.button("Theme").getAttribute("title"), "Theme: system. Switch to light.");
});

test("everything is reachable and usable by keyboard alone", async (t) => {
  const page = await open(t);
  const it = bench(page);
  const { keyboard } = page;
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: e } = document;
      // The title of a lane is its name.
      const title = e.role === "option" ? e.title : null;
      const name = e.getAttribute("aria-label") ?? title ?? e.labels?.[0]?.innerText ?? e.innerText;
      // The label of a select also contains its options.
      return name.trim().split("\n")[0];
    });
  const reached = [];
  do {
    await keyboard.press("Tab");
    reached.push(await focused());
  } while (reached.at(-1) !== "Lanes table" && reached.length < 40);
  assert.deepEqual(reached, [
    "Skip to program",
    "Skip to Step",
    "Scenarios",
    "Open",
    "New",
    "Go to start",
    "Step back",
    "Step",
    "Run to end",
    "Run",
    "Reset",
    "Timeline",
    "Stepping options",
    "Share",
    "Embed",
    "Guide",
    "Theme",
    "Keyboard shortcuts",
    // Expands the notes.
    "Histogram with conflicts",
    "Program menu",
    // Tab leaves the editor too.
    "Program",
    "Width of Program",
    "open your kernel",
    // Arrow keys reach the other lanes.
    "Lane 0, number 1 of 16, inc at 0x0, group A, waiting",
    "Width of State",
    "Shared local memory",
    "Format",
    "Go to address",
    "Memory rows",
    "Height of the drawer",
    "Lanes",
    "Lanes table",
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
  // The button is disabled but keeps focus.
  await hasFocus(it.button("Step"));
  await keyboard.press("Home");
  await it.at("step 0 of 16");

  await it.program.focus();
  await keyboard.press("Control+End");
  await keyboard.type("// npr?");
  await eventually(() => it.program.inputValue(), /npr\?$/);
  await settled(page);
  await it.at("step 0 of 16");

  await page.getByRole("tab", { name: "Shared local memory", selected: true }).focus();
  await keyboard.press("ArrowLeft");
  await page.getByRole("tabpanel", { name: "Registers" }).waitFor();
  await hasFocus(page.getByRole("tab", { name: "Registers" }));
  await settled(page);
  await it.at("step 0 of 16");
  await page.getByRole("tab", { name: "Lanes", selected: true }).focus();
  await keyboard.press("ArrowLeft");
  await page.getByRole("tabpanel", { name: "Problems" }).waitFor();
  await keyboard.press("Home");
  await page.getByRole("tabpanel", { name: "Lanes" }).waitFor();

  for (const menu of ["Stepping options", "Program menu"]) {
    await it.button(menu).focus();
    await keyboard.press("Enter");
    await page.getByRole("group", { name: menu }).waitFor();
    await keyboard.press("Tab");
    // Tab enters the menu.
    await page.getByRole("group", { name: menu }).and(page.locator(":focus-within")).waitFor();
    await keyboard.press("Escape");
    await page.getByRole("group", { name: menu }).waitFor({ state: "hidden" });
    await hasFocus(it.button(menu));
  }

  await it.button("Step").focus();
  await keyboard.press("r");
  await it.button("Pause").waitFor();
  await keyboard.press("r");
  await it.button("Run").waitFor();
});

test("the list of shortcuts opens, closes, and turns single-key shortcuts off", async (t) => {
  // Too low for the whole list.
  const page = await open(t, { width: 1200, height: 500 });
  const it = bench(page);
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await it.button("Step").focus();
  await page.keyboard.press("?");
  await list.waitFor();
  await settled(page);
  assert.equal(await list.evaluate((dialog) => dialog.scrollTop), 0, "from its start");
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

test("the page starts without storage", async (t) => {
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

test("full storage affects only the next visit", async (t) => {
  const page = await open(t, {
    before: () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    },
  });
  const it = bench(page);
  await it.program.fill(".slm 64\n");
  await it.summary("The program has no instructions.");
});

test("a crash is reported and the program can be copied", async (t) => {
  const page = await open(t, { mayFail: true });
  const it = bench(page);
  await it.program.fill(`${await it.program.inputValue()}// keep me\n`);
  await page.getByRole("tab", { name: "Explain" }).evaluate((tab) => {
    // Refuses the next node that the page inserts, once, except for those of
    // the editor.
    const insert = Node.prototype.insertBefore;
    Node.prototype.insertBefore = function (...nodes) {
      if (this.closest?.(".cm-editor")) return insert.apply(this, nodes);
      Node.prototype.insertBefore = insert;
      throw new Error("no more nodes");
    };
    // In the same task, because idle work renders too and would remove the tab.
    tab.click();
  });
  const alert = page.getByRole("alert");
  await alert.getByRole("heading", { name: "Lanewise has stopped" }).waitFor();
  const text = alert.getByRole("textbox", { name: /^Your program/ });
  await eventually(() => text.inputValue(), /keep me/);
  await alert.getByRole("button", { name: "Start again" }).click();
  await it.summary(/^At the start/);
  await eventually(() => it.program.inputValue(), /keep me/);
});

test("missing wasm is reported, without blaming the program", async (t) => {
  const page = await open(t, { mayFail: true });
  await bench(page).program.fill("// mine\n");
  await page.waitForFunction(() => localStorage["lanewise.text"] === "// mine\n");
  await page.route("**/*.wasm", (route) => route.abort());
  const alert = page.getByRole("alert");
  for (let start = 0; start < 3; start++) {
    await page.reload();
    await alert.getByRole("heading", { name: "Lanewise could not be loaded" }).waitFor();
    await eventually(() => alert.getByRole("textbox").inputValue(), "// mine\n");
  }
  await page.unroute("**/*.wasm");
  await page.reload();
  await edits(page);
  await eventually(() => bench(page).program.inputValue(), "// mine\n");
});

const scenarios = (page) => page.getByRole("button", { name: /^Scenarios/ });

test("scenarios are found by instruction, title and words of their descriptions", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await scenarios(page).click();
  const dialog = page.getByRole("dialog", { name: "Choose a scenario" });
  const field = dialog.getByRole("combobox");
  await field.waitFor();
  await hasFocus(field);
  const options = dialog.getByRole("option");
  await eventually(() => options.count(), readdirSync(SCENARIOS).length);
  const names = () => options.locator("b").allInnerTexts();
  await field.fill("scatter fault");
  await dialog.getByText("1 found").waitFor();
  await eventually(() => names(), ["A fault: misaligned offset"]);
  // A word of a description.
  await field.fill("tickets");
  await dialog.getByRole("option", { name: "Two EUs, one counter" }).waitFor();
  await field.fill("turnip");
  await dialog.getByText("No matches").waitFor();
  await dialog.getByRole("button", { name: "Show all scenarios" }).click();
  await hasFocus(field);
  await eventually(() => options.count(), readdirSync(SCENARIOS).length);
  // The list is not a tab stop.
  await page.keyboard.press("Tab");
  assert.equal(await dialog.locator(":focus").count(), 0);
  await dialog.getByRole("button", { name: "Instructions" }).click();
  await hasFocus(dialog.getByRole("combobox", { name: "Find an instruction" }));
  await dialog.getByRole("button", { name: "Scenarios" }).click();
  await hasFocus(field);
  await field.fill("lock");
  const marked = dialog.getByRole("option", { selected: true });
  await marked.filter({ hasText: /^Compare-and-swap lock/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await marked.filter({ hasText: /^A lock taken by one of eight/ }).waitFor();
  const ids = async () => [await marked.getAttribute("id"), await field.getAttribute("aria-activedescendant")];
  await eventually(ids, ([id, active]) => id === active);
  await page.keyboard.press("ArrowUp");
  // Enter that ends IME composition opens nothing.
  const isTaken = () => field.evaluate((field) => {
    const options = { key: "Enter", isComposing: true, bubbles: true, cancelable: true };
    return !field.dispatchEvent(new KeyboardEvent("keydown", options));
  });
  assert.equal(await isTaken(), false);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("heading", { name: "Compare-and-swap lock" }).waitFor();
  await scenarios(page).filter({ hasText: "Compare-and-swap lock" }).waitFor();
  // Focus is restored.
  await hasFocus(scenarios(page));
  await page.keyboard.press("Enter");
  await marked.filter({ hasText: /^Compare-and-swap lock/ }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await it.button("Close").click();
  await dialog.waitFor({ state: "hidden" });
});

test("a late close event does not close a reopened dialog", async (t) => {
  const page = await open(t);
  await scenarios(page).click();
  const dialog = page.getByRole("dialog", { name: "Choose a scenario" });
  await dialog.getByRole("combobox").waitFor();
  await dialog.evaluate((element) => element.dispatchEvent(new Event("close")));
  await settled(page);
  await dialog.getByRole("combobox").fill("turnip");
  await dialog.getByText("No matches").waitFor();
});

test("pressing right after closing reopens the dialog, before the browser reports the close", async (t) => {
  const page = await open(t);
  await page.evaluate(() => addEventListener("close", (event) => event.stopImmediatePropagation(), true));
  const dialog = page.getByRole("dialog", { name: "Choose a scenario" });
  const closings = [() => page.keyboard.press("Escape"), () => dialog.getByRole("button", { name: "Close" }).click()];
  for (const close of closings) {
    await scenarios(page).click();
    await hasFocus(dialog.getByRole("combobox"));
    await close();
    await dialog.waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await hasFocus(dialog.getByRole("combobox"));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  }
});

test("an instruction opens its first scenario; an edited text is marked", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await scenarios(page).click();
  const dialog = page.getByRole("dialog", { name: "Choose a scenario" });
  await dialog.getByRole("button", { name: "Instructions" }).click();
  await dialog.getByRole("listbox", { name: "Instructions" }).waitFor();
  const names = async () => (await dialog.getByRole("option").locator("b").allInnerTexts()).toSorted();
  await eventually(names, INSTRUCTIONS);
  await dialog.getByRole("option", { name: "SVM_SCATTER4_SCALED" }).click();
  await page.getByRole("heading", { name: "Four planes, sixteen pixels" }).waitFor();
  assert.equal(await scenarios(page).getByText("edited").count(), 0);
  await it.program.fill("// mine\n");
  await scenarios(page).getByText("edited").waitFor();
});

for (const [width, height] of [[1400, 900], [360, 780]]) {
  test(`axe in the lists, ${width} px`, async (t) => {
    const page = await open(t, { width, height });
    const it = bench(page);
    await scenarios(page).click();
    await page.getByRole("dialog").getByText("Sixteen samples").waitFor();
    assert.deepEqual(await axe(page, { dark: true }), [], "scenarios");
    await page.getByRole("dialog").getByRole("button", { name: "Instructions" }).click();
    await page.getByRole("dialog").getByText(`${INSTRUCTIONS.length} found`).waitFor();
    assert.deepEqual(await axe(page, { dark: true }), [], "instructions");
    await page.keyboard.press("Escape");
    await it.show("Program");
    for (const text of ["// one\n", "// two\n"]) {
      await it.program.fill(text);
      await it.choose("Out of bounds");
    }
    await it.button("Program menu").click();
    const drafts = page.getByRole("group", { name: "Earlier drafts" }).getByRole("button");
    await drafts.nth(1).waitFor();
    assert.deepEqual(await axe(page, { dark: true }), [], "the program menu");
    await page.keyboard.press("Escape");
    await it.button("Stepping options").click();
    await page.getByRole("group", { name: "Stepping options" }).waitFor();
    assert.deepEqual(await axe(page, { dark: true }), [], "the stepping options");
  });
}

test("replaced drafts are listed, and none is lost", async (t) => {
  const page = await open(t);
  const it = bench(page);
  for (const [text, next] of [
    ['.title "Mine, one"\n', "Out of bounds"],
    ['.title "Mine, two"\n', "Compare-and-swap lock"],
    ["// three\n", "Predicated lanes"],
  ]) {
    await it.program.fill(text);
    await it.choose(next);
  }
  await page.reload();
  await it.summary(/^At the start/);
  const list = page.getByRole("group", { name: "Earlier drafts" });
  await it.button("Program menu").click();
  await list.waitFor();
  const rows = await eventually(() => list.getByRole("button").allInnerTexts(), (rows) => rows.length === 3);
  assert.match(rows[0], /^Compare-and-swap lock/);
  assert.match(rows[1], /^Mine, two\s.*1 lines?/s);
  await list.getByRole("button", { name: /^Mine, one/ }).click();
  await page.waitForFunction(() => /Mine, one/.test(document.querySelector("#program-text").value));
  // A restored draft leaves the list.
  await it.button("Program menu").click();
  await list.waitFor();
  await eventually(() => list.getByRole("button").count(), 2);
  await eventually(() => list.getByRole("button", { name: /^Mine, one/ }).count(), 0);
  await page.keyboard.press("Escape");
  await it.button("Restore draft").click();
  await page.waitForFunction(() => /three/.test(document.querySelector("#program-text").value));
});

test("settings are kept between visits", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.tab("Surfaces");
  await it.option("Speed", "Fast");
  await it.show("Explain");
  await page.reload();
  await page.getByRole("tabpanel", { name: "Surfaces" }).waitFor();
  await page.getByRole("tabpanel", { name: "Explain" }).waitFor();
  await eventually(() => page.getByLabel("Speed").inputValue(), "Fast");
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole("tablist", { name: "Areas" }).waitFor();
  await it.show("State");
  await page.reload();
  await page.getByRole("tabpanel", { name: "State", exact: true }).waitFor();
  await page.getByRole("tabpanel", { name: "Surfaces" }).waitFor();
});

test("the page starts with any contents in storage", async (t) => {
  for (const garbage of ["", "\u0000", "null", "{}", "lanewise 9\nspeed=Fast", '{"sizes":{"program":99,"state":0,"drawer":255},"tab":7}', '{"sizes":{"drawer":255},"area":"","drawer":"\u001f"}', "\u001e\u001f".repeat(99)]) {
    const page = await open(t, {
      before: `for (const key of ["scenario", "drafts", "theme", "settings", "failed", "single-keys"]) {
        localStorage.setItem("lanewise." + key, ${JSON.stringify(garbage)});
      }`,
    });
    await bench(page).summary("At the start. 1 instruction.");
    await close(page);
  }
});

test("letters are shortcuts where they have no other meaning", async (t) => {
  const page = await open(t);
  const it = bench(page);
  for (const [place, at] of [
    [page.getByRole("tab", { name: "Shared local memory" }), 1],
    [page.getByRole("tab", { name: "Lanes" }), 2],
    [it.timeline, 3],
    [page.getByRole("separator", { name: "Height of the drawer" }), 4],
  ]) {
    await place.focus();
    await page.keyboard.press("n");
    await it.at(`step ${at} of 16`);
  }
  await it.timeline.focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});

test("after a crash the program can be copied and downloaded", async (t) => {
  const page = await open(t, { mayFail: true });
  await page.evaluate(() => {
    Node.prototype.insertBefore = () => {
      throw new Error("no more nodes");
    };
  });
  // The page may crash earlier, because idle work renders too.
  await page.getByRole("tab", { name: "Explain" }).dispatchEvent("click");
  const alert = page.getByRole("alert");
  await alert.getByRole("heading", { name: "Lanewise has stopped" }).waitFor();
  assert.deepEqual(await axe(page), []);
  const { name } = await download(page, () => alert.getByRole("button", { name: "Download the text" }).click());
  assert.equal(name, "program.lanewise");
  await alert.getByRole("button", { name: "Copy the text" }).click();
  await alert.getByRole("button", { name: "Copied" }).waitFor();
});

test("a text that crashes two starts is set aside", async (t) => {
  const page = await open(t, { mayFail: true, fresh: true });
  const it = bench(page);
  await it.program.fill("// poison\n");
  await page.waitForFunction(() => localStorage["lanewise.text"] === "// poison\n");
  await page.addInitScript(() => {
    // Crashes the page whenever it shows this text.
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
    Object.defineProperty(HTMLTextAreaElement.prototype, "value", {
      ...Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value"),
      set(text) {
        if (/poison/.test(text) && this.id === "program-text") throw new WebAssembly.RuntimeError("unreachable");
        set.call(this, text);
      },
    });
  });
  const alert = page.getByRole("alert");
  for (let start = 0; start < 2; start++) {
    await page.reload();
    await alert.getByRole("heading", { name: "Lanewise has stopped" }).waitFor();
    await eventually(() => alert.getByRole("textbox").inputValue(), /poison/);
  }
  await page.reload();
  await it.summary(/^Your last program crashed the page twice/);
  await page.getByRole("heading", { name: "Histogram with conflicts" }).waitFor();
  await it.button("Step").click();
  await it.summary("Lane 0: slm[0x0] 0 + 1 → 1, returned 0");
  await eventually(() => page.evaluate(() => localStorage["lanewise.drafts"]), /poison/);
  await it.button("Restore draft").waitFor();
});

test("a reload restores the step, the breakpoints and the drawer's tab", async (t) => {
  const page = await open(t);
  const it = bench(page);
  await it.program.press("ControlOrMeta+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("F9");
  const breakpoint = it.button(/^Remove the breakpoint on line \d+$/);
  await breakpoint.waitFor();
  await it.timeline.fill("5");
  await it.summary(/^Lane 4: /);
  await it.show("Encoding");
  // Immediately: unsaved changes are saved on unload.
  await page.reload();
  await it.summary(/^Lane 4: /);
  await eventually(() => it.timeline.inputValue(), "5");
  await it.panel("Encoding").waitFor();
  await breakpoint.waitFor();
});
