// Writes the pictures in web/first-screen, which a first visit shows until the program runs,
// from the release build (`cargo xtask dist`). The next build includes them:
//
//     node tests/browser/first-screen.mjs
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { firstScreen, PICTURES, pictureFile } from "./picture.mjs";

for (const width of Object.keys(PICTURES)) {
  test(width, async (t) => writeFile(pictureFile(width), await firstScreen(t, width)));
}
