import type { ListWalletAccountsRequest, ListWalletAccountsResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { outgoingUnnamed } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { accountToWire, balanceOf } from "../wire/accounts.js";
import { whose, type WalletDeps } from "./deps.js";

/**
 * A customer's own accounts, or those of the customer whom a MANAGER or the operator names, with
 * their balances from the ledger. Refuses FORBIDDEN for another customer's.
 */
export function listWalletAccounts({ store, ledger }: WalletDeps) {
  return async (request: ListWalletAccountsRequest, call: Call): Promise<ListWalletAccountsResponse> => {
    const customerId = whose(request.customerId, call);
    const accounts = await store.forTenant(call.tenantId).accountsOf(customerId);
    if (accounts.length === 0) return { accounts: [] };
    const accountIds = accounts.map(({ accountId }) => accountId);
    const known = await ledger.getAccounts({ accountIds }, outgoingUnnamed(call));
    const balances = new Map(known.accounts.map((account) => [account.accountId, balanceOf(account)]));
    return {
      accounts: accounts.map((account) => {
        const balance = balances.get(account.accountId);
        if (balance === undefined) throw new Error(`the ledger does not know wallet account ${account.accountId}`);
        return accountToWire(account, balance);
      }),
    };
  };
}
