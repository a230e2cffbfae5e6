// Embedding: cross-origin pages, strict policies, ten players, keyboard use,
// and isolation of a visitor's data.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bench } from "./bench.mjs";
import { allowClipboard, axe, chromiumOnly, DIST, eventually, hasFocus, open, settled, sideways } from "./harness.mjs";
import { serve } from "./server.mjs";

const COUNTER = `.title "A counter"
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.slm 64
dword_atomic.inc (M1, 4) %slm V32.0 %null.0 %null.0 V33.0
`;

let lanewise;
let host;
let asked = [];
let body = "";
let policy = "";

before(async () => {
  // Cached for some minutes, as by static hosts.
  const headers = { "cache-control": "max-age=600" };
  lanewise = await serve(DIST, { headers, seen: (path) => asked.push(path) });
  const server = createServer((request, response) => {
    if (request.url === "/counter.lanewise") return response.end(COUNTER);
    if (request.url === "/gone.lanewise") return response.writeHead(404).end();
    const type = { "content-type": "text/html; charset=utf-8" };
    response.writeHead(200, policy ? { ...type, "content-security-policy": policy } : type).end(body);
  });
  await new Promise((resolve) => server.listen(0, resolve));
  // Another site, not just another port.
  host = { server, origin: `http://localhost:${server.address().port}` };
});

after(() => {
  for (const { server } of [lanewise, host]) {
    server.closeAllConnections();
    server.close();
  }
});

const SCRIPT = () => `<script src="${lanewise.origin}/lanewise-embed.js" defer></script>`;

/** Opens a cross-origin page with this content under a strict policy. */
async function hosted(t, inside, { connect = "", head = "", script = SCRIPT(), styles = "", ...more } = {}) {
  asked = [];
  // The image is the favicon, which Firefox requests.
  policy = `default-src 'none'; img-src 'self'; script-src ${lanewise.origin}; frame-src ${lanewise.origin}; connect-src ${connect || "'none'"}${styles}`;
  body = `<!doctype html><html lang="en"><head><title>Host</title>${head}<meta name="viewport" content="width=device-width">
${script}</head>
<body><main><h1>Notes</h1>${inside}</main></body></html>`;
  return open(t, { url: host.origin, others: [lanewise.origin, host.origin], ...more });
}

const element = (attributes, text = COUNTER) =>
  `<lanewise-scenario ${attributes}><pre>${text}</pre></lanewise-scenario>`;
const block = (text = COUNTER) => `<pre><code class="language-lanewise">${text}</code></pre>`;
const run = (page, name = /^Run it/) => page.getByRole("button", { name }).first();
const player = (page, at = 0) => page.frameLocator("iframe").nth(at);
const summary = (frame, text) =>
  frame.getByRole("status", { name: "Step summary" }).filter({ hasText: text }).waitFor();

test("the listing is readable immediately and opens on a press", async (t) => {
  const page = await hosted(t, element('panes="slm"'));
  await page.getByText("dword_atomic.inc").waitFor();
  await run(page).waitFor();
  await settled(page);
  assert.deepEqual(asked, ["/lanewise-embed.js"], "no other request before the press");
  const script = await readFile(join(DIST, "lanewise-embed.js"));
  console.log(`embed before the press: 1 request, ${script.length} bytes`);
  assert.ok(script.length <= 5120, `${script.length} bytes`);
  await run(page, "Run it: A counter").click();
  const frame = player(page);
  await frame.getByRole("tabpanel", { name: "Shared local memory" }).waitFor();
  assert.equal(await frame.getByRole("region", { name: "Lanes" }).count(), 0, "not requested");
  await eventually(() => page.getByText("dword_atomic.inc").count(), 1);
  await page.getByRole("button", { name: "Show the listing: A counter" }).click();
  await eventually(() => page.locator("iframe").count(), 0);
  await page.getByText("dword_atomic.inc").waitFor();
});

test("a player steps", { skip: chromiumOnly("Firefox under test cannot press in a cross-origin frame") }, async (t) => {
  const page = await hosted(t, element(""));
  await run(page, "Run it: A counter").click();
  await player(page).getByRole("button", { name: "Step", exact: true }).click();
  await summary(player(page), "Lane 0: slm[0x0] 0 + 1 → 1, returned 0");
});

test("all forms of code blocks, elements and texts work", async (t) => {
  const lines = COUNTER.trim().split("\n");
  const docusaurus = lines.map((line) => `<span class="token-line"><span>${line}</span><br></span>`).join("");
  const forms = [
    block(),
    `<div class="language-lanewise codeBlock"><pre class="prism-code language-lanewise"><code>${docusaurus}</code></pre></div>`,
    `<div class="highlight-lanewise notranslate"><div class="highlight"><pre><span></span>${COUNTER}</pre></div></div>`,
    element(""),
    `<lanewise-scenario><script type="text/plain">${COUNTER}</script></lanewise-scenario>`,
    `<lanewise-scenario text='${COUNTER}'></lanewise-scenario>`,
    `<lanewise-scenario src="/counter.lanewise"></lanewise-scenario>`,
  ];
  const page = await hosted(t, forms.join("\n"), { connect: host.origin });
  page.setDefaultTimeout(30_000);
  const buttons = page.getByRole("button", { name: "Run it: A counter" });
  await buttons.nth(forms.length - 1).waitFor();
  await eventually(() => buttons.count(), forms.length);
  for (let at = 0; at < forms.length; at++) {
    // By keyboard: opened players grow and move the buttons below.
    await buttons.first().press("Enter");
    const text = player(page, at).getByRole("textbox", { name: "Program" });
    await text.waitFor();
    await eventually(async () => (await text.inputValue()).trim(), COUNTER.trim(), forms[at]);
  }
});

test("a player has the height of its contents and never widens the page", async (t) => {
  const long = COUNTER.replace("\n", ` // ${"a comment without an end ".repeat(20)}\n`);
  for (const width of [1000, 360]) {
    const page = await hosted(t, element("", long), { width });
    await run(page).waitFor();
    assert.equal(await sideways(page), 0, "the listing");
    await run(page).click();
    const frame = player(page);
    await frame.getByRole("tabpanel", { name: "Shared local memory" }).waitFor();
    // The frame follows the player's height, which must not depend on the
    // frame.
    await eventually(async () => {
      const heights = [
        await page.locator("iframe").evaluate((frame) => frame.clientHeight),
        await frame.locator("body").evaluate((body) => Math.ceil(body.getBoundingClientRect().height)),
      ];
      assert.equal(heights[0], heights[1]);
      assert.ok(heights[1] < 1700, `${heights[1]} px`);
    });
    // The memory rows fill their box up to a partial row.
    const [box, rows] = await frame.getByRole("group", { name: "Memory rows" }).evaluate((grid) => [
      grid.parentElement.clientHeight,
      grid.offsetHeight,
    ]);
    assert.ok(box - rows < 24, `${box} px for ${rows}`);
    assert.equal(await sideways(page), 0, "the player");
  }
});

test("blocks added later are found; a comment holds their attributes", async (t) => {
  const page = await hosted(t, "<p>Nothing yet.</p>");
  await page.evaluate((html) => {
    document.querySelector("p").innerHTML = html;
  }, block(`// embed panes="registers" readonly="" step="2"\n${COUNTER}`));
  await run(page).click();
  const frame = player(page);
  await summary(frame, "Lane 1:");
  assert.equal(await frame.getByRole("textbox").count(), 0);
  await frame.getByRole("group", { name: "Program text" }).waitFor();
  await frame.getByRole("tabpanel", { name: "Registers" }).waitFor();
});

test("a comment supports all attributes, including bare names", async (t) => {
  const page = await hosted(t, block(`// embed autoload readonly theme="dark" panes="slm"\n${COUNTER}`));
  const frame = player(page);
  await frame.locator('html[data-theme="dark"]').waitFor();
  await frame.getByRole("tabpanel", { name: "Shared local memory" }).waitFor();
  await frame.getByRole("group", { name: "Program text" }).waitFor();
  assert.equal(await frame.getByRole("textbox", { name: "Program" }).count(), 0);
  // The element's own attribute takes precedence.
  await page.locator("lanewise-scenario").evaluate((element) => element.setAttribute("theme", "light"));
  await page.evaluate(() => (document.body.dataset.painted = ""));
  await frame.locator('html[data-theme="light"]').waitFor();
});

test("a read-only player is not changed by any pane", async (t) => {
  const page = await hosted(t, block(`// embed autoload readonly panes="picture,outcomes,encoding,explain,registers"\n${COUNTER}`));
  const frame = player(page);
  const listing = frame.getByRole("group", { name: "Program text" });
  await listing.waitFor();
  const text = await listing.innerText();
  // Lanes cannot be moved.
  const lane = frame.getByRole("option", { name: /^Lane 1,/ });
  await lane.focus();
  await page.keyboard.press("Alt+ArrowUp");
  // Results cannot be replayed, and the page says why.
  const replay = frame.getByRole("button", { name: "Replay result 2", exact: true });
  await eventually(() => replay.getAttribute("aria-disabled"), "true");
  await replay.click({ force: true });
  await frame.getByText("Replay is disabled in read-only mode.").waitFor();
  assert.equal(await frame.getByRole("button", { name: /^Lane 1, number 2 of 4/ }).count(), 0);
  // Bits cannot be edited, and no other program can be opened.
  assert.equal(await frame.getByRole("textbox", { name: "Bytes", exact: true }).isEditable(), false);
  assert.equal(await frame.getByRole("button", { name: "Open this program" }).count(), 0);
  assert.equal(await listing.innerText(), text);
  await summary(frame, "At the start");
});

test("an unreadable scenario has no button", async (t) => {
  const gone = '<lanewise-scenario src="/gone.lanewise" autoload></lanewise-scenario>';
  const page = await hosted(t, `${gone}${element("")}`, { connect: host.origin, mayFail: true });
  await page.getByRole("status").filter({ hasText: "Not loaded: /gone.lanewise gave 404." }).waitFor();
  await run(page).waitFor();
  assert.equal(await page.getByRole("button").count(), 1);
  assert.equal(await page.locator("iframe").count(), 0);
});

test("an element removed while its text loads opens nothing", async (t) => {
  const page = await hosted(t, "<p>Nothing yet.</p>", { connect: host.origin });
  const frames = await page.evaluate(async () => {
    let come;
    const text = new Promise((resolve) => (come = resolve));
    window.fetch = async () => ({ ok: true, text: () => text });
    const element = document.createElement("lanewise-scenario");
    element.setAttribute("src", "/counter.lanewise");
    element.setAttribute("autoload", "");
    document.body.append(element);
    element.remove();
    come(".slm 64\n");
    await new Promise((resolve) => setTimeout(resolve));
    return element.shadowRoot.querySelectorAll("iframe").length;
  });
  assert.equal(frames, 0);
});

test("a player that is not ready receives no messages", async (t) => {
  // Posting to an empty frame logs an error.
  const page = await hosted(t, element(""));
  await run(page).waitFor();
  await page.evaluate(() => {
    document.querySelector("lanewise-scenario").open();
    document.documentElement.style.color = "rgb(240, 240, 240)";
  });
  await player(page).locator('html[data-theme="dark"]').waitFor();
});

test("ten embeds load one script at first, and one wasm in all", async (t) => {
  const page = await hosted(t, Array.from({ length: 10 }, () => element('panes="slm"')).join("\n"));
  page.setDefaultTimeout(60_000);
  const buttons = page.getByRole("button", { name: /^Run it/ });
  await buttons.nth(9).waitFor();
  await settled(page);
  assert.deepEqual(asked, ["/lanewise-embed.js"]);
  const started = performance.now();
  // By keyboard: opened players grow and move the buttons below.
  for (let at = 0; at < 10; at++) await buttons.first().press("Enter");
  for (let at = 0; at < 10; at++) {
    await player(page, at).getByRole("button", { name: "Step", exact: true }).waitFor();
  }
  const took = Math.round(performance.now() - started);
  const count = (pattern) => asked.filter((path) => pattern.test(path)).length;
  const figures = { wasm: count(/_bg\.wasm$/), all: asked.length };
  console.log(`ten embeds open in ${took} ms: ${JSON.stringify(figures)} requests`);
  assert.equal(figures.wasm, 1, asked.join(" "));
});

test("the keyboard opens a player and steps it", { skip: chromiumOnly("Firefox under test cannot press in a cross-origin frame") }, async (t) => {
  const page = await hosted(t, `<a href="#x">before</a>${element("")}`);
  await run(page).waitFor();
  await page.getByRole("link", { name: "before" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const frame = player(page);
  const step = frame.getByRole("button", { name: "Step", exact: true });
  await step.waitFor();
  const focused = () => step.evaluate((element) => element.ownerDocument.activeElement === element);
  for (let presses = 0; !(await focused()) && presses < 20; presses++) {
    await page.keyboard.press("Tab");
    // The frame has its own process: focus arrives by a message.
    for (const each of page.frames()) await settled(each);
  }
  await page.keyboard.press("Enter");
  await summary(frame, "Lane 0");
});

test("a frame has the height of its player", async (t) => {
  const page = await hosted(t, element(""));
  await run(page).click();
  const frame = player(page);
  await frame.getByRole("button", { name: "Step", exact: true }).waitFor();
  const heights = async () => [
    await frame.locator("body").evaluate((element) => element.getBoundingClientRect().height),
    await page.locator("iframe").evaluate((element) => element.clientHeight),
  ];
  await eventually(heights, ([inner, outer]) => Math.abs(outer - inner) <= 1);
});

test("messages from other windows are ignored", async (t) => {
  const page = await hosted(t, element(""));
  await run(page).click();
  await player(page).getByRole("button", { name: "Step", exact: true }).waitFor();
  const height = () => page.locator("iframe").evaluate((element) => element.style.height);
  await eventually(height, /px$/);
  await page.evaluate(() => new Promise((resolve) => {
    // Listeners run in order: this one is last.
    addEventListener("message", ({ data }) => data.height === 7 && resolve());
    window.postMessage({ lanewise: "height", height: 7 }, "*");
  }));
  await settled(page);
  assert.notEqual(await height(), "7px");
});

test("the theme follows the host page", async (t) => {
  const page = await hosted(t, element(""));
  await run(page).click();
  const frame = player(page);
  await frame.locator('html[data-theme="light"]').waitFor();
  await page.evaluate(() => (document.documentElement.style.color = "rgb(240, 240, 240)"));
  await frame.locator('html[data-theme="dark"]').waitFor();
});

for (const width of [1000, 360]) {
  test(`axe finds nothing in a host and its players, ${width} px wide`, async (t) => {
    const page = await open(t, { width, path: "/guide/index.html" });
    await run(page, /^Run it/).waitFor();
    await page.evaluate((text) => {
      const scenario = document.createElement("lanewise-scenario");
      scenario.append(Object.assign(document.createElement("pre"), { textContent: text }));
      document.querySelector("article").append(scenario);
    }, COUNTER);
    for (let left = await page.getByRole("button", { name: /^Run it/ }).count(); left > 0; left--) await run(page).press("Enter");
    await player(page, 0).getByRole("button", { name: "Step", exact: true }).waitFor();
    await player(page, 1).getByRole("button", { name: "Step", exact: true }).waitFor();
    assert.deepEqual(await axe(page, { dark: true }), []);
    for (const frame of page.frames().slice(1)) {
      assert.deepEqual(await axe(frame), []);
      const over = () =>
        frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      await eventually(over, 0, "a player is wider than its frame");
    }
  });
}

test("a player does not touch a visitor's saved data", async (t) => {
  const page = await open(t);
  const mine = bench(page).program;
  await mine.fill("// mine\n");
  await page.waitForFunction(() => localStorage.getItem("lanewise.text") === "// mine\n");
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  const payload = Buffer.from(`step=2\n${COUNTER}`).toString("base64url");
  await page.goto(`${new URL(page.url()).origin}/?embed&panes=slm#0${payload}`);
  await summary(page, "Lane 1:");
  await mine.fill(`${COUNTER}// theirs\n`);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await summary(page, "Lane 2:");
  const link = page.getByRole("link", { name: "Open in Lanewise" });
  await eventually(() => link.getAttribute("href"), /^\.\/#1/);
  // A page saves on unload at the latest.
  await page.goto(new URL("/guide/", page.url()).href);
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage)), kept);
});

test("a broken link is reported", async (t) => {
  const page = await open(t, { path: "/?embed#0broken" });
  await page.getByRole("alert").filter({ hasText: "Cannot open this scenario" }).waitFor();
});

/** The Embed dialog and its code. */
async function embedding(page) {
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  if ((await menu.count()) > 0) await menu.click();
  await page.getByRole("button", { name: "Embed", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Embed" });
  await dialog.waitFor();
  return { dialog, code: dialog.getByRole("textbox", { name: "Code" }) };
}

test("the code of the Embed dialog works in another page, in each form", async (t) => {
  const origin = lanewise.origin;
  const page = await open(t, { url: `${origin}/`, others: [origin], editor: true });
  await allowClipboard(page);
  const own = bench(page).program;
  await own.fill(COUNTER.replace("A counter", "A <b> & more"));
  for (let step = 0; step < 2; step++) await page.getByRole("button", { name: "Step", exact: true }).click();
  const { dialog, code } = await embedding(page);
  await eventually(() => code.inputValue(), /^<script src="[^"]*\/lanewise-embed\.js" defer><\/script>\n\n<lanewise-scenario>\n<pre>\n\.title/);
  await dialog.getByLabel("State").uncheck();
  await dialog.getByLabel("Explain").check();
  await dialog.getByLabel("Read-only").check();
  await dialog.getByLabel("Start at step 2").check();
  await eventually(() => code.inputValue(), /step="2"/);
  const codes = {};
  for (const [form, start] of [["HTML element", /^<script/], ["Markdown block", /^```/], ["HTML frame", /^<iframe/]]) {
    await dialog.getByLabel("Format").selectOption(form);
    codes[form] = await eventually(() => code.inputValue(), start);
  }
  await dialog.getByRole("button", { name: "Copy" }).click();
  await dialog.getByRole("status").filter({ hasText: /copied|clipboard/i }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  const [, said, ...text] = codes["Markdown block"].trim().split("\n");
  assert.equal(said, '// embed panes="picture,explain" readonly step="2"');
  assert.equal(text.pop(), "```");
  const rendered = [said, ...text].join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const pages = {
    "HTML element": { inside: codes["HTML element"], script: "" },
    "Markdown block": { inside: block(rendered) },
    // The frame has inline styles in an attribute.
    "HTML frame": { inside: codes["HTML frame"], script: "", styles: "; style-src 'unsafe-inline'" },
  };
  for (const [form, { inside, ...options }] of Object.entries(pages)) {
    const other = await hosted(t, inside, options);
    if (form !== "HTML frame") await run(other, "Run it: A <b> & more").click();
    const frame = player(other);
    await summary(frame, "Lane 1: slm[0x0] 1 + 1 → 2, returned 1");
    await frame.getByRole("region", { name: "Explain" }).waitFor();
    assert.equal(await frame.getByRole("tablist", { name: "State" }).count(), 0, form);
    assert.equal(await frame.getByRole("textbox", { name: "Program" }).count(), 0, form);
    const program = frame.getByRole("group", { name: "Program text" });
    await eventually(() => program.textContent(), (text) => text.includes('.title "A <b> & more"'), form);
  }
});

for (const width of [1200, 360]) {
  test(`axe: the Embed dialog, ${width} px`, async (t) => {
    const page = await open(t, { width, height: 780 });
    const { dialog, code } = await embedding(page);
    await dialog.getByLabel("Format").selectOption("HTML frame");
    await code.waitFor();
    assert.deepEqual(await axe(page, { dark: true }), []);
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await eventually(wide, (wide) => wide <= 0);
  });
}
