import type { GetWalletAccountRequest, GetWalletAccountResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { outgoingUnnamed } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { accountToWire, balanceOf } from "../wire/accounts.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { assertManagedByAgent } from "./managed-customers.js";

/**
 * One account with its balances. Refuses ACCOUNT_NOT_FOUND, FORBIDDEN for another customer's, and
 * for one whom the calling agent does not manage.
 */
export function getWalletAccount({ store, ledger, identity }: Pick<WalletDeps, "store" | "ledger" | "identity">) {
  return async (request: GetWalletAccountRequest, call: Call): Promise<GetWalletAccountResponse> => {
    const accountId = textFromWire(request.accountId, "accountId");
    const account = await findOpenedAccount({ store }, accountId, call);
    if (call.user?.role === "CUSTOMER" && call.user.customerId !== account.customerId) {
      throw new Refusal("FORBIDDEN", "the account is another customer's");
    }
    if (call.user !== undefined) await assertManagedByAgent({ identity }, account.customerId, call);
    const { accounts } = await ledger.getAccounts({ accountIds: [accountId] }, outgoingUnnamed(call));
    const [known] = accounts;
    if (known === undefined) throw new Error(`the ledger does not know wallet account ${accountId}`);
    return { account: accountToWire(account, balanceOf(known)) };
  };
}
