import { randomUUID } from "node:crypto";
import { Manilla } from "../../sdk/src/index.js";
import { atDepth } from "../support/depth.js";
import { demoUser, readDemo } from "../support/edge-client.js";
import { fundedCustomer } from "../support/funded-customer.js";
import { startLosingProxy } from "../support/losing-proxy.js";

const payments = atDepth({ quick: 20, ci: 200, long: 1_000 }, "LOST_ANSWERS");
const atOnce = 10;

test(`${payments} payments by the client library, each with its answer lost after the commit: one effect each`, async () => {
  const demo = readDemo();
  const { person, accountId } = await fundedCustomer(demo, BigInt(payments) * 100n);
  const kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
  const payableId = kofi.wallets?.find(({ currency }) => currency === "USD")?.accountId ?? "";
  const lost = new Set<string>();
  const proxy = await startLosingProxy(demo.baseUrl, ({ url, headers }) => {
    const key = headers["x-idempotency-key"];
    if (!url?.endsWith("/makepaymentfromwalletaccount") || typeof key !== "string" || lost.has(key)) return false;
    lost.add(key);
    return true;
  });
  try {
    const { email, password } = person;
    // A busy machine may be late again and again: the deadline ends a
    // call, not the number of its tries.
    const options = { baseUrl: proxy.url, credentials: { email, password }, timeoutMs: 300_000, retries: 50 };
    const manilla = new Manilla(options);
    const answers: { paymentId: string; replayed: boolean; attempts: number }[] = [];
    const pay = async () => {
      const { data, meta } = await manilla.payments
        .payFromWallet({
          payableType: "WALLET_CUSTOMER",
          payableId,
          accountId,
          totalCheckOutAmount: "1.00",
          paymentGatewayRef: randomUUID(),
          password,
        })
        .withResponse();
      answers.push({ paymentId: String(data.paymentId), replayed: meta.replayed, attempts: meta.attempts });
    };
    const left = Array.from({ length: payments }).values();
    const work = async () => {
      for (const _one of left) await pay();
    };
    await Promise.all(Array.from({ length: atOnce }, work));

    expect(lost.size).toBe(payments);
    expect(new Set(answers.map(({ paymentId }) => paymentId)).size).toBe(payments);
    expect(answers.filter(({ replayed, attempts }) => !replayed || attempts < 2)).toEqual([]);
    // All of it was paid once, and nothing twice: a second effect
    // would have found the wallet empty.
    expect(await manilla.payments.readWalletAccount(accountId)).toMatchObject({ availableBalance: "0.00" });
    const entries = await manilla.payments.readStatement(accountId).toArray({ max: payments * 3 });
    expect(entries.filter(({ type }) => type === "DEBIT")).toHaveLength(payments);
  } finally {
    await proxy.close();
  }
}, 600_000);
