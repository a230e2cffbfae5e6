// Before the page is drawn: the theme that was chosen, and a word to the
// reader if the page cannot start. Kept small: it stands in the page itself.
try {
  const theme = localStorage.getItem("lanewise.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the system's theme.
}
const tell = ({ reason, message }) => {
  const crash = document.getElementById("crash");
  if (!crash || document.querySelector("main")) return;
  document.getElementById("crash-what").textContent = String(reason ?? message);
  try {
    document.getElementById("crash-text").value = localStorage.getItem("lanewise.text") ?? "";
  } catch {
    // Nothing kept, nothing to show.
  }
  crash.hidden = false;
};
addEventListener("error", tell);
addEventListener("unhandledrejection", tell);
