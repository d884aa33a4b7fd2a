import { inflateSync } from "node:zlib";

/**
 * The texts of a PDF as a reader that copies them gets them, a text that was drawn at once each, by
 * the tables that say which letters a font's glyphs are. What is drawn from right to left is given
 * in the order in which it is read.
 */
export function textsOf(pdf: Buffer): string[] {
  return drawnIn(pdf).map(({ text }) => text);
}

interface Drawn {
  text: string;
  glyphs: number;
  /** Of the line that it stands on, in points. */
  y: number;
}

/** What was drawn at once each. */
export function drawnIn(pdf: Buffer): Drawn[] {
  const objects = objectsOf(pdf);
  const fonts = new Map<string, Map<string, string>>();
  for (const { head } of objects.values()) {
    for (const [, name = "", id = ""] of (/\/Font <<([^>]*)>>/.exec(head)?.[1] ?? "").matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? "")?.[1] ?? "";
      fonts.set(name, lettersOf(objects.get(table)?.text() ?? ""));
    }
  }
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b/.test(head))
    .flatMap(({ head }) => drawnBy(objects.get(/\/Contents (\d+) 0 R/.exec(head)?.[1] ?? "")?.text() ?? "", fonts));
}

function objectsOf(pdf: Buffer) {
  const file = pdf.toString("latin1");
  const table = Number(/startxref\n(\d+)/.exec(file)?.[1]);
  const begins = [...file.slice(table).matchAll(/(\d{10}) \d{5} n/g)].map(([, at]) => Number(at));
  return new Map(
    begins.map((at) => {
      const [whole, id = "", head = ""] =
        /(\d+) 0 obj\n([\s\S]*?)\n(?:endobj|stream\n)/.exec(file.slice(at, at + 20_000)) ?? [];
      const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
      const from = at + (whole?.length ?? 0);
      const bytes = pdf.subarray(from, from + length);
      const text = () => (head.includes("FlateDecode") ? inflateSync(bytes) : bytes).toString("latin1");
      return [id, { head, text }] as const;
    }),
  );
}

/** By a glyph's number in hexadecimal digits. */
function lettersOf(table: string): Map<string, string> {
  const letters = new Map<string, string>();
  for (const [, first = "", list = ""] of table.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[([^\]]*)\]/gi)) {
    const texts = [...list.matchAll(/<([\da-f ]+)>/gi)].map(([, hex = ""]) => utf16(hex.replaceAll(" ", "")));
    texts.forEach((text, index) => letters.set((parseInt(first, 16) + index).toString(16).padStart(4, "0"), text));
  }
  return letters;
}

const utf16 = (hex: string) => Buffer.from(hex, "hex").swap16().toString("utf16le");

function drawnBy(page: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): Drawn[] {
  return [...page.matchAll(/^BT$([\s\S]*?)^ET$/gm)].map(([, shown = ""]) => {
    const font = fonts.get(/\/(F\d+) [\d.]+ Tf/.exec(shown)?.[1] ?? "");
    // A mark that has a place of its own is shown apart.
    const shows = [...shown.matchAll(/\[([^\]]*)\] TJ/g)].flatMap(([, hex = ""]) => [
      ...hex.matchAll(/<([\da-f]+)>/gi),
    ]);
    const codes = shows.flatMap(([, hex = ""]) => hex.match(/.{4}/g) ?? []);
    const letters = codes.map((code) => font?.get(code.toLowerCase()) ?? "\ufffd");
    const isTurned = letters.some((letter) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(letter));
    const y = Number(/1 0 0 1 \S+ (\S+) Tm/.exec(shown)?.[1]);
    return { text: (isTurned ? letters.toReversed() : letters).join(""), glyphs: codes.length, y };
  });
}
