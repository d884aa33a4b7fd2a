import { formatMoney, type Money } from "../../shared/money.js";
import { maskedParty } from "../store/sealed-party.js";
import type { Transaction } from "../domain/transaction.js";

/** Who issues a receipt, and by whose time. */
export interface ReceiptIssuer {
  organisation: string;
  timeZone: string;
}

const accountKeys: ReadonlySet<string> = new Set(["bankaccountno", "walletaccountno", "mobilenumber"]);
const shownDigits = 4;
const titles: Record<string, string> = {
  bankname: "Bank",
  bankaccountno: "Account",
  accountholdername: "Account holder",
  bankcode: "Bank code",
  swiftbic: "BIC",
  mobileoperator: "Mobile operator",
  mobilenumber: "Mobile number",
  payoutpointid: "Payout point",
  recipientname: "Collected by",
  walletaccountno: "Wallet",
};

/** The lines of a receipt: what was paid, part by part, and where it goes; account numbers by their end only. */
export function receiptLines(transaction: Transaction, { timeZone }: ReceiptIssuer): [label: string, value: string][] {
  const { price, sender, recipient, paidAt } = transaction;
  const amount = (of: Money) => `${formatMoney(of)} ${of.currency}`;
  const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "long", timeZone });
  return [
    ["Transaction", transaction.transactionCode],
    ["Status", transaction.status],
    ["Paid", paidAt === undefined ? "" : time.format(paidAt)],
    ["Sender", `${sender.name} (${sender.customerCode}), ${sender.country}`],
    ["Recipient", `${recipient.name}, ${recipient.country}`],
    ...partyLines(transaction),
    ["Amount exchanged", amount(price.principal)],
    ...price.fees.flatMap(({ name, amount: fee, tax }): [string, string][] => [
      [name, amount(fee)],
      ...(tax.minor > 0n ? [[`Tax on ${name}`, amount(tax)] as [string, string]] : []),
    ]),
    ["Total paid", amount(price.total)],
    ["Exchange rate", `1 ${price.principal.currency} = ${price.rate} ${price.receive.currency}`],
    ["Recipient gets", amount(price.receive)],
  ];
}

function partyLines({ creditParty }: Transaction): [string, string][] {
  return maskedParty(creditParty).flatMap(({ key, value }) => {
    const title = titles[key];
    if (title === undefined) return [];
    return [[title, accountKeys.has(key) ? ending(value) : value] as [string, string]];
  });
}

/** One page, A4. */
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

function ending(value: string): string {
  const digits = value.replaceAll(/[\s-]/g, "");
  return digits.length <= shownDigits ? digits : `...${digits.slice(-shownDigits)}`;
}

/** The fonts that every reader has know Latin letters only: others lose their marks, or become a question mark. */
function printable(text: string): string {
  const known = (letter: string) => letter.codePointAt(0)! <= 0xff;
  return Array.from(text.normalize("NFC"), (letter) => {
    if (known(letter)) return letter;
    const [bare = ""] = letter.normalize("NFD");
    return known(bare) ? bare : "?";
  }).join("");
}
