import { formatMoney, type Money } from "../../kernel/money.js";
import { isAccount } from "./credit-party.js";
import { maskedParty } from "./party-masking.js";
import type { Transaction } from "./transaction.js";

/** Who issues a receipt, and by whose time. */
export interface ReceiptIssuer {
  organisation: string;
  timeZone: string;
}

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

/**
 * The lines of a receipt: what was paid, part by part, and where it goes; account numbers by their
 * end only.
 */
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
    return [[title, isAccount(key) ? ending(value) : value] as [string, string]];
  });
}

function ending(value: string): string {
  const digits = value.replaceAll(/[\s-]/g, "");
  return digits.length <= shownDigits ? digits : `...${digits.slice(-shownDigits)}`;
}
