// What the tests of the page have in common: its parts by role and name.

/** The page's parts. */
export function bench(page) {
  const status = page.getByRole("status", { name: "Step summary" });
  const timeline = page.getByRole("slider", { name: "Timeline" });
  return {
    page,
    timeline,
    program: page.getByRole("textbox", { name: "Program" }),
    button: (name) => page.getByRole("button", { name, exact: true }),
    panel: (name) => page.getByRole("tabpanel", { name }),
    /** Opens the header's menu, where it does not fit. */
    async menu() {
      const menu = page.getByRole("button", { name: "Menu", exact: true });
      if ((await menu.count()) > 0) await menu.click();
    },
    /** Brings a pane into sight, where a phone shows one at a time. */
    async show(name) {
      const tab = page.getByRole("tablist", { name: "Panes" }).getByRole("tab", { name });
      if ((await tab.count()) === 0) return;
      await tab.click();
      await page.getByRole("tabpanel", { name, exact: true }).waitFor();
    },
    /** Opens a state tab. */
    async tab(name) {
      await this.show("State");
      await page.getByRole("tab", { name }).click();
      await page.getByRole("tabpanel", { name }).waitFor();
    },
    /** Picks a bundled scenario. */
    async choose(label) {
      await page.getByRole("button", { name: /^Scenarios/ }).click();
      const dialog = page.getByRole("dialog", { name: "Choose a scenario" });
      await dialog.getByText(label, { exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
      // Its text is fetched.
      await page.locator("main:not([aria-busy])").waitFor();
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

function exact(text) {
  return new RegExp(`^\\s*${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`);
}
