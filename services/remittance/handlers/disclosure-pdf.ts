import { createPdf, page, type Cell } from "../../kernel/pdf/printer.js";
import type { Disclosure } from "../domain/disclosure-lines.js";

interface Printed {
  disclosure: Pick<Disclosure, "title" | "lines" | "sections">;
  organisation: string;
  language: string;
  /** Of a transaction. */
  reference?: string;
}

const width = page.width - 2 * page.margin;
const labelWidth = 170;
const gap = 10;

/** Prints a disclosure or a receipt as PDF, A4; from the right where its language is read so. */
export async function disclosurePdf({ disclosure, organisation, language, reference }: Printed): Promise<Buffer> {
  const { title, lines, sections } = disclosure;
  const pdf = await createPdf({
    title: [title, reference].filter(Boolean).join(" "),
    author: organisation,
    work: "disclosure pdf",
  });
  const isTurned = isReadFromTheRight(language);
  const whole = { x: page.margin, width, ...(isTurned && ({ align: "right" } as const)) };
  await pdf.heading(organisation, 18, whole);
  await pdf.row([{ ...whole, text: title, isBold: true }]);
  pdf.space(14);
  for (const { label, value, isSum } of lines) {
    await pdf.row(cellsOf(label, value, isTurned).map((cell) => ({ ...cell, isBold: isSum })));
    pdf.space(4);
  }
  for (const { title: heading, texts } of sections) {
    pdf.space(8);
    if (heading !== "") await pdf.row([{ ...whole, text: heading, isBold: true }]);
    for (const text of texts) {
      await pdf.row([{ ...whole, text }]);
      pdf.space(2);
    }
  }
  return pdf.finish();
}

function cellsOf(label: string, value: string, isTurned: boolean): Cell[] {
  const values = width - labelWidth - gap;
  if (!isTurned)
    return [
      { x: page.margin, width: labelWidth, text: label },
      { x: page.margin + labelWidth + gap, width: values, text: value },
    ];
  return [
    { x: page.margin, width: values, text: value, align: "right" },
    { x: page.margin + values + gap, width: labelWidth, text: label, align: "right" },
  ];
}

function isReadFromTheRight(language: string): boolean {
  return new Intl.Locale(language).getTextInfo().direction === "rtl";
}
