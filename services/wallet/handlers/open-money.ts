import { outgoing } from "../../kernel/grpc/client.js";
import type { CountOpenMoney } from "../../platform/erasure/open-money.js";
import { balanceOf } from "../wire/accounts.js";
import type { WalletDeps } from "./deps.js";

/** Wallets in which money is, held or not, and what is owed in cash from sales that came back. */
export function countOpenWallets({ store, ledger }: Pick<WalletDeps, "store" | "ledger">): CountOpenMoney {
  return async (customerId, call) => {
    const ofTenant = store.forTenant(call.tenantId);
    const [accounts, payables] = await Promise.all([
      ofTenant.accountsOf(customerId),
      ofTenant.countUnpaidPayables(customerId),
    ]);
    const accountIds = accounts.map(({ accountId }) => accountId);
    const known = accountIds.length === 0 ? [] : (await ledger.getAccounts({ accountIds }, outgoing(call))).accounts;
    const used = known
      .map(balanceOf)
      .filter(({ availableMinor, heldMinor }) => availableMinor !== 0n || heldMinor > 0n);
    return { wallets: used.length, "cash-payables": payables };
  };
}
