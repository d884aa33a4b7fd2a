import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { WalletAccount } from "../domain/account.js";
import type { WalletDeps } from "./deps.js";

/** An account that the ledger has, frozen and closed ones too. Refuses ACCOUNT_NOT_FOUND. */
export async function findOpenedAccount(
  { store }: Pick<WalletDeps, "store">,
  accountId: string,
  { tenantId }: Call,
): Promise<WalletAccount> {
  const account = await store.forTenant(tenantId).findAccount(accountId);
  if (account === undefined || account.status === "OPENING") {
    throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
  }
  return account;
}

/** As findOpenedAccount, of the calling customer. Refuses FORBIDDEN for another customer's. */
export async function findOwnAccount(
  deps: Pick<WalletDeps, "store">,
  accountId: string,
  call: Call,
): Promise<WalletAccount> {
  const account = await findOpenedAccount(deps, accountId, call);
  if (account.customerId !== requireUser(call).customerId) {
    throw new Refusal("FORBIDDEN", "the account is another customer's");
  }
  return account;
}
