// Makes screenshots small: PNG files with a palette of 256 colours.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const COLOURS = 256;
const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Colour types of PNG: with three and four bytes a pixel, and with a palette. */
const [RGB, PALETTE, RGBA] = [2, 3, 6];

/** The PNG file with the most frequent colours; the others become the nearest of these. */
export function withPalette(png) {
  const { width, height, pixels } = decode(png);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([pixel]) => pixel);
  const palette = byCount.slice(0, COLOURS);
  const indices = new Map(byCount.map((pixel, at) => [pixel, at < COLOURS ? at : nearest(palette, pixel)]));
  // Each row starts with its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((pixel, at) => (rows[at + Math.floor(at / width) + 1] = indices.get(pixel)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const channels = (pixel) => [pixel >> 16, (pixel >> 8) & 255, pixel & 255];

function nearest(palette, pixel) {
  const wanted = channels(pixel);
  const distance = (other) => channels(other).reduce((sum, value, i) => sum + (value - wanted[i]) ** 2, 0);
  const distances = palette.map(distance);
  return distances.indexOf(Math.min(...distances));
}

/** Size and 24-bit pixels of a PNG file with 8 bits a channel. */
function decode(png) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const size = { [RGB]: 3, [RGBA]: 4 }[png[25]];
  if (png[24] !== 8 || !size) throw new Error("a screenshot in another format");
  const data = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const start = at + 8;
    if (png.toString("latin1", at + 4, start) === "IDAT") data.push(png.subarray(start, start + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(data));
  const pixels = new Uint32Array(width * height);
  const line = width * size;
  let above = new Uint8Array(line);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)];
    const row = new Uint8Array(line);
    for (let x = 0; x < line; x++) {
      const left = x < size ? 0 : row[x - size];
      const corner = x < size ? 0 : above[x - size];
      row[x] = raw[y * (line + 1) + 1 + x] + FILTERS[filter](left, above[x], corner);
    }
    for (let x = 0; x < width; x++) {
      const at = x * size;
      pixels[y * width + x] = (row[at] << 16) | (row[at + 1] << 8) | row[at + 2];
    }
    above = row;
  }
  return { width, height, pixels };
}

/** The filters of PNG: what each predicts from the bytes to the left, above and both. */
const FILTERS = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
    if (a <= b && a <= c) return left;
    return b <= c ? above : corner;
  },
];

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
