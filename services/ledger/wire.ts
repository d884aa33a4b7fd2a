import {
  AccountFlag as WireFlag,
  AccountType as WireType,
  EntrySide,
  TransferMode as WireMode,
  type Account as WireAccount,
  type Entry,
  type GroupResult,
  type NewAccount as WireNewAccount,
  type PostTransfersRequest,
  type StoredTransfer,
  type Transfer as WireTransfer,
} from "../../proto/gen/ledger/v1/ledger.js";
import type { Duration } from "../../proto/gen/google/protobuf/duration.js";
import type { ServiceName } from "../shared/grpc/context.js";
import type { WirePartial } from "../shared/grpc/definition.js";
import { assertCurrency } from "../shared/currencies.js";
import { moneyFromWire } from "../shared/money.js";
import { invalidInput, Refusal } from "../shared/refusal.js";
import { movesMoney } from "./store/documents.js";
import {
  maxTransfersPerCall,
  type Account,
  type AccountFlag,
  type AccountType,
  type Decision,
  type LinkedGroup,
  type Metadata,
  type NewAccount,
  type NewTransfer,
  type Pending,
  type Transfer,
  type TransferMode,
} from "./model.js";
import { isReversal } from "./steps.js";
import type { Posting } from "./posting.js";

const idForm = /^[A-Za-z0-9_.:-]{1,128}$/;
const kindForm = /^[a-z0-9_]{1,64}$/;
const actorForm = /^[\x21-\x7e]{1,128}$/;
const maxNameLength = 200;
const maxDescriptionLength = 500;
const maxMetadataEntries = 32;
const maxMetadataValueLength = 500;
const metadataKeyForm = /^[A-Za-z0-9_.:-]{1,64}$/;
// Longer holds are a business process, not a reservation.
const maxTimeoutMs = 366 * 24 * 3_600_000;
// MongoDB's dates and JavaScript's agree far beyond this; nobody books outside of it on purpose.
const earliestMs = Date.UTC(1900, 0, 1);
const latestMs = Date.UTC(2200, 0, 1);

const flags = {
  [WireFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS]: "DEBITS_MUST_NOT_EXCEED_CREDITS",
  [WireFlag.ACCOUNT_FLAG_CREDITS_MUST_NOT_EXCEED_DEBITS]: "CREDITS_MUST_NOT_EXCEED_DEBITS",
  [WireFlag.ACCOUNT_FLAG_CLOSED]: "CLOSED",
} as const satisfies Partial<Record<WireFlag, AccountFlag>>;

const modes = {
  [WireMode.TRANSFER_MODE_POSTED]: "POSTED",
  [WireMode.TRANSFER_MODE_PENDING]: "PENDING",
  [WireMode.TRANSFER_MODE_POST_PENDING]: "POST_PENDING",
  [WireMode.TRANSFER_MODE_VOID_PENDING]: "VOID_PENDING",
  [WireMode.TRANSFER_MODE_REVERSAL]: "POSTED",
  [WireMode.TRANSFER_MODE_POSTED_UP_TO]: "POSTED",
  [WireMode.TRANSFER_MODE_PENDING_UP_TO]: "PENDING",
} as const satisfies Partial<Record<WireMode, TransferMode>>;

/** An id of an account, a transfer or an interaction. Refuses INVALID_INPUT at the path. */
export function idFromWire(id: string, path: string): string {
  if (!idForm.test(id)) throw invalidInput(path, 'must be 1 to 128 letters, digits, "-", "_", "." or ":"');
  return id;
}

/** Refuses INVALID_INPUT, TOO_MANY_TRANSFERS. What a rule refuses is a result of its group, not refused here. */
export function postingFromWire(request: PostTransfersRequest, service: ServiceName, interactionId: string): Posting {
  const { groups, createdBy } = request;
  const count = groups.reduce((sum, { transfers }) => sum + transfers.length, 0);
  if (count > maxTransfersPerCall) {
    throw new Refusal("TOO_MANY_TRANSFERS", `a call holds at most ${maxTransfersPerCall} transfers, this one ${count}`);
  }
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

/** A posting as it was asked, to be forwarded. */
export function postingToWire({ groups, createdBy }: Posting): WirePartial<PostTransfersRequest> {
  return { createdBy, groups: groups.map(({ transfers }) => ({ transfers: transfers.map(newTransferToWire) })) };
}

function transferFromWire(wire: WireTransfer, path: string): NewTransfer {
  const isReversed = wire.mode === WireMode.TRANSFER_MODE_REVERSAL;
  const mode = Object.hasOwn(modes, wire.mode) ? modes[wire.mode as keyof typeof modes] : undefined;
  if (mode === undefined) throw invalidInput(`${path}.mode`, "is required");
  const common = {
    key: idFromWire(wire.key, `${path}.key`),
    mode,
    kind: kindFromWire(wire.kind, `${path}.kind`),
    description: textFromWire(wire.description, maxDescriptionLength, `${path}.description`),
    metadata: metadataFromWire(wire.metadata, `${path}.metadata`),
    ...(wire.effectiveAt === undefined
      ? {}
      : { effectiveAtMs: timeFromWire(wire.effectiveAt, `${path}.effective_at`) }),
  };
  const amount = wire.amount === undefined ? {} : { amount: moneyFromWire(wire.amount, `${path}.amount`) };
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
  const isUpTo = upToModes.has(wire.mode);
  if (mode === "POSTED" && wire.pendingTimeout !== undefined) {
    throw invalidInput(`${path}.pending_timeout`, "is for PENDING only");
  }
  return {
    ...common,
    amount: moneyFromWire(wire.amount, `${path}.amount`),
    debitAccountId: idFromWire(wire.debitAccountId, `${path}.debit_account_id`),
    creditAccountId: idFromWire(wire.creditAccountId, `${path}.credit_account_id`),
    refersTo: "",
    ...(isUpTo ? { isUpTo } : {}),
    ...(wire.pendingTimeout === undefined
      ? {}
      : { timeoutMs: timeoutFromWire(wire.pendingTimeout, `${path}.pending_timeout`) }),
  };
}

const upToModes: ReadonlySet<WireMode> = new Set([
  WireMode.TRANSFER_MODE_POSTED_UP_TO,
  WireMode.TRANSFER_MODE_PENDING_UP_TO,
]);

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
    metadata: Object.fromEntries(transfer.metadata),
  };
}

/** Refuses INVALID_INPUT. */
export function newAccountFromWire(wire: WireNewAccount, path: string): NewAccount {
  const parsed = wire.flags.map((flag) => {
    const known = Object.hasOwn(flags, flag) ? flags[flag as keyof typeof flags] : undefined;
    if (known === undefined) throw invalidInput(`${path}.flags`, `does not know ${flag}`);
    if (known === "CLOSED") throw invalidInput(`${path}.flags`, "an account is not made closed");
    return known;
  });
  if (new Set(parsed).size > 1) throw invalidInput(`${path}.flags`, "an account cannot be bound on both sides");
  return {
    accountId: idFromWire(wire.accountId, `${path}.account_id`),
    code: kindFromWire(wire.code, `${path}.code`),
    currency: assertCurrency(wire.currency, `${path}.currency`),
    name: textFromWire(wire.name, maxNameLength, `${path}.name`),
    ownerId: wire.ownerId === "" ? "" : idFromWire(wire.ownerId, `${path}.owner_id`),
    flags: [...new Set(parsed)],
    metadata: metadataFromWire(wire.metadata, `${path}.metadata`),
  };
}

/** An account as accountToWire gave it; `lastSeq` is told beside it. Throws on a type or flag that it does not know. */
export function accountFromWire(wire: WireAccount, lastSeq: bigint): Account {
  const { accountId, code, currency, name, ownerId, owningService, metadata, createdAt } = wire;
  const { debitsPostedMinor, creditsPostedMinor, debitsPendingMinor, creditsPendingMinor } = wire;
  const type = accountTypes.find((one) => accountTypeToWire(one) === wire.type);
  if (type === undefined) throw new Error(`account ${accountId} has the unknown type ${wire.type}`);
  const known = wire.flags.map((flag) => {
    if (!Object.hasOwn(flags, flag)) throw new Error(`account ${accountId} has the unknown flag ${flag}`);
    return flags[flag as keyof typeof flags];
  });
  return {
    info: {
      accountId,
      code,
      currency,
      name,
      ownerId,
      type,
      service: owningService,
      flags: known,
      metadata: Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)),
      createdAt: createdAt ?? new Date(0),
    },
    figures: { debitsPostedMinor, creditsPostedMinor, debitsPendingMinor, creditsPendingMinor, lastSeq },
  };
}

const accountTypes: readonly AccountType[] = ["ASSET", "LIABILITY", "EQUITY", "INCOME", "EXPENSE"];

export function accountToWire({ info, figures }: Account): WirePartial<WireAccount> {
  const { accountId, code, currency, name, ownerId, createdAt } = info;
  const { debitsPostedMinor, creditsPostedMinor, debitsPendingMinor, creditsPendingMinor } = figures;
  const wireFlags = Object.entries(flags).filter(([, flag]) => info.flags.includes(flag));
  return {
    accountId,
    code,
    currency,
    name,
    ownerId,
    createdAt,
    debitsPostedMinor,
    creditsPostedMinor,
    debitsPendingMinor,
    creditsPendingMinor,
    flags: wireFlags.map(([flag]) => flag as WireFlag),
    metadata: Object.fromEntries(info.metadata),
    type: accountTypeToWire(info.type),
    owningService: info.service,
  };
}

export function accountTypeToWire(type: AccountType): WireType {
  return WireType[`ACCOUNT_TYPE_${type}`];
}

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
    createdBy: transfer.createdBy,
    interactionId: transfer.interactionId,
    entries: movesMoney(transfer.mode) ? entriesToWire(transfer, accounts) : [],
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
      sequence: transfer.seq,
    };
  });
}

type Named = Pick<NewTransfer, "mode" | "refersTo" | "isUpTo">;

function modeToWire(transfer: Named): { mode: WireMode } {
  const { mode, isUpTo } = transfer;
  // Callers see the ledger's own release as the void that it is; the state tells that it expired.
  if (mode === "EXPIRE_PENDING") return { mode: WireMode.TRANSFER_MODE_VOID_PENDING };
  if (isReversal(transfer)) return { mode: WireMode.TRANSFER_MODE_REVERSAL };
  if (isUpTo === true && mode === "POSTED") return { mode: WireMode.TRANSFER_MODE_POSTED_UP_TO };
  if (isUpTo === true && mode === "PENDING") return { mode: WireMode.TRANSFER_MODE_PENDING_UP_TO };
  return { mode: WireMode[`TRANSFER_MODE_${mode}`] };
}

function namedToWire(transfer: Named): { reversesKey: string } | { pendingKey: string } {
  const { refersTo } = transfer;
  return isReversal(transfer) ? { reversesKey: refersTo } : { pendingKey: refersTo };
}

function kindFromWire(kind: string, path: string): string {
  if (!kindForm.test(kind)) throw invalidInput(path, "must be 1 to 64 lower case letters, digits or _");
  return kind;
}

function textFromWire(text: string, maxLength: number, path: string): string {
  if (text.length > maxLength) throw invalidInput(path, `must have at most ${maxLength} characters`);
  return text;
}

/** Milliseconds since 1970. Refuses INVALID_INPUT outside of 1900 to 2200. */
export function timeFromWire(time: Date, path: string): number {
  const timeMs = time.getTime();
  if (!(timeMs >= earliestMs && timeMs < latestMs)) throw invalidInput(path, "must lie between 1900 and 2200");
  return timeMs;
}

function timeoutFromWire({ seconds, nanos }: Duration, path: string): number {
  const timeoutMs = Number(seconds) * 1_000 + Math.ceil(nanos / 1e6);
  if (!(timeoutMs > 0 && timeoutMs <= maxTimeoutMs)) throw invalidInput(path, "must be positive and at most 366 days");
  return timeoutMs;
}

function durationToWire(durationMs: number): Duration {
  return { seconds: BigInt(Math.floor(durationMs / 1_000)), nanos: (durationMs % 1_000) * 1e6 };
}

/** Refuses INVALID_INPUT. */
export function metadataFromWire(metadata: Readonly<Record<string, string>>, path: string): Metadata {
  const pairs = Object.entries(metadata);
  if (pairs.length > maxMetadataEntries) throw invalidInput(path, `must have at most ${maxMetadataEntries} entries`);
  for (const [key, value] of pairs) {
    if (!metadataKeyForm.test(key)) throw invalidInput(path, 'keys are 1 to 64 letters, digits, "-", "_", "." or ":"');
    textFromWire(value, maxMetadataValueLength, `${path}.${key}`);
  }
  return pairs.sort(([a], [b]) => (a < b ? -1 : 1));
}
