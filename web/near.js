// In the picture of a DPASW: what belongs to what the pointer or the focus is
// on is marked with `data-near`. By a script, since selectors that ask what is
// hovered elsewhere are asked for every cell at every step.

/** What belongs to an element, one selector for each way of belonging. */
const near = (target) => {
  const picture = target.closest?.(".supply");
  if (!picture) return [];
  const tile = target.closest(".tile");
  if (tile) return picture.querySelectorAll(`[data-register="${at(tile)}"] > td`);
  const cell = target.closest("td");
  const row = cell?.parentElement;
  const body = row?.closest(".matrix > tbody");
  if (!body) return [];
  const matrix = body.parentElement.classList;
  const [line, column] = [at(row) + 1, at(cell) + 1];
  const eu = body.closest("div[data-eu]")?.dataset.eu;
  const ways = [];
  if (matrix.contains("by-row")) {
    ways.push(`.by-row > tbody > tr:nth-child(${line}) > td`);
    ways.push(`.tile:nth-child(${Number(row.dataset.register) + 1})`);
  }
  if (matrix.contains("by-channel")) ways.push(`div[data-eu="${eu}"] .by-channel > tbody > tr > td:nth-child(${column})`);
  if (matrix.contains("by-stage")) ways.push(`.stages > tbody > tr > td:nth-child(${line + 1})`);
  if (matrix.contains("stages")) ways.push(`.by-stage > tbody > tr:nth-child(${column - 1}) > td`);
  return picture.querySelectorAll(ways.join());
};

/** The place among what stands beside it. */
const at = (element) => [...element.parentElement.children].indexOf(element);

let marked = [];

const mark = (event) => {
  const next = [...near(event.target)];
  for (const element of marked) if (!next.includes(element)) element.removeAttribute("data-near");
  for (const element of next) element.setAttribute("data-near", "");
  marked = next;
};

addEventListener("pointerover", mark);
addEventListener("focusin", mark);
