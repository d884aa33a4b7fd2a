import type { JournalEnd, StoredPending } from "../domain/journal.js";
import type { Pending, PendingState, Transfer } from "../domain/model.js";
import type { Fault } from "../domain/verification.js";
import type { JournalSource } from "./verify.js";

const pendingsPerRead = 500;

/** What a transfer reserved that nothing has resolved yet. */
export type Reserved = Pick<Transfer, "debitAccountId" | "creditAccountId" | "currency" | "amountMinor">;

const states = {
  POST_PENDING: "POSTED",
  VOID_PENDING: "VOIDED",
  EXPIRE_PENDING: "EXPIRED",
} as const satisfies Record<string, PendingState>;

/**
 * By how much the reserved figures of both accounts change; text where the transfer resolves what
 * is not pending, or otherwise than it was reserved.
 */
export function reserve(open: Map<string, Reserved>, transfer: Transfer): bigint | string {
  const { mode, key, refersTo, amountMinor, debitAccountId, creditAccountId, currency } = transfer;
  if (mode === "POSTED") return 0n;
  if (mode === "PENDING") {
    open.set(key, { debitAccountId, creditAccountId, currency, amountMinor });
    return amountMinor;
  }
  const reserved = open.get(refersTo);
  if (reserved === undefined) return `it resolves ${refersTo}, which is not pending`;
  if (reserved.debitAccountId !== debitAccountId || reserved.creditAccountId !== creditAccountId) {
    return `it resolves ${refersTo}, which was reserved between other accounts`;
  }
  const isMore = amountMinor > reserved.amountMinor;
  if (isMore || (mode !== "POST_PENDING" && amountMinor !== reserved.amountMinor)) {
    return `it resolves ${refersTo}, which reserved ${reserved.amountMinor}`;
  }
  open.delete(refersTo);
  return -reserved.amountMinor;
}

/** The key of the pending transfer that a transfer made or resolved, if any. */
function pendingKeyOf({ mode, key, refersTo }: Transfer): string | undefined {
  if (mode === "POSTED") return undefined;
  return mode === "PENDING" ? key : refersTo;
}

/** What stored pending transfers say otherwise than the transfers that made and resolved them. */
function pendingFaults(transfers: readonly Transfer[], stored: readonly StoredPending[]): Fault[] {
  const byKey = byKeyOf(stored);
  return transfers.flatMap((transfer) => {
    const pending = byKey.get(pendingKeyOf(transfer)!)?.pending;
    const what = transfer.mode === "PENDING" ? madeFault(transfer, pending) : resolvedFault(transfer, pending);
    return what === undefined ? [] : [{ seq: transfer.seq, key: transfer.key, what }];
  });
}

/** Of what the journal leaves open at `endSeq`: only a later transfer may have resolved it. */
function openFaults(keys: readonly string[], stored: readonly StoredPending[], endSeq: bigint): Fault[] {
  const byKey = byKeyOf(stored);
  return keys.flatMap((key) => {
    const found = byKey.get(key);
    if (found === undefined || found.pending.state === "PENDING") return [];
    if (found.resolvedSeq !== undefined && found.resolvedSeq > endSeq) return [];
    return [{ key, what: `it is kept as ${found.pending.state}, and no transfer resolves it` }];
  });
}

function byKeyOf(stored: readonly StoredPending[]): Map<string, StoredPending> {
  return new Map(stored.map((one) => [one.pending.key, one]));
}

function madeFault(transfer: Transfer, pending: Pending | undefined): string | undefined {
  if (pending === undefined) return "it is not kept among what is pending";
  for (const name of ["debitAccountId", "creditAccountId", "currency", "amountMinor", "dueAtMs"] as const) {
    if (pending[name] !== transfer[name]) return `its pending transfer is kept with ${name} ${pending[name]}`;
  }
  return undefined;
}

function resolvedFault({ mode, key, refersTo }: Transfer, pending: Pending | undefined): string | undefined {
  const state = states[mode as keyof typeof states];
  if (pending?.state === state && pending.resolvedBy === key) return undefined;
  return `${refersTo} is kept as ${pending?.state ?? "nothing"} by ${pending?.resolvedBy ?? "nobody"} instead`;
}

/** Holds what is kept of pending transfers against the first pass's transfers, some at a time. */
export function createPendingReader(
  source: JournalSource,
  pass: { readonly number: number; readonly reserved: ReadonlyMap<string, Reserved>; readonly end: JournalEnd },
  note: (fault: Fault) => void,
) {
  let waiting: Transfer[] = [];

  async function compare(): Promise<void> {
    if (waiting.length === 0) return;
    const transfers = waiting;
    waiting = [];
    const keys = new Set(transfers.map((transfer) => pendingKeyOf(transfer)!));
    for (const fault of pendingFaults(transfers, await source.pendingsOf([...keys]))) note(fault);
  }

  return {
    compare,
    async add(transfer: Transfer): Promise<void> {
      if (pass.number > 1 || pendingKeyOf(transfer) === undefined) return;
      waiting.push(transfer);
      if (waiting.length >= pendingsPerRead) await compare();
    },
    async compareOpen(): Promise<void> {
      if (pass.number > 1) return;
      const open = [...pass.reserved.keys()];
      for (let at = 0; at < open.length; at += pendingsPerRead) {
        const keys = open.slice(at, at + pendingsPerRead);
        for (const fault of openFaults(keys, await source.pendingsOf(keys), pass.end.seq)) note(fault);
      }
    },
  };
}
