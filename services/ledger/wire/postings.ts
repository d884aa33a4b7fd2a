import {
  EntrySide,
  LatePosting,
  type PostTransfersRequest,
  type Transfer as WireTransfer,
} from "../../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyFromWire } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { maxTransfersPerCall, type LinkedGroup, type NewTransfer, type Posting } from "../domain/model.js";
import { modeFromWire, modeToWire, namedToWire } from "./modes.js";
import {
  durationToWire,
  idFromWire,
  kindFromWire,
  metadataFromWire,
  textFromWire,
  timeFromWire,
  timeoutFromWire,
} from "./values.js";

const actorForm = /^[\x21-\x7e]{1,128}$/;
const maxDescriptionLength = 500;

/**
 * Refuses INVALID_INPUT, TOO_MANY_TRANSFERS. What a rule refuses is a result of its group, not
 * refused here.
 */
export function postingFromWire(request: PostTransfersRequest, service: string, interactionId: string): Posting {
  const { groups, createdBy } = request;
  checkTransfers(groups);
  if (groups.length === 0) throw invalidInput("groups", "must hold at least one group");
  if (!actorForm.test(createdBy)) throw invalidInput("created_by", "must name the user or service that caused it");
  const parsed = groups.map(({ transfers }, index): LinkedGroup => {
    const path = `groups[${index}].transfers`;
    if (transfers.length === 0) throw invalidInput(path, "must hold at least one transfer");
    const parsedTransfers = transfers.map((transfer, at) => transferFromWire(transfer, `${path}[${at}]`));
    return { transfers: parsedTransfers, createdBy, interactionId, service };
  });
  return { groups: parsed, createdBy, service };
}

/** Refuses TOO_MANY_TRANSFERS for more than a call may hold. */
export function checkTransfers(groups: PostTransfersRequest["groups"]): void {
  const count = groups.reduce((sum, { transfers }) => sum + transfers.length, 0);
  if (count <= maxTransfersPerCall) return;
  throw new Refusal("TOO_MANY_TRANSFERS", `a call holds at most ${maxTransfersPerCall} transfers, this one ${count}`);
}

/** A posting as it was asked, to be forwarded. */
export function postingToWire({ groups, createdBy }: Posting): WirePartial<PostTransfersRequest> {
  return { createdBy, groups: groups.map(({ transfers }) => ({ transfers: transfers.map(newTransferToWire) })) };
}

function transferFromWire(wire: WireTransfer, path: string): NewTransfer {
  const requested = modeFromWire(wire.mode);
  if (requested === undefined) throw invalidInput(`${path}.mode`, "is required");
  const { mode, isUpTo, isReversal: isReversed } = requested;
  const common = {
    key: idFromWire(wire.key, `${path}.key`),
    mode,
    kind: kindFromWire(wire.kind, `${path}.kind`),
    description: textFromWire(wire.description, maxDescriptionLength, `${path}.description`),
    metadata: metadataFromWire(wire.metadata, `${path}.metadata`),
    ...(wire.effectiveAt === undefined
      ? {}
      : { effectiveAtMs: timeFromWire(wire.effectiveAt, `${path}.effective_at`) }),
    ...(wire.late === LatePosting.LATE_POSTING_REFUSE ? { refusesLate: true as const } : {}),
  };
  const amount = wire.amount === undefined ? {} : { amount: moneyFromWire(wire.amount, `${path}.amount`) };
  const staysWithin = sideFromWire(wire.staysWithin);
  if (staysWithin !== undefined && (mode !== "POSTED" || isReversed)) {
    throw invalidInput(`${path}.stays_within`, "is for POSTED only");
  }
  const { beyondMinor } = wire;
  if (beyondMinor !== 0n && staysWithin === undefined)
    throw invalidInput(`${path}.beyond_minor`, "is for stays_within only");
  if (beyondMinor < 0n) throw invalidInput(`${path}.beyond_minor`, "must not be below zero");
  if (!isReversed && wire.reversesKey !== "") throw invalidInput(`${path}.reverses_key`, "is for REVERSAL only");
  if (isReversed || mode === "POST_PENDING" || mode === "VOID_PENDING") {
    for (const [name, value] of Object.entries({ debit: wire.debitAccountId, credit: wire.creditAccountId })) {
      if (value !== "") throw invalidInput(`${path}.${name}_account_id`, "comes from the transfer that is named");
    }
    if (wire.pendingTimeout !== undefined) throw invalidInput(`${path}.pending_timeout`, "is for PENDING only");
    if (mode === "VOID_PENDING" && wire.amount !== undefined)
      throw invalidInput(`${path}.amount`, "is all that is reserved");
    if (isReversed) return { ...common, ...reversalFromWire(wire, path) };
    const refersTo = idFromWire(wire.pendingKey, `${path}.pending_key`);
    return { ...common, ...amount, debitAccountId: "", creditAccountId: "", refersTo };
  }
  if (wire.pendingKey !== "") throw invalidInput(`${path}.pending_key`, "is for POST_PENDING and VOID_PENDING only");
  if (mode === "POSTED" && wire.pendingTimeout !== undefined) {
    throw invalidInput(`${path}.pending_timeout`, "is for PENDING only");
  }
  return {
    ...common,
    amount: moneyFromWire(wire.amount, `${path}.amount`),
    debitAccountId: idFromWire(wire.debitAccountId, `${path}.debit_account_id`),
    creditAccountId: idFromWire(wire.creditAccountId, `${path}.credit_account_id`),
    refersTo: "",
    ...(isUpTo ? { isUpTo: true as const } : {}),
    ...(staysWithin === undefined ? {} : { staysWithin }),
    ...(beyondMinor === 0n ? {} : { beyondMinor }),
    ...(wire.pendingTimeout === undefined
      ? {}
      : { timeoutMs: timeoutFromWire(wire.pendingTimeout, `${path}.pending_timeout`) }),
  };
}

function sideFromWire(side: EntrySide): "DEBIT" | "CREDIT" | undefined {
  if (side === EntrySide.ENTRY_SIDE_DEBIT) return "DEBIT";
  return side === EntrySide.ENTRY_SIDE_CREDIT ? "CREDIT" : undefined;
}

function reversalFromWire(wire: WireTransfer, path: string) {
  if (wire.amount !== undefined) throw invalidInput(`${path}.amount`, "is all that was moved");
  if (wire.pendingKey !== "") throw invalidInput(`${path}.pending_key`, "is for POST_PENDING and VOID_PENDING only");
  const refersTo = idFromWire(wire.reversesKey, `${path}.reverses_key`);
  return { debitAccountId: "", creditAccountId: "", refersTo };
}

function newTransferToWire(transfer: NewTransfer): WirePartial<WireTransfer> {
  const { key, debitAccountId, creditAccountId, amount, kind, refersTo, description } = transfer;
  return {
    key,
    debitAccountId,
    creditAccountId,
    kind,
    description,
    ...modeToWire(transfer),
    ...(refersTo === "" ? {} : namedToWire(transfer)),
    amount: amount && { amountMinor: amount.minor, currency: amount.currency },
    pendingTimeout: transfer.timeoutMs === undefined ? undefined : durationToWire(transfer.timeoutMs),
    effectiveAt: transfer.effectiveAtMs === undefined ? undefined : new Date(transfer.effectiveAtMs),
    ...(transfer.refusesLate === true ? { late: LatePosting.LATE_POSTING_REFUSE } : {}),
    metadata: Object.fromEntries(transfer.metadata),
    ...(transfer.staysWithin && { staysWithin: EntrySide[`ENTRY_SIDE_${transfer.staysWithin}`] }),
    ...(transfer.beyondMinor && { beyondMinor: transfer.beyondMinor }),
  };
}
