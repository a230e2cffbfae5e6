// Finds Chrome or Chromium. As a script, prints the path, or explains how to
// install one and fails; with `--shell`, that of the headless shell.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Launch options. */
export const CHROMIUM = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The memory of a page is measured at once, not with the next garbage collection.
  "--enable-blink-features=ForceEagerMeasureMemory",
];

const SHELL = "chromium-headless-shell";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const APPLICATIONS = {
  darwin: ["", process.env.HOME ?? ""].flatMap((home) => [
    `${home}/Applications/Google Chrome.app/Contents/MacOS/Google Chrome`,
    `${home}/Applications/Chromium.app/Contents/MacOS/Chromium`,
    `${home}/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge`,
  ]),
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"]
    .map((variable) => process.env[variable])
    .filter(Boolean)
    .flatMap((folder) => [
      join(folder, "Google", "Chrome", "Application", "chrome.exe"),
      join(folder, "Chromium", "Application", "chrome.exe"),
      join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
    ]),
};

const HELP =
  "No Chrome or Chromium was found. Install one (Debian: apt-get install chromium; " +
  "others: https://www.google.com/chrome), or set LANEWISE_CHROME to its path.";

/** Environment variables that select a browser. */
const VARIABLES = ["LANEWISE_CHROME", "CHROME"];

/**
 * Path of Chromium's headless shell, which takes three quarters of the time. If it is
 * missing, or another browser is selected, the path of that browser.
 */
export const findShell = () => (VARIABLES.some((name) => process.env[name]) ? undefined : onPath(SHELL)) ?? findChrome();

/** Path of a browser. */
export function findChrome() {
  for (const variable of VARIABLES) {
    const named = process.env[variable];
    if (!named) continue;
    const found = isAbsolute(named) ? [named].find(isProgram) : onPath(named);
    if (found) return found;
    throw new Error(`${variable} is set to ${named}, which is not an executable.`);
  }
  const found =
    NAMES.map(onPath).find(Boolean) ?? APPLICATIONS[process.platform]?.find(isProgram);
  if (!found) throw new Error(HELP);
  return found;
}

/** Path of a program in a folder of PATH. */
export function onPath(name) {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, file))
    .find(isProgram);
}

/** Whether a path is an executable. */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    const shell = process.argv.includes("--shell");
    const path = shell ? onPath(SHELL) : findChrome();
    if (!path) throw new Error(`${SHELL} was not found.`);
    console.log(path);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
