import { createPdf, page } from "../../../kernel/pdf/printer.js";
import type { CaseContent } from "../domain/case-content.js";
import type { Case, CaseEvent } from "../domain/case.js";
import { casePages } from "./case-pages.js";

const labels = { x: page.margin, width: 160 };
const texts = { x: page.margin + 165, width: page.width - 2 * page.margin - 165 };

/**
 * Prints a case with all that it is about as PDF: A4, each name in its own letters.
 * Gives its turn up between lines.
 */
export async function casePdf(one: Case, content: CaseContent, timeline: readonly CaseEvent[]): Promise<Buffer> {
  const title = `Case ${one.number}`;
  const pdf = await createPdf({ title, work: "case pdf" });
  await pdf.heading(title, 16);
  for (const part of casePages(one, content, timeline)) {
    if (part.title !== "") {
      pdf.space(14);
      await pdf.heading(part.title, 12);
    }
    for (const [label, text] of part.lines) {
      await pdf.row([
        { ...labels, text: label },
        { ...texts, text },
      ]);
    }
  }
  return pdf.finish();
}
