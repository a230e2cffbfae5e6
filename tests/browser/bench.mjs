// What the tests of the page have in common: its parts by role and name.

/** The tabs of the drawer. */
const DRAWER = ["Lanes", "Outcomes", "Encoding", "Explain", "Problems"];

/** The page's parts. */
export function bench(page) {
  const status = page.getByRole("status", { name: "Step summary" });
  const timeline = page.getByRole("slider", { name: "Timeline" });
  return {
    page,
    timeline,
    program: editor(page),
    button: (name) => page.getByRole("button", { name, exact: true }),
    panel: (name) => page.getByRole("tabpanel", { name }),
    /** Opens the header's menu, where it does not fit. */
    async menu() {
      const menu = page.getByRole("button", { name: "Menu", exact: true });
      if ((await menu.count()) > 0) await menu.click();
    },
    /** Brings an area into sight, where a narrow window shows one at a time, or opens a tab of the drawer. */
    async show(name) {
      const inDrawer = DRAWER.includes(name);
      const areas = page.getByRole("tablist", { name: "Areas" });
      if ((await areas.count()) > 0) {
        const area = { name: inDrawer ? "Details" : name, exact: true };
        await areas.getByRole("tab", area).click();
        await page.getByRole("tabpanel", area).waitFor();
      }
      if (!inDrawer) return;
      // Some tabs tell how many there are: "Outcomes (14)".
      const named = new RegExp(`^${name}( \\(.*\\))?$`);
      await page.getByRole("tab", { name: named }).click();
      await page.getByRole("tabpanel", { name: named }).waitFor();
    },
    /** Presses an entry of a menu: "Program menu" or "Stepping options". */
    async fromMenu(menu, name) {
      const entries = page.getByRole("group", { name: menu });
      // Some entries leave it open.
      if (!(await entries.isVisible())) await page.getByRole("button", { name: menu, exact: true }).click();
      await entries.getByRole("button", { name, exact: true }).click();
    },
    /** Chooses one of the stepping options: of "Step by" or of "Speed". */
    async option(label, value) {
      const menu = page.getByRole("group", { name: "Stepping options" });
      await page.getByRole("button", { name: "Stepping options", exact: true }).click();
      await menu.getByLabel(label).selectOption(value);
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "hidden" });
    },
    /** Opens a state tab. */
    async tab(name) {
      await this.show("State");
      await page.getByRole("tab", { name }).click();
      await page.getByRole("tabpanel", { name }).waitFor();
    },
    /** Picks a bundled scenario. */
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
      await page.getByRole("button", { name: "To end", exact: true }).click();
      await page.waitForFunction(() => {
        const { value, max } = document.querySelector("input[type=range]");
        return max > 0 && value === max;
      });
    },
    /** Goes to a step by the timeline, and waits until it is there. */
    async goTo(step) {
      await timeline.fill(`${step}`);
      await page.locator(`input[type=range][aria-valuetext^="step ${step} of "]`).waitFor();
    },
    /** Waits until the summary is this text, or matches. */
    async summary(text) {
      const wanted = typeof text === "string" ? exact(text) : text;
      await status.filter({ hasText: wanted }).waitFor();
    },
    /** Waits until the timeline says this. */
    at: (text) => page.locator(`input[type=range][aria-valuetext="${text}"]`).waitFor(),
    /** The texts of a row's cells, each on one line. */
    async cells(row) {
      const texts = await row.getByRole("cell").evaluateAll((all) => all.map((e) => e.textContent));
      return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
    },
  };
}

/** The editor, whichever stands there: it is read and filled as an input is. */
function editor(page) {
  const program = page.getByRole("textbox", { name: "Program", exact: true });
  return Object.assign(program, {
    /** The whole text: only what is in sight of it is on the page. */
    inputValue: () => program.evaluate((e) => e.value),
    /** Puts another text in place of all of it, by the clipboard's way. */
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
        // Firefox makes the clipboard of a text, and takes no other.
        const made = { clipboardData, data: text, dataType: "text/plain" };
        const event = { ...made, bubbles: true, cancelable: true };
        // What it is pasted into says that it did so.
        if (e.dispatchEvent(new ClipboardEvent("paste", event))) throw new Error("not pasted");
      }, text);
    },
  });
}

function exact(text) {
  return new RegExp(`^\\s*${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`);
}
