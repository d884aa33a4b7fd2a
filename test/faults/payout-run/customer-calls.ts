import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isRefusalCode, isStoredAnswer } from "../../../services/kernel/refusal.js";
import type { EdgeAnswer } from "../../support/edge-client.js";
import type { WalletLog } from "./moves.js";
import type { Session } from "./session.js";

// Whoever insists has an answer for good, which says nothing of when to ask again.
const isFinal = ({ status, body }: EdgeAnswer): boolean =>
  status < 300 || (isRefusalCode(String(body?.code)) && isStoredAnswer({ code: body.code, message: "" }));

/**
 * Calls that customers make again and again; an answer that must not be is noted in `complaints`.
 */
export function createCustomerCalls(customers: readonly Session[], { complaints }: Pick<WalletLog, "complaints">) {
  const complain = (what: string, { status, text }: EdgeAnswer) =>
    complaints.push(`${what}: ${status} ${text.slice(0, 300)}`);

  /**
   * Asked until it is answered; sometimes by somebody who went away in between, sometimes once
   * more: the one answer. Only what is not kept under a key may be answered anew: a credit that was
   * not there yet may be there now.
   */
  async function once(by: Session, path: string, body: object = {}): Promise<EdgeAnswer> {
    const headers = { "x-idempotency-key": randomUUID() };
    return repeated(by, () => by.client.send("POST", path, { headers, body }), path);
  }
  async function repeated(by: Session, send: () => Promise<EdgeAnswer>, what: string): Promise<EdgeAnswer> {
    if (randomInt(8) === 0 && by.client.token() !== undefined) {
      send().catch(() => undefined);
      await sleep(randomInt(50));
    }
    const answer = await by.insist(send);
    if (randomInt(8) === 0) {
      const again = await by.insist(send);
      if (!isFinal(answer)) return again;
      if (again.text !== answer.text) complaints.push(`${what}: two answers: ${answer.text} / ${again.text}`);
    }
    return answer;
  }

  async function pay(by: Session, payableType: string, payAbleId: string, total: string, currency = "USD") {
    const { accountId } = await by.wallet(currency);
    const payment = { payableType, payAbleId, accountId, total, paymentGatewayRef: `ref-${randomUUID()}` };
    return repeated(by, () => by.client.pay(by.user, payment), `pay ${payableType} ${payAbleId}`);
  }

  const somebodyElse = (than: Session): Session => {
    const others = customers.filter((one) => one !== than);
    return others[randomInt(others.length)]!;
  };
  const someAmount = (most: number) => `${1 + randomInt(most)}.${String(randomInt(100)).padStart(2, "0")}`;

  return { complain, once, repeated, pay, somebodyElse, someAmount };
}
