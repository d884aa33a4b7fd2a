import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Wallet } from "./neighbours.js";

/**
 * A customer's wallet that is open. Another tenant's, and none: ACCOUNT_NOT_FOUND. Another
 * customer's: FORBIDDEN. ACCOUNT_CLOSED, ACCOUNT_FROZEN.
 */
export async function walletOf(
  { wallet }: { wallet: Pick<Wallet, "getWalletAccount"> },
  { walletAccountId, customerId }: { walletAccountId: string; customerId: string },
  call: Call,
) {
  const { account } = await wallet
    .getWalletAccount({ accountId: walletAccountId }, outgoing(call))
    .catch((error: unknown) => {
      const isNone = error instanceof Refusal && (error.code === "NOT_FOUND" || error.code === "ACCOUNT_NOT_FOUND");
      throw isNone ? new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account") : error;
    });
  if (account === undefined) throw new Error("wallet answered without an account");
  if (account.customerId !== customerId) throw new Refusal("FORBIDDEN", "the wallet account is another customer's");
  if (account.status === "CLOSED") throw new Refusal("ACCOUNT_CLOSED", "the wallet account is closed");
  if (account.status === "FROZEN") throw new Refusal("ACCOUNT_FROZEN", "the wallet account is frozen");
  return account;
}
