import { createPinnedCache, type PinnedCache } from "./cache.js";
import type { Account, Decision, LinkedGroup, NewTransfer, Pending, Reversible, Transfer } from "../domain/model.js";
import { isResolution, isReversal } from "../domain/steps.js";
import type { StoredDecision } from "../domain/journal.js";
import type { JournalStore } from "../store/journal.js";

export interface Known {
  /**
   * The earlier decision of this group, or that a key of it holds other content; undefined where
   * nothing is decided.
   */
  decisionOf(group: LinkedGroup, fingerprint: Uint8Array): Decision | undefined;
}

export interface LookupOptions {
  readonly store: Pick<JournalStore, "findAccounts" | "findPendings" | "findDecisions" | "findReversibles">;
  readonly accounts: PinnedCache<Account>;
  readonly pendings: PinnedCache<Pending>;
}

export type Lookup = ReturnType<typeof createLookup>;

/**
 * Finds, in two round trips at most, what planning needs: earlier decisions where asked, accounts
 * and pending transfers.
 */
export function createLookup({ store, accounts, pendings }: LookupOptions) {
  /** Which accounts and pendings each group holds in the cache. */
  const pinned = new Map<LinkedGroup, Held>();
  /** What requests that wait want to reverse; kept no longer than they wait. */
  const reversibles = createPinnedCache<Reversible>(0);

  function pin(group: LinkedGroup): void {
    const accountIds = group.transfers.flatMap((transfer) =>
      takesAccountsFromAnother(transfer) ? [] : [transfer.debitAccountId, transfer.creditAccountId],
    );
    const pendingKeys = group.transfers.filter(isResolution).map(({ refersTo }) => refersTo);
    const reversedKeys = group.transfers.filter(isReversal).map(({ refersTo }) => refersTo);
    accountIds.forEach(accounts.pin);
    pendingKeys.forEach(pendings.pin);
    reversedKeys.forEach(reversibles.pin);
    pinned.set(group, { accountIds, pendingKeys, reversedKeys });
  }

  /** The accounts of a transfer that another one names are known only once it is. */
  function pinNamedAccounts(group: LinkedGroup): void {
    const held = pinned.get(group)!;
    const named = [
      ...held.pendingKeys.map(pendings.get),
      ...held.reversedKeys.map((key) => reversibles.get(key)?.transfer),
    ];
    const found = named.filter((one) => one !== undefined);
    const accountIds = found.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]);
    accountIds.forEach(accounts.pin);
    pinned.set(group, { ...held, accountIds: [...held.accountIds, ...accountIds] });
  }

  async function loadPendings(groups: readonly LinkedGroup[]): Promise<void> {
    const wanted = new Set(groups.flatMap((group) => pinned.get(group)!.pendingKeys));
    const missing = [...wanted].filter((key) => pendings.get(key) === undefined);
    for (const pending of await store.findPendings(missing)) pendings.load(pending.key, pending);
  }

  async function loadReversibles(groups: readonly LinkedGroup[]): Promise<void> {
    const wanted = new Set(groups.flatMap((group) => pinned.get(group)!.reversedKeys));
    const missing = [...wanted].filter((key) => reversibles.get(key) === undefined);
    for (const found of await store.findReversibles(missing)) reversibles.load(found.transfer.key, found);
  }

  async function loadAccounts(groups: readonly LinkedGroup[]): Promise<void> {
    const wanted = new Set(groups.flatMap((group) => pinned.get(group)!.accountIds));
    const missing = [...wanted].filter((accountId) => accounts.get(accountId) === undefined);
    for (const account of await store.findAccounts(missing)) accounts.load(account.info.accountId, account);
  }

  async function loadBoth(groups: readonly LinkedGroup[]): Promise<void> {
    const naming = groups.filter(({ transfers }) => transfers.some(takesAccountsFromAnother));
    if (naming.length > 0) {
      await Promise.all([loadPendings(naming), loadReversibles(naming)]);
      naming.forEach(pinNamedAccounts);
    }
    await loadAccounts(groups);
  }

  return {
    reversibles,

    /**
     * Nothing is known of the keys of groups that are not among the `doubted`: the commit tells of
     * those.
     */
    async find(groups: readonly LinkedGroup[], doubted: readonly LinkedGroup[]): Promise<Known> {
      // Pinned before reading: what another group commits meanwhile stays in the cache and wins
      // over what is read here.
      groups.forEach(pin);
      const keys = doubted.flatMap(({ transfers }) => transfers.map(({ key }) => key));
      const [decisions] = await Promise.all([store.findDecisions(keys), loadBoth(groups)]);
      const byKey = new Map(decisions.map((decision) => [decision.key, decision]));
      return { decisionOf: (group, fingerprint) => decisionOf(group, fingerprint, byKey) };
    },

    /** Lets go of what a group held, once it is decided or has left. */
    release(group: LinkedGroup): void {
      const held = pinned.get(group);
      if (held === undefined) return;
      pinned.delete(group);
      held.accountIds.forEach(accounts.unpin);
      held.pendingKeys.forEach(pendings.unpin);
      held.reversedKeys.forEach(reversibles.unpin);
      reversibles.evict();
    },
  };
}

interface Held {
  readonly accountIds: readonly string[];
  readonly pendingKeys: readonly string[];
  readonly reversedKeys: readonly string[];
}

function takesAccountsFromAnother(transfer: NewTransfer): boolean {
  return isResolution(transfer) || isReversal(transfer);
}

function decisionOf(
  group: LinkedGroup,
  fingerprint: Uint8Array,
  byKey: ReadonlyMap<string, StoredDecision>,
): Decision | undefined {
  const found = group.transfers.map(({ key }) => byKey.get(key));
  const index = found.findIndex((decision) => decision !== undefined);
  if (index < 0) return undefined;
  const first = found[index]!;
  if (Buffer.compare(first.fingerprint, fingerprint) !== 0) {
    const message = `the key ${first.key} was used for other content`;
    const refusal = { code: "KEY_REUSED", message, transferIndex: index, availableMinor: 0n, askedMinor: 0n } as const;
    return { kind: "refused", refusal, replayed: false };
  }
  if (first.refusal !== undefined) return { kind: "refused", refusal: first.refusal, replayed: true };
  const transfers = found.map((decision) => decision?.transfer).filter((transfer): transfer is Transfer => !!transfer);
  // The fingerprint covers every key of the group, so all of them were decided together.
  if (transfers.length !== group.transfers.length) throw new Error(`the group of ${first.key} is stored in part`);
  return { kind: "posted", transfers, replayed: true };
}
