// A table of the page as text.

/** The rows of a table: the texts of their cells, what is only drawn left out. */
export function rows(table) {
  return [...table.rows].map((row) => [...row.cells].flatMap((cell) => [text(cell), ...Array(cell.colSpan - 1).fill("")]));
}

function text(cell) {
  const copy = cell.cloneNode(true);
  for (const drawn of copy.querySelectorAll("[aria-hidden=true]")) drawn.remove();
  return copy.textContent.replaceAll(/\s+/g, " ").trim();
}

export function markdown(rows) {
  const [head, ...body] = rows;
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return [head, head.map(() => "---"), ...body].map(line).join("");
}

export function csv(rows) {
  const field = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => `${cells.map(field).join(",")}\r\n`).join("");
}
