import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { CaseContent } from "../domain/case-content.js";
import type { Case, CaseEvent } from "../domain/case.js";
import { casePages } from "./case-pages.js";
import { visualLines, type Face } from "./pdf-text.js";
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

/** Prints a case with all that it is about as PDF: A4, each name in its own letters. */
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
  const widthOf = (face: Face, text: string) => document.font(face.name).widthOfString(text, { features: [] });
  let y = margin;

  function draw(text: string, x: number, top: number) {
    const [line = []] = visualLines(text, Infinity, faces, widthOf);
    let at = x;
    for (const run of line) {
      document.font(run.face.name).text(run.text, at, top, { lineBreak: false, features: [] });
      at += run.width;
    }
  }
  function row(label: string, text: string) {
    const lines = visualLines(text, textWidth, faces, widthOf);
    lines.forEach((line, index) => {
      if (y + lineHeight > bottom) {
        document.addPage();
        y = margin;
      }
      if (index === 0) draw(label, margin, y);
      let at = margin + labelWidth;
      for (const run of line) {
        document.font(run.face.name).text(run.text, at, y, { lineBreak: false, features: [] });
        at += run.width;
      }
      y += lineHeight;
    });
  }

  /** A heading stays with the first lines below it. */
  function heading(text: string, size: number) {
    if (y + 4 * lineHeight > bottom) {
      document.addPage();
      y = margin;
    }
    document.fontSize(size);
    draw(text, margin, y);
    y += size + 10;
    document.fontSize(9);
  }

  heading(`Case ${one.number}`, 16);
  for (const { title, lines } of casePages(one, content, timeline)) {
    if (title !== "") {
      y += lineHeight;
      heading(title, 12);
    }
    for (const [label, text] of lines) row(label, text);
  }
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
