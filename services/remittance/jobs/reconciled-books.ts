import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { errorText } from "../../kernel/text/error-text.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { moneyFromWire, type Money } from "../../kernel/money.js";
import { isCertificationReference } from "../../platform/certification/test-partner.js";
import { Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutPartners } from "../clients/payout-partners.js";
import type { PartnerStatementLine } from "../domain/reconcile.js";
import { partnerAccountOf, returnKey, settlementKey } from "../domain/payout-transfers.js";
import type { Transaction } from "../domain/transaction.js";

export interface Range {
  from: Date;
  to: Date;
}

/** Lines of a statement by the transaction that they name. */
export type Lines = Map<string, PartnerStatementLine[]>;

/** A partner whose statement could not be read; undefined is the operator's default. */
export interface UnreadPartner {
  installationId: string | undefined;
  reason: string;
}

/**
 * In a sandbox a plugin's checks pay out at its partner and book nothing; a live
 * partner is asked for no such payout.
 */
async function* ours(
  lines: AsyncIterable<PartnerStatementLine>,
  tenantId: string,
): AsyncGenerator<PartnerStatementLine, void> {
  for await (const line of lines) if (!isSandbox(tenantId) || !isCertificationReference(line.reference)) yield line;
}

/**
 * Looks into the statements of a tenant's partners, which may be long: nothing but what is asked
 * for is held. A payout that two of them name has been paid twice. One that cannot be read is not
 * asked again, and nothing of it is compared.
 */
export function createStatementSearch(connector: PayoutConnector, partners: Pick<PayoutPartners, "ofTenant">) {
  const unread = new Map<string | undefined, string>();

  /** What is read of a statement; undefined where it cannot be read to its end. */
  async function reading<T>(
    installationId: string | undefined,
    range: Range,
    { tenantId, signal }: Call,
    read: (lines: AsyncIterable<PartnerStatementLine>) => Promise<T>,
  ): Promise<T | undefined> {
    if (unread.has(installationId)) return undefined;
    try {
      return await read(ours(connector.statement(range, { tenantId, signal, installationId }), tenantId));
    } catch (error) {
      if (signal?.aborted === true) throw error;
      unread.set(installationId, errorText(error));
      return undefined;
    }
  }

  async function firstLine(range: Range, call: Call): Promise<PartnerStatementLine | undefined> {
    let first: PartnerStatementLine | undefined;
    for (const partner of await partners.ofTenant(call.tenantId)) {
      await reading(partner, range, call, async (lines) => {
        for await (const line of lines) {
          if (first === undefined || line.at < first.at) first = line;
          break;
        }
      });
    }
    return first;
  }

  async function linesOf(range: Range, call: Call): Promise<Lines> {
    const found: Lines = new Map();
    for (const partner of await partners.ofTenant(call.tenantId)) {
      for (const line of (await reading(partner, range, call, (lines) => Array.fromAsync(lines))) ?? []) {
        const known = found.get(line.reference);
        if (known === undefined) found.set(line.reference, [line]);
        else known.push(line);
      }
    }
    return found;
  }

  /** Undefined where its partner cannot be asked. */
  async function searchLines(
    { transactionId, payout }: Transaction,
    kind: PartnerStatementLine["kind"],
    range: Range,
    call: Call,
  ): Promise<PartnerStatementLine[] | undefined> {
    const found: PartnerStatementLine[] = [];
    if (range.from >= range.to) return found;
    return reading(payout?.installationId, range, call, async (lines) => {
      for await (const line of lines) {
        if (line.reference === transactionId && line.kind === kind) found.push(line);
      }
      return found;
    });
  }

  /** Whether the partner that has the payout can still be asked. */
  async function isThere({ payout }: Transaction, call: Call): Promise<boolean> {
    const partner = payout?.installationId;
    return !unread.has(partner) && (await partners.ofTenant(call.tenantId)).includes(partner);
  }

  const listUnread = (): UnreadPartner[] => [...unread].map(([installationId, reason]) => ({ installationId, reason }));

  return { firstLine, linesOf, searchLines, isThere, listUnread };
}

/**
 * Reads what the ledger has of a transaction's transfers to and from the partner, beside its lines.
 */
export function createBookReader(ledger: Pick<Client<LedgerServiceDefinition>, "getTransfer">) {
  async function readBooks(transaction: Transaction, lines: readonly PartnerStatementLine[], call: Call) {
    const { transactionId } = transaction;
    const partner = partnerAccountOf(transaction);
    const settled = await amountOf(settlementKey(transaction), { creditAccountId: partner }, call);
    const returned = await amountOf(returnKey(transactionId), { debitAccountId: partner }, call);
    const posted = { ...(settled && { settled }), ...(returned && { returned }) };
    return { reference: transactionId, transaction, lines, ledger: posted };
  }

  /**
   * Amount of a transfer that moves money to or from the partner; undefined where there is none.
   */
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

  return readBooks;
}
