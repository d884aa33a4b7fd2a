import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { detail, type KeyValue } from "../domain/credit-party.js";
import type { RecipientWallet } from "../domain/transaction.js";

/**
 * The wallet that a recipient's details name, as the ledger knows it by its number. Refuses
 * CREDIT_PARTY_INVALID where the tenant has no open wallet of this number in the currency; it does
 * not tell which of these is not so.
 */
export async function findRecipientWallet(
  ledger: Pick<Client<LedgerServiceDefinition>, "listAccounts">,
  party: readonly KeyValue[],
  currency: string,
  call: Pick<Call, "tenantId" | "interactionId" | "deadline">,
): Promise<RecipientWallet> {
  const accountNumber = detail(party, "walletaccountno").replaceAll(/[\s-]+/g, "");
  const filter = { code: "customer_wallet", currency, metadata: { accountNumber }, pageSize: 2 };
  const { accounts } = await ledger.listAccounts(filter, outgoing(call));
  const open = accounts.filter(({ flags }) => !flags.includes("ACCOUNT_FLAG_CLOSED"));
  if (open.length > 1) throw new Error("two wallets have the same number");
  const [account] = open;
  if (account === undefined) {
    const message = `walletaccountno names no open wallet in ${currency}`;
    throw new Refusal("CREDIT_PARTY_INVALID", message, { errors: [{ path: "creditParty", message }] });
  }
  return { accountId: account.accountId, customerId: account.ownerId };
}
