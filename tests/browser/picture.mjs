// The pictures of the first screen, for web/first-screen.
import { open, settled } from "./harness.mjs";

/** Sizes of the windows, by the names of the pictures. */
export const PICTURES = { wide: { width: 1400, height: 900 }, compact: { width: 360, height: 740 } };

export const pictureFile = (width) => new URL(`../../web/first-screen/${width}.html`, import.meta.url);

/**
 * HTML of the page at its first visit, without what other files add to it and the edges, which
 * depend on the size of the window.
 */
export async function firstScreen(t, width) {
  const page = await open(t, { path: "/guide/", fresh: true, ...PICTURES[width] });
  for (const later of ["editor.js", "worker*"]) await page.route(`**/${later}`, () => {});
  // These files, which never come, may hold up the load event.
  await page.goto(new URL("/", page.url()).href, { waitUntil: "commit" });
  await page.locator("#app:not([aria-busy])").getByRole("status", { name: "Step summary" }).waitFor();
  await settled(page);
  return page.evaluate(asHtml);
}

/** In the page. */
function asHtml() {
  const app = document.getElementById("app");
  const copy = app.cloneNode(true);
  const [own, copied] = [app, copy].map((root) => [...root.querySelectorAll("*")]);
  for (const [i, element] of copied.entries()) {
    const { value, checked, selected, localName } = own[i];
    // The values of a running page are properties.
    if (localName === "textarea") element.textContent = value;
    if (localName === "input") element.setAttribute("value", value);
    element.toggleAttribute("checked", checked === true);
    element.toggleAttribute("selected", selected === true);
    element.toggleAttribute("readonly", "readOnly" in element);
    // Their changes would be lost.
    element.toggleAttribute("inert", ["input", "select"].includes(localName));
    // See first-screen.js.
    const style = element.getAttribute("style");
    if (style) element.dataset.style = style;
    element.removeAttribute("style");
    if (element.matches(".stage-edges")) element.replaceChildren();
  }
  // A line for each element, without spaces between elements.
  return `${copy.innerHTML.replaceAll("><", "\n><")}\n`;
}
