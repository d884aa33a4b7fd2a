import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../shared/grpc/client.js";
import type { Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { moneyFromWire, type Money } from "../../shared/money.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import type { PartnerStatementLine, PayoutConnector } from "../connector/payout-connector.js";
import { accountOf, returnKey, settlementKey } from "../payout-transfers.js";
import { compareBooks, type Books } from "../reconcile.js";
import type { Transaction } from "../transaction.js";
import type { RemittanceDeps } from "./deps.js";

const page = 500;
const concurrency = 8;
// What one side booked at the edge of the range may be beyond it on the other.
const edgeMs = 60 * 60_000;

/** Partner's statement against transactions and ledger; what one run holds in memory is the range's payouts. */
export function reconciliationHandlers({
  store,
  ledger,
  clock,
  connector,
}: Pick<RemittanceDeps, "store" | "ledger" | "clock"> & { connector: PayoutConnector }): Pick<
  Handlers<RemittanceServiceDefinition>,
  "reconcilePayouts"
> {
  return {
    async reconcilePayouts(request, call) {
      const from = request.from ?? new Date(0);
      const to = request.to ?? new Date(Math.max(Date.now(), clock.now().getTime()) + 1);
      if (from >= to) throw invalidInput("to", "must be after from");
      const lines = await linesOf(from, to, call);
      const transactions = await transactionsOf(from, to, [...lines.keys()], call);
      const references = [...new Set([...lines.keys(), ...transactions.keys()])];
      const inRange = (reference: string) => {
        const settledAt = transactions.get(reference)?.payout?.settledAt;
        return (
          lines.get(reference)?.some(({ at }) => at >= from && at < to) ||
          (settledAt && settledAt >= from && settledAt < to)
        );
      };
      const wanted = references.filter(inRange);
      const books = await inTurns(wanted, async (reference): Promise<Books> => {
        const transaction = transactions.get(reference);
        return {
          reference,
          ...(transaction !== undefined && { transaction }),
          lines: lines.get(reference) ?? [],
          ledger: transaction === undefined ? {} : await ledgerOf(transaction, call),
        };
      });
      return {
        statementLines: wanted.reduce((count, reference) => count + (lines.get(reference)?.length ?? 0), 0),
        transactions: books.filter(({ transaction }) => transaction !== undefined).length,
        differences: books.flatMap(compareBooks),
      };
    },
  };

  async function linesOf(from: Date, to: Date, call: Call): Promise<Map<string, PartnerStatementLine[]>> {
    const lines = new Map<string, PartnerStatementLine[]>();
    const range = { from: new Date(Math.max(0, from.getTime() - edgeMs)), to: new Date(to.getTime() + edgeMs) };
    for await (const line of connector.statement(range, call)) {
      const known = lines.get(line.reference);
      if (known === undefined) lines.set(line.reference, [line]);
      else known.push(line);
    }
    return lines;
  }

  async function transactionsOf(from: Date, to: Date, references: string[], call: Call) {
    const tenant = store.forTenant(call.tenantId);
    const found = new Map<string, Transaction>();
    for (let start = 0; start < references.length; start += page) {
      const some = await tenant.listTransactions({ ids: references.slice(start, start + page) });
      for (const transaction of some) found.set(transaction.transactionId, transaction);
    }
    const settled = await tenant.listSettled({ from, to });
    for (const transaction of settled) found.set(transaction.transactionId, transaction);
    return found;
  }

  async function ledgerOf(transaction: Transaction, call: Call): Promise<Books["ledger"]> {
    const partner = accountOf("partner_settlement", transaction.price.receive.currency);
    const settled = await amountOf(settlementKey(transaction), { creditAccountId: partner }, call);
    const returned = await amountOf(returnKey(transaction.transactionId), { debitAccountId: partner }, call);
    return { ...(settled && { settled }), ...(returned && { returned }) };
  }

  /** Amount of a transfer that moves money to or from the partner; undefined where there is none. */
  async function amountOf(
    key: string,
    at: { creditAccountId?: string; debitAccountId?: string },
    call: Call,
  ): Promise<Money | undefined> {
    try {
      const { transfer } = (await ledger.getTransfer({ key }, outgoing(call))).transfer ?? {};
      const isIt = Object.entries(at).every(([side, id]) => transfer?.[side as keyof typeof at] === id);
      return isIt ? moneyFromWire(transfer?.amount, "amount") : undefined;
    } catch (error) {
      if (error instanceof Refusal && error.code === "TRANSFER_NOT_FOUND") return undefined;
      throw error;
    }
  }
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += concurrency) {
    results.push(...(await Promise.all(items.slice(start, start + concurrency).map(work))));
  }
  return results;
}
