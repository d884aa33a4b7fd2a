import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { services, type EdgeAnswer, type EdgeClient } from "../../support/edge-client.js";
import { tenantId } from "./fixture.js";
import { minorOf, move, type WalletLog } from "./moves.js";
import { paymentsPath, type Session } from "./session.js";
import type { WalletTraffic } from "./wallet-traffic.js";
import type { FaultyWorld } from "./world.js";

const codePatienceMs = 10_000;
// So many customers have not all asked too often, and nobody else had a code.
const maxRefused = 4;

const isTooOften = ({ body }: EdgeAnswer): boolean => body?.code === "RATE_LIMITED";
const isRefusedCode = (answer: EdgeAnswer): boolean => answer.body?.code === "OTP_WRONG" || isTooOften(answer);

/**
 * A cashier who opens a till, takes and gives cash, and closes it counted right, short or over;
 * again and again.
 */
export function createDesk(
  world: FaultyWorld,
  people: { cashier: Session; customers: readonly Session[] },
  { once, complain }: Pick<WalletTraffic, "once" | "complain">,
  { moves }: Pick<WalletLog, "moves">,
) {
  const { cashier, customers } = people;
  const tills = `${paymentsPath}/tills`;
  const codes = { asked: 0, refused: 0 };

  /** One day at the desk. */
  async function day(): Promise<void> {
    const opened = await once(cashier, tills, { currency: "USD", float: "100.00" });
    if (opened.status !== 200) return void complain("open a till", opened);
    const { tillId, cashierId } = opened.body.data as { tillId: string; cashierId: string };
    const till = `cash_till:${cashierId}:USD`;
    let inTill = 100_00n;

    async function cash(kind: "cash in" | "cash out", customer: Session, amount: string, more: object = {}) {
      const { accountId } = await customer.wallet("USD");
      const path = `${tills}/${tillId}/${kind.replace(" ", "-")}`;
      const headers = { "x-idempotency-key": randomUUID() };
      const send = () => cashier.client.send("POST", path, { headers, body: { accountId, amount, ...more } });
      let answer = await cashier.insist(send, isRefusedCode);
      // A code is used up by a first try whose answer was lost: under its key the cashier hears how
      // that one ended. Each try counts as a wrong code, and whoever had too many has minutes to
      // wait: the customer goes without cash.
      for (let times = 0; times < 5 && isRefusedCode(answer); times += 1) {
        await sleep(3_000);
        answer = await cashier.insist(send, isRefusedCode);
      }
      if (isRefusedCode(answer)) return;
      if (answer.status !== 200) return void complain(kind, answer);
      const minor = kind === "cash in" ? minorOf(amount) : -minorOf(amount);
      inTill += minor;
      const { movementId } = answer.body.data as { movementId: string };
      moves.push(move(kind, `cash:${movementId}`, { [till]: -minor, [accountId]: minor }));
    }

    for (let times = 1 + randomInt(3); times > 0; times -= 1) {
      const amount = `${1 + randomInt(40)}.${String(randomInt(100)).padStart(2, "0")}`;
      await cash("cash in", customers[randomInt(customers.length)]!, amount);
    }
    const customer = customers[randomInt(customers.length)]!;
    const otp = await codeFor(customer, "7.50");
    // A code that does not come in time is no code: the customer goes without cash.
    if (otp !== undefined) await cash("cash out", customer, "7.50", { password: customer.user.password, otp });

    const off = [-1_25n, 0n, 50n][randomInt(3)]!;
    const counted = inTill + off;
    const decimal = `${counted / 100n}.${String(counted % 100n).padStart(2, "0")}`;
    const closed = await once(cashier, `${tills}/${tillId}/close`, { counted: decimal, reason: "As counted" });
    if (closed.status !== 200) return void complain(`close till ${tillId}`, closed);
    const moved = { "cash_vault:USD": 100_00n - counted, [till]: inTill - 100_00n, "cash_difference:USD": off };
    moves.push(move("till", `till:${tillId}`, moved));
  }

  /** What the customer reads in the mail. */
  async function codeFor(customer: Session, amount: string): Promise<string | undefined> {
    const { accountId } = await customer.wallet("USD");
    const before = (await codesOf(customer)).length;
    const payment = { payableType: "CASH", payAbleId: accountId, totalCheckOutAmount: amount, currency: "USD" };
    const path = `${services}/securitymanagement/request-payment-code`;
    const body = { channel: "EMAIL", ...payment };
    const ask = (client: EdgeClient) => client.send("POST", path, { body });
    // A try whose answer was lost may have sent one. Too many of them are minutes to wait.
    const requested = await customer.insist(ask, isTooOften);
    codes.asked += 1;
    if (isTooOften(requested)) {
      codes.refused += 1;
      if (codes.refused >= maxRefused && codes.refused === codes.asked)
        complain("ask for a code, which nobody gets", requested);
      return undefined;
    }
    if (requested.status !== 200) return void complain("ask for a code", requested);
    const giveUpAt = performance.now() + codePatienceMs;
    while (performance.now() < giveUpAt) {
      const codes = await codesOf(customer);
      if (codes.length > before) return codes.at(-1);
      await sleep(200);
    }
    return undefined;
  }

  async function codesOf({ user }: Session): Promise<string[]> {
    const query = new URLSearchParams({ account: tenantId, to: user.email });
    for (;;) {
      const url = `http://${world.partnerAddress}/control/inbox?${query.toString()}`;
      const answer = await fetch(url).catch(() => undefined);
      if (answer?.ok === true) {
        const { messages } = (await answer.json()) as { messages: { text: string }[] };
        return messages.flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
      }
      await sleep(200);
    }
  }

  return { day };
}
