import { randomUUID } from "node:crypto";
import { createEdgeClient, demoUser, readDemo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

const demo = () => readDemo();
const amina = () => demoUser(demo(), "CUSTOMER", { email: "amina" });
const toNigeria = { sendAmount: "12.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };

export interface Ordered {
  id: string;
  code: string;
  totalAmount: string;
  accountId: string;
}

/** A transaction that a demo customer made, and that waits for its payment. */
export async function orderedTransaction(): Promise<Ordered & { pay: () => Promise<void> }> {
  const client = createEdgeClient(demo().baseUrl);
  await client.login(amina());
  const created = await client.createTransaction(amina(), toNigeria);
  const { id, transactionCode: code, totalAmount } = created.body.data;
  const accountId = amina().wallets?.find(({ currency }) => currency === "USD")?.accountId ?? "";
  const pay = async () => {
    const paid = await client.pay(
      amina(),
      { payAbleId: id, accountId, total: totalAmount },
      { "x-idempotency-key": randomUUID() },
    );
    if (paid.status !== 200) throw new Error(`the payment was answered ${paid.text}`);
  };
  return { id, code, totalAmount, accountId, pay };
}

/** One of so much that compliance may ask for something first, made at the desk. */
export async function orderedAbove(sendAmount: string): Promise<{ code: string; status: string }> {
  const client = createEdgeClient(demo().baseUrl);
  await client.login(demoUser(demo(), "CASHIER"));
  const created = await client.createTransaction(amina(), { ...toNigeria, sendAmount });
  const { transactionCode: code, status } = created.body.data;
  return { code, status };
}

/** One that the recipient has the money of. */
export async function completedTransaction(): Promise<Ordered> {
  const { pay, ...ordered } = await orderedTransaction();
  await pay();
  const client = createEdgeClient(demo().baseUrl);
  await client.login(amina());
  const isDone = async () => (await client.readTransaction(ordered.id)).body.data.status === "COMPLETED";
  await waitFor(isDone, { timeoutMs: 60_000, what: "the payout" });
  return ordered;
}
