import { amountText, dayText } from "../../platform/messages/amounts.js";
import type { CustomerMessageType } from "../../platform/messages/kinds.js";
import type { JsonNumber } from "../../kernel/json.js";

/** The members of an event's data that messages name. */
interface TransferData {
  transactionCode: string;
  sendAmount: string;
  sendCurrency: string;
  amount: string;
  receivingCurrency: string;
  totalAmount: string;
  refundedAmount?: string;
  recipient: { name: string };
}
interface LoanData {
  loanProductName: string;
  loanAmount: JsonNumber;
  currency: string;
}
interface RepaymentData {
  repaymentAmount: JsonNumber;
  currency: string;
  repaymentReference: string;
}

interface OverdueData {
  loanProductName: string;
  currency: string;
  instalment: { dueOn: string; outstanding: string };
}

interface CreditData {
  amount: string;
  balance: string;
  currency: string;
  accountNumber: string;
  kind: string;
}

// Who reads over a shoulder sees no whole number.
const shownDigits = 4;
// Of these a message of its own tells, or the customer has just done it themselves.
const announcedOtherwise: ReadonlySet<string> = new Set([
  "refund",
  "fee_refund",
  "tax_refund",
  "payout_return",
  "loan_disbursement",
  "exchange",
]);

type Values = Record<string, string>;
type Money = (amount: string | JsonNumber | undefined, currency: string) => string;
type Day = (date: string) => string;

const transfer = (data: TransferData, money: Money): Values => ({
  reference: data.transactionCode,
  amount: money(data.sendAmount, data.sendCurrency),
  received: money(data.amount, data.receivingCurrency),
  recipient: data.recipient.name,
});
const paid = (data: TransferData, money: Money): Values => ({
  ...transfer(data, money),
  total: money(data.totalAmount, data.sendCurrency),
});
const refunded = (data: TransferData, money: Money): Values => ({
  ...transfer(data, money),
  refunded: money(data.refundedAmount ?? data.sendAmount, data.sendCurrency),
});
const loan = ({ loanProductName, loanAmount, currency }: LoanData, money: Money): Values => ({
  product: loanProductName,
  amount: money(loanAmount, currency),
});
const repayment = ({ repaymentAmount, currency, repaymentReference }: RepaymentData, money: Money): Values => ({
  amount: money(repaymentAmount, currency),
  reference: repaymentReference,
});
const overdue = ({ loanProductName, currency, instalment }: OverdueData, money: Money, day: Day): Values => ({
  product: loanProductName,
  amount: money(instalment.outstanding, currency),
  dueOn: day(instalment.dueOn),
});

const credit = ({ amount, balance, currency, accountNumber }: CreditData, money: Money): Values => ({
  amount: money(amount, currency),
  balance: money(balance, currency),
  account: `…${accountNumber.slice(-shownDigits)}`,
});

const values: Readonly<Record<CustomerMessageType, (data: never, money: Money, day: Day) => Values>> = {
  "transaction.paid": paid,
  "transaction.ready_for_pickup": transfer,
  "transaction.completed": transfer,
  "transaction.rejected": transfer,
  "transaction.failed": transfer,
  "transaction.refunded": refunded,
  "wallet.credited": credit,
  "loan.disbursed": loan,
  "loan.repayment_verified": repayment,
  "loan.repayment_rejected": repayment,
  "loan.repayment_overdue": overdue,
  "loan.paid_off": loan,
};

/**
 * What an event says, for the placeholders of its message, written as the
 * language writes amounts and days.
 */
export function valuesOf(type: CustomerMessageType, data: unknown, language: string): Values {
  return values[type](
    data as never,
    (amount, currency) => amountText(amount, currency, language),
    (date) => dayText(date, language),
  );
}

/** Whether an event of a type that is told is told by another message already. */
export function isAnnouncedOtherwise(type: CustomerMessageType, body: string): boolean {
  if (type !== "wallet.credited") return false;
  return announcedOtherwise.has((JSON.parse(body) as { data: CreditData }).data.kind);
}
