// Finds a Firefox. Run by itself it prints the path, or says how to get one and
// fails. Playwright drives an unchanged Firefox by WebDriver BiDi.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { isProgram, onPath } from "./chrome.mjs";

const NAMES = ["firefox-esr", "firefox"];
const APPLICATIONS = {
  darwin: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
  win32: ["C:\\Program Files\\Mozilla Firefox\\firefox.exe"],
};

/** Firefox 140 does not know a command that Playwright sends it first. */
const OLDEST = 141;

const HELP =
  `No Firefox ${OLDEST} or later was found. Install one (Debian: apt-get update && apt-get install firefox-esr; ` +
  "others: https://www.mozilla.org/firefox/), or set LANEWISE_FIREFOX to its path.";

/** The preferences of a Firefox on a system with these media settings. */
export const preferences = ({ colorScheme, reducedMotion, forcedColors }) => ({
  "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
  // The clipboard is read without a question.
  "dom.events.testing.asyncClipboard": true,
  // Its list of downloads would take the focus from the page.
  "browser.download.alwaysOpenPanel": false,
  "ui.prefersReducedMotion": reducedMotion === "reduce" ? 1 : 0,
  // Pages have the colours of the system, always or never.
  "browser.display.document_color_use": forcedColors === "active" ? 2 : 1,
});

/** The path of a Firefox. */
export function findFirefox() {
  const named = process.env.LANEWISE_FIREFOX;
  if (named && !isProgram(named)) throw new Error(`LANEWISE_FIREFOX is set to ${named}, which is not a program.`);
  const candidates = named ? [named] : [...NAMES.map(onPath), ...(APPLICATIONS[process.platform] ?? []).filter(isProgram)];
  const found = candidates.find((path) => path && version(path) >= OLDEST);
  if (!found) throw new Error(HELP);
  return found;
}

/** The first number of the version of the Firefox at a path; 0 where it does not say. */
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
