import { createHash } from "node:crypto";
import { Settlement as WireSettlement } from "../../../proto/gen/ledger/v1/settlements.js";
import { v7 as uuidv7 } from "uuid";
import type { NewEvent } from "../../../proto/gen/events/v1/events.js";
import { statementEntryFromWire } from "../../platform/events/shapes/statement-shape.js";
import type { EventData } from "../../platform/events/declare.js";
import { eventRow } from "../../platform/events/row.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { Settlement as SettlementShape } from "../../platform/events/shapes/settlement-shape.js";
import { printJson } from "../../kernel/json.js";
import { formatMoney } from "../../kernel/money.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import type { Account, AccountInfo, Transfer } from "../domain/model.js";
import { standingOf, type PartnerAlarm } from "../domain/partner-balance.js";
import type { Settlement } from "../domain/settlement.js";
import { partnerOf } from "./partners.js";
import { settlementToWire } from "./settlements.js";

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

type Cause = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

const settlementOf = readerOf(SettlementShape);
// Each comes once, and what is refused is not posted.
const settlementVersions = { "settlement.posted": 1, "settlement.refused": 1, "settlement.reversed": 2 } as const;

/** Tells what became of a settlement, as managers read it after that. */
export function settlementEventRow(
  { tenantId, interactionId, actor }: Cause,
  type: keyof typeof settlementVersions,
  settlement: Settlement,
  at: Date,
): NewRow {
  const data = settlementOf(WireSettlement.fromPartial(settlementToWire(settlement) as never));
  const about = { subjectId: settlement.settlementId, version: settlementVersions[type], at };
  return eventRow({ tenantId, interactionId, actor }, { type, ...about, data });
}

/** Tells that less is available than an alarm says, or that it is over. */
export function partnerEventRow(cause: Cause, alarm: PartnerAlarm, account: Account, isLow: boolean, at: Date): NewRow {
  const { accountId, code, name, currency } = account.info;
  const { availableMinor } = standingOf(account);
  const data = {
    accountId,
    code,
    partner: partnerOf({ account }),
    name,
    currency,
    available: formatMoney({ minor: availableMinor, currency }),
    below: formatMoney({ minor: alarm.belowMinor ?? 0n, currency }),
  };
  const type = isLow ? "partner.balance_low" : "partner.balance_restored";
  return eventRow(cause, { type, subjectId: accountId, version: alarm.version + 1, at, data });
}

/** A UUIDv7 that is the same whenever the entry is told, and on whichever replica. */
function eventIdOf(timeMs: number, named: readonly string[]): string {
  const random = createHash("sha256").update(JSON.stringify(named)).digest().subarray(0, 16);
  return uuidv7({ msecs: timeMs, random });
}
