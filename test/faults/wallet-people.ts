import { randomUUID } from "node:crypto";
import {
  createEdgeClient,
  demoUser,
  services,
  type Demo,
  type DemoUser,
  type EdgeAnswer,
} from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { cents, insist } from "./payment-jobs.js";

export const pm = `${services}/paymentmanagement`;
export const patience = { timeoutMs: 60_000, everyMs: 200 };

export type WalletPeople = Awaited<ReturnType<typeof createWalletPeople>>;

/**
 * The demo's customers and staff, who insist on their answers and check that they stay the same.
 */
export async function createWalletPeople(demo: Demo, partnerAddress: string) {
  const tenantId = demo.tenants[0]?.id ?? "";
  const clientOf = async (user: DemoUser) => {
    const client = createEdgeClient(demo.baseUrl);
    await client.login(user);
    return client;
  };
  const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
  const kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
  const [payer, payee] = [await clientOf(amina), await clientOf(kofi)];
  const [manager, second] = [
    await clientOf(demoUser(demo, "MANAGER", { email: "manager@" })),
    await clientOf(demoUser(demo, "MANAGER", { email: "manager2@" })),
  ];
  const { userId: cashierId } = demoUser(demo, "CASHIER");
  const cashier = await clientOf(demoUser(demo, "CASHIER"));
  const agent = await clientOf(demoUser(demo, "AGENT"));
  type Client = typeof payer;

  const walletOf = ({ wallets = [] }: DemoUser, currency: string) =>
    wallets.find((one) => one.currency === currency) ?? { accountId: "", accountNumber: "" };
  const [usd, ngn, kofis] = [walletOf(amina, "USD"), walletOf(amina, "NGN"), walletOf(kofi, "USD")];

  const dataOf = (answer: EdgeAnswer, status = 200) => {
    expect([answer.status, answer.status === status ? "" : answer.text]).toEqual([status, ""]);
    return answer.body.data;
  };

  /** Asked until it is answered, then once more under the same key: the one answer. */
  async function once(client: Client, path: string, body: object = {}, status = 200) {
    const headers = { "x-idempotency-key": randomUUID() };
    const send = () => client.send("POST", path, { headers, body });
    const answer = await insist(send);
    const data = dataOf(answer, status);
    expect((await insist(send)).text).toBe(answer.text);
    return data;
  }
  const read = async (client: Client, path: string) => dataOf(await insist(() => client.send("GET", path)));

  async function pay(payableType: string, payAbleId: string, total: string, accountId = usd.accountId) {
    const payment = { payableType, payAbleId, accountId, total, paymentGatewayRef: `ref-${randomUUID()}` };
    const send = () => payer.pay(amina, payment);
    const answer = await insist(send);
    expect((await insist(send)).text).toBe(answer.text);
    return answer;
  }
  async function paid(payableType: string, payAbleId: string, total: string, accountId?: string): Promise<string> {
    const data = dataOf(await pay(payableType, payAbleId, total, accountId));
    expect(data).toMatchObject({ status: "SUCCESS", payableStatus: "PAID" });
    return data.paymentId as string;
  }

  async function atPartner(path: string, body: object): Promise<void> {
    const response = await fetch(`http://${partnerAddress}/control${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
  }
  const balance = (client: Client, accountId: string) =>
    waitFor(() => client.balanceOf(accountId).then(cents, () => undefined), patience);
  const until = (what: string, isSo: () => Promise<boolean>) => waitFor(isSo, { ...patience, what });

  /** What the payer's wallet must have more after the work, in cents, and has in the end. */
  async function moving(deltaCents: bigint, work: () => Promise<void>, accountId = usd.accountId): Promise<void> {
    const before = await balance(payer, accountId);
    await work();
    const isSo = async () => (await balance(payer, accountId)) === before + deltaCents;
    await until(`the balance to change by ${deltaCents}`, isSo);
  }

  return {
    tenantId,
    partnerAddress,
    amina,
    payer,
    payee,
    manager,
    second,
    cashier,
    cashierId,
    agent,
    usd,
    ngn,
    kofis,
    dataOf,
    once,
    read,
    pay,
    paid,
    atPartner,
    until,
    moving,
  };
}
