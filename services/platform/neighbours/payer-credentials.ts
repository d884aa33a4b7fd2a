import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing, outgoingUnnamed, type Client } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { moneyToWire, type Money } from "../../kernel/money.js";

/** What somebody types in to pay, or to change what they pay for. */
export interface PayerCredentials {
  password: string;
  otp: string;
  pin: string;
}

/**
 * Has identity check the owner's password, PIN and one-time code, whoever types them in. Identity
 * decides when a code is needed; with a cashier or an agent it always is.
 */
export async function checkPayerCredentials(
  { identity }: { identity: Pick<Client<IdentityServiceDefinition>, "getCustomer" | "verifyCredentials"> },
  given: PayerCredentials,
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
