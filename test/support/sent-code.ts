import { randomUUID } from "node:crypto";
import { services, type EdgeClient } from "./edge-client.js";
import { waitFor } from "./index.js";

interface Inbox {
  messages: { text: string; at: string }[];
}

/** Has a one-time code for this payment sent to its payer's mail, and reads it there. */
export async function sentCode(
  payer: EdgeClient,
  email: string,
  payment: { payableType: string; payAbleId: string; totalCheckOutAmount: string; currency: string },
  { partnerAddress, tenantId }: { partnerAddress: string; tenantId: string },
): Promise<string> {
  const inbox = async () => {
    const query = new URLSearchParams({ account: tenantId, to: email });
    const answer = await fetch(`http://${partnerAddress}/control/inbox?${query.toString()}`);
    return ((await answer.json()) as Inbox).messages.flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
  };
  const before = (await inbox()).length;
  const requested = await payer.send("POST", `${services}/securitymanagement/request-payment-code`, {
    headers: { "x-idempotency-key": randomUUID() },
    body: { channel: "EMAIL", ...payment },
  });
  expect([requested.status, requested.text]).toEqual([200, expect.any(String)]);
  const isThere = async () => {
    const codes = await inbox();
    return codes.length > before ? codes.at(-1) : undefined;
  };
  return waitFor(isThere, { timeoutMs: 20_000, everyMs: 100, what: "the code" });
}
