import fc from "fast-check";
import { EntrySide, LedgerServiceDefinition, TransferMode } from "../../proto/gen/ledger/v1/ledger.js";
import { ManualJournalServiceDefinition } from "../../proto/gen/ledger/v1/manual_journals.js";
import { PositionServiceDefinition } from "../../proto/gen/ledger/v1/positions.js";
import { SettlementServiceDefinition } from "../../proto/gen/ledger/v1/settlements.js";
import { ReportServiceDefinition } from "../../proto/gen/operations/v1/reports.js";
import { divideMinor, multiplyMoney, parseDecimal } from "../../services/kernel/decimal.js";
import { formatMoney, money, type Money } from "../../services/kernel/money.js";
import { parseQuestion } from "../../services/platform/reports/report-question.js";
import { movePosition, noPosition } from "../../services/ledger/domain/average-cost.js";
import { countedOf } from "../../services/remittance/domain/counted.js";
import { addChange, everyAgent, noChange } from "../../services/remittance/domain/day-sums.js";
import { refundTerms } from "../../services/remittance/domain/payout-refund.js";
import {
  partnerAccountOf,
  refundPlan,
  settlementTransfers,
  type PlannedTransfer,
} from "../../services/remittance/domain/payout-transfers.js";
import { createDayEnds, dayOf } from "../../services/remittance/domain/promised-day.js";
import { reportRows } from "../../services/remittance/domain/report-rows.js";
import { roundings } from "../../services/remittance/domain/roundings.js";
import type { Transaction } from "../../services/remittance/domain/transaction.js";
import { createBooksFixture, type BooksFixture } from "../support/books-fixture.js";
import { atDepth } from "../support/depth.js";
import { waitFor } from "../support/index.js";
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
  transfers: Pick<PlannedTransfer, "key" | "debitAccountId" | "creditAccountId" | "amount">[];
}

/** Stands for wallets, which remittance may not debit. */
const payer = "bank_charges:USD";

/** What a transaction becomes in the ledger, and when; the payment is the wallet's to post. */
function postedOf(transaction: Transaction): Posted[] {
  const { transactionId, paidAt, payout, price } = transaction;
  const parts: [string, Money][] = [
    ["remittance_clearing:USD", price.principal],
    ["fee_income:USD", price.totalFees],
    ["tax_payable:USD", price.totalTaxes],
  ];
  const payment = parts
    .filter(([, amount]) => amount.minor > 0n)
    .map(([creditAccountId, amount]) => {
      return { key: `payment:${transactionId}:${creditAccountId}`, debitAccountId: payer, creditAccountId, amount };
    });
  const posted: Posted[] = [{ at: paidAt!, transfers: payment }];
  if (payout!.settledAt !== undefined)
    posted.push({ at: payout!.settledAt, transfers: settlementTransfers(transaction) });
  if (payout!.refundedAt !== undefined) {
    const status = payout!.settledAt === undefined ? "FAILED" : "RETURNED";
    const { transfers } = refundPlan(transaction, refundTerms({ ...transaction, status }), payer);
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

/** What is paid to the partner, and other costs, on days of the month. */
const spending = fc.record({
  settlements: fc.array(
    fc.record({
      onDay: fc.integer({ min: 0, max: days - 1 }),
      /** Of what is owed, per cent. */
      share: fc.bigInt({ min: 1n, max: 100n }),
      costMinor: fc.bigInt({ min: 10_00n, max: 50_000_00n }),
      feeMinor: fc.bigInt({ min: 0n, max: 9_99n }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  rents: fc.array(
    fc.record({ onDay: fc.integer({ min: 0, max: days - 1 }), minor: fc.bigInt({ min: 1n, max: 900_00n }) }),
    { minLength: 1, maxLength: 3 },
  ),
});

describe("in a real ledger", () => {
  let books: BooksFixture;
  beforeAll(async () => {
    books = await createBooksFixture("books_equation");
  });
  afterAll(() => books.close());

  /** A fresh tenant with the accounts of its payouts and a landlord. */
  async function opened(partner: string) {
    const tenant = books.tenant();
    const ids = ["remittance_clearing:USD", "fee_income:USD", "tax_payable:USD", payer, "exchange_position:USD"];
    const accounts = [...ids, "exchange_position:NGN", partner].map((accountId) => {
      const [code = "", currency = ""] = [accountId.split(":")[0], accountId.split(":").at(-1)];
      return { accountId, code, currency };
    });
    await tenant.openRemittance(...accounts);
    const own = { currency: "USD" };
    const gateway = books.client(LedgerServiceDefinition);
    const open = async (code: string, name: string) =>
      (await gateway.openBookAccount({ ...own, idempotencyKey: tenant.key(), code, name }, tenant.as())).account!
        .accountId;
    return { ...tenant, bank: await open("own_bank", "Chase"), rent: await open("operating_expense", "Rent") };
  }

  test("per day, fees less refunds, exchange results and costs are what accounts of income and expense moved", async () => {
    const [settlements, journals] = [
      books.client(SettlementServiceDefinition),
      books.client(ManualJournalServiceDefinition),
    ];
    const [positions, reports] = [books.client(PositionServiceDefinition), books.client(ReportServiceDefinition)];
    const dayAt = (onDay: number) => new Date(start + onDay * dayMs).toISOString().slice(0, 10);

    const holds = async (generated: Month, { settlements: paid, rents }: SpendingOf) => {
      const { transactions, rows } = world({ ...generated, timeZone: "UTC" });
      const partner = partnerAccountOf(transactions[0]!);
      const tenant = await opened(partner);
      const expected = new Map<string, bigint>();
      const count = (day: string, code: string, minor: bigint) =>
        expected.set(`${day} ${code}`, (expected.get(`${day} ${code}`) ?? 0n) + minor);
      for (const { day, fees } of rows) count(day, "fee_income", fees);

      let position = { ...noPosition, realisedMinor: 0n };
      const move = (day: string, quantityMinor: bigint, receivedMinor: bigint) => {
        position = movePosition(position, { quantityMinor, receivedMinor });
        count(day, "fx_result", position.realisedMinor);
      };
      const posted = transactions.flatMap(postedOf).toSorted((a, b) => a.at.getTime() - b.at.getTime());
      for (const { at, transfers } of posted) {
        const wire = transfers.map(({ amount, ...transfer }) => ({
          ...transfer,
          kind: "test",
          mode: TransferMode.TRANSFER_MODE_POSTED,
          amount: { amountMinor: amount.minor, currency: amount.currency },
          effectiveAt: at,
        }));
        await tenant.postAsRemittance(...wire);
        const [quantity, received] = ["NGN", "USD"].map((one) => credited(transfers, `exchange_position:${one}`));
        if (quantity !== 0n) move(at.toISOString().slice(0, 10), quantity!, received!);
      }

      for (const { onDay, share, costMinor, feeMinor } of paid) {
        const owed = (await tenant.creditMinor(partner))!;
        const amount = (owed * share) / 100n;
        if (amount === 0n) continue;
        const day = dayAt(onDay);
        const proposed = await settlements.proposeSettlement(
          {
            idempotencyKey: tenant.key(),
            kind: "SETTLEMENT_KIND_PARTNER",
            accountId: partner,
            amount: formatMoney(money(amount, "NGN")),
            currency: "NGN",
            cost: { amount: formatMoney(money(costMinor, "USD")), currency: "USD" },
            fee: formatMoney(money(feeMinor, "USD")),
            bankAccountId: tenant.bank,
            valueDate: day,
            reference: tenant.key(),
          },
          tenant.as(),
        );
        const { settlementId, approvalId } = proposed.settlement!;
        await tenant.decide(approvalId);
        await waitFor(
          async () => {
            const { settlement } = await settlements.getSettlement({ settlementId }, tenant.as());
            return settlement!.status === "SETTLEMENT_STATUS_POSTED";
          },
          { what: "the settlement" },
        );
        move(day, amount, feeMinor - costMinor);
        count(day, "partner_fees", -feeMinor);
      }

      for (const { onDay, minor } of rents) {
        const line = { amount: formatMoney(money(minor, "USD")), currency: "USD" };
        const lines = [
          { ...line, accountId: tenant.rent, side: EntrySide.ENTRY_SIDE_DEBIT },
          { ...line, accountId: "own_funds:USD", side: EntrySide.ENTRY_SIDE_CREDIT },
        ];
        const request = { idempotencyKey: tenant.key(), lines, reason: "rent", valueDate: dayAt(onDay) };
        const { journalId, approvalId } = (await journals.writeManualJournal(request, tenant.as())).journal!;
        await tenant.decide(approvalId);
        await waitFor(
          async () => {
            const { journal } = await journals.getManualJournal({ journalId }, tenant.as());
            return journal!.status === "MANUAL_JOURNAL_STATUS_POSTED";
          },
          { what: "the journal" },
        );
        count(dayAt(onDay), "operating_expense", -minor);
      }

      await positions.getPositions({}, tenant.as());
      const reported = async (report: string, by: string[], column: string) => {
        const asked = { report, from: dayAt(0), to: dayAt(days), by, columns: [column] };
        const table = await reports.getReport(asked, tenant.as());
        return Object.fromEntries(
          table.rows.map(({ cells }) => {
            const amount = BigInt(cells.at(-1)!.replace(".", ""));
            return [cells.slice(0, -2).join(" "), amount] as const;
          }),
        );
      };
      const nonzero = (all: Iterable<[string, bigint]>) =>
        Object.fromEntries([...all].filter(([, minor]) => minor !== 0n));
      expect(await reported("result", ["day", "code"], "result")).toEqual(nonzero(expected));
      const perDay = new Map<string, bigint>();
      for (const [name, minor] of expected) {
        const day = name.slice(0, 10);
        perDay.set(day, (perDay.get(day) ?? 0n) + minor);
      }
      expect(await reported("result", ["day"], "result")).toEqual(nonzero(perDay));
      const fees = [...expected].filter(([name]) => name.endsWith(" partner_fees"));
      expect(await reported("partner-costs", ["day"], "cost")).toEqual(
        nonzero(fees.map(([name, minor]) => [name.slice(0, 10), -minor])),
      );
    };
    await fc.assert(fc.asyncProperty(months, spending, holds), {
      numRuns: atDepth({ quick: 2, ci: 6, long: 60 }),
    });
  }, 300_000);
});

type SpendingOf = typeof spending extends fc.Arbitrary<infer T> ? T : never;
