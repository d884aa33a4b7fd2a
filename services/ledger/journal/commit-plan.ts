import type { PinnedCache } from "./cache.js";
import type { DayCount } from "../domain/days.js";
import { bookVolumes, mergeDays, type DayChange } from "../domain/day-sums.js";
import type {
  Account,
  Decision,
  Head,
  LinkedGroup,
  Pending,
  RefusedGroup,
  Reversible,
  Transfer,
} from "../domain/model.js";
import type { JournalRefusal } from "../domain/journal.js";
import { planGroup, type Plan, type Tip, type View } from "../domain/planning.js";
import type { CommitGroup } from "../store/journal.js";

interface Planned {
  readonly group: LinkedGroup;
  readonly fingerprint: Uint8Array;
}

export interface CommitPlan<Item extends Planned> {
  /** Answered once the commit is certain. */
  readonly decided: readonly (readonly [Item, Decision])[];
  /** Refused without a trace: the same key may come again. */
  readonly undecided: readonly (readonly [Item, Decision])[];
  /**
   * What is stored for these cannot be planned with: their own fault, nothing of them is written.
   */
  readonly unplanned: readonly (readonly [Item, unknown])[];
  readonly next: Head;
  readonly writes: Omit<CommitGroup, "groupId" | "head" | "next">;
}

export type CommitPlanner = ReturnType<typeof createCommitPlanner>;

/**
 * Plans what one commit holds: linked groups in the order they came, each seeing what those before
 * it did.
 */
export function createCommitPlanner({
  accounts,
  pendings,
  reversibles,
}: {
  accounts: PinnedCache<Account>;
  pendings: PinnedCache<Pending>;
  reversibles: PinnedCache<Reversible>;
}) {
  function plan<Item extends Planned>(
    items: readonly Item[],
    head: Head,
    timeMs: number,
    countingDays: DayCount,
  ): CommitPlan<Item> {
    const changedAccounts = new Map<string, Account>();
    const changedPendings = new Map<string, Pending>();
    const reversals = new Map<string, Reversible>();
    const days: DayChange[] = [];
    const isPosted = (key: string) => (transfer: Transfer) => transfer.key === key;
    const view: View = {
      days: countingDays,
      account: (accountId) => changedAccounts.get(accountId) ?? accounts.get(accountId),
      pending: (key) => changedPendings.get(key) ?? pendings.get(key),
      // Reversals are rare: what this commit has posted itself is searched.
      reversible(key) {
        const known = reversals.get(key) ?? reversibles.get(key);
        const transfer = known === undefined ? transfers.map(transferOf).find(isPosted(key)) : undefined;
        return transfer === undefined ? known : { transfer };
      },
    };
    const decided: (readonly [Item, Decision])[] = [];
    const undecided: (readonly [Item, Decision])[] = [];
    const unplanned: (readonly [Item, unknown])[] = [];
    const transfers: CommitGroup["transfers"][number][] = [];
    const refusals: CommitGroup["refusals"][number][] = [];
    let tip: Tip = head;
    for (const item of items) {
      const { group, fingerprint } = item;
      const outcome = planned(() => planGroup(group, view, tip, timeMs));
      if ("error" in outcome) {
        unplanned.push([item, outcome.error]);
        continue;
      }
      if (outcome.kind === "refused") {
        const decision = { kind: "refused", refusal: outcome.refusal, replayed: false } as const;
        (outcome.decided ? decided : undecided).push([item, decision]);
        if (outcome.decided) refusals.push(...keptOf(item, outcome.refusal, timeMs));
        continue;
      }
      tip = outcome.tip;
      for (const [accountId, account] of outcome.accounts) changedAccounts.set(accountId, account);
      for (const [key, pending] of outcome.pendings) changedPendings.set(key, pending);
      for (const [key, reversible] of outcome.reversals) reversals.set(key, reversible);
      for (const change of outcome.days) days.push(change);
      for (const transfer of outcome.transfers) transfers.push({ transfer, fingerprint });
      decided.push([item, { kind: "posted", transfers: outcome.transfers, replayed: false }]);
    }
    const volumes = bookVolumes(head.openVolumes, transfers.map(transferOf), countingDays.today);
    const { seq, hash } = tip;
    const next = { ...head, group: head.group + 1n, seq, hash, timeMs, openVolumes: volumes.open };
    const writes = {
      transfers,
      refusals,
      accounts: [...changedAccounts].map(([id, after]) => ({ before: accounts.get(id)!, after })),
      pendings: [...changedPendings].map(([key, after]) => ({ before: pendings.get(key), after })),
      reversals: [...reversals].map(([key, { reversedBy }]) => ({ key, reversedBy: reversedBy! })),
      days: mergeDays(days),
      volumes: volumes.changes,
    };
    return { decided, undecided, unplanned, next, writes };
  }

  /** Takes over into the cache what a commit has written. */
  function keep({ writes }: CommitPlan<Planned>): void {
    for (const { after } of writes.accounts) accounts.replace(after.info.accountId, after);
    for (const { after } of writes.pendings) pendings.replace(after.key, after);
    if (reversibles.size === 0 && !reversibles.hasPins) return;
    for (const { transfer } of writes.transfers) {
      // Somebody waits to reverse it, and looked before it was there.
      if (reversibles.isPinned(transfer.key)) reversibles.replace(transfer.key, { transfer });
    }
    for (const { key, reversedBy } of writes.reversals) {
      const known = reversibles.get(key);
      if (known !== undefined) reversibles.replace(key, { ...known, reversedBy });
    }
    reversibles.evict();
  }

  /** Brings the caches back within their bound. */
  function evict(): void {
    accounts.evict();
    pendings.evict();
  }

  return { plan, keep, evict };
}

/** A plan changes nothing before it is whole, so that those behind one that fails go on. */
function planned(plan: () => Plan): Plan | { error: unknown } {
  try {
    return plan();
  } catch (error) {
    return { error };
  }
}

/** A refusal as it is kept under each key of its group. */
function keptOf({ group, fingerprint }: Planned, refusal: RefusedGroup, timeMs: number): JournalRefusal[] {
  const { transfers, interactionId, createdBy, service } = group;
  const [size, decidedAt] = [transfers.length, new Date(timeMs)];
  return transfers.map(({ key }, index) => {
    const link = { key: transfers[0]!.key, index, size };
    return { key, fingerprint, link, decidedAt, refusal, interactionId, createdBy, service };
  });
}

const transferOf = ({ transfer }: { transfer: Transfer }): Transfer => transfer;
