import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { outgoing, outgoingUnnamed } from "../../kernel/grpc/client.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { accountToWire, balanceOf } from "../wire/accounts.js";
import { whose, type WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { assertManagedByAgent } from "./managed-customers.js";
import { openAccount } from "./open-wallet-account.js";

/** Wallet accounts of customers. */
export function walletAccountHandlers(deps: WalletDeps) {
  const { store, ledger, identity } = deps;
  return {
    /**
     * Opens an account. Refuses CUSTOMER_NOT_FOUND, and ALREADY_EXISTS when the customer has one in
     * the currency.
     */
    async openWalletAccount(given, call) {
      const customerId = whose(given.customerId, call);
      assertCurrency(given.currency, "currency");
      const check = async () => {
        await identity.getCustomer({ customerId }, outgoing(call));
        await deps.readers.begin(call.tenantId);
        if (call.user !== undefined) await checkOffered(deps, given.currency, call);
      };
      return openAccount(deps, { ...given, customerId }, call, actorOf(call), check);
    },

    /**
     * A customer's own accounts, or those of the customer whom staff or the operator names, with
     * their balances from the ledger. Refuses FORBIDDEN for another customer's, and for one whom
     * the calling agent does not manage.
     */
    async listWalletAccounts(request, call) {
      const customerId = whose(request.customerId, call);
      if (call.user !== undefined) await assertManagedByAgent({ identity }, customerId, call);
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
    },

    /**
     * One account with its balances. Refuses ACCOUNT_NOT_FOUND, FORBIDDEN for another customer's,
     * and for one whom the calling agent does not manage.
     */
    async getWalletAccount(request, call) {
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
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

/** Refuses CURRENCY_MISMATCH for a currency that the organisation does not have. */
async function checkOffered({ identity }: WalletDeps, currency: string, call: Call): Promise<void> {
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  const offered = tenant?.preference?.currencies ?? [];
  if (offered.includes(currency)) return;
  throw new Refusal("CURRENCY_MISMATCH", `wallets here hold ${offered.join(", ") || "nothing yet"}`);
}
