// The clipboard, and exports of what is on the page. Loaded
// when it is first asked for; `told` is told how it went.

/** Puts a text, or a region of the page in a form, on the clipboard or into a file. */
export async function hand(copy, name, form, content, told) {
  try {
    if (form === "failed") throw new Absent(content);
    const blob = content instanceof Blob ? content : form ? await region(content, form) : new Blob([content], { type: "text/plain" });
    if (!copy) {
      download(name, blob);
      return told("good", `${name} is in your downloads.`);
    }
    if (blob.type === "image/png") {
      await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
    } else {
      await navigator.clipboard.writeText(await blob.text());
    }
    told("good", "Copied.");
  } catch (error) {
    console.warn(error);
    told("wrong", copy && !(error instanceof Absent)
      ? "The browser did not let it be copied: select the text and copy it by hand, or download it."
      : `It could not be made: ${error.message}`);
  }
}

function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken hold of it by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What is to be exported is not on the page. */
class Absent extends Error {}

/** A region of the page as a picture. */
async function region(name, form) {
  const region = [...document.querySelectorAll("section")].find((section) => nameOf(section) === name);
  if (!region) throw new Absent(`there is no region “${name}” on the page.`);
  const { picture, bitmap } = await import("./picture.js");
  const made = picture(region, name);
  return form === "png" ? bitmap(made) : new Blob([made.text], { type: "image/svg+xml" });
}

function nameOf(section) {
  const by = section.getAttribute("aria-labelledby");
  return section.getAttribute("aria-label") ?? document.getElementById(by)?.textContent;
}
