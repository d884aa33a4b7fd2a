import { Manilla } from "../../sdk/src/index.js";
import { demoUser, readDemo, type DemoUser } from "../support/edge-client.js";

/** A person of the demo by the API, for what happens beside the browser. */
export function asUser(credentials: Pick<DemoUser, "email" | "password">, sandbox = false): Manilla {
  const { email, password } = credentials;
  return new Manilla({ baseUrl: readDemo().baseUrl, credentials: { email, password }, sandbox });
}

/** Approves as whoever has looked at what it does. */
export async function approveAs(manilla: Manilla, approvalId: string, reason: string): Promise<void> {
  const { digest = "none" } = await manilla.approvals.read(approvalId);
  await manilla.approvals.approve(approvalId, { reason, digest });
}

export const amina = (): DemoUser => demoUser(readDemo(), "CUSTOMER", { email: "amina" });

export function walletOf(user: DemoUser, currency: string): string {
  const wallet = user.wallets?.find((each) => each.currency === currency);
  if (wallet === undefined) throw new Error(`${user.email} has no wallet in ${currency}`);
  return wallet.accountId;
}

export function customerIdOf({ customerId, email }: DemoUser): string {
  if (customerId === undefined) throw new Error(`${email} is no customer`);
  return customerId;
}
