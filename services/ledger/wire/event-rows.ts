import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { NewEvent } from "../../../proto/gen/events/v1/events.js";
import { statementEntryFromWire } from "../../platform/events/shapes/statement-shape.js";
import type { EventData } from "../../platform/events/declare.js";
import { printJson } from "../../kernel/json.js";
import type { AccountInfo, Transfer } from "../domain/model.js";

/** What an event says of a wallet beside its entry. */
export interface PublishedWallet {
  readonly ownerId: string;
  readonly accountNumber: string;
}

/** Of an account of customers; undefined of the others, which nobody is told of. */
export function walletOf({ code, ownerId, metadata }: AccountInfo): PublishedWallet | undefined {
  if (code !== "customer_wallet") return undefined;
  const accountNumber = metadata.find(([name]) => name === "accountNumber")?.[1] ?? "";
  return { ownerId, accountNumber };
}

/** What a transfer that moved money tells of the wallets on its sides, the debit first. */
export function walletEvents(
  tenantId: string,
  transfer: Transfer,
  walletAt: (accountId: string) => PublishedWallet | undefined,
): NewEvent[] {
  const sides = [
    { side: "DEBIT", accountId: transfer.debitAccountId, balanceMinor: transfer.debitBalanceMinor },
    { side: "CREDIT", accountId: transfer.creditAccountId, balanceMinor: transfer.creditBalanceMinor },
  ] as const;
  return sides.flatMap(({ side, accountId, balanceMinor }) => {
    const wallet = walletAt(accountId);
    if (wallet === undefined) return [];
    const { seq: sequence, timeMs, key, currency, amountMinor, kind, description, interactionId } = transfer;
    const executedAt = new Date(timeMs);
    const entry = statementEntryFromWire({
      entryId: `${sequence}${side === "DEBIT" ? "d" : "c"}`,
      side,
      amount: { amountMinor, currency },
      balanceMinor,
      kind,
      description,
      executedAt,
      effectiveAt: new Date(transfer.effectiveAtMs),
      interactionId,
      sequence,
    });
    const { ownerId: customerId, accountNumber } = wallet;
    const data: EventData<"wallet.credited"> = { ...entry, accountId, accountNumber };
    return {
      eventId: eventIdOf(timeMs, [tenantId, key, side]),
      type: side === "DEBIT" ? "wallet.debited" : "wallet.credited",
      occurredAt: executedAt,
      subjectType: "wallet",
      subjectId: accountId,
      interactionId,
      dataJson: printJson(data),
      customerId,
      isConfidential: false,
    };
  });
}

/** A UUIDv7 that is the same whenever the entry is told, and on whichever replica. */
function eventIdOf(timeMs: number, named: readonly string[]): string {
  const random = createHash("sha256").update(JSON.stringify(named)).digest().subarray(0, 16);
  return uuidv7({ msecs: timeMs, random });
}
