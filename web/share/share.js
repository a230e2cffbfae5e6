// The clipboard, and exports of what is on the page. Loaded
// when it is first asked for; `notify` gets how it went.

/**
 * Puts a text or a picture on the clipboard or into a file. What could not be
 * made comes as an `Error`.
 */
export async function hand(copy, name, content, notify) {
  try {
    if (content instanceof Error) throw new Absent(content.message);
    const blob = content instanceof Blob ? content : new Blob([content], { type: "text/plain" });
    if (!copy) {
      download(name, blob);
      return notify("good", `${name} is in your downloads.`);
    }
    if (blob.type === "image/png") {
      await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
    } else {
      await navigator.clipboard.writeText(await blob.text());
    }
    notify("good", "Copied.");
  } catch (error) {
    console.warn(error);
    notify("wrong", copy && !(error instanceof Absent)
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
