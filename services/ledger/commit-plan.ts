import type { PinnedCache } from "./journal-cache.js";
import type { Account, Decision, Head, LinkedGroup, Pending } from "./model.js";
import { planGroup, type Tip, type View } from "./planning.js";
import type { CommitGroup } from "./store/journal-store.js";

interface Planned {
  readonly group: LinkedGroup;
  readonly fingerprint: Uint8Array;
}

export interface CommitPlan<Item extends Planned> {
  /** Answered once the commit is certain. */
  readonly decided: readonly (readonly [Item, Decision])[];
  /** Refused without a trace: the same key may come again. */
  readonly undecided: readonly (readonly [Item, Decision])[];
  readonly next: Head;
  readonly writes: Pick<CommitGroup, "transfers" | "refusals" | "accounts" | "pendings">;
}

/** Plans what one commit holds: linked groups in the order they came, each seeing what those before it did. */
export function createCommitPlanner({
  accounts,
  pendings,
}: {
  accounts: PinnedCache<Account>;
  pendings: PinnedCache<Pending>;
}) {
  function plan<Item extends Planned>(items: readonly Item[], head: Head, timeMs: number): CommitPlan<Item> {
    const changedAccounts = new Map<string, Account>();
    const changedPendings = new Map<string, Pending>();
    const view: View = {
      account: (accountId) => changedAccounts.get(accountId) ?? accounts.get(accountId),
      pending: (key) => changedPendings.get(key) ?? pendings.get(key),
    };
    const decided: (readonly [Item, Decision])[] = [];
    const undecided: (readonly [Item, Decision])[] = [];
    const transfers: CommitGroup["transfers"][number][] = [];
    const refusals: CommitGroup["refusals"][number][] = [];
    let tip: Tip = head;
    for (const item of items) {
      const { group, fingerprint } = item;
      const outcome = planGroup(group, view, tip, timeMs);
      if (outcome.kind === "refused") {
        const decision = { kind: "refused", refusal: outcome.refusal, replayed: false } as const;
        (outcome.decided ? decided : undecided).push([item, decision]);
        if (outcome.decided) refusals.push({ group, refusal: outcome.refusal, fingerprint });
        continue;
      }
      tip = outcome.tip;
      for (const [accountId, account] of outcome.accounts) changedAccounts.set(accountId, account);
      for (const [key, pending] of outcome.pendings) changedPendings.set(key, pending);
      for (const transfer of outcome.transfers) transfers.push({ transfer, fingerprint });
      decided.push([item, { kind: "posted", transfers: outcome.transfers, replayed: false }]);
    }
    const next = { epoch: head.epoch, group: head.group + 1n, seq: tip.seq, hash: tip.hash, timeMs };
    const writes = {
      transfers,
      refusals,
      accounts: [...changedAccounts].map(([id, after]) => ({ before: accounts.get(id)!, after })),
      pendings: [...changedPendings].map(([key, after]) => ({ before: pendings.get(key), after })),
    };
    return { decided, undecided, next, writes };
  }

  /** Takes over into the cache what a commit has written. */
  function keep({ writes }: CommitPlan<Planned>): void {
    for (const { after } of writes.accounts) accounts.replace(after.info.accountId, after);
    for (const { after } of writes.pendings) pendings.replace(after.key, after);
  }

  return { plan, keep };
}
