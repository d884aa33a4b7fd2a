import type { Connection } from "mongoose";
import { Refusal } from "../../kernel/refusal.js";
import { createCommitPlanner, type CommitPlan } from "../journal/commit-plan.js";
import { dayOf, type DayCount } from "../domain/days.js";
import { mergeDays, mergeVolumes } from "../domain/day-sums.js";
import { createPinnedCache } from "../journal/cache.js";
import { createLookup } from "../journal/lookup.js";
import type { Account, Head, LinkedGroup, NewTransfer, Pending, Transfer } from "../domain/model.js";
import { isReversal, isResolution } from "../domain/steps.js";
import { CacheStale, createJournalStore, HeadMoved, importedGroupId, KeysDecided } from "../store/journal.js";
import type { JournalEntry } from "../domain/journal.js";

/**
 * Writes the next entries of an exported journal; gives the head. Refuses STATE_CONFLICT for the
 * first that does not fit.
 */
export type JournalImport = (tenantId: string, entries: readonly JournalEntry[]) => Promise<Head>;

interface Planned {
  readonly group: LinkedGroup;
  readonly fingerprint: Uint8Array;
}

type Writes = CommitPlan<Planned>["writes"];

/**
 * Every linked group is planned anew by the rules that posted it, at the time it has in the export.
 * What comes out must hash to what the export says: so the chain is checked on the way in, and so
 * is every balance, flag and sum. An owner of the journal, if there is one, finds its head moved.
 */
export function createJournalImport(db: Connection): JournalImport {
  return async (tenantId, entries) => {
    const store = createJournalStore(db, tenantId);
    const head = await headOf(store);
    const isThere = ({ transfer }: JournalEntry) => transfer.seq <= head.seq;
    await checkThere(store, entries.filter(isThere));
    const missing = entries.filter((entry) => !isThere(entry));
    if (missing.length === 0) return head;

    const accounts = createPinnedCache<Account>(0);
    const pendings = createPinnedCache<Pending>(0);
    const lookup = createLookup({ store, accounts, pendings });
    const planner = createCommitPlanner({ accounts, pendings, reversibles: lookup.reversibles });
    const groups = linkedGroupsOf(missing);
    await lookup.find(
      groups.map(({ group }) => group),
      [],
    );
    let next: Head = head;
    const parts: Writes[] = [];
    for (const { group, fingerprint, transfers } of groups) {
      const [first] = transfers;
      if (first!.timeMs < next.timeMs) throw unfit(first!, "it is older than the transfer before it");
      const plan = planner.plan([{ group, fingerprint }], next, first!.timeMs, daysAsCounted(transfers));
      checkPlanned(plan, transfers);
      planner.keep(plan);
      parts.push(plan.writes);
      next = plan.next;
    }
    next = { ...next, group: head.group + 1n };
    const session = db.getClient().startSession();
    try {
      await store.commit({ ...merged(parts), head, next, groupId: importedGroupId(next.seq) }, session);
    } catch (error) {
      if (error instanceof HeadMoved || error instanceof CacheStale || error instanceof KeysDecided) {
        throw new Refusal("STATE_CONFLICT", "the journal was written to during the import");
      }
      throw error;
    } finally {
      await session.endSession();
    }
    return next;
  };
}

/** Days as they were counted once: the tenant's time zone and clock may be others by now. */
function daysAsCounted(transfers: readonly Transfer[]): DayCount {
  const byKey = new Map(transfers.map((transfer) => [transfer.key, transfer]));
  return {
    today: dayOf(transfers[0]!.timeMs),
    of({ key }) {
      const { day, belongsTo } = byKey.get(key)!;
      return { day, ...(belongsTo === undefined ? {} : { belongsTo }) };
    },
  };
}

type JournalStore = ReturnType<typeof createJournalStore>;

/** Makes the head of a journal that was never written to. */
async function headOf(store: JournalStore): Promise<Head> {
  const head = await store.findHead();
  if (head !== undefined) return head;
  return store.raiseEpoch(0n).catch(async (error: unknown) => {
    const made = error instanceof HeadMoved ? await store.findHead() : undefined;
    if (made === undefined) throw error;
    return made;
  });
}

/** What an import that was cut off has written already is told by its hash. */
async function checkThere(store: JournalStore, entries: readonly JournalEntry[]): Promise<void> {
  const stored = await store.findDecisions(entries.map(({ transfer }) => transfer.key));
  const byKey = new Map(stored.map(({ key, transfer }) => [key, transfer]));
  for (const { transfer } of entries) {
    const known = byKey.get(transfer.key);
    if (known?.seq === transfer.seq && Buffer.compare(known.hash, transfer.hash) === 0) continue;
    throw unfit(transfer, "the journal holds another transfer there");
  }
}

interface ImportedGroup extends Planned {
  readonly transfers: readonly Transfer[];
}

function linkedGroupsOf(entries: readonly JournalEntry[]): ImportedGroup[] {
  const groups: ImportedGroup[] = [];
  for (let at = 0; at < entries.length;) {
    const { transfer: first, fingerprint } = entries[at]!;
    const { key, index, size } = first.link;
    const transfers = entries.slice(at, at + size).map(({ transfer }) => transfer);
    if (index !== 0 || size < 1 || transfers.length < size) throw unfit(first, "its linked group is not whole");
    const stranger = transfers.find(
      ({ link }, place) => link.key !== key || link.index !== place || link.size !== size,
    );
    if (stranger !== undefined) throw unfit(stranger, "its linked group is not whole");
    const { createdBy, interactionId, service } = first;
    groups.push({
      group: { transfers: transfers.map(asRequested), createdBy, interactionId, service },
      fingerprint,
      transfers,
    });
    at += size;
  }
  return groups;
}

/**
 * The request that makes this transfer, as far as its outcome goes: "up to" an amount is the amount
 * that was moved.
 */
function asRequested(transfer: Transfer): NewTransfer {
  const { key, mode, kind, refersTo, description, metadata, dueAtMs, timeMs, currency, amountMinor } = transfer;
  const takesAccounts = isResolution(transfer) || isReversal(transfer);
  const takesAmount = takesAccounts && mode !== "POST_PENDING";
  return {
    key,
    mode,
    kind,
    refersTo,
    description,
    metadata,
    debitAccountId: takesAccounts ? "" : transfer.debitAccountId,
    creditAccountId: takesAccounts ? "" : transfer.creditAccountId,
    ...(takesAmount ? {} : { amount: { minor: amountMinor, currency } }),
    ...(dueAtMs === undefined ? {} : { timeoutMs: dueAtMs - timeMs }),
    effectiveAtMs: transfer.effectiveAtMs,
  };
}

function checkPlanned(plan: CommitPlan<Planned>, transfers: readonly Transfer[]): void {
  const decision = (plan.decided[0] ?? plan.undecided[0])![1];
  if (decision.kind === "refused") {
    const { transferIndex, code, message } = decision.refusal;
    throw unfit(transfers[transferIndex]!, `the rules refuse it: ${code}: ${message}`);
  }
  for (const [index, transfer] of transfers.entries()) {
    const planned = decision.transfers[index]!;
    if (planned.seq !== transfer.seq) throw unfit(transfer, `the transfer after ${planned.seq - 1n} is missing`);
    if (planned.debitBalanceMinor !== transfer.debitBalanceMinor) {
      throw unfit(transfer, `the debit balance after it is ${planned.debitBalanceMinor}`);
    }
    if (planned.creditBalanceMinor !== transfer.creditBalanceMinor) {
      throw unfit(transfer, `the credit balance after it is ${planned.creditBalanceMinor}`);
    }
    if (Buffer.compare(planned.hash, transfer.hash) === 0) continue;
    throw unfit(transfer, "its content does not fit its hash");
  }
}

/** What several commits would have written, as one. */
function merged(parts: readonly Writes[]): Writes {
  const changed = <T>(lists: readonly { before: T; after: T & object }[], idOf: (value: T & object) => string) => {
    const byId = new Map<string, { before: T; after: T & object }>();
    for (const { before, after } of lists) {
      byId.set(idOf(after), { before: byId.has(idOf(after)) ? byId.get(idOf(after))!.before : before, after });
    }
    return [...byId.values()];
  };
  return {
    transfers: parts.flatMap(({ transfers }) => transfers),
    refusals: [],
    accounts: changed<Account>(
      parts.flatMap(({ accounts }) => accounts),
      ({ info }) => info.accountId,
    ),
    pendings: changed<Pending | undefined>(
      parts.flatMap(({ pendings }) => pendings),
      ({ key }) => key,
    ),
    reversals: parts.flatMap(({ reversals }) => reversals),
    days: mergeDays(parts.flatMap(({ days }) => days)),
    volumes: mergeVolumes(parts.flatMap(({ volumes }) => volumes)),
  };
}

function unfit({ seq, key }: Transfer, what: string): Refusal {
  return new Refusal("STATE_CONFLICT", `transfer ${seq} (${key}) does not fit: ${what}`);
}
