// The page as a player inside another: it follows the theme of its host, and
// tells it how high it is. A host may be anybody; it can choose a theme, and
// hears of nothing but heights.
const root = document.documentElement;
const THEMES = ["light", "dark"];
const wear = (theme) => {
  if (THEMES.includes(theme)) root.dataset.theme = theme;
  else delete root.dataset.theme;
};
wear(new URLSearchParams(location.search).get("theme"));

// Where the host is from, once it has said a word.
let host;
const tell = () => {
  const { height } = document.body.getBoundingClientRect();
  if (host) parent.postMessage({ lanewise: "height", height: Math.ceil(height) }, host);
};
if (parent !== window) {
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || data?.lanewise !== "host") return;
    // A page from a file has no origin that could be addressed.
    host = origin === "null" ? "*" : origin;
    if ("theme" in data) wear(data.theme);
    tell();
  });
  new ResizeObserver(tell).observe(document.body);
  // Says that it listens: to anybody, for it says nothing else.
  parent.postMessage({ lanewise: "player" }, "*");
}
