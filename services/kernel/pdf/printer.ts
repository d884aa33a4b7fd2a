import { createTurns } from "../time/turns.js";
import { ascent, createFonts, type Fonts } from "./fonts.js";
import { visualLines, type Run } from "./text.js";

/** A text in a column: points from the left edge, and as wide as it may be before it is broken. */
export interface Cell {
  text: string;
  x: number;
  width: number;
  align?: "right";
  isBold?: boolean;
}

/**
 * A document that is drawn from the top down, page by page; each call gives the
 * event loop its turns between lines.
 */
export interface PdfPrinter {
  /** A heading stays with the first lines below it; `size` in points. */
  heading(text: string, size: number, place?: Pick<Cell, "align">): Promise<void>;
  /** Cells beside each other; what is below begins under the longest of them. */
  row(cells: readonly Cell[]): Promise<void>;
  /** A row that every later page begins with, too. */
  head(cells: readonly Cell[]): Promise<void>;
  /** Leaves so many points free. */
  space(points: number): void;
  /** The whole file; nothing can be drawn after it. */
  finish(): Promise<Buffer>;
}

export const page = { width: 595, height: 842, margin: 56 };
const lineHeight = 14;
const textSize = 9;
const bottom = page.height - page.margin;
// A line of 80 letters takes about 100 µs to be drawn, and a word that was not
// seen before 35 µs to be shaped.
const linesPerTurn = 100;
const shapedPerLine = 3;

/**
 * Begins a PDF: A4, each letter in a font that has it, embedded, in the order in which its script
 * is read. `work` names its turns.
 */
export async function createPdf(about: { title: string; author?: string; work: string }): Promise<PdfPrinter> {
  const { title, author, work } = about;
  const turns = createTurns(work, linesPerTurn);
  // Some ten megabytes, so only a process that draws has them; the first document reads each in a
  // turn of its own, since what is read for fonts takes 35 ms and the rest of the library 25.
  await import("fontkit");
  await turns.spent(linesPerTurn);
  const { default: PDFDocument } = await import("pdfkit");
  await turns.spent(linesPerTurn);
  const info = { Title: title, ...(author !== undefined && { Author: author }) };
  const document = new PDFDocument({ size: "A4", margin: page.margin, info });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  const fonts = createFonts(document);
  const repeated: Line[] = [];
  let y = page.margin;

  function draw({ runs, x, size }: Line): void {
    let at = x;
    for (const { face, text, width, isTurned } of runs) {
      document
        .font(face.name)
        .fontSize(size)
        .text(text, at, y, {
          lineBreak: false,
          baseline: -ascent,
          // Its width is known: it is not measured again.
          textWidth: width,
          wordCount: 1,
          ...fonts.features(isTurned),
        } as object);
      at += width;
    }
  }
  function newPage(): void {
    document.addPage();
    y = page.margin;
    repeated.forEach(draw);
    if (repeated.length > 0) y += lineHeight;
  }
  async function row(cells: readonly Cell[]): Promise<void> {
    const columns = await Promise.all(cells.map((cell) => linesOf(cell, textSize, fonts)));
    for (let isFirst = true; ; isFirst = false) {
      const before = fonts.shaped();
      const next = columns.flatMap((lines) => lines.next().value ?? []);
      if (next.length === 0 && !isFirst) return;
      if (y + lineHeight > bottom) newPage();
      next.forEach(draw);
      y += lineHeight;
      await turns.spent(1 + Math.floor((fonts.shaped() - before) / shapedPerLine));
    }
  }

  return {
    row,
    async heading(text, size, { align } = {}) {
      if (y + 4 * lineHeight > bottom) newPage();
      const whole = { x: page.margin, width: page.width - 2 * page.margin };
      const cell: Cell = { text, ...whole, isBold: true, ...(align !== undefined && { align }) };
      const lines = await linesOf(cell, size, fonts);
      for (const line of lines) {
        draw(line);
        y += size + 4;
      }
      y += 6;
    },
    async head(cells) {
      for (const cell of cells) repeated.push(...[...(await linesOf(cell, textSize, fonts))].slice(0, 1));
      await row(cells);
    },
    space: (points) => void (y += points),
    finish() {
      turns.end();
      document.end();
      return done;
    },
  };
}

interface Line {
  runs: Run[];
  x: number;
  size: number;
}

async function linesOf(cell: Cell, size: number, fonts: Fonts): Promise<Generator<Line, undefined>> {
  const { text, x, width, align, isBold = false } = cell;
  const faces = await fonts.facesFor(text, isBold);
  const measure = fonts.measureAt(size);
  return (function* () {
    for (const runs of visualLines(text, width, faces, measure)) {
      const taken = runs.reduce((sum, run) => sum + run.width, 0);
      yield { runs, size, x: align === "right" ? x + width - taken : x };
    }
    return undefined;
  })();
}
