// Theme of the guide, shared with the page, and the list of pages.
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

// The cycle of the page, `Theme::next`: first the opposite of the system theme.
const isDark = matchMedia("(prefers-color-scheme: dark)");
const next = (theme) => {
  const order = isDark.matches ? ["", "light", "dark"] : ["", "dark", "light"];
  return order[(order.indexOf(theme) + 1) % order.length];
};

addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("theme");
  const name = () => (button.title = `Theme: ${root.dataset.theme ?? "system"}. Switch theme.`);
  name();
  button.onclick = () => {
    const theme = next(root.dataset.theme ?? "");
    showTheme(theme);
    name();
    try {
      if (theme) localStorage.setItem(KEY, theme);
      else localStorage.removeItem(KEY);
    } catch {
      // If storage is disabled, the choice lasts until the next page.
    }
  };
  // On a phone the list of pages is collapsed.
  const pages = document.getElementById("pages");
  const narrow = matchMedia("(max-width: 899.98px)");
  const fold = () => (pages.open = !narrow.matches);
  narrow.addEventListener("change", fold);
  fold();
});
