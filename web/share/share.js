// Files in and out, the clipboard, and exports of what is on the page. Loaded
// when it is first asked for; `told` is told how it went.

/** Larger files are no scenarios. */
const MOST_BYTES = 1_000_000;

/** Reads a file that was dropped or chosen. */
export async function take(file, told) {
  if (!file) return told("wrong", "That was no file.");
  const refuse = (why) => told("wrong", `${file.name} cannot be opened: ${why}. Your own work is as it was.`);
  if (file.size > MOST_BYTES) return refuse("it has more than 1 MB, and a scenario is a short text");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes("\0")) return refuse("it is not a text");
    told("file", `${file.name.replaceAll("\n", " ")}\n${text}`);
  } catch (error) {
    refuse(error instanceof TypeError ? "it is not a text in UTF-8" : "the browser could not read it");
  }
}

/** Lets the reader choose a file. */
export function open(told) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".lanewise,.txt,text/plain";
  input.addEventListener("change", () => take(input.files[0], told));
  input.click();
}

/**
 * Puts a text or a picture on the clipboard or into a file. What could not be
 * made comes as an `Error`.
 */
export async function hand(copy, name, content, told) {
  try {
    if (content instanceof Error) throw new Absent(content.message);
    const blob = content instanceof Blob ? content : new Blob([content], { type: "text/plain" });
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
