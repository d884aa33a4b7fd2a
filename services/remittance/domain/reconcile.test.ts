import { money, type Money } from "../../kernel/money.js";
import type { Payout } from "./payout.js";
import { compareBooks, type PartnerStatementLine } from "./reconcile.js";
import type { Transaction, TransactionStatus } from "./transaction.js";

const at = new Date("2026-11-21T10:00:00Z");
const ngn = (minor: bigint) => money(minor, "NGN");
const receive = ngn(160_000_00n);

function transaction(status: TransactionStatus, payout: Partial<Payout>): Transaction {
  const price = { principal: money(100_00n, "USD"), receive };
  return { transactionId: "t", status, price, paidAt: at, payout: { interactionId: "i", ...payout } } as never;
}
const line = (kind: PartnerStatementLine["kind"], amount: Money = receive): PartnerStatementLine => ({
  reference: "t",
  kind,
  amount,
  at,
});
const completed = transaction("COMPLETED", { outcome: "PAID", settledAt: at });
const returned = transaction("REFUNDED", { outcome: "RETURNED", settledAt: at, refundedAt: at, kept: ngn(1_00n) });
const refunded = transaction("REFUNDED", { outcome: "REFUSED", refundedAt: at });
const back = ngn(159_999_00n);

test.each<[string, Parameters<typeof compareBooks>[0], string[]]>([
  [
    "agree when paid",
    { reference: "t", transaction: completed, lines: [line("PAYOUT")], ledger: { settled: receive } },
    [],
  ],
  [
    "agree when returned",
    {
      reference: "t",
      transaction: returned,
      lines: [line("PAYOUT"), line("RETURN", back)],
      ledger: { settled: receive, returned: back },
    },
    [],
  ],
  [
    "agree while it is blocked after it came back",
    {
      reference: "t",
      transaction: transaction("BLOCKED", { outcome: "RETURNED", settledAt: at, kept: ngn(1_00n) }),
      lines: [line("PAYOUT"), line("RETURN", back)],
      ledger: { settled: receive },
    },
    [],
  ],
  [
    "agree while it is blocked and recalled",
    { reference: "t", transaction: transaction("BLOCKED", { outcome: "RECALLED" }), lines: [], ledger: {} },
    [],
  ],
  [
    "paid there and blocked here",
    {
      reference: "t",
      transaction: transaction("BLOCKED", { outcome: "RECALLED" }),
      lines: [line("PAYOUT")],
      ledger: {},
    },
    ["PAID_AT_PARTNER_NOT_COMPLETED"],
  ],
  ["agree when refused", { reference: "t", transaction: refunded, lines: [], ledger: {} }, []],
  [
    "paid and still processing here",
    { reference: "t", transaction: transaction("PROCESSING", {}), lines: [line("PAYOUT")], ledger: {} },
    ["PAID_AT_PARTNER_NOT_COMPLETED"],
  ],
  [
    "refunded here and paid there",
    { reference: "t", transaction: refunded, lines: [line("PAYOUT")], ledger: {} },
    ["REFUNDED_BUT_PAID"],
  ],
  [
    "completed here, not there",
    { reference: "t", transaction: completed, lines: [], ledger: { settled: receive } },
    ["COMPLETED_NOT_AT_PARTNER"],
  ],
  [
    "paid twice",
    { reference: "t", transaction: completed, lines: [line("PAYOUT"), line("PAYOUT")], ledger: { settled: receive } },
    ["PAID_TWICE"],
  ],
  [
    "another amount",
    { reference: "t", transaction: completed, lines: [line("PAYOUT", ngn(1n))], ledger: { settled: receive } },
    ["AMOUNT_DIFFERS"],
  ],
  [
    "sent back there, not here",
    {
      reference: "t",
      transaction: completed,
      lines: [line("PAYOUT"), line("RETURN", back)],
      ledger: { settled: receive },
    },
    ["RETURN_NOT_BOOKED"],
  ],
  [
    "sent back here, not there",
    { reference: "t", transaction: returned, lines: [line("PAYOUT")], ledger: { settled: receive, returned: back } },
    ["RETURN_NOT_AT_PARTNER"],
  ],
  [
    "another amount came back",
    {
      reference: "t",
      transaction: returned,
      lines: [line("PAYOUT"), line("RETURN", receive)],
      ledger: { settled: receive, returned: back },
    },
    ["AMOUNT_DIFFERS"],
  ],
  ["a stranger", { reference: "x", lines: [line("PAYOUT")], ledger: {} }, ["UNKNOWN_REFERENCE"]],
  [
    "no settlement in the ledger",
    { reference: "t", transaction: completed, lines: [line("PAYOUT")], ledger: {} },
    ["LEDGER_MISSING"],
  ],
  [
    "another settlement in the ledger",
    { reference: "t", transaction: completed, lines: [line("PAYOUT")], ledger: { settled: ngn(1n) } },
    ["LEDGER_DIFFERS"],
  ],
  [
    "a settlement in the ledger of what was refunded",
    { reference: "t", transaction: refunded, lines: [], ledger: { settled: receive } },
    ["LEDGER_UNEXPECTED"],
  ],
])("%s", (_name, books, kinds) => {
  expect(compareBooks(books).map(({ kind }) => kind)).toEqual(kinds);
});
