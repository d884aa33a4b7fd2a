import { IdentityServiceDefinition } from "../proto/gen/identity/v1/identity.js";
import { WalletServiceDefinition } from "../proto/gen/wallet/v1/wallet.js";
import { outgoing, type CallOptions } from "../services/kernel/grpc/client.js";
import { Refusal, type RefusalCode } from "../services/kernel/refusal.js";
import { createTryBudget, withSecondTry } from "./second-try.js";

const call = (leftMs = 5_000): CallOptions =>
  outgoing({ tenantId: "t", interactionId: "i", deadline: new Date(Date.now() + leftMs) });

/** Every rpc is answered by the next of `outcomes`, a code or OK; the last one stays. */
function answering(...outcomes: (RefusalCode | "OK")[]) {
  const asked: string[] = [];
  const rpc = (name: string) => async () => {
    asked.push(name);
    const code = outcomes.length > 1 ? outcomes.shift()! : outcomes[0]!;
    if (code !== "OK") throw new Refusal(code, String(asked.length));
    return {};
  };
  const all = { ...WalletServiceDefinition.methods, ...IdentityServiceDefinition.methods };
  const client = Object.fromEntries(Object.keys(all).map((name) => [name, rpc(name)])) as never;
  const budget = createTryBudget();
  return {
    asked,
    wallet: withSecondTry(WalletServiceDefinition, client, budget),
    identity: withSecondTry(IdentityServiceDefinition, client, budget),
  };
}

test("a read and a keyed write are sent once more when the service could not be reached", async () => {
  const { wallet, asked } = answering("UNAVAILABLE", "OK", "UNAVAILABLE", "OK", "UNAVAILABLE", "OK");
  await wallet.listWalletAccounts({}, call());
  await wallet.openWalletAccount({ idempotencyKey: "k" }, call());
  await wallet.makePayment({ paymentGatewayRef: "its key" }, call());
  expect(asked).toEqual([
    "listWalletAccounts",
    "listWalletAccounts",
    "openWalletAccount",
    "openWalletAccount",
    "makePayment",
    "makePayment",
  ]);
});

test("never a third time", async () => {
  const { wallet, asked } = answering("UNAVAILABLE");
  await expect(wallet.listWalletAccounts({}, call())).rejects.toMatchObject({ code: "UNAVAILABLE", message: "2" });
  expect(asked).toHaveLength(2);
});

test("a write without a key and what uses up a code are sent once", async () => {
  const { wallet, identity, asked } = answering("UNAVAILABLE");
  await expect(wallet.openWalletAccount({}, call())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(identity.login({}, call())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(identity.resetPassword({}, call())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(asked).toEqual(["openWalletAccount", "login", "resetPassword"]);
});

test.each(["DEADLINE_EXCEEDED", "OVERLOADED", "INSUFFICIENT_FUNDS", "NOT_FOUND"] as const)(
  "%s is an answer and is not asked for again",
  async (code) => {
    const { wallet, asked } = answering(code);
    await expect(wallet.listWalletAccounts({}, call())).rejects.toMatchObject({ code });
    expect(asked).toHaveLength(1);
  },
);

test("no second try begins where the deadline leaves no time for it, or the client has gone", async () => {
  const { wallet, asked } = answering("UNAVAILABLE");
  await expect(wallet.listWalletAccounts({}, call(100))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const gone = { ...call(), signal: AbortSignal.abort() };
  await expect(wallet.listWalletAccounts({}, gone)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(asked).toHaveLength(2);
});

test("a first try that still runs is told as it was: its outcome is asked for by the key", async () => {
  const { wallet } = answering("UNAVAILABLE", "IDEMPOTENCY_IN_FLIGHT");
  await expect(wallet.openWalletAccount({ idempotencyKey: "k" }, call())).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "1",
  });
});

test("an outage costs at most twenty second tries and a tenth of the calls", async () => {
  const { wallet, asked } = answering("UNAVAILABLE");
  const calls = 60;
  await Promise.all(Array.from({ length: calls }, () => wallet.listWalletAccounts({}, call()).catch(() => undefined)));
  expect(asked.length - calls).toBeGreaterThanOrEqual(20);
  expect(asked.length - calls).toBeLessThanOrEqual(20 + calls / 10);
});

test("a code that the first try used up is not told to be wrong: the caller hears of the service that was away", async () => {
  const { wallet, asked } = answering("UNAVAILABLE", "OTP_WRONG");
  await expect(wallet.makePayment({ paymentGatewayRef: "its key" }, call())).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  expect(asked).toHaveLength(2);
});
