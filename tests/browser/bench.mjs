// Page object: parts of the page by role and name.

/** Tabs of the drawer. */
const DRAWER = ["Work-items", "Variables", "Lanes", "Control flow", "Threads", "Warps", "Outcomes", "Output", "Encoding", "Explain", "Problems"];

/** Parts of the page. */
export function bench(page) {
  const status = page.getByRole("status", { name: "Step summary" });
  const timeline = page.getByRole("slider", { name: "Timeline" });
  return {
    page,
    timeline,
    program: editor(page),
    button: (name) => page.getByRole("button", { name, exact: true }),
    panel: (name) => page.getByRole("tabpanel", { name }),
    /** Opens the header menu in narrow windows. */
    async menu() {
      const menu = page.getByRole("button", { name: "Menu", exact: true });
      if ((await menu.count()) > 0) await menu.click();
    },
    /** Shows an area in a narrow window, or opens a tab of the drawer. */
    async show(name) {
      const inDrawer = DRAWER.includes(name);
      const areas = page.getByRole("tablist", { name: "Areas" });
      if ((await areas.count()) > 0) {
        const area = { name: inDrawer ? "Details" : name, exact: true };
        await areas.getByRole("tab", area).click();
        await page.getByRole("tabpanel", area).waitFor();
      }
      if (!inDrawer) return;
      // Some tabs include a count: "Outcomes (14)".
      const named = new RegExp(`^${name}( \\(.*\\))?$`);
      await page.getByRole("tab", { name: named }).click();
      await page.getByRole("tabpanel", { name: named }).waitFor();
    },
    /** Presses an item of a menu: "Program menu" or "Stepping options". */
    async fromMenu(menu, name) {
      const entries = page.getByRole("group", { name: menu });
      // Some items keep the menu open.
      if (!(await entries.isVisible())) await page.getByRole("button", { name: menu, exact: true }).click();
      await entries.getByRole("button", { name, exact: true }).click();
    },
    /** Selects a stepping option: "Step by" or "Speed". */
    async option(label, value) {
      const menu = page.getByRole("group", { name: "Stepping options" });
      await page.getByRole("button", { name: "Stepping options", exact: true }).click();
      await menu.getByLabel(label).selectOption(value);
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "hidden" });
    },
    /** Opens a tab of the State pane. */
    async tab(name) {
      await this.show("State");
      await page.getByRole("tab", { name }).click();
      await page.getByRole("tabpanel", { name }).waitFor();
    },
    /** Opens a bundled scenario. */
    async choose(label) {
      const scenarios = page.getByRole("button", { name: /^Scenarios/ });
      await scenarios.click();
      const dialog = page.getByRole("dialog", { name: "Choose a scenario" });
      await dialog.getByText(label, { exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
      await scenarios.filter({ hasText: label }).waitFor();
    },
    /** Goes to the last step. */
    async toEnd() {
      await page.getByRole("button", { name: "Run to end", exact: true }).click();
      await page.waitForFunction(() => {
        const { value, max } = document.querySelector("input[type=range]");
        return max > 0 && value === max;
      });
    },
    /** Seeks to a step and waits for it. */
    async goTo(step) {
      await timeline.fill(`${step}`);
      await page.locator(`input[type=range][aria-valuetext^="step ${step} of "]`).waitFor();
    },
    /** Waits until the summary equals or matches this. */
    async summary(text) {
      const wanted = typeof text === "string" ? exact(text) : text;
      await status.filter({ hasText: wanted }).waitFor();
    },
    /** Waits until the timeline has this value text. */
    at: (text) => page.locator(`input[type=range][aria-valuetext="${text}"]`).waitFor(),
    /** Texts of a row's cells, each on one line. */
    async cells(row) {
      const texts = await row.getByRole("cell").evaluateAll((all) => all.map((e) => e.textContent));
      return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
    },
  };
}

/** Whichever editor is active, used like an input element. */
function editor(page) {
  const program = page.getByRole("textbox", { name: "Program", exact: true });
  return Object.assign(program, {
    /** The whole text: CodeMirror renders only the visible part. */
    inputValue: () => program.evaluate((e) => e.value),
    /** Replaces the whole text by pasting. */
    async fill(text) {
      const filled = await program.evaluate((area, text) => {
        if (!(area instanceof HTMLTextAreaElement)) return false;
        area.focus();
        area.value = text;
        return area.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }, text);
      if (filled) return;
      await program.press("ControlOrMeta+a");
      await program.evaluate((e, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        // Firefox builds clipboard data from a text and rejects other data.
        const made = { clipboardData, data: text, dataType: "text/plain" };
        const event = { ...made, bubbles: true, cancelable: true };
        // The paste handler cancels the event.
        if (e.dispatchEvent(new ClipboardEvent("paste", event))) throw new Error("not pasted");
      }, text);
    },
  });
}

function exact(text) {
  return new RegExp(`^\\s*${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`);
}
