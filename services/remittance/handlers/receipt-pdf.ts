import { receiptLines, type ReceiptIssuer } from "../domain/receipt.js";
import type { Transaction } from "../domain/transaction.js";

/** Prints a receipt as PDF: one page, A4. */
export async function receiptPdf(transaction: Transaction, issuer: ReceiptIssuer): Promise<Buffer> {
  // Fonts and their decoders are some ten megabytes: only a process that draws a receipt has them.
  const { default: PDFDocument } = await import("pdfkit");
  const document = new PDFDocument({
    size: "A4",
    margin: 56,
    info: { Title: `Receipt ${transaction.transactionCode}`, Author: printable(issuer.organisation) },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  document.font("Helvetica-Bold").fontSize(18).text(printable(issuer.organisation)).moveDown(0.3);
  document.font("Helvetica").fontSize(12).text("Receipt").moveDown(1.2);
  document.fontSize(10);
  for (const [label, value] of receiptLines(transaction, issuer)) {
    const top = document.y;
    const isTotal = label === "Total paid" || label === "Recipient gets";
    document.font(isTotal ? "Helvetica-Bold" : "Helvetica");
    document.text(printable(label), 56, top, { width: 170 });
    document.text(printable(value), 236, top, { width: 300 });
    document.moveDown(0.5);
  }
  document.end();
  return done;
}

/**
 * The fonts that every reader has know Latin letters only: others lose their marks, or become a
 * question mark.
 */
function printable(text: string): string {
  const known = (letter: string) => letter.codePointAt(0)! <= 0xff;
  return Array.from(text.normalize("NFC"), (letter) => {
    if (known(letter)) return letter;
    const [bare = ""] = letter.normalize("NFD");
    return known(bare) ? bare : "?";
  }).join("");
}
