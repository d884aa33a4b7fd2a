import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createTurns } from "../../shared/turns.js";
import type { CaseContent } from "../domain/case-content.js";
import type { Case, CaseEvent } from "../domain/case.js";
import { casePages } from "./case-pages.js";
import { createMeasure, isPlain, visualLines, type Face, type Run } from "./pdf-text.js";
import { openTypeOf } from "./woff.js";

// The fonts that every reader has know Latin letters only, and names on lists are in any script.
const faceFiles = [
  "@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff",
  "@fontsource/unifontex/files/unifontex-latin-400-normal.woff",
];
const margin = 56;
const labelWidth = 165;
const textWidth = 595 - 2 * margin - labelWidth;
const lineHeight = 14;
const bottom = 842 - margin;
// A line of 80 letters takes about 100 µs to be measured and drawn.
const linesPerTurn = 100;

/** Prints a case with all that it is about as PDF: A4, each name in its own letters. Gives its turn up between lines. */
export async function casePdf(one: Case, content: CaseContent, timeline: readonly CaseEvent[]): Promise<Buffer> {
  // Fonts and their decoders are some ten megabytes: only a process that draws a case has them.
  const { default: PDFDocument } = await import("pdfkit");
  const document = new PDFDocument({ size: "A4", margin, info: { Title: `Case ${one.number}` } });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  const faces = await openFaces();
  faces.forEach(({ name, bytes }) => document.registerFont(name, bytes));
  // Each word is shaped once: pdfkit keeps it where it is asked for no features. What goes from right to left is shaped as a whole.
  const featuresOf = (isTurned: boolean) => (isTurned ? { features: [] } : {});
  const widthOf = (face: Face, text: string) =>
    document.font(face.name).widthOfString(text, featuresOf(!isPlain(text)));
  const measure = createMeasure(widthOf);
  const turns = createTurns("case pdf", linesPerTurn);
  let y = margin;

  function draw(line: readonly Run[], x: number) {
    let at = x;
    for (const { face, text, width, isTurned } of line) {
      document.font(face.name).text(text, at, y, { lineBreak: false, ...featuresOf(isTurned) });
      at += width;
    }
  }
  async function row(label: string, text: string) {
    let isFirst = true;
    for (const line of visualLines(text, textWidth, faces, measure)) {
      if (y + lineHeight > bottom) {
        document.addPage();
        y = margin;
      }
      if (isFirst) draw([...visualLines(label, Infinity, faces, measure)][0] ?? [], margin);
      isFirst = false;
      draw(line, margin + labelWidth);
      y += lineHeight;
      await turns.spent();
    }
  }

  /** A heading stays with the first lines below it. */
  function heading(text: string, size: number) {
    if (y + 4 * lineHeight > bottom) {
      document.addPage();
      y = margin;
    }
    document.fontSize(size);
    draw([...visualLines(text, Infinity, faces, createMeasure(widthOf))][0] ?? [], margin);
    y += size + 10;
    document.fontSize(9);
  }

  heading(`Case ${one.number}`, 16);
  for (const { title, lines } of casePages(one, content, timeline)) {
    if (title !== "") {
      y += lineHeight;
      heading(title, 12);
    }
    for (const [label, text] of lines) await row(label, text);
  }
  turns.end();
  document.end();
  return done;
}

let opened: Promise<(Face & { bytes: Buffer })[]> | undefined;

/** Read once: whether a font knows a letter is asked for every letter. */
function openFaces() {
  opened ??= (async () => {
    const { create } = await import("fontkit");
    const { resolve } = createRequire(import.meta.url);
    return Promise.all(
      faceFiles.map(async (file, index) => {
        const bytes = openTypeOf(await readFile(resolve(file)));
        const font = create(bytes);
        return { name: `face-${index}`, bytes, has: (codePoint: number) => font.hasGlyphForCodePoint(codePoint) };
      }),
    );
  })();
  return opened;
}
