import { inflateSync } from "node:zlib";

const headerBytes = 44;
const entryBytes = 20;

/**
 * The font that a WOFF 1 file packs, as OpenType: each table inflated once. A reader that is given
 * the file inflates a whole table for every letter it looks up, which took seconds a page.
 */
export function openTypeOf(woff: Buffer): Buffer {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("the font is no WOFF 1 file");
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => tableOf(woff, headerBytes + index * entryBytes));
  const places = 12 + 16 * count;
  const font = Buffer.alloc(tables.reduce((size, { data }) => size + padded(data.length), places));
  font.writeUInt32BE(woff.readUInt32BE(4), 0);
  font.writeUInt16BE(count, 4);
  // What the header has for a binary search is worked out anew from the count.
  const power = Math.floor(Math.log2(count));
  font.writeUInt16BE(16 * 2 ** power, 6);
  font.writeUInt16BE(power, 8);
  font.writeUInt16BE(16 * (count - 2 ** power), 10);
  let at = places;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const entry = 12 + 16 * index;
    font.write(tag, entry, "latin1");
    font.writeUInt32BE(checksum, entry + 4);
    font.writeUInt32BE(at, entry + 8);
    font.writeUInt32BE(data.length, entry + 12);
    data.copy(font, at);
    at += padded(data.length);
  }
  return font;
}

function tableOf(woff: Buffer, entry: number) {
  const [offset, packed, length] = [4, 8, 12].map((part) => woff.readUInt32BE(entry + part)) as [
    number,
    number,
    number,
  ];
  const bytes = woff.subarray(offset, offset + packed);
  const data = packed < length ? inflateSync(bytes) : bytes;
  if (data.length !== length) throw new Error("a table of the font is cut off");
  return { tag: woff.toString("latin1", entry, entry + 4), checksum: woff.readUInt32BE(entry + 16), data };
}

/** Tables begin at multiples of four bytes. */
function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}
