// Finds Firefox. As a script, prints the path, or explains how to install one
// and fails. Playwright drives an unmodified Firefox through WebDriver BiDi.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { isProgram, onPath } from "./chrome.mjs";

const NAMES = ["firefox-esr", "firefox"];
const APPLICATIONS = {
  darwin: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
  win32: ["C:\\Program Files\\Mozilla Firefox\\firefox.exe"],
};

/** Firefox 140 lacks a command that Playwright sends first. */
const OLDEST = 141;

const HELP =
  `No Firefox ${OLDEST} or later was found. Install one (Debian: apt-get update && apt-get install firefox-esr; ` +
  "others: https://www.mozilla.org/firefox/), or set LANEWISE_FIREFOX to its path.";

/** Firefox preferences that emulate these media settings. */
export const preferences = ({ colorScheme, reducedMotion, forcedColors }) => ({
  "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
  // Allows reading the clipboard without a prompt.
  "dom.events.testing.asyncClipboard": true,
  // Its download panel would take focus from the page.
  "browser.download.alwaysOpenPanel": false,
  "ui.prefersReducedMotion": reducedMotion === "reduce" ? 1 : 0,
  // Whether system colours override those of pages.
  "browser.display.document_color_use": forcedColors === "active" ? 2 : 1,
});

/** Path of Firefox. */
export function findFirefox() {
  const named = process.env.LANEWISE_FIREFOX;
  if (named && !isProgram(named)) throw new Error(`LANEWISE_FIREFOX is set to ${named}, which is not an executable.`);
  const candidates = named ? [named] : [...NAMES.map(onPath), ...(APPLICATIONS[process.platform] ?? []).filter(isProgram)];
  const found = candidates.find((path) => path && version(path) >= OLDEST);
  if (!found) throw new Error(HELP);
  return found;
}

/** Major version of the Firefox at a path; 0 if unknown. */
function version(path) {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return Number(/Firefox (\d+)/.exec(stdout)?.[1] ?? 0);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    console.log(findFirefox());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
