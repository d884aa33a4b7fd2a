import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { createEdgeClient, demoUser, type Demo, type DemoUser, type EdgeAnswer } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
// 20.00, fee 2.00 + 50 bps, tax 750 bps on the fee rounded half-even.
const total = "22.26";
const patienceMs = 100_000;

/** Minor units of decimal text with two decimals. */
export const cents = (text: string): bigint => BigInt(text.replace(".", ""));

/**
 * As a client that has lost its answer: the same request with the same key until it is answered for
 * good.
 */
export function insist(send: () => Promise<EdgeAnswer>): Promise<EdgeAnswer> {
  return waitFor(
    async () => {
      const answer = await send().catch(() => undefined);
      const isFinal = answer !== undefined && answer.status < 500 && answer.headers["retry-after"] === undefined;
      if (isFinal && answer.body?.code !== "IDEMPOTENCY_IN_FLIGHT") return answer;
      await sleep(300);
      return undefined;
    },
    { timeoutMs: patienceMs, what: "a final answer" },
  );
}

/** The same of an rpc. */
export function insistOnRpc<T extends object>(send: () => Promise<T>): Promise<T> {
  return waitFor(() => send().catch(() => sleep(300).then(() => undefined)), {
    timeoutMs: patienceMs,
    what: "an answer",
  });
}

export type Job = "pay" | "refuse" | "expire" | "open" | "deposit" | "partnerRefuses" | "recall" | "window" | "batch";
interface PublishedEvent {
  type: string;
  sequence: number;
  data: { status: string };
}

export type PaymentJobs = Awaited<ReturnType<typeof createPaymentJobs>>;

/**
 * What clients do while services are killed. Each job insists on its answers, checks that they stay
 * the same and that what it began ended, and moved money once or not at all; it gives back how much
 * more the payer's wallet must hold, in cents.
 */
export async function createPaymentJobs(demo: Demo, operator: OperatorClients, partnerAddress: string) {
  const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
  const accountId = walletOf(amina, "USD");
  const client = createEdgeClient(demo.baseUrl);
  const manager = createEdgeClient(demo.baseUrl);
  await client.login(amina);
  await manager.login(demoUser(demo, "MANAGER"));

  const made: string[] = [];

  async function create(sendAmount = order.sendAmount, headers: Record<string, string> = {}, mode = "REAL_TIME") {
    const keyed = { ...headers, "x-idempotency-key": randomUUID() };
    const body = { transactionProcessingMode: mode };
    const send = () => client.createTransaction(amina, { ...order, sendAmount, body }, keyed);
    const created = await insist(send);
    if (created.status !== 200) throw new Error(`not created: ${created.text}`);
    expect((await insist(send)).text).toBe(created.text);
    made.push((created.body.data as { id: string }).id);
    return created.body.data as { id: string; totalAmount: string };
  }

  const statusOf = async (id: string): Promise<string | undefined> =>
    client.readTransaction(id).then(
      ({ body }) => body?.data?.status,
      () => undefined,
    );
  const until = (id: string, what: string, isIt: (status: string) => boolean) =>
    waitFor(async () => isIt((await statusOf(id)) ?? "") || sleep(200).then(() => undefined), {
      timeoutMs: patienceMs,
      what: `transaction ${id} to be ${what}`,
    });

  async function payFor(id: string, headers: Record<string, string> = {}): Promise<void> {
    const payment = { payAbleId: id, accountId, total, paymentGatewayRef: `ref-${randomUUID()}` };
    const paid = await insist(() => client.pay(amina, payment, headers));
    // PAYING where remittance was killed before it could be told.
    const payableStatus = expect.stringMatching(/^(PAID|PAYING)$/);
    expect(paid).toMatchObject({ status: 200, body: { data: { status: "SUCCESS", payableStatus } } });
    const behind = paid.body.data.payableStatus === "PAID" ? ["AWAITING_PAYMENT", "PAYING"] : [];
    expect(behind).not.toContain(await statusOf(id));
    // Once more: the one answer.
    expect((await insist(() => client.pay(amina, payment, headers))).text).toBe(paid.text);
  }

  /** How the sandbox partner treats this payout. */
  async function force(reference: string, behaviour: string): Promise<void> {
    const init = { method: "POST", body: JSON.stringify({ reference, behaviour }) };
    expect((await fetch(`http://${partnerAddress}/control/rules`, init)).status).toBe(201);
  }

  const jobs: Record<Job, (created: () => void) => Promise<bigint>> = {
    async pay() {
      const interactionId = randomUUID();
      const headers = { "x-fapi-interaction-id": interactionId };
      const { id, totalAmount } = await create(order.sendAmount, headers);
      expect(totalAmount).toBe(total);
      await payFor(id, headers);
      await until(id, "paid out", (status) => status === "COMPLETED");
      const { body } = await insist(() => manager.ledgerOf(interactionId));
      const entries = body.data as { ledgerType: string; kind: string; accountId: string }[];
      const debits = entries.filter((entry) => entry.ledgerType === "DEBIT" && entry.accountId === accountId);
      expect(debits.map(({ kind }) => kind)).toEqual(["wallet_payment", "fee", "tax"]);
      return -cents(total);
    },

    /** A payout that the partner refuses: all of it is in the wallet again. */
    async partnerRefuses() {
      const { id } = await create();
      await force(id, "REFUSE_LATER");
      await payFor(id);
      await until(id, "refunded", (status) => status === "REFUNDED");
      return 0n;
    },

    /** Cancelled while the partner has it. */
    async recall() {
      const { id } = await create();
      await force(id, "STALL");
      await payFor(id);
      await until(id, "with the partner", (status) => status === "PROCESSING");
      const keyed = { "x-idempotency-key": randomUUID() };
      const cancelled = await insist(() => client.cancel(id, keyed));
      expect(cancelled.status).toBe(200);
      await until(id, "refunded", (status) => status === "REFUNDED");
      expect((await insist(() => client.cancel(id, keyed))).text).toBe(cancelled.text);
      return 0n;
    },

    async window() {
      const { id } = await create(order.sendAmount, {}, "NONE_AGGREGATION");
      await payFor(id);
      await until(id, "paid out", (status) => status === "COMPLETED");
      return -cents(total);
    },

    async batch() {
      const { id } = await create(order.sendAmount, {}, "AGGREGATION");
      await payFor(id);
      await until(id, "paid out", (status) => status === "COMPLETED");
      return -cents(total);
    },

    /**
     * A payment that the wallet cannot bear: refused for good, and the transaction can be paid
     * again.
     */
    async refuse() {
      const { id, totalAmount } = await create("6000.00");
      const payment = { payAbleId: id, accountId, total: totalAmount, paymentGatewayRef: `ref-${randomUUID()}` };
      const refused = await insist(() => client.pay(amina, payment));
      expect(refused).toMatchObject({ status: 422, body: { code: "INSUFFICIENT_FUNDS" } });
      expect((await insist(() => client.pay(amina, payment))).text).toBe(refused.text);
      await until(id, "released", (status) => status === "AWAITING_PAYMENT");
      return 0n;
    },

    /** A transaction that nobody pays: expired, and its share of the daily limit given back. */
    async expire(created) {
      const { id } = await create();
      created();
      await until(id, "expired", (status) => status === "EXPIRED");
      const late = await insist(() => client.pay(amina, { payAbleId: id, accountId, total }));
      expect(late).toMatchObject({ status: 409, body: { code: "TRANSACTION_EXPIRED" } });
      return 0n;
    },

    async open() {
      const call = { tenantId: "demo", interactionId: randomUUID() };
      const email = `${randomUUID()}@demo.example`;
      const person = { email, password: "A-Long-Pass-1", firstName: "New", lastName: "Person", country: "USA" };
      const { customer } = await operator.identity.registerCustomer(
        { idempotencyKey: email, ...person },
        outgoing(call),
      );
      const request = { idempotencyKey: randomUUID(), customerId: customer?.customerId ?? "", currency: "USD" };
      const open = () => operator.wallet.openWalletAccount(request, outgoing(call));
      const opened = await insistOnRpc(open);
      expect((await insistOnRpc(open)).account?.accountId).toBe(opened.account?.accountId);
      const list = () => operator.wallet.listWalletAccounts({ customerId: request.customerId }, outgoing(call));
      const listed = await insistOnRpc(list);
      expect(listed.accounts.map((account) => account.accountId)).toEqual([opened.account?.accountId]);
      return 0n;
    },

    async deposit() {
      const call = { tenantId: "demo", interactionId: randomUUID() };
      const amount = { amountMinor: 1_234n, currency: "USD" };
      const request = { idempotencyKey: randomUUID(), accountId, amount, reference: "wire" };
      const record = () => operator.wallet.recordDeposit(request, outgoing(call));
      const recorded = await insistOnRpc(record);
      expect((await insistOnRpc(record)).depositId).toBe(recorded.depositId);
      return 1_234n;
    },
  };

  /** What was told of a transaction once its last event says what it now is. */
  async function publishedOf(id: string): Promise<PublishedEvent[]> {
    return waitFor(
      async () => {
        const status = await statusOf(id);
        const { body } = await insist(() => manager.eventsOf(`transaction:${id}`));
        const published = (body.data as { events: PublishedEvent[] }).events;
        return published.at(-1)?.data.status === status ? published : sleep(300).then(() => undefined);
      },
      { timeoutMs: patienceMs, what: `the end of transaction ${id} to be told` },
    );
  }

  return {
    /** Of all transactions that were made. */
    told: () => Promise.all(made.map(publishedOf)),
    /** `created` is told once a transaction stands that will expire by itself. */
    run: (job: Job, created: () => void = () => undefined) => jobs[job](created),
    balance: () => waitFor(() => client.balanceOf(accountId).then(cents, () => undefined), { timeoutMs: patienceMs }),
  };
}

function walletOf(user: DemoUser, currency: string): string {
  const wallet = user.wallets?.find((one) => one.currency === currency);
  if (wallet === undefined) throw new Error(`${user.email} has no ${currency} wallet`);
  return wallet.accountId;
}
