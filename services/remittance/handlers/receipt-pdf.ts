import { createPdf, page } from "../../kernel/pdf/printer.js";
import { receiptLines, type ReceiptIssuer } from "../domain/receipt.js";
import type { Transaction } from "../domain/transaction.js";

const labels = { x: page.margin, width: 170 };
const values = { x: page.margin + 180, width: 300 };

/** Prints a receipt as PDF: one page, A4. */
export async function receiptPdf(transaction: Transaction, issuer: ReceiptIssuer): Promise<Buffer> {
  const title = `Receipt ${transaction.transactionCode}`;
  const pdf = await createPdf({ title, author: issuer.organisation, work: "receipt pdf" });
  await pdf.heading(issuer.organisation, 18);
  await pdf.row([{ ...labels, text: "Receipt", isBold: true }]);
  pdf.space(14);
  for (const [label, value] of receiptLines(transaction, issuer)) {
    const isBold = label === "Total paid" || label === "Recipient gets";
    await pdf.row([
      { ...labels, text: label, isBold },
      { ...values, text: value, isBold },
    ]);
    pdf.space(4);
  }
  return pdf.finish();
}
