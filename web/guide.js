// The guide's theme, the same as the page's, and its list of pages.
const KEY = "lanewise.theme";
const root = document.documentElement;
const kept = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};
const showTheme = (theme) => {
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
};
showTheme(kept());

const ORDER = ["", "light", "dark"];
addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("theme");
  const name = () => (button.title = `Now ${root.dataset.theme ?? "system"}. Press for the next.`);
  name();
  button.onclick = () => {
    const theme = ORDER[(ORDER.indexOf(root.dataset.theme ?? "") + 1) % ORDER.length];
    showTheme(theme);
    name();
    try {
      if (theme) localStorage.setItem(KEY, theme);
      else localStorage.removeItem(KEY);
    } catch {
      // A browser that keeps nothing shows it until the next page.
    }
  };
  // On a phone the list of pages is folded away.
  const pages = document.getElementById("pages");
  const narrow = matchMedia("(max-width: 899.98px)");
  const fold = () => (pages.open = !narrow.matches);
  narrow.addEventListener("change", fold);
  fold();
});
