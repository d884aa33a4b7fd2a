import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BehaviourName } from "../../../deploy/partner/behaviours.js";
import type { EdgeAnswer, EdgeClient } from "../../support/edge-client.js";
import { createDesk } from "./desk.js";
import { customers, staff, tenantId } from "./fixture.js";
import type { WalletLog } from "./moves.js";
import { createSession, oneOf, type Session } from "./session.js";
import { createWalletTraffic } from "./wallet-traffic.js";
import type { FaultyWorld } from "./world.js";

/** What a client has done about one payment, and what it was told. */
export interface Attempt {
  readonly createKey: string;
  readonly customer: string;
  readonly mood: BehaviourName;
  transactionId?: string;
  /** Decimal text. */
  total?: string;
  /** The payment that was acknowledged: 200. */
  paymentId?: string;
  /** The state that a cancellation was answered with: 200. */
  cancelled?: string;
  /** The client went away before it had an answer to its payment. */
  abandoned?: true;
}

export interface Traffic {
  readonly attempts: readonly Attempt[];
  /** What was done with wallets beside. */
  readonly wallet: WalletLog;
  /**
   * Answers that should not have been: changed for the same request, or refused what had to pass.
   */
  readonly complaints: readonly string[];
  /** Requests without an answer for good: 5xx, cut, too late. */
  failures(): number;
  stop(): void;
  /** What clients have begun and not ended, and what they heard of it last. */
  underWay(): string[];
  /** Resolves when every client is done with what it had begun. */
  readonly done: Promise<void>;
}

export interface TrafficOptions {
  readonly clients: number;
  /**
   * Whether a transaction needs nobody any more; a client watches its payment to the end before the
   * next one.
   */
  isFinal(transactionId: string): boolean;
}

const moods: readonly (readonly [BehaviourName, number])[] = [
  ["ACCEPT", 50],
  ["REFUSE", 8],
  ["REFUSE_LATER", 8],
  ["LOSE_ANSWER", 8],
  ["ANSWER_TWICE", 6],
  ["ANSWER_LATE", 6],
  ["HANG", 4],
  ["RETURN", 6],
  ["STALL", 4],
];
const modes: readonly (readonly [string, number])[] = [
  ["REAL_TIME", 80],
  ["AGGREGATION", 10],
  ["NONE_AGGREGATION", 10],
];
const watchMs = 25_000;
// Of a hundred turns of a client, so many are about its wallet; the others pay for a transaction.
const walletTurns = 50;
const deskPauseMs = 2_000;

/**
 * A closed loop of clients who create, pay, sometimes twice, sometimes cancel, sometimes go away;
 * between transactions they do everything else that wallets can, and a cashier keeps a till.
 */
export function startTraffic(world: FaultyWorld, { clients, isFinal }: TrafficOptions): Traffic {
  const attempts: Attempt[] = [];
  const complaints: string[] = [];
  let failures = 0;
  let isRunning = true;
  const failed = () => void (failures += 1);
  const sessions = customers.map((user) => createSession(world.baseUrl, user, failed));
  const [manager, second, cashier] = staff.map((user) => createSession(world.baseUrl, user, failed)) as [
    Session,
    Session,
    Session,
  ];
  const wallet: WalletLog = { moves: [], withdrawals: [], complaints };
  const walletTraffic = createWalletTraffic(world, { customers: sessions, manager, second }, wallet);
  const desk = createDesk(world, { cashier, customers: sessions }, walletTraffic, wallet);

  async function payOnce(session: Session, accountId: string): Promise<void> {
    const { user, insist } = session;
    const attempt: Attempt = { createKey: `create-${randomUUID()}`, customer: user.email, mood: oneOf(moods) };
    attempts.push(attempt);
    const sendAmount = `${1 + randomInt(20)}.${String(randomInt(100)).padStart(2, "0")}`;
    const order = {
      sendAmount,
      sendCurrency: "USD",
      originCountry: "USA",
      to: "NGA",
      body: { transactionProcessingMode: oneOf(modes) },
    };
    const create = (client: EdgeClient) =>
      client.createTransaction(user, order, { "x-idempotency-key": attempt.createKey });
    const created = await insist(create);
    if (created.status !== 200) return void complain("create", created);
    const { id, totalAmount } = created.body.data as { id: string; totalAmount: string };
    attempt.transactionId = id;
    attempt.total = totalAmount;
    if (randomInt(10) === 0) expectSame(created, await insist(create));
    await force(world, id, attempt.mood);
    await pay(session, attempt, { payAbleId: id, accountId, total: totalAmount });
    if (attempt.mood === "STALL" || randomInt(10) === 0) await cancel(session, attempt);
    const giveUpAt = performance.now() + watchMs;
    while (isRunning && !isFinal(id) && performance.now() < giveUpAt) await sleep(100);
  }

  async function pay({ user, insist, client }: Session, attempt: Attempt, payment: Payment): Promise<void> {
    const ref = () => ({ ...payment, paymentGatewayRef: `ref-${randomUUID()}` });
    const luck = randomInt(20);
    if (luck === 0) {
      // Whoever goes away before the answer does not know.
      attempt.abandoned = true;
      client.pay(user, ref()).catch(() => undefined);
      return sleep(randomInt(50));
    }
    const first = ref();
    // The same payment twice at once, or two that want to pay for the same.
    const other = luck === 1 ? first : luck === 2 ? ref() : undefined;
    const [answer, rival] = await Promise.all([
      insist((edge) => edge.pay(user, first)),
      other === undefined ? undefined : insist((edge) => edge.pay(user, other)),
    ]);
    if (luck === 1) expectSame(answer, rival!);
    const paid = [answer, rival].filter((one) => one?.status === 200);
    const ids = new Set(paid.map((one) => one?.body.data.paymentId as string));
    if (ids.size !== 1) return void complain(`pay for ${payment.payAbleId} (${ids.size} payments)`, rival ?? answer);
    attempt.paymentId = [...ids][0]!;
    if (luck === 3) expectSame(answer, await insist((edge) => edge.pay(user, first)));
  }

  async function cancel({ insist }: Session, attempt: Attempt): Promise<void> {
    await sleep(randomInt(2_000));
    const id = attempt.transactionId!;
    const keyed = { "x-idempotency-key": `cancel-${randomUUID()}` };
    for (;;) {
      const answer = await insist((client) => client.cancel(id, keyed));
      if (answer.status === 200) attempt.cancelled = answer.body.data.status as string;
      // While a payment has it, the payment decides: asked again afterwards, as an app does.
      else if (answer.body?.code !== "STATE_CONFLICT") complain(`cancel ${id}`, answer);
      else if (/being paid at this moment/.test(answer.text)) {
        await sleep(500);
        keyed["x-idempotency-key"] = `cancel-${randomUUID()}`;
        continue;
      }
      return;
    }
  }

  const complain = (what: string, { status, text }: EdgeAnswer) =>
    complaints.push(`${what}: ${status} ${text.slice(0, 300)}`);
  const expectSame = (one: EdgeAnswer, other: EdgeAnswer) => {
    if (one.text !== other.text) complaints.push(`one request, two answers: ${one.text} / ${other.text}`);
  };

  const doing = new Map<string, string>();
  async function client(index: number): Promise<void> {
    const session = sessions[index % sessions.length]!;
    const { accountId } = await session.wallet("USD");
    const name = `client ${index}, ${session.user.email}`;
    while (isRunning) {
      if (randomInt(100) < walletTurns) await walletTraffic.next(session, (kind) => doing.set(name, kind));
      else {
        doing.set(name, "pays for a transaction");
        await payOnce(session, accountId);
      }
    }
    doing.delete(name);
  }
  async function atTheDesk(): Promise<void> {
    doing.set("cashier", "keeps a till");
    do {
      await desk.day();
      await sleep(deskPauseMs);
    } while (isRunning);
    doing.delete("cashier");
  }
  const underWay = () => [
    ...[...doing].map(([who, what]) => `${who}: ${what}`),
    ...[...sessions, manager, second, cashier].flatMap((session) => session.underWay()),
  ];

  const all = [atTheDesk(), ...Array.from({ length: clients }, (_, index) => client(index))];
  const done = Promise.all(all).then(() => undefined);
  done.catch(() => (isRunning = false));
  const stop = () => void (isRunning = false);
  return { attempts, wallet, complaints, failures: () => failures, stop, underWay, done };
}

type Payment = { payAbleId: string; accountId: string; total: string };

/** How the sandbox partner treats this payout; it forgets it when it is killed. */
async function force({ partnerAddress }: FaultyWorld, reference: string, mood: BehaviourName): Promise<void> {
  if (mood === "ACCEPT") return;
  const more = mood === "HANG" ? { times: 1 } : mood === "RETURN" ? { kept: randomInt(2) === 0 ? "0" : "50.00" } : {};
  const body = JSON.stringify({ account: tenantId, reference, behaviour: mood, ...more });
  await fetch(`http://${partnerAddress}/control/rules`, { method: "POST", body }).catch(() => undefined);
}
