// Security: text never becomes markup, style, script or a requested address,
// whatever its source; and the page complies with its policy, as a `<meta>` and
// as a header.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { bench } from "./bench.mjs";
import { close, DIST, download, eventually, open } from "./harness.mjs";
import { serve } from "./server.mjs";

/**
 * Text that would run, load or change appearance if treated as anything but
 * text.
 */
const HOSTILE = [
  `<img src=x onerror="harmed=1">`,
  `"><svg onload="harmed=1"></svg>`,
  `</title></textarea></script><script>harmed=1</script>`,
  `javascript:harmed=1`,
  `<a href="javascript:harmed=1">a</a><iframe srcdoc="<script>parent.harmed=1</script>"></iframe>`,
  `;background:url(//harm.invalid/x);position:fixed`,
];

/** As a string literal: without quotation marks. */
const quoted = (text) => text.replaceAll('"', "'");

/** A program with these texts everywhere words may occur. */
const PROGRAM = `${HOSTILE.map((text, i) => `.${i ? "note" : "title"} "${quoted(text)}"`).join("\n")}
.note "${HOSTILE.map(quoted).join(" ")}"
// ${HOSTILE.join(" ")}
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF
.slm 64
.init V32 = iota(0, 4)
dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0 // ${HOSTILE[0]}
`;

/** The same with errors, because messages quote the text. */
const MISTAKES = `${PROGRAM}
.init <img/src=x/onerror=harmed=1> = 1
dword_atomic.<script>harmed=1</script> (M1, 16) %slm "><svg/onload=harmed=1> ${HOSTILE[4]}
`;

/** Fails if any of these texts became anything but text. */
async function harmless(page, where) {
  for (const frame of page.frames()) {
    const found = await frame.evaluate(() => ({
      harmed: globalThis.harmed,
      elements: [...document.querySelectorAll("script:not([src]), img:not(.cm-widgetBuffer), [onerror], [onload], [srcdoc], [href^='javascript:' i], [style*='harm']")]
        .map((e) => e.outerHTML.slice(0, 80)),
    }));
    assert.deepEqual(found, { harmed: undefined, elements: [] }, where);
  }
}

const status = (page) => page.getByRole("status", { name: "Step summary" });

/** Visits every part of the page that shows the program. */
async function lookAround(page) {
  const it = bench(page);
  for (const tab of ["Lanes", "Outcomes", "Encoding", "Explain", "Problems"]) {
    await it.show(tab);
    await harmless(page, tab);
  }
  await it.button("Program menu").click();
  await page.getByRole("group", { name: "Program menu" }).waitFor();
  await harmless(page, "the program's menu");
  await page.keyboard.press("Escape");
  for (const dialog of ["Share", "Embed"]) {
    await it.button(dialog).click();
    await page.getByRole("dialog", { name: dialog }).waitFor();
    await harmless(page, dialog);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: dialog }).waitFor({ state: "hidden" });
  }
}

test("a typed program is text: its title, notes, comments and errors", async (t) => {
  const page = await open(t, { width: 1400, height: 900 });
  const it = bench(page);
  await it.program.fill(PROGRAM);
  await page.getByRole("heading", { name: quoted(HOSTILE[0]) }).waitFor();
  await it.button("Step").click();
  await it.at("step 1 of 16");
  await lookAround(page);
  await it.program.fill(MISTAKES);
  await it.summary(/^\d+ errors?\./);
  await lookAround(page);
  // As a draft, in the picker and in the window title.
  await it.choose("Out of bounds");
  await it.button("Program menu").click();
  await page.getByRole("group", { name: "Earlier drafts" }).getByText("<img src=x").first().waitFor();
  await harmless(page, "a draft");
});

test("a link is text: its program, its view and invalid links", async (t) => {
  const base64 = (text) => Buffer.from(text).toString("base64url");
  for (const fragment of [
    `0${base64(`\n${PROGRAM}`)}`,
    `0${base64(`step=1&tab=${HOSTILE[0]}&watch=${HOSTILE[1]}\n${MISTAKES}`)}`,
    `0${base64(HOSTILE.join("\n"))}`,
    `scenario=${encodeURIComponent(HOSTILE[0])}`,
    encodeURIComponent(HOSTILE[1]),
    "javascript:harmed=1",
  ]) {
    const page = await open(t, { path: `/#${fragment}` });
    await status(page).filter({ hasText: /./ }).waitFor();
    await harmless(page, fragment);
    await close(page);
  }
});

test("a file is text: its name and its contents", async (t) => {
  const page = await open(t);
  const drop = (name, text) =>
    page.evaluate(([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      for (const kind of ["dragenter", "dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    }, [name, text]);
  await drop(`${HOSTILE[0]}.lanewise`, PROGRAM);
  await page.getByRole("status").filter({ hasText: "<img src=x" }).filter({ hasText: "is open." }).waitFor();
  await harmless(page, "a program");
  await drop(`${HOSTILE[1]}.bin`, "\u0000\u0001");
  await page.getByRole("alert").filter({ hasText: "<svg onload" }).waitFor();
  await harmless(page, "a file that cannot be opened");
  // A compiler listing: the name of its function.
  const listing = `.version 4.1\n.kernel "<img src=x onerror='harmed=1'>"\n.decl V32 v_type=G type=ud num_elts=16 align=GRF\n\n.function "${quoted(HOSTILE[1])}"\ndword_atomic.inc (M1, 16) slm V32.0 %null.0 %null.0 %null.0\nret (M1, 1)\n`;
  await drop(`${HOSTILE[4].replaceAll("/", "")}.visaasm`, listing);
  await page.getByRole("dialog", { name: "<a href=" }).waitFor();
  await harmless(page, "a listing");
});

test("saved data is text", async (t) => {
  const drafts = [{ scenario: HOSTILE[0], text: PROGRAM, time: 1 }, { scenario: "histogram", text: MISTAKES, time: 2 }];
  const kept = {
    text: PROGRAM,
    scenario: HOSTILE[0],
    drafts: JSON.stringify(drafts),
    theme: HOSTILE[5],
    settings: JSON.stringify({ sizes: { program: HOSTILE[5] }, tab: HOSTILE[0], area: HOSTILE[1], speed: HOSTILE[2] }),
    "gave-up": JSON.stringify(drafts[1]),
  };
  const page = await open(t, {
    before: `for (const [key, value] of Object.entries(${JSON.stringify(kept)})) localStorage.setItem("lanewise." + key, value);`,
  });
  const it = bench(page);
  await page.getByRole("heading", { name: quoted(HOSTILE[0]) }).waitFor();
  await it.button("Program menu").click();
  await page.getByRole("group", { name: "Earlier drafts" }).getByRole("button").first().waitFor();
  await harmless(page, "drafts");
  assert.equal(await page.evaluate(() => document.documentElement.getAttribute("style")), null);
});

test("a player accepts only text and themes from its host", async (t) => {
  const lanewise = await serve(DIST);
  const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const asked = `theme="${attribute(HOSTILE[5])}" panes="${attribute(HOSTILE[2])}" step="${attribute(HOSTILE[3])}"`;
  const html = `<!doctype html><html lang="en"><head><title>Host</title><script src="${lanewise.origin}/lanewise-embed.js" defer></script></head>
<body><main><lanewise-scenario ${asked} text="${attribute(PROGRAM)}"></lanewise-scenario></main></body></html>`;
  const host = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html));
  await new Promise((resolve) => host.listen(0, resolve));
  t.after(() => [host, lanewise.server].forEach((server) => (server.closeAllConnections(), server.close())));
  const origin = `http://localhost:${host.address().port}`;

  const page = await open(t, { url: origin, others: [origin, lanewise.origin] });
  await page.getByRole("button").click();
  const frame = page.frameLocator("lanewise-scenario iframe");
  await frame.getByRole("main").waitFor();
  await frame.getByText("<img src=x").first().waitFor();
  await harmless(page, "a player");
  // Messages that a host may send, and others.
  const send = (message) =>
    page.evaluate((message) => {
      const { contentWindow } = document.querySelector("lanewise-scenario").shadowRoot.querySelector("iframe");
      contentWindow.postMessage(message, "*");
    }, message);
  for (const message of [
    { lanewise: "host", theme: HOSTILE[0] },
    { lanewise: "host", theme: HOSTILE[5] },
    { lanewise: "host", theme: { toString: 1 } },
    { lanewise: "host", text: PROGRAM, html: HOSTILE[0] },
    { lanewise: "height", height: HOSTILE[5] },
    HOSTILE[0],
    null,
  ]) {
    await send(message);
  }
  // Messages arrive in order: this one is the last.
  await send({ lanewise: "host", theme: "dark" });
  await frame.locator("html[data-theme=dark]").waitFor();
  await harmless(page, "messages");
});

test("the policy blocks attacks through a vulnerability in the page", async (t) => {
  const page = await open(t, { mayFail: true, fresh: true });
  const tried = await page.evaluate(async () => {
    // The policy does not apply to code started by the protocol, but to later
    // callbacks.
    await new Promise(requestAnimationFrame);
    const errors = {};
    const attempt = (name, work) => {
      try {
        work();
        errors[name] = "done";
      } catch (error) {
        errors[name] = error.name;
      }
    };
    const body = document.createElement("div");
    document.body.append(body);
    // Trusted types.
    attempt("innerHTML", () => (body.innerHTML = "<img src=x onerror='harmed=1'>"));
    attempt("a foreign script", () => (document.createElement("script").src = "https://harm.invalid/a.js"));
    attempt("a foreign worker", () => new Worker("https://harm.invalid/a.js"));
    attempt("a second policy", () => trustedTypes.createPolicy("second", {}));
    attempt("a handler", () => body.setAttribute("onclick", "harmed=1"));
    attempt("text as script", () => (document.createElement("script").text = "harmed=1"));
    // Script policy. Creating a function from text throws an EvalError or a
    // TypeError.
    attempt("eval", () => (0, eval)("globalThis.harmed=1"));
    attempt("a function from text", () => Function("globalThis.harmed=1")());
    const violations = [];
    const violation = new Promise((resolve) =>
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        violations.push(effectiveDirective);
        if (["img-src", "connect-src", "style-src-attr"].every((name) => violations.includes(name))) resolve();
      }),
    );
    body.setAttribute("style", "position:fixed");
    body.append(Object.assign(new Image(), { src: "https://harm.invalid/a.png" }));
    fetch("https://harm.invalid/").catch(() => {});
    await violation;
    body.remove();
    return { errors, harmed: globalThis.harmed };
  });
  assert.equal(tried.harmed, undefined);
  for (const [name, error] of Object.entries(tried.errors)) assert.notEqual(error, "done", name);
});

test("the page works with the guide's recommended policy as a header", async (t) => {
  const guide = await open(t, { path: "/guide/embedding.html" });
  const given = await guide.locator("code").filter({ hasText: /^Content-Security-Policy:/ }).innerText();
  const nonce = await (await open(t)).evaluate(() => document.querySelector("link[nonce]").nonce);
  const policy = given.replace(/^[^:]*:/, "").replaceAll(/\s+/g, " ").replace("NONCE", nonce).trim();
  assert.match(policy, /'nonce-[0-9a-f]{16}'/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*/);

  const strict = await serve(DIST, { headers: { "content-security-policy": policy } });
  t.after(() => (strict.server.closeAllConnections(), strict.server.close()));
  const page = await open(t, { url: `${strict.origin}/`, others: [strict.origin], editor: true, width: 1400, height: 900 });
  const it = bench(page);
  await it.choose("The order of the lanes");
  await it.button("Step").click();
  await it.at("step 1 of 4");
  // Worker, editor styles, and a picture through a blob.
  await it.show("Outcomes");
  await page.getByRole("tabpanel", { name: /^Outcomes/ }).getByRole("button", { name: /replay/i }).first().waitFor();
  await eventually(() => page.locator(".cm-scroller").evaluate((e) => getComputedStyle(e).display), (display) => display !== "block");
  await it.button("Share").click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  const group = dialog.getByRole("group", { name: "Export" });
  await group.getByLabel("Format").selectOption({ label: "PNG" });
  const { name } = await download(page, () => dialog.getByRole("button", { name: "Download the export" }).click());
  assert.match(name, /\.png$/);
});
