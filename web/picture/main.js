// Writes the stage as a standalone SVG, from the boxes and texts that the
// browser has laid out, and draws it as a PNG. Loaded with the first export.

const SVG = "http://www.w3.org/2000/svg";

/** Styles of SVG parts, which SVG also has as attributes, and their defaults. */
const PART = {
  fill: "rgb(0, 0, 0)",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-opacity": "1",
  opacity: "1",
};
const FONT = ["font-family", "font-size", "font-weight"];

/** A shadow without offset and blur: a frame. */
const SPREAD = /(\w+\([^)]*\)) 0px 0px 0px (\S+px)( inset)?/g;

const measuring = document.createElement("canvas").getContext("2d");

/** A colour as viewers of SVG know it that do not know all of CSS. */
function plain(colour) {
  const mixed = /^color\(srgb (\S+) (\S+) (\S+?)(?: \/ (\S+))?\)$/.exec(colour);
  if (!mixed) return colour;
  const [red, green, blue] = mixed.slice(1, 4).map((part) => Math.round(part * 255));
  return mixed[4] ? `rgba(${red}, ${green}, ${blue}, ${mixed[4]})` : `rgb(${red}, ${green}, ${blue})`;
}

const isClear = (colour) => colour === "transparent" || /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);

function add(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === "number" ? Math.round(value * 100) / 100 : plain(value));
  }
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

const fontOf = (style) => Object.fromEntries(FONT.map((name) => [name, style.getPropertyValue(name)]));

/** Draws an element of the page and its contents below `parent`. */
class Drawing {
  constructor(root, parent) {
    this.origin = root.getBoundingClientRect();
    this.draw(root, parent, this.box(this.origin));
  }

  box({ left, top, width, height }) {
    return { x: left - this.origin.left, y: top - this.origin.top, width, height };
  }

  draw(element, parent, clip) {
    const style = getComputedStyle(element);
    const client = element.getBoundingClientRect();
    const isShown = style.display !== "none" && style.visibility === "visible" && style.clipPath === "none";
    if (!isShown || element.matches(".stepper > button")) return;
    const box = this.box(client);
    const into = style.opacity === "1" ? parent : add(parent, "g", { opacity: style.opacity });
    if (element instanceof SVGSVGElement) return this.svg(element, into, box);
    if (style.display !== "contents") {
      if (box.y >= clip.y + clip.height || box.x >= clip.x + clip.width) return;
      this.frame(style, into, box);
    }
    const cuts = style.overflowX !== "visible" && style.display !== "contents" ? box : clip;
    this.generated(element, into, box);
    for (const child of element.childNodes) {
      if (child instanceof Element) this.draw(child, into, cuts);
      else if (child instanceof Text) this.text(child, style, into, cuts);
    }
  }

  /** Background, border, frames that take no room, and outline. */
  frame(style, parent, { x, y, width, height }) {
    const borders = ["Top", "Right", "Bottom", "Left"].map((side) => ({
      width: style[`border${side}Style`] === "none" ? 0 : Number.parseFloat(style[`border${side}Width`]),
      colour: style[`border${side}Color`],
    }));
    const [top, right, bottom, left] = borders;
    const radius = (corner, by) => {
      const value = style[`border${corner}Radius`];
      const own = Math.min(Number.parseFloat(value) * (value.includes("%") ? height / 100 : 1), height / 2);
      return own > 0 ? Math.max(own + by, 0) : 0;
    };
    /** Rounded rectangle, inset by a distance. */
    const path = (by) => {
      const [l, t, r, b] = [x + by, y + by, x + width - by, y + height - by].map((n) => Math.round(n * 100) / 100);
      const [tl, tr, br, bl] = ["TopLeft", "TopRight", "BottomRight", "BottomLeft"].map((corner) => Math.round(radius(corner, -by) * 100) / 100);
      return `M${l + tl} ${t}H${r - tr}a${tr} ${tr} 0 0 1 ${tr} ${tr}V${b - br}a${br} ${br} 0 0 1 ${-br} ${br}H${l + bl}a${bl} ${bl} 0 0 1 ${-bl} ${-bl}V${t + tl}a${tl} ${tl} 0 0 1 ${tl} ${-tl}Z`;
    };
    const line = (by, stroke, strokeWidth, dashed) =>
      add(parent, "path", { d: path(by), fill: "none", stroke, "stroke-width": strokeWidth, ...(dashed && { "stroke-dasharray": "4 3" }) });
    if (!isClear(style.backgroundColor)) add(parent, "path", { d: path(0), fill: style.backgroundColor });
    // The first shadow lies on the others; those inside begin at the border.
    for (const [, colour, spread, inset] of [...style.boxShadow.matchAll(SPREAD)].reverse()) {
      const wide = Number.parseFloat(spread);
      if (wide > 0 && !isClear(colour)) line(inset ? top.width + wide / 2 : -wide / 2, colour, wide);
    }
    const isFrame = borders.every((side) => side.width > 0);
    if (isFrame && style.borderTopStyle === "double") {
      line(0.5, top.colour, 1);
      line(top.width - 0.5, top.colour, 1);
    } else if (isFrame) {
      line(top.width / 2, top.colour, top.width, style.borderTopStyle === "dashed");
    }
    // Single sides, and those of a frame that are wider.
    const [across, inset] = [`h${width}`, isFrame ? 2 : 0];
    const down = `v${height - 2 * inset}`;
    const sides = [
      [top, `M${x} ${y + top.width / 2}${across}`],
      [bottom, `M${x} ${y + height - bottom.width / 2}${across}`],
      [left, `M${x + left.width / 2} ${y + inset}${down}`],
      [right, `M${x + width - right.width / 2} ${y + inset}${down}`],
    ];
    for (const [side, d] of sides) {
      if (side.width === 0 || (isFrame && side.width === top.width)) continue;
      add(parent, "path", { d, stroke: side.colour, "stroke-width": side.width });
    }
    const outline = Number.parseFloat(style.outlineWidth);
    const gap = Number.parseFloat(style.outlineOffset);
    if (style.outlineStyle !== "none" && outline > 0) {
      line(-gap - outline / 2, style.outlineColor, outline, style.outlineStyle === "dashed");
    }
  }

  /** Text that the style generates, in the middle of the element. */
  generated(element, parent, { x, y, width, height }) {
    const style = getComputedStyle(element, "::before");
    const quoted = style.content.replaceAll(/attr\(([\w-]+)\)/g, (_, name) => `"${element.getAttribute(name)}"`);
    const text = Array.from(quoted.matchAll(/"([^"]*)"/g), ([, part]) => part).join("");
    if (text === "") return;
    measuring.font = style.font;
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent, width: own } = measuring.measureText(text);
    const place = { x: x + (width - own) / 2, y: y + (height + ascent - descent) / 2 };
    add(parent, "text", { ...place, fill: style.color, ...fontOf(style) }, text);
  }

  /** Text as it is wrapped and elided on the page. */
  text(node, style, parent, clip) {
    const range = document.createRange();
    const lines = [];
    for (let i = 0; i < node.length; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const client = range.getClientRects()[0];
      if (!client || client.width === 0) continue;
      const box = this.box(client);
      const last = lines.at(-1);
      if (last && Math.abs(last[0].y - box.y) < 2) last.push({ ...box, text: node.data[i] });
      else lines.push([{ ...box, text: node.data[i] }]);
    }
    measuring.font = style.font;
    const { fontBoundingBoxAscent: ascent, width: dots } = measuring.measureText("…");
    const [start, end] = [clip.x - 0.5, clip.x + clip.width + 0.5];
    for (const line of lines) {
      const middle = line[0].y + line[0].height / 2;
      if (middle < clip.y || middle > clip.y + clip.height) continue;
      const [cutsStart, cutsEnd] = [line[0].x < start, line.at(-1).x + line.at(-1).width > end];
      const kept = line.filter(({ x, width }) =>
        x >= start + (cutsStart ? dots : 0) && x + width <= end - (cutsEnd ? dots : 0));
      // SVG ignores spaces at the start.
      while (kept[0]?.text.trim() === "") kept.shift();
      if (kept.length === 0) continue;
      const text = `${cutsStart ? "…" : ""}${kept.map(({ text }) => text).join("")}${cutsEnd ? "…" : ""}`;
      const x = kept[0].x - (cutsStart ? dots : 0);
      const spacing = style.wordSpacing !== "0px" && { "word-spacing": style.wordSpacing };
      add(parent, "text", { x, y: line[0].y + ascent, fill: style.color, ...fontOf(style), ...spacing }, text);
    }
  }

  /** Copies an SVG with its styles. */
  svg(element, parent, { x, y, width, height }) {
    const inside = element.viewBox.baseVal;
    const scale = inside?.width ? ` scale(${width / inside.width} ${height / inside.height})` : "";
    const group = add(parent, "g", { transform: `translate(${x} ${y})${scale}` });
    const copy = (from, to) => {
      for (const child of from.children) {
        const style = getComputedStyle(child);
        if (style.display === "none" || child.localName === "title") continue;
        const made = add(to, child.localName, {});
        for (const { name, value } of child.attributes) {
          if (!/^(class|style|role|tabindex|id|title|data-.*|aria-.*)$/.test(name)) made.setAttribute(name, value);
        }
        const isGroup = child.localName === "g";
        for (const [name, usual] of Object.entries(PART)) {
          const value = style.getPropertyValue(name);
          if (value !== usual && (!isGroup || name === "opacity")) made.setAttribute(name, plain(value));
        }
        if (style.transform !== "none") made.setAttribute("transform", style.transform);
        if (child.localName === "text") {
          for (const [name, value] of Object.entries(fontOf(style))) made.setAttribute(name, value);
          made.textContent = child.textContent;
        } else {
          copy(child, made);
        }
      }
    };
    copy(element, group);
  }
}

/** Background colour of an element. */
function paperOf(element) {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!isClear(backgroundColor)) return backgroundColor;
  }
  return "rgb(255, 255, 255)";
}

/** Wraps a text between words. */
function wrap(text, room, font) {
  measuring.font = font;
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length > 0 && `${lines.at(-1)} ${word}`;
    if (longer && measuring.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Margin beside the picture and the caption, and heights of the caption's lines. */
const [ASIDE, ABOVE, LINE] = [12, 26, 16];

/** The number of elements whose text is cut. */
function cuts(root) {
  const isCut = (element) => {
    const { overflowX, clipPath } = getComputedStyle(element);
    return overflowX !== "visible" && clipPath === "none" && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
  };
  return Array.from(root.querySelectorAll("*")).filter(isCut).length;
}

/** Factors by which a picture may be widened. */
const WIDER = [1.25, 1.5, 2, 2.5, 3, 4, 5];

/** Gives a picture room for its texts; some are cut at any width. */
async function widen(root, before) {
  const { width } = root.getBoundingClientRect();
  const set = (factor) => Object.assign(root.style, { width: `${width * factor}px`, maxWidth: "none" });
  let [best, least] = [1, cuts(root)];
  for (const factor of WIDER) {
    if (least === 0) break;
    set(factor);
    const count = cuts(root);
    if (count < least) [best, least] = [factor, count];
  }
  if (best === 1) return Object.assign(root.style, before);
  set(best);
  // The page observes the new sizes, renders, and draws edges between them.
  for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
}

/**
 * The picture `root` with a caption: the title above, the rest below, and all
 * of it as accessible title and description. Wider than on the page if its texts
 * are cut there.
 *
 * @param {HTMLElement} root
 * @param {{title: string, instruction: string, step: string, sentence: string}} caption
 * @returns {Promise<{svg: string, width: number, height: number}>}
 */
export async function write(root, caption) {
  const { width, maxWidth } = root.style;
  const before = { width, maxWidth };
  try {
    await widen(root, before);
    return svgOf(root, caption);
  } finally {
    Object.assign(root.style, before);
  }
}

function svgOf(root, { title, instruction, step, sentence }) {
  const scroller = root.closest(".stage-picture");
  const scrolled = scroller?.scrollTop ?? 0;
  scroller?.scrollTo({ top: 0, behavior: "instant" });
  for (const animation of root.getAnimations({ subtree: true })) animation.finish();
  const { width: content, height: own } = root.getBoundingClientRect();
  const { color: ink, paddingLeft } = getComputedStyle(root);
  const margin = Math.max(ASIDE - Number.parseFloat(paddingLeft), 0);
  const width = content + 2 * margin;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("xmlns", SVG);
  svg.setAttribute("role", "img");
  add(svg, "title", {}, `${title}, ${step}`);
  add(svg, "desc", {}, `${instruction}. ${sentence}`);
  const paper = add(svg, "rect", { y: -ABOVE, width, fill: paperOf(root) });
  const lines = [
    [title, -ABOVE + 17, "system-ui, sans-serif", 14, 700],
  ];
  let y = own;
  for (const [text, family] of [[instruction, "ui-monospace, monospace"], [`${step}. ${sentence}`, "system-ui, sans-serif"]]) {
    for (const line of wrap(text, width - 2 * ASIDE, `11.5px ${family}`)) lines.push([line, (y += LINE), family, 11.5, 400]);
  }
  for (const [text, y, family, size, weight] of lines) {
    add(svg, "text", { x: ASIDE, y, fill: ink, "font-family": family, "font-size": size, "font-weight": weight }, text);
  }
  new Drawing(root, add(svg, "g", { transform: `translate(${margin})` }));
  scroller?.scrollTo({ top: scrolled, behavior: "instant" });
  const height = ABOVE + y + 10;
  paper.setAttribute("height", height);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", `0 ${-ABOVE} ${width} ${height}`);
  return { svg: `${new XMLSerializer().serializeToString(svg)}\n`, width, height };
}

/** PNG pixels per CSS pixel. */
const SCALE = 2;

/** Draws what `write` returns as a PNG. */
export async function draw({ svg, width, height }) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))));
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
