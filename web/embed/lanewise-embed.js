// Embeds scenarios in any page: <lanewise-scenario>, and fenced code blocks of
// the language `lanewise`. Readers see the listing immediately; the player
// loads on demand. No dependencies, inline styles or eval.
(() => {
  const TAG = "lanewise-scenario";
  if (customElements.get(TAG)) return;
  // The player is served beside this file. Module scripts cannot use
  // currentScript.
  const script = document.currentScript ?? document.querySelector('script[src*="lanewise-embed"]');
  const home = new URL(".", script?.src ?? location.href);

  const make = (name) => document.createElement(name);
  const whenParsed = (then) => {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", then);
    else then();
  };

  // A constructed style sheet is allowed by policies that forbid inline styles.
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

  // Selectors of rendered code blocks: mdBook, Hugo, kramdown and plain HTML;
  // Docusaurus; Sphinx; VitePress.
  const BLOCKS = "code.language-lanewise,pre.language-lanewise,.highlight-lanewise pre,.language-lanewise pre";

  // Text of a block: some sites end lines with elements.
  const textOf = (node) => {
    const copy = node.cloneNode(true);
    for (const other of copy.querySelectorAll("button")) other.remove();
    for (const end of copy.querySelectorAll("br")) end.replaceWith("\n");
    return copy.textContent;
  };

  // Removes common indentation.
  const trimmed = (text) => {
    const lines = text.replace(/^(\s*\n)+|\s+$/g, "").split("\n");
    const indents = lines.filter((l) => l.trim()).map((l) => l.match(/^\s*/)[0].length);
    return lines.map((l) => l.slice(Math.min(...indents))).join("\n") + "\n";
  };

  // Link version 0: the view, a line feed, the text; URL-safe base64.
  const fragment = (text, view) => {
    const bytes = new TextEncoder().encode(`${view}\n${text}`);
    let letters = "";
    for (const byte of bytes) letters += String.fromCharCode(byte);
    return 0 + btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };

  // Light or dark, judged by the surrounding text colour.
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
      // The content of the element is complete once the page is parsed.
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
          // Inserted once it has a name.
          this.about.before(this.button);
          this.setLabel("Run it");
        } catch (error) {
          this.about.textContent = `Not loaded: ${error.message}.`;
        }
      }
      // The element may have been removed while its text was loading.
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
      // The site's own block or <pre> is left unchanged.
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

    /**
     * Labels the button, including the scenario's title in its accessible name.
     */
    setLabel(word) {
      this.label = /^\s*\.title\s+"(.*)"/m.exec(this.text)?.[1] ?? "scenario";
      this.button.textContent = word;
      this.button.setAttribute("aria-label", `${word}: ${this.label}`);
      this.button.setAttribute("aria-expanded", !!this.frame);
      // Not `hidden`: a site's own rules for <pre> would override it.
      this.shown.style.display = this.frame ? "none" : "";
    }

    /**
     * Options from attributes, or from a comment in the text: `// embed
     * readonly step="3"`.
     */
    get options() {
      const comment = /^\s*\/\/ embed (.*)$/m.exec(this.text)?.[1] ?? "";
      const options = {};
      for (const [, name, value = ""] of comment.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)) options[name] = value;
      for (const { name, value } of this.attributes) options[name] = value;
      return options;
    }

    /** Opens the player. */
    open(loading = "eager") {
      if (this.frame || !this.text) return;
      const url = new URL("?embed", home);
      const { options } = this;
      for (const name of ["panes", "readonly", "run"]) {
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

    /** Returns to the listing. */
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
      // Until the player has announced itself, the frame may be empty.
      if (!this.frame.listens) return;
      // Pages opened from a file have an opaque origin, which cannot be
      // addressed.
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

  // Adds a player below every block, leaving the block unchanged.
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
    // The theme may change through an attribute of the site or through the
    // system.
    const themeChanges = new MutationObserver(repaint);
    for (const node of [documentElement, body]) themeChanges.observe(node, { attributes: true });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  });
})();
