import fc from "fast-check";
import { divideMinor, multiplyMoney, parseDecimal } from "../../services/kernel/decimal.js";
import { money } from "../../services/kernel/money.js";
import { parseQuestion } from "../../services/platform/reports/report-question.js";
import { movePosition, noPosition } from "../../services/ledger/domain/average-cost.js";
import { countedOf } from "../../services/remittance/domain/counted.js";
import { addChange, everyAgent, noChange } from "../../services/remittance/domain/day-sums.js";
import { refundTerms } from "../../services/remittance/domain/payout-refund.js";
import {
  refundPlan,
  settlementTransfers,
  type PlannedTransfer,
} from "../../services/remittance/domain/payout-transfers.js";
import { createDayEnds, dayOf } from "../../services/remittance/domain/promised-day.js";
import { reportRows } from "../../services/remittance/domain/report-rows.js";
import { roundings } from "../../services/remittance/domain/roundings.js";
import type { Transaction } from "../../services/remittance/domain/transaction.js";
import { atDepth } from "../support/depth.js";
import { created } from "../support/transactions.js";

interface Payment {
  atMs: number;
  settlesAfterMs: number;
  backAfterMs: number;
  ends: "COMPLETED" | "FAILED" | "RETURNED";
  principal: bigint;
  fees: bigint;
  markupBps: number;
}
interface Month {
  timeZone: string;
  /** The middle rate of each of its days and of ten behind it, in hundredths. */
  middles: number[];
  payments: Payment[];
}

const dayMs = 86_400_000;
const days = 40;
// New York's clocks go back on 1 November, in the middle of it; Kolkata's never move.
const start = Date.parse("2026-10-15T00:00:00Z");

const months = fc.record<Month>({
  timeZone: fc.constantFrom("America/New_York", "Asia/Kolkata", "UTC"),
  middles: fc.array(fc.integer({ min: 800_00, max: 2_000_00 }), { minLength: days, maxLength: days }),
  payments: fc.array(
    fc.record<Payment>({
      atMs: fc.integer({ min: 0, max: 30 * dayMs }),
      settlesAfterMs: fc.integer({ min: 1, max: 4 * dayMs }),
      backAfterMs: fc.integer({ min: 1, max: 4 * dayMs }),
      ends: fc.constantFrom("COMPLETED", "COMPLETED", "FAILED", "RETURNED"),
      principal: fc.bigInt({ min: 1_00n, max: 50_000_00n }),
      fees: fc.bigInt({ min: 0n, max: 20_00n }),
      markupBps: fc.integer({ min: 0, max: 500 }),
    }),
    { minLength: 1, maxLength: 60 },
  ),
});

const middleText = (hundredths: number) => (hundredths / 100).toFixed(2);

function transactionOf(payment: Payment, index: number, middleAt: (at: Date) => string): Transaction {
  const { atMs, settlesAfterMs, backAfterMs, ends, principal, fees, markupBps } = payment;
  const [paidAt, settledAt, backAt] = [0, settlesAfterMs, settlesAfterMs + backAfterMs].map(
    (after) => new Date(start + atMs + after),
  ) as [Date, Date, Date];
  const middleRate = middleAt(paidAt);
  const rate = String(((Number(middleRate) * (10_000 - markupBps)) / 10_000).toFixed(6));
  const send = money(principal, "USD");
  const [totalFees, totalTaxes] = [money(fees, "USD"), money(fees / 13n, "USD")];
  const receive = multiplyMoney(send, parseDecimal(rate), "NGN", roundings.exchange);
  const step = (status: Transaction["status"], at: Date) => ({ status, at, actor: "test", reason: "" });
  const total = money(principal + fees + fees / 13n, "USD");
  const isSettled = ends !== "FAILED";
  return {
    ...created,
    transactionId: `t-${index}`,
    status: ends === "COMPLETED" ? ends : "REFUNDED",
    paidAt,
    availableOn: "2026-12-31",
    price: { ...created.price, principal: send, totalFees, totalTaxes, total, receive, rate },
    terms: { ...created.terms, middleRate },
    payout: {
      interactionId: "i",
      sentAt: paidAt,
      installationId: "p-1",
      outcome: ends === "COMPLETED" ? "PAID" : ends === "FAILED" ? "REFUSED" : "RETURNED",
      ...(isSettled && { settledAt }),
      ...(ends === "RETURNED" && { kept: money(0n, "NGN") }),
      ...(ends !== "COMPLETED" && { refundedAt: backAt, refunded: total }),
    },
    timeline: [
      step("PAID", paidAt),
      step("PROCESSING", paidAt),
      ...(isSettled ? [step("COMPLETED", settledAt)] : [step("FAILED", settledAt)]),
      ...(ends === "RETURNED" ? [step("RETURNED", backAt)] : []),
      ...(ends !== "COMPLETED" ? [step("REFUNDED", backAt)] : []),
    ],
  } as Transaction;
}

interface Posted {
  at: Date;
  transfers: Pick<PlannedTransfer, "debitAccountId" | "creditAccountId" | "amount">[];
}

/** What a transaction becomes in the ledger, and when. The wallet posts the payment. */
function postedOf(transaction: Transaction): Posted[] {
  const { paidAt, payout, price } = transaction;
  const fee = { debitAccountId: "wallet", creditAccountId: "fee_income:USD", amount: price.totalFees };
  const posted: Posted[] = [{ at: paidAt!, transfers: [fee] }];
  if (payout!.settledAt !== undefined)
    posted.push({ at: payout!.settledAt, transfers: settlementTransfers(transaction) });
  if (payout!.refundedAt !== undefined) {
    const status = payout!.settledAt === undefined ? "FAILED" : "RETURNED";
    const { transfers } = refundPlan(transaction, refundTerms({ ...transaction, status }), "wallet");
    posted.push({ at: payout!.refundedAt, transfers });
  }
  return posted;
}

const credited = (transfers: Posted["transfers"], accountId: string) =>
  transfers.reduce((sum, { debitAccountId, creditAccountId, amount }) => {
    if (creditAccountId === accountId) return sum + amount.minor;
    return debitAccountId === accountId ? sum - amount.minor : sum;
  }, 0n);

function reported(transactions: Transaction[], { timeZone }: Month, middleAt: (at: Date) => string) {
  const by = { timeZone, endOf: createDayEnds(timeZone), middleAt };
  const change = noChange();
  for (const one of transactions) addChange(change, one, undefined, countedOf(one, undefined, by));
  const sums = [...change.corridors.values()].filter(({ key }) => key.agentId === everyAgent);
  const columns = ["fees", "refundedFees", "fxMargin", "slippage"];
  return reportRows(
    parseQuestion("remittance", { report: "margin", by: ["day"], columns }),
    sums,
    "2026-12-31",
  ).rows.map(([day = "", , , ...figures]) => {
    const [fees = 0n, refunded = 0n, margin = 0n, slippage = 0n] = figures.map((text) => BigInt(text.replace(".", "")));
    return { day, fees: fees - refunded, exchanged: margin + slippage };
  });
}

function world(month: Month) {
  const middleAt = (at: Date) => middleText(month.middles[Math.floor((at.getTime() - start) / dayMs)]!);
  const transactions = month.payments.map((payment, index) => transactionOf(payment, index, middleAt));
  return { middleAt, transactions, rows: reported(transactions, month, middleAt) };
}

test("fees less refunds of a day are what the ledger's income moved on it, a refund's days later too", () => {
  fc.assert(
    fc.property(months, (month) => {
      const { transactions, rows } = world(month);
      const income = new Map<string, bigint>();
      for (const { at, transfers } of transactions.flatMap(postedOf)) {
        const day = dayOf(at, month.timeZone).toString();
        income.set(day, (income.get(day) ?? 0n) + credited(transfers, "fee_income:USD"));
      }
      const nonzero = (all: [string, bigint][]) => Object.fromEntries(all.filter(([, minor]) => minor !== 0n));
      expect(nonzero(rows.map(({ day, fees }) => [day, fees]))).toEqual(nonzero([...income]));
    }),
    { numRuns: atDepth({ quick: 30, ci: 200, long: 2_000 }) },
  );
});

test("over a position that is back at zero margin and slippage are the exchange result but for named roundings", () => {
  fc.assert(
    fc.property(months, (month) => {
      const { middleAt, transactions, rows } = world(month);
      const moves = transactions
        .flatMap(postedOf)
        .map(({ at, transfers }) => ({
          at,
          quantityMinor: credited(transfers, "exchange_position:NGN"),
          receivedMinor: credited(transfers, "exchange_position:USD"),
        }))
        .filter(({ quantityMinor }) => quantityMinor !== 0n);
      // What stays paid out is bought, all of a middle rate at once.
      const kept = transactions.filter(({ status }) => status === "COMPLETED");
      const lots = Map.groupBy(kept, ({ payout }) => Math.floor((payout!.settledAt!.getTime() - start) / dayMs));
      const roundingsOf: bigint[] = [];
      for (const [day, some] of lots) {
        const at = new Date(start + (day + 1) * dayMs - 1);
        const rate = parseDecimal(middleAt(at));
        const worth = (minor: bigint) => divideMinor(money(minor, "NGN"), rate, "USD", roundings.worth);
        const quantityMinor = some.reduce((sum, { price }) => sum + price.receive.minor, 0n);
        const cost = worth(quantityMinor);
        moves.push({ at, quantityMinor, receivedMinor: -cost });
        const rounded = some.reduce((sum, { price }) => sum + worth(price.receive.minor), 0n) - cost;
        // Half a minor unit of each payout, and of the purchase.
        expect(rounded * 2n <= BigInt(some.length + 1) && rounded * -2n <= BigInt(some.length + 1)).toBe(true);
        roundingsOf.push(rounded);
      }
      let position = { ...noPosition, realisedMinor: 0n };
      let result = 0n;
      for (const move of moves.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
        position = movePosition(position, move);
        result += position.realisedMinor;
      }
      expect(position).toMatchObject({ quantityMinor: 0n, costMinor: 0n });
      const exchanged = rows.reduce((sum, row) => sum + row.exchanged, 0n);
      expect(result - exchanged).toBe(roundingsOf.reduce((sum, one) => sum + one, 0n));
    }),
    { numRuns: atDepth({ quick: 30, ci: 200, long: 2_000 }) },
  );
});
