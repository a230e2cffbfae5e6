// Scenarios in any page: <lanewise-scenario>, and fenced code blocks of the
// language `lanewise`. A reader sees the listing at once; the player comes
// when it is asked for. No dependencies, no inline styles, no eval.
(() => {
  const TAG = "lanewise-scenario";
  if (customElements.get(TAG)) return;
  // Where the player is: beside this file. A module does not know its script.
  const script = document.currentScript ?? document.querySelector('script[src*="lanewise-embed"]');
  const home = new URL(".", script?.src ?? location.href);

  const make = (name) => document.createElement(name);
  const whenParsed = (then) => {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", then);
    else then();
  };

  // Made by calls: a policy against inline styles does not forbid them.
  const style = new CSSStyleSheet();
  style.replaceSync(`:host{display:block;margin:1em 0;container-type:inline-size}
:host([hidden]){display:none}
pre,::slotted(pre){margin:0;overflow:auto}
pre{padding:1em;max-height:26em;border:1px solid;border-radius:8px;font:13px/1.5 ui-monospace,monospace}
div{display:flex;flex-wrap:wrap;gap:.5em;align-items:center;padding:.5em 0;font:14px/1.4 system-ui,sans-serif}
p{flex:1 1 10em;margin:0}
button{font:inherit;font-weight:600;min-height:44px;padding:0 1.1em;border:1px solid;border-radius:8px;background:none;color:inherit;cursor:pointer}
button:focus-visible{outline:3px solid;outline-offset:2px}
iframe{display:block;width:100%;height:420px;border:0;color-scheme:normal}`);

  // What a site makes of a fenced block: mdBook, Hugo, kramdown and plain
  // HTML; Docusaurus; Sphinx; VitePress.
  const BLOCKS = "code.language-lanewise,pre.language-lanewise,.highlight-lanewise pre,.language-lanewise pre";

  // The text of a block: some sites end lines by elements.
  const textOf = (node) => {
    const copy = node.cloneNode(true);
    for (const other of copy.querySelectorAll("button")) other.remove();
    for (const end of copy.querySelectorAll("br")) end.replaceWith("\n");
    return copy.textContent;
  };

  // Lines without what all of them are indented by.
  const trimmed = (text) => {
    const lines = text.replace(/^(\s*\n)+|\s+$/g, "").split("\n");
    const indents = lines.filter((l) => l.trim()).map((l) => l.match(/^\s*/)[0].length);
    return lines.map((l) => l.slice(Math.min(...indents))).join("\n") + "\n";
  };

  // Version 0 of a link: the view, a line feed, the text; URL-safe base64.
  const fragment = (text, view) => {
    const bytes = new TextEncoder().encode(`${view}\n${text}`);
    let letters = "";
    for (const byte of bytes) letters += String.fromCharCode(byte);
    return 0 + btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };

  // Light or dark, by the colour of the text around.
  const themeOf = (element) => {
    const [, r, g, b] = /^rgba?\((\d+), (\d+), (\d+)/.exec(getComputedStyle(element).color) ?? [];
    return r ? (r * 3 + g * 6 + +b > 1280 ? "dark" : "light") : "auto";
  };

  const players = new Set();
  const repaint = () => players.forEach((player) => player.paint());
  addEventListener("message", ({ source, origin, data }) => {
    for (const player of players) {
      if (source === player.frame.contentWindow && origin === home.origin) player.receive(data);
    }
  });

  class Scenario extends HTMLElement {
    connectedCallback() {
      // What stands inside is there when the page is.
      whenParsed(() => this.isConnected && this.begin());
    }

    disconnectedCallback() {
      this.close();
    }

    async begin() {
      if (!this.shadowRoot) {
        this.build();
        try {
          this.text = trimmed(await this.read());
          if (this.pre) this.pre.textContent = this.text;
          // Not before it has a name.
          this.about.before(this.button);
          this.setLabel("Run it");
        } catch (error) {
          this.about.textContent = `Not loaded: ${error.message}.`;
        }
      }
      // It may have gone while its text came.
      if (this.isConnected && "autoload" in this.options) this.open("lazy");
    }

    build() {
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [style];
      this.about = make("p");
      this.about.setAttribute("role", "status");
      this.button = make("button");
      this.button.onclick = () => (this.frame ? this.close() : this.open());
      const bar = make("div");
      bar.append(this.about);
      // A block stays as its site has made it, and so does a <pre>.
      const own = this.block ?? this.querySelector("pre");
      this.shown = own ?? (this.pre = make("pre"));
      if (this.pre) this.pre.tabIndex = 0;
      root.append(this.pre ?? make("slot"), bar);
    }

    async read() {
      const src = this.getAttribute("src");
      if (!src) return this.getAttribute("text") ?? textOf(this.block ?? this.querySelector("pre,script") ?? this);
      const answer = await fetch(src);
      if (!answer.ok) throw new Error(`${src} gave ${answer.status}`);
      return answer.text();
    }

    /** Names the button, for its scenario too. */
    setLabel(word) {
      this.label = /^\s*\.title\s+"(.*)"/m.exec(this.text)?.[1] ?? "scenario";
      // A question is asked before anything runs.
      const quiz = !this.frame && this.options.quiz;
      if (quiz) word = "Answer the quiz";
      this.about.textContent = quiz ? `Quiz: ${quiz}` : "";
      this.button.textContent = word;
      this.button.setAttribute("aria-label", `${word}: ${this.label}`);
      this.button.setAttribute("aria-expanded", !!this.frame);
      // Not `hidden`: a site's own rules for <pre> would win.
      this.shown.style.display = this.frame ? "none" : "";
    }

    /** What attributes say; `// embed readonly step="3"` in the text says it too. */
    get options() {
      const comment = /^\s*\/\/ embed (.*)$/m.exec(this.text)?.[1] ?? "";
      const options = {};
      for (const [, name, value = ""] of comment.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)) options[name] = value;
      for (const { name, value } of this.attributes) options[name] = value;
      return options;
    }

    /** Shows the player. */
    open(loading = "eager") {
      if (this.frame || !this.text) return;
      const url = new URL("?embed", home);
      const { options } = this;
      for (const name of ["panes", "readonly", "run", "quiz", "answer-from"]) {
        if (name in options) url.searchParams.set(name, options[name]);
      }
      url.searchParams.set("theme", this.theme);
      const step = options.step === "end" ? 1e9 : parseInt(options.step);
      url.hash = fragment(this.text, step > 0 ? `step=${step}` : "");
      const frame = (this.frame = make("iframe"));
      this.setLabel("Show the listing");
      frame.title = `Lanewise: ${this.label}`;
      frame.sandbox = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";
      frame.loading = loading;
      frame.src = url;
      players.add(this);
      this.shadowRoot.append(frame);
    }

    /** Shows the listing again. */
    close() {
      if (!this.frame) return;
      players.delete(this);
      this.frame.remove();
      this.frame = undefined;
      this.setLabel("Run it");
    }

    get theme() {
      const { theme } = this.options;
      return theme === "light" || theme === "dark" ? theme : themeOf(this);
    }

    paint() {
      // Who has not said that it listens may be an empty frame still.
      if (!this.frame.listens) return;
      // An address of a file has no origin that could be named.
      const target = home.origin.replace(/^null$/, "*");
      this.frame.contentWindow?.postMessage({ lanewise: "host", theme: this.theme }, target);
    }

    receive(data) {
      const kind = data?.lanewise;
      if (kind === "player") {
        this.frame.listens = true;
        this.paint();
      }
      if (kind === "height" && data.height > 0) {
        this.frame.style.height = `${Math.min(data.height, 4000)}px`;
      }
    }
  }
  customElements.define(TAG, Scenario);

  // Every block gets its player below it, and stays as the site has made it.
  const upgrade = () => {
    for (const found of document.querySelectorAll(BLOCKS)) {
      const block = found.closest("pre");
      if (!block || block.lanewise || found.closest(TAG)) continue;
      block.lanewise = true;
      const element = make(TAG);
      element.block = block;
      block.after(element);
    }
  };
  whenParsed(() => {
    const { documentElement, body } = document;
    upgrade();
    new MutationObserver(upgrade).observe(body, { childList: true, subtree: true });
    // A site changes its theme by an attribute, or the reader by the system.
    const themeChanges = new MutationObserver(repaint);
    for (const node of [documentElement, body]) themeChanges.observe(node, { attributes: true });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  });
})();
