import type {
  SetCustomerWalletsFrozenRequest,
  SetCustomerWalletsFrozenResponse,
} from "../../../proto/gen/wallet/v1/wallet.js";
import { crashPoint } from "../../shared/crash-point.js";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import { invalidInput } from "../../shared/refusal.js";
import { textFromWire } from "../../shared/wire-text.js";
import { freezersAfter, staffFreeze } from "../domain/account.js";
import type { WalletStore } from "../store/index.js";
import type { WalletDeps } from "./deps.js";

/**
 * Freezes all of a customer's wallets under a block of compliance's, or ends what this block alone
 * froze. The block is noted first, so that a wallet which is being opened is frozen too.
 */
export function setCustomerWalletsFrozen({ store, clock }: Pick<WalletDeps, "store" | "clock">) {
  return async (request: SetCustomerWalletsFrozenRequest, call: Call): Promise<SetCustomerWalletsFrozenResponse> => {
    const customerId = textFromWire(request.customerId, "customerId");
    const blockId = textFromWire(request.blockId, "blockId", { maximum: 128 });
    if (blockId === staffFreeze) throw invalidInput("blockId", "is the name of staff");
    const { frozen } = request;
    const wallet = store.forTenant(call.tenantId);
    const by = { at: clock.now(), by: actorOf(call) };
    if (frozen && !(await wallet.beginBlock(customerId, blockId, by))) return { changed: 0 };
    // Ended first: what is opened from now on is free of it.
    if (!frozen) await wallet.endBlock(customerId, blockId, by);
    crashPoint("wallet.freeze.noted");
    let changed = 0;
    for (const { accountId } of await wallet.freezableAccounts(customerId)) {
      if (await setOne(wallet, accountId, { blockId, frozen, ...by })) changed += 1;
      crashPoint("wallet.freeze.set");
    }
    return { changed };
  };
}

type TenantWallet = ReturnType<WalletStore["forTenant"]>;

/** True where it changed the account's status. Reads again while somebody else is faster. */
async function setOne(
  wallet: TenantWallet,
  accountId: string,
  { blockId, frozen, at, by }: { blockId: string; frozen: boolean; at: Date; by: string },
): Promise<boolean> {
  for (;;) {
    const account = await wallet.findAccount(accountId);
    // The end of its opening looks at the customer's blocks itself.
    if (account === undefined || account.status === "OPENING") return false;
    const freezers = freezersAfter(account, blockId, frozen);
    if (freezers === undefined) return false;
    const to = freezers.length > 0 ? ("FROZEN" as const) : ("ACTIVE" as const);
    const change = to === account.status ? undefined : { to, at, by, reason: `block ${blockId}` };
    if (await wallet.setFreezers(account, freezers, change)) return change !== undefined;
  }
}
