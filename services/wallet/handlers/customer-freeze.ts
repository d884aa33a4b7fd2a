import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { effectToWire } from "../../platform/approvals/approval-effects.js";
import { actorOf } from "../../kernel/grpc/context.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import {
  blockReason,
  freezersAfter,
  freezersOf,
  isFreedBy,
  staffFreeze,
  type WalletAccount,
} from "../domain/account.js";
import { setFreezers } from "../sagas/freezing.js";
import type { WalletDeps } from "./deps.js";

/** Freezing all wallets of a customer at once. */
export function customerFreezeHandlers({ store, outbox, clock, crashPoint }: WalletDeps) {
  /** One wallet after the other; how many of them changed their status. */
  async function setAll(tenantId: string, customerId: string, freeze: Freeze): Promise<number> {
    let changed = 0;
    const wallet = store.forTenant(tenantId);
    for (const { accountId } of await wallet.freezableAccounts(customerId)) {
      freeze.signal?.throwIfAborted();
      if (await setOne({ store, outbox }, tenantId, accountId, freeze)) changed += 1;
      crashPoint("wallet.freeze.set");
    }
    return changed;
  }

  /**
   * What compliance notes: on the case how open wallets stand, on the approval what this block
   * itself has done. A wallet that is being opened has its end look at the blocks.
   */
  async function statusesOf(tenantId: string, customerId: string, blockId: string, frozen: boolean) {
    const accounts = await store.forTenant(tenantId).accountsOf(customerId);
    const open = accounts.filter(({ status }) => status !== "CLOSED");
    const wallets = open.map(({ accountId, status }) => ({ accountId, frozen: status === "FROZEN" }));
    const isDone = (account: WalletAccount) =>
      frozen ? freezersOf(account).includes(blockId) : isFreedBy(account, blockId);
    return { wallets, effects: effectsOf(accounts.filter(isDone), frozen) };
  }

  return {
    /**
     * Freezes all of a customer's wallets under a block of compliance's, or ends what this block
     * alone froze. The block is noted first, so that a wallet which is being opened is frozen too;
     * and one that is over freezes nothing, in whatever order block and end come.
     */
    async setCustomerWalletsFrozen(request, call) {
      const customerId = textFromWire(request.customerId, "customerId");
      const blockId = textFromWire(request.blockId, "blockId", { maximum: 128 });
      if (blockId === staffFreeze) throw invalidInput("blockId", "is the name of staff");
      const wallet = store.forTenant(call.tenantId);
      const by = { at: clock.now(), by: actorOf(call) };
      const how = { blockId, ...by };
      const { signal } = call;
      if (!request.frozen) {
        await wallet.endBlock(customerId, blockId, by);
        crashPoint("wallet.freeze.ended");
        const changed = await setAll(call.tenantId, customerId, { ...how, frozen: false, signal });
        return { changed, ...(await statusesOf(call.tenantId, customerId, blockId, false)) };
      }
      const holds = await wallet.beginBlock(customerId, blockId, by);
      crashPoint("wallet.freeze.noted");
      try {
        const changed = holds ? await setAll(call.tenantId, customerId, { ...how, frozen: true, signal }) : 0;
        return { changed, ...(await statusesOf(call.tenantId, customerId, blockId, true)) };
      } finally {
        // Whoever ended it meanwhile may have looked at a wallet before it was frozen here.
        const isOver = !(await wallet.blocksOf(customerId)).includes(blockId);
        if (isOver) await setAll(call.tenantId, customerId, { ...how, frozen: false });
      }
    },

    /**
     * What setCustomerWalletsFrozen would do now: the wallets that it freezes, or
     * that nobody else holds frozen.
     */
    async foreseeCustomerWalletsFrozen(request, call) {
      const customerId = textFromWire(request.customerId, "customerId");
      const blockId = textFromWire(request.blockId, "blockId", { maximum: 128 });
      const { frozen } = request;
      const accounts = await store.forTenant(call.tenantId).freezableAccounts(customerId);
      const touched = accounts.filter((account) => {
        const freezers = freezersAfter(account, blockId, frozen);
        // One that is being opened looks at the blocks at its end.
        if (account.status === "OPENING") return frozen;
        return freezers !== undefined && (frozen || freezers.length === 0);
      });
      return { effects: effectsOf(touched, frozen) };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

/** As they are foreseen, and as they are told once it is done. */
function effectsOf(wallets: readonly { accountId: string }[], frozen: boolean) {
  const kind = frozen ? "WALLET_FROZEN" : "WALLET_UNFROZEN";
  return wallets.map(({ accountId }) => effectToWire({ kind, subject: `wallet:${accountId}` }));
}

interface Freeze {
  blockId: string;
  frozen: boolean;
  at: Date;
  by: string;
  /** Absent where it is to be done whoever waits for it. */
  signal?: AbortSignal;
}

/** True where it changed the account's status. Reads again while somebody else is faster. */
async function setOne(
  deps: Pick<WalletDeps, "store" | "outbox">,
  tenantId: string,
  accountId: string,
  { blockId, frozen, at, by }: Freeze,
): Promise<boolean> {
  const wallet = deps.store.forTenant(tenantId);
  for (;;) {
    const account = await wallet.findAccount(accountId);
    if (account === undefined) return false;
    if (account.status === "OPENING") {
      // The end of its opening looks at the customer's blocks, and
      // looks again where it has done so.
      if (await wallet.disturbOpening(accountId)) return false;
      continue;
    }
    const freezers = freezersAfter(account, blockId, frozen);
    if (freezers === undefined) return false;
    const to = freezers.length > 0 ? ("FROZEN" as const) : ("ACTIVE" as const);
    const change = to === account.status ? undefined : { to, at, by, reason: blockReason(blockId) };
    // As the account's own doing: whose block it is, is nobody's to see.
    const cause = { tenantId, interactionId: account.interactionId, actor: "wallet" };
    if (await setFreezers(deps, cause, account, freezers, change)) return change !== undefined;
  }
}
