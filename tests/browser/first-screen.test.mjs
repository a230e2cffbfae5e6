// What a first visit shows until the program runs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { hasFocus, open } from "./harness.mjs";
import { firstScreen, PICTURES, pictureFile } from "./picture.mjs";

for (const width of Object.keys(PICTURES)) {
  test(`the ${width} picture is that of the page`, async (t) => {
    const picture = await readFile(pictureFile(width), "utf8");
    assert.equal(await firstScreen(t, width), picture, "run `node tests/browser/first-screen.mjs`");
  });

  test(`buttons of the ${width} picture act once the program runs`, async (t) => {
    const { page, it, load } = await visit(t, "", PICTURES[width]);
    await picture(page).waitFor();
    await it.button("Step").click();
    await it.button("Step").press("Enter");
    load();
    await it.at("step 2 of 16");
    await hasFocus(it.button("Step"));
  });
}

test("presses count after the rows of State in a window of another size", async (t) => {
  const { page, it, load } = await visit(t, "", { width: 1600, height: 1000 });
  await picture(page).waitFor();
  await page.getByRole("tab", { name: "Encoding" }).click();
  // A switch that is pressed twice is on.
  await it.button("Run").click();
  await it.button("Run").click();
  load();
  await it.panel("Encoding").getByRole("heading").first().waitFor();
  await it.at("step 16 of 16");
});

test("links of the picture do not change the address, and it leaves no note", async (t) => {
  const { page, it, load } = await visit(t, "");
  await picture(page).waitFor();
  await page.getByRole("link", { name: "Skip to Step" }).press("Enter");
  await hasFocus(it.button("Step"));
  assert.equal(new URL(page.url()).hash, "");
  const note = page.getByText(/^Loading…/);
  await note.waitFor();
  load();
  await runs(page);
  await hasFocus(it.button("Step"));
  assert.equal(await note.count(), 0);
});

test("only a first visit without a program of its own shows the picture", async (t) => {
  for (const address of ["", "#scenario=lock", "?embed"]) {
    const { page, load } = await visit(t, address);
    await decided(page);
    assert.equal(await picture(page).count(), address === "" ? 1 : 0, address);
    load();
    await runs(page);
    if (address !== "") continue;
    const later = await held(page);
    // Without the link that the address has now.
    await page.goto(new URL("/?later", page.url()).href, { waitUntil: "commit" });
    await decided(page);
    assert.equal(await picture(page).count(), 0, "a later visit");
    later();
    await bench(page).at("step 0 of 16");
  }
});

const runs = (page) => page.locator(":not([aria-busy]) > main").waitFor();

/** Waits until a picture would be shown: 150 ms after the page has been parsed. */
async function decided(page) {
  await page.waitForLoadState("domcontentloaded");
  await page.waitForTimeout(400);
}

const picture = (page) => page.locator("#app[aria-busy] > main");

/** Holds the program back until the returned function is called. */
async function held(page) {
  let load;
  const loading = new Promise((resolve) => (load = resolve));
  await page.unrouteAll();
  await page.route("**/*.wasm", async (route) => {
    await loading;
    await route.continue();
  });
  return load;
}

/** Opens the page in a new profile; `load` lets its program arrive. */
async function visit(t, address, size) {
  const page = await open(t, { path: "/guide/", fresh: true, ...size });
  const load = await held(page);
  await page.goto(new URL(`/${address}`, page.url()).href, { waitUntil: "commit" });
  return { page, it: bench(page), load };
}
