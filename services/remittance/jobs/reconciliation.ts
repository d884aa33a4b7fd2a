import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutPartners } from "../clients/payout-partners.js";
import { payoutOf } from "../domain/payout.js";
import {
  compareBooks,
  comparePayout,
  compareReturn,
  paidAgain,
  type Difference,
  type PartnerStatementLine,
} from "../domain/reconcile.js";
import type { RemittanceStore } from "../store/index.js";
import type { Transaction } from "../domain/transaction.js";
import { createBookReader, createStatementSearch, type Lines, type Range } from "./reconciled-books.js";

export interface ReconciliationDeps {
  store: RemittanceStore;
  ledger: Pick<Client<LedgerServiceDefinition>, "getTransfer">;
  connector: PayoutConnector;
  partners: Pick<PayoutPartners, "ofTenant">;
}

/** What was compared of a stretch of time. */
export interface Compared {
  statementLines: number;
  transactions: number;
  differences: Difference[];
}

const page = 500;
const concurrency = 8;
/** How much of the partner's time one stretch covers; `edgeMs` on either side is held with it. */
const stretchMs = 60 * 60_000;
// What one side booked in a stretch may be beyond it on the other.
const edgeMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/**
 * Compares the partner's statement with transactions and ledger, a stretch of time after the other:
 * what three hours hold is held in memory, however long the range. A payout is compared where it
 * was settled, a return where it was refunded, and a line that belongs to neither where it stands.
 * For one call: a partner that cannot be read is left out of it.
 */
export function createReconciliation({ store, ledger, connector, partners }: ReconciliationDeps) {
  const statements = createStatementSearch(connector, partners);
  const booksOf = createBookReader(ledger);

  /** The next stretch of the range that holds anything; undefined where nothing is left. */
  async function nextStretch({ from, to }: Range, call: Call): Promise<Range | undefined> {
    const tenant = store.forTenant(call.tenantId);
    const [[settled], [returned], line] = await Promise.all([
      tenant.listPaidOut("settledAt", { from, to }, { limit: 1 }),
      tenant.listPaidOut("refundedAt", { from, to }, { limit: 1 }),
      statements.firstLine({ from, to }, call),
    ]);
    const times = [settled?.payout?.settledAt, returned?.payout?.refundedAt, line?.at];
    const starts = times.filter((at) => at !== undefined).map((at) => at.getTime());
    if (starts.length === 0) return undefined;
    const start = Math.min(...starts);
    return { from: new Date(start), to: new Date(Math.min(to.getTime(), start + stretchMs)) };
  }

  async function compareStretch(stretch: Range, call: Call): Promise<Compared> {
    const lines = await statements.linesOf(around(stretch), call);
    const isWithin = (at: Date | undefined) => at !== undefined && at >= stretch.from && at < stretch.to;
    const seen = new Set<string>();
    const differences: Difference[] = [];
    const compareEach = async (transactions: readonly Transaction[], work: Compare) => {
      for (const { transactionId } of transactions) seen.add(transactionId);
      for (const found of await inTurns(transactions, work)) differences.push(...found);
    };
    await eachPage("settledAt", stretch, call, (transactions) =>
      compareEach(transactions, (transaction) => compareSettled(transaction, lines, call)),
    );
    await eachPage("refundedAt", stretch, call, (transactions) =>
      compareEach(transactions, (transaction) => compareRefunded(transaction, lines, call)),
    );
    const within = [...lines].filter(([, some]) => some.some(({ at }) => isWithin(at)));
    for (let start = 0; start < within.length; start += page) {
      const some = new Map(within.slice(start, start + page));
      const known = await store.forTenant(call.tenantId).listTransactions({ ids: [...some.keys()] });
      const missing = new Set(some.keys());
      for (const { transactionId } of known) missing.delete(transactionId);
      for (const reference of missing) {
        differences.push(...compareBooks({ reference, lines: some.get(reference)!, ledger: {} }));
      }
      await compareEach(known, (transaction) =>
        compareStrays(
          transaction,
          (some.get(transaction.transactionId) ?? []).filter(({ at }) => isWithin(at)),
          call,
        ),
      );
    }
    const statementLines = within.flatMap(([, some]) => some).filter(({ at }) => isWithin(at)).length;
    return { statementLines, transactions: seen.size, differences };
  }

  async function eachPage(
    moment: "settledAt" | "refundedAt",
    range: Range,
    call: Call,
    work: (transactions: readonly Transaction[]) => Promise<void>,
  ): Promise<void> {
    for (let after: Transaction | undefined; ;) {
      const transactions = await store.forTenant(call.tenantId).listPaidOut(moment, range, { after, limit: page });
      await work(transactions);
      if (transactions.length < page) return;
      after = transactions.at(-1);
    }
  }

  /**
   * Settled in this stretch: the partner's line is near, or where it was under way for long,
   * anywhere since it was sent.
   */
  async function compareSettled(transaction: Transaction, lines: Lines, call: Call): Promise<Difference[]> {
    // A partner that was removed says nothing any more.
    if (!(await statements.isThere(transaction, call))) return [];
    const { sentAt, settledAt } = payoutOf(transaction) as { sentAt?: Date; settledAt: Date };
    const near = ofKind("PAYOUT", lines.get(transaction.transactionId));
    const underWay = { from: sentAt ?? settledAt, to: settledAt };
    const found = near.length > 0 ? near : await statements.searchLines(transaction, "PAYOUT", around(underWay), call);
    if (found === undefined) return [];
    return comparePayout(await booksOf(transaction, found, call));
  }

  /**
   * Refunded after a return in this stretch: the partner's line is near, or anywhere since it was
   * settled.
   */
  async function compareRefunded(transaction: Transaction, lines: Lines, call: Call): Promise<Difference[]> {
    if (!(await statements.isThere(transaction, call))) return [];
    const { settledAt, refundedAt } = payoutOf(transaction) as { settledAt: Date; refundedAt: Date };
    let found: PartnerStatementLine[] | undefined = ofKind("RETURN", lines.get(transaction.transactionId));
    const { from, to } = around({ from: settledAt, to: refundedAt });
    const lastDay = new Date(Math.max(from.getTime(), refundedAt.getTime() - dayMs));
    if (found.length === 0) found = await statements.searchLines(transaction, "RETURN", { from: lastDay, to }, call);
    if (found?.length === 0) found = await statements.searchLines(transaction, "RETURN", { from, to: lastDay }, call);
    if (found === undefined) return [];
    return compareReturn(await booksOf(transaction, found, call));
  }

  /** Lines of this stretch whose transaction is not compared where its own moments are. */
  async function compareStrays(
    transaction: Transaction,
    lines: PartnerStatementLine[],
    call: Call,
  ): Promise<Difference[]> {
    const { settledAt, outcome, refundedAt } = payoutOf(transaction);
    const [paid, returned] = [ofKind("PAYOUT", lines), ofKind("RETURN", lines)];
    const differences: Difference[] = [];
    if (paid.length > 0 && settledAt === undefined) {
      differences.push(...comparePayout(await booksOf(transaction, paid, call)));
    }
    const late = paid.filter(({ at }) => settledAt !== undefined && at.getTime() > settledAt.getTime() + edgeMs);
    if (late.length > 0) differences.push(paidAgain(await booksOf(transaction, late, call)));
    if (returned.length > 0 && !(outcome === "RETURNED" && refundedAt !== undefined)) {
      differences.push(...compareReturn(await booksOf(transaction, returned, call)));
    }
    return differences;
  }

  return { nextStretch, compareStretch, listUnread: statements.listUnread };
}

type Compare = (transaction: Transaction) => Promise<Difference[]>;

function ofKind(
  kind: PartnerStatementLine["kind"],
  lines: readonly PartnerStatementLine[] = [],
): PartnerStatementLine[] {
  return lines.filter((line) => line.kind === kind);
}

function around({ from, to }: Range): Range {
  return { from: new Date(Math.max(0, from.getTime() - edgeMs)), to: new Date(to.getTime() + edgeMs) };
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += concurrency) {
    results.push(...(await Promise.all(items.slice(start, start + concurrency).map(work))));
  }
  return results;
}
