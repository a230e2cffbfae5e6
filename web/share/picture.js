// A region of the page as a picture that stands by itself: boxes, lines and
// texts with the colours and places that they have on the page.

const SVG = "http://www.w3.org/2000/svg";

/** Room around the region, in pixels. */
const MARGIN = 16;

/** The width of a region that is not shown at present. */
const USUAL_WIDTH = 720;

/** The least height of a window onto many rows. */
const LEAST_HEIGHT = 288;

/** Draws a region: its text, width and height. */
export function picture(region, name) {
  const shown = region.getClientRects().length > 0;
  const copy = unfold(region, shown);
  try {
    return draw(copy, name);
  } finally {
    copy.remove();
  }
}

/** A copy of the region with all that scrolls in it unfolded, off the screen. */
function unfold(region, shown) {
  const copy = region.cloneNode(true);
  const width = shown ? region.getBoundingClientRect().width : USUAL_WIDTH;
  // A window onto many rows keeps its height; everything else shows all it has.
  const scrollers = [region, ...region.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  let most = width;
  scrollers.forEach((element, index) => {
    const twin = copies[index];
    const windowed = element.querySelector(":scope > [aria-rowcount]");
    const style = getComputedStyle(element);
    if (style.position === "sticky") twin.style.position = "static";
    if (windowed) {
      twin.style.flex = "none";
      twin.style.height = `${Math.max(element.clientHeight, LEAST_HEIGHT)}px`;
      twin.firstElementChild.style.marginTop = `${-element.scrollTop}px`;
      twin.style.overflow = "hidden";
      twin.dataset.cut = "";
    } else if (/auto|scroll|hidden/.test(style.overflow) && !twin.matches(".unseen, svg, svg *")) {
      most = Math.max(most, width + element.scrollWidth - element.clientWidth);
      Object.assign(twin.style, { overflow: "visible", maxHeight: "none", height: "auto" });
    }
    if (element.matches("select, input")) twin.value = element.value;
  });
  Object.assign(copy.style, {
    position: "absolute", left: "-10000px", top: "0", width: `${Math.ceil(most)}px`,
    height: "auto", maxHeight: "none", display: "block", transition: "none",
  });
  copy.inert = true;
  (shown ? region.parentElement : document.body).append(copy);
  return copy;
}

function draw(root, name) {
  const box = root.getBoundingClientRect();
  const [width, height] = [Math.ceil(box.width) + 2 * MARGIN, Math.ceil(box.height) + 2 * MARGIN];
  const paper = colour(getComputedStyle(document.body).backgroundColor);
  const at = { x: box.left - MARGIN, y: box.top - MARGIN };
  const parts = [];
  walk(root, at, null, parts);
  const text =
    `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(name)}">` +
    `<title>${escape(name)}</title>${rect(0, 0, width, height, `fill="${paper}"`)}${parts.join("")}</svg>\n`;
  return { text, width, height };
}

/** Draws an element and what is in it; `clip` is the window that it is seen through. */
function walk(element, at, clip, parts) {
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0" || element.matches(".unseen, form")) return;
  const box = element.getBoundingClientRect();
  const inner = element.dataset?.cut === undefined ? clip : box;
  if (clip && (box.bottom > clip.bottom + 1 || box.top < clip.top - 1) && !element.matches("[aria-rowcount]")) return;
  if (element.namespaceURI === SVG) return void parts.push(drawing(element, box, at));
  boxes(box, style, at, parts);
  if (element.matches("select, input")) {
    const chosen = element.selectedOptions?.[0]?.textContent ?? element.value ?? "";
    const left = box.left + parseFloat(style.paddingLeft) + 1;
    const size = parseFloat(style.fontSize);
    if (chosen && element.type !== "checkbox") parts.push(words(chosen, left, (box.top + box.bottom) / 2 + size * 0.35, 0, style, at));
    return;
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) lines(child, style, at, parts);
    else if (child.nodeType === Node.ELEMENT_NODE) walk(child, at, inner, parts);
  }
}

/** Background and borders. */
function boxes(box, style, at, parts) {
  const [x, y] = [box.left - at.x, box.top - at.y];
  const fill = colour(style.backgroundColor);
  const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ({
    width: style[`border${side}Style`] === "none" ? 0 : parseFloat(style[`border${side}Width`]),
    colour: colour(style[`border${side}Color`]),
  }));
  const [first] = sides;
  const even = sides.every((side) => side.width === first.width && side.colour === first.colour);
  const radius = Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.height / 2);
  const framed = even && first.width > 0 && first.colour !== "none";
  if (fill !== "none" || framed) {
    const half = framed ? first.width / 2 : 0;
    const line = framed ? ` stroke="${first.colour}" stroke-width="${first.width}"` : "";
    parts.push(rect(x + half, y + half, box.width - 2 * half, box.height - 2 * half, `rx="${round(radius)}" fill="${fill}"${line}`));
  }
  if (even) return;
  const [w, h] = [box.width, box.height];
  const places = [[x, y, w, 0], [x + w, y, 0, h], [x, y + h, w, 0], [x, y, 0, h]];
  sides.forEach((side, index) => {
    if (!side.width || side.colour === "none") return;
    const [left, top, across, down] = places[index];
    const inward = index === 1 || index === 2 ? -side.width : 0;
    parts.push(rect(left + (across ? 0 : inward), top + (down ? 0 : inward), across || side.width, down || side.width, `fill="${side.colour}"`));
  });
}

/** The lines into which a text is broken on the page. */
function lines(node, style, at, parts) {
  if (!node.data.trim()) return;
  const range = document.createRange();
  let line;
  const end = () => {
    if (line?.text.trim()) parts.push(words(line.text, line.left, line.baseline, line.right - line.left, style, at));
    line = undefined;
  };
  for (const match of node.data.matchAll(/\s+|\S+/g)) {
    range.setStart(node, match.index);
    range.setEnd(node, match.index + match[0].length);
    const [box] = range.getClientRects();
    if (!box || box.width === 0) continue;
    if (line && Math.abs(line.top - box.top) > 2) end();
    if (/^\s/.test(match[0]) && !line) continue;
    line ??= { text: "", left: box.left, top: box.top, baseline: baseline(box, style) };
    line.text += match[0].replaceAll(/\s+/g, style.whiteSpace.startsWith("pre") ? "$&" : " ");
    line.right = box.right;
  }
  end();
}

function words(text, left, base, width, style, at) {
  const shown = style.textTransform === "uppercase" ? text.toUpperCase() : text;
  const span = width ? ` textLength="${round(width)}" lengthAdjust="spacingAndGlyphs"` : "";
  const slant = style.fontStyle === "normal" ? "" : ` font-style="${style.fontStyle}"`;
  return `<text x="${round(left - at.x)}" y="${round(base - at.y)}" font-family="${escape(style.fontFamily)}" font-size="${style.fontSize}" font-weight="${style.fontWeight}"${slant} fill="${colour(style.color)}" xml:space="preserve"${span}>${escape(shown)}</text>`;
}

const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

function baseline(box, style) {
  canvas.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = canvas.measureText("x");
  return box.top + (box.height - up - down) / 2 + up;
}

/** A drawing of the page, its colours written into it. */
function drawing(svg, box, at) {
  const copy = svg.cloneNode(true);
  const twins = [copy, ...copy.querySelectorAll("*")];
  [svg, ...svg.querySelectorAll("*")].forEach((element, index) => {
    const style = getComputedStyle(element);
    const twin = twins[index];
    for (const name of ["fill", "stroke"]) twin.setAttribute(name, colour(style[name]));
    for (const name of ["stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor"]) {
      twin.setAttribute(name, style.getPropertyValue(name));
    }
    twin.removeAttribute("class");
    twin.removeAttribute("style");
  });
  const place = { x: box.left - at.x, y: box.top - at.y, width: box.width, height: box.height };
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, round(value));
  return new XMLSerializer().serializeToString(copy);
}

const colours = new Map();

/** A colour as every program knows it: `#rrggbb`, with transparency if it has some. */
function colour(css) {
  if (!css || css === "none") return "none";
  if (!colours.has(css)) {
    canvas.canvas.width = canvas.canvas.height = 1;
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    const hex = [r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("");
    colours.set(css, a === 0 ? "none" : a === 255 ? `#${hex}` : `#${hex}${a.toString(16).padStart(2, "0")}`);
  }
  return colours.get(css);
}

function rect(x, y, width, height, rest) {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(width, 0))}" height="${round(Math.max(height, 0))}" ${rest}/>`;
}

const round = (number) => String(Math.round(number * 100) / 100);

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign]);

/** The picture in pixels, two for each of the page. */
export async function bitmap({ text, width, height }) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    await image.decode();
    const board = document.createElement("canvas");
    [board.width, board.height] = [2 * width, 2 * height];
    board.getContext("2d").drawImage(image, 0, 0, board.width, board.height);
    const blob = await new Promise((resolve) => board.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the picture is too large for this browser.");
    return blob;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
