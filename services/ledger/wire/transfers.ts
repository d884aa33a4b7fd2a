import { EntrySide, type Entry, type GroupResult, type StoredTransfer } from "../../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { Account, Decision, Pending, Transfer } from "../domain/model.js";
import { movesMoney } from "../domain/steps.js";
import { modeToWire, namedToWire } from "./modes.js";
import { countedDayToWire, durationToWire } from "./values.js";

/** `keys` of the group that was asked, in its order: a refusal names the one it is about. */
export function decisionToWire(decision: Decision, keys: readonly string[]): WirePartial<GroupResult> {
  const { replayed } = decision;
  if (decision.kind === "refused") {
    const transferKey = keys[decision.refusal.transferIndex] ?? "";
    return { refused: { ...decision.refusal, replayed, transferKey } };
  }
  const transfers = decision.transfers.map((transfer) => ({
    key: transfer.key,
    transferId: transfer.key,
    sequence: transfer.seq,
    postedAt: new Date(transfer.timeMs),
    debitBalanceMinor: transfer.debitBalanceMinor,
    creditBalanceMinor: transfer.creditBalanceMinor,
    amountMinor: transfer.amountMinor,
    ...countedDayToWire(transfer),
  }));
  return { posted: { transfers, replayed } };
}

/** A transfer with its entries; `pending` where it is a reservation, for its state. */
export function storedTransferToWire(
  transfer: Transfer,
  accounts: ReadonlyMap<string, Account>,
  { pending, reversedBy }: { pending?: Pending | undefined; reversedBy?: string | undefined } = {},
): WirePartial<StoredTransfer> {
  const { key, debitAccountId, creditAccountId, kind, description, refersTo, timeMs, dueAtMs } = transfer;
  return {
    transferId: key,
    transfer: {
      key,
      debitAccountId,
      creditAccountId,
      kind,
      description,
      amount: { amountMinor: transfer.amountMinor, currency: transfer.currency },
      ...modeToWire(transfer),
      ...(refersTo === "" ? {} : namedToWire(transfer)),
      pendingTimeout: dueAtMs === undefined ? undefined : durationToWire(dueAtMs - timeMs),
      effectiveAt: new Date(transfer.effectiveAtMs),
      metadata: Object.fromEntries(transfer.metadata),
    },
    sequence: transfer.seq,
    postedAt: new Date(timeMs),
    ...countedDayToWire(transfer),
    createdBy: transfer.createdBy,
    interactionId: transfer.interactionId,
    entries: movesMoney(transfer) ? entriesToWire(transfer, accounts) : [],
    state: pending?.state ?? "POSTED",
    reversedByKey: reversedBy ?? "",
    resolvedByKey: pending?.resolvedBy ?? "",
  };
}

/** The two sides of a transfer that moved money, debit first. */
export function entriesToWire(transfer: Transfer, accounts: ReadonlyMap<string, Account>): WirePartial<Entry>[] {
  const sides = [
    [EntrySide.ENTRY_SIDE_DEBIT, transfer.debitAccountId, transfer.debitBalanceMinor, "d"],
    [EntrySide.ENTRY_SIDE_CREDIT, transfer.creditAccountId, transfer.creditBalanceMinor, "c"],
  ] as const;
  return sides.map(([side, accountId, balanceMinor, letter]) => {
    const info = accounts.get(accountId)?.info;
    return {
      entryId: `${transfer.seq}${letter}`,
      transferId: transfer.key,
      accountId,
      accountName: info?.name ?? "",
      accountCode: info?.code ?? "",
      ownerId: info?.ownerId ?? "",
      side,
      amount: { amountMinor: transfer.amountMinor, currency: transfer.currency },
      balanceMinor,
      kind: transfer.kind,
      description: transfer.description,
      executedAt: new Date(transfer.timeMs),
      effectiveAt: new Date(transfer.effectiveAtMs),
      interactionId: transfer.interactionId,
      createdBy: transfer.createdBy,
      ...countedDayToWire(transfer),
      sequence: transfer.seq,
    };
  });
}
