import { outgoing, outgoingUnnamed } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { moneyToWire, type Money } from "../../kernel/money.js";
import type { WalletDeps } from "./deps.js";

/**
 * Has identity check the owner's password, PIN and one-time code, whoever types them in. Identity
 * decides when a code is needed; with a cashier or an agent it always is.
 */
export async function checkPayerCredentials(
  { identity }: Pick<WalletDeps, "identity">,
  given: { password: string; otp: string; pin: string },
  what: { customerId: string; amount: Money; payee: string },
  call: Call,
): Promise<void> {
  const user = requireUser(call);
  let { userId } = user;
  const isAtDesk = user.role === "CASHIER" || user.role === "AGENT";
  if (isAtDesk) {
    const { customer } = await identity.getCustomer({ customerId: what.customerId }, outgoing(call));
    if (customer === undefined) throw new Error("identity answered without a customer");
    userId = customer.userId;
  }
  const { password, otp, pin } = given;
  // A code that was sent is good for this amount to this payee only.
  const payment = { amount: moneyToWire(what.amount), payee: what.payee };
  await identity.verifyCredentials(
    { userId, password, otp, pin, payment, requireOtp: isAtDesk },
    outgoingUnnamed(call),
  );
}
