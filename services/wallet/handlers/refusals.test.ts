import { randomUUID } from "node:crypto";
import {
  createWalletFixture,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import {
  createWalletScene,
  faultsOf,
  walletOperations,
  type Draft,
  type WalletScene,
} from "../../../test/support/wallet-operations.js";

let wallet: WalletFixture;
let scene: WalletScene;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_refusals", { recoverAfterMs: 150 });
  scene = await createWalletScene(wallet);
});
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const moved = () => wallet.ledger.ofTenant(scene.tenantId).length;
function send(name: string, draft: Draft = {}, by?: Person): Promise<unknown> {
  const { good, by: usual } = walletOperations[name]!;
  const rpcs = wallet.gateway as unknown as Record<string, (request: Draft, as: object) => Promise<unknown>>;
  return rpcs[name]!({ ...key(), ...good(scene), ...draft }, wallet.calls(by ?? usual(scene)));
}
async function expectRefused(what: Promise<unknown>, expected: object): Promise<void> {
  const before = moved();
  expect(await refusalOf(what)).toMatchObject(expected);
  expect(moved()).toBe(before);
}

describe.each(Object.keys(walletOperations))("%s, with nothing moved,", (name) => {
  const operation = walletOperations[name]!;

  test.each(faultsOf(operation))("names a wrong %s (%j)", async (path, wrong) => {
    const faulty = { code: "INVALID_INPUT", details: { errors: [{ path }] } };
    await expectRefused(send(name, { [path]: wrong }), faulty);
  });

  test("refuses an amount of zero, and one beyond int64", async () => {
    const { amounts = [], zero = [] } = operation;
    for (const path of amounts) await expectRefused(send(name, { [path]: "0.00" }), { code: "AMOUNT_NOT_POSITIVE" });
    for (const path of [...amounts, ...zero]) {
      await expectRefused(send(name, { [path]: "92233720368547758.08" }), { code: "AMOUNT_TOO_LARGE" });
    }
  });

  test("refuses an amount above the operator's ceiling, with the figures, before anybody is asked", async () => {
    const { amounts = [], zero = [] } = operation;
    // These are bounded by what was held, paid or counted before.
    if (["confirmHold", "refundPayment", "countTill"].includes(name)) return;
    for (const path of [...amounts, ...zero]) {
      const jam = { [path]: "92233720368547758.07" };
      await expectRefused(send(name, jam), { code: "AMOUNT_ABOVE_CEILING" });
      await expectRefused(send(name, { [path]: "100000000000.01" }), {
        code: "AMOUNT_ABOVE_CEILING",
        details: { figures: { ceiling: "100000000000.00", asked: expect.stringMatching(/^1000000000\d\d\.\d\d$/) } },
      });
    }
  });

  test("is 404 for everything of another tenant's, and for what is not there", async () => {
    const { by, ids = [], good } = operation;
    const roles = { owner: "CUSTOMER", friend: "CUSTOMER", manager: "MANAGER", cashier: "CASHIER" } as const;
    const who = (Object.keys(roles) as (keyof typeof roles)[]).find((one) => scene[one] === by(scene))!;
    const notFound = { code: expect.stringMatching(/NOT_FOUND$/) };
    if (ids.length > 0) await expectRefused(send(name, {}, wallet.person(undefined, roles[who])), notFound);
    for (const path of ids) {
      expect(typeof good(scene)[path]).toBe("string");
      await expectRefused(send(name, { [path]: randomUUID() }), notFound);
    }
  });
});

describe("another customer's, agent's or cashier's", () => {
  test.each([
    ["wallet to pay from", "makePayment", () => scene.friend],
    ["request to pay", "makePayment", () => undefined],
    ["wallet to be paid into", "requestPayment", () => scene.friend],
    ["bank account", "requestWithdrawal", () => scene.friend],
    ["wallet to fill", "topUpByCard", () => scene.friend],
    ["wallet to hold from", "createHold", () => scene.friend],
    ["hold to confirm", "confirmHold", () => scene.owner],
    ["hold to release", "releaseHold", () => scene.owner],
    ["wallets to exchange", "quoteExchange", () => scene.friend],
    ["quote", "executeExchange", () => scene.friend],
    ["payment to refund, by a customer,", "refundPayment", () => scene.owner],
    ["credit, by a customer,", "assignCredit", () => scene.owner],
    ["credit, by a cashier,", "assignCredit", () => scene.cashier],
    ["bill to issue, by a customer,", "issuePayable", () => scene.owner],
    ["desk, by a customer,", "openTill", () => scene.owner],
    ["vault, by a cashier,", "moveVaultCash", () => scene.cashier],
    ["till to count", "countTill", () => wallet.person(scene.tenantId, "CASHIER")],
    ["till to close", "closeTill", () => wallet.person(scene.tenantId, "CASHIER")],
    ["till to pay into", "cashIn", () => wallet.person(scene.tenantId, "CASHIER")],
    ["till to be paid from", "cashOut", () => wallet.person(scene.tenantId, "CASHIER")],
  ])("%s is forbidden", async (_what, name, by) => {
    const rival = wallet.person(scene.tenantId);
    const own = by() ?? rival;
    const more = by() === undefined ? { accountId: (await wallet.wallet(rival, "USD", 50_00n)).accountId } : {};
    await expectRefused(send(name, more, own), { code: "FORBIDDEN" });
  });
});

describe("decimals are the currency's:", () => {
  /** Operations with an amount, each in a wallet (till, bill) of the currency. */
  async function inCurrency(currency: string, amount: string, minor: bigint) {
    const person = wallet.person(scene.tenantId);
    const { accountId } = await wallet.wallet(person, currency, minor);
    const to = await wallet.wallet(wallet.person(scene.tenantId), currency);
    const cashier = wallet.person(scene.tenantId, "CASHIER");
    const { till } = await wallet.gateway.openTill({ ...key(), currency, float: "" }, wallet.calls(cashier));
    const tillId = till?.tillId ?? "";
    const pay = { payableType: "PAYABLE_TYPE_WALLET", payableId: to.accountId, accountId };
    return [
      ["totalCheckoutAmount", () => send("makePayment", { ...pay, totalCheckoutAmount: amount }, person)],
      ["amount", () => send("requestPayment", { payeeAccountId: accountId, amount }, person)],
      ["principal", () => send("issuePayable", { currency, principal: amount, fee: "", tax: "" })],
      ["fee", () => send("issuePayable", { currency, principal: "1", fee: amount, tax: "" })],
      ["amount", () => send("topUpByCard", { accountId, amount, cardToken: "tok_ok" }, person)],
      ["amount", () => send("createHold", { accountId, payeeAccountId: to.accountId, amount }, person)],
      ["float", () => send("openTill", { currency, float: amount }, wallet.person(scene.tenantId, "CASHIER"))],
      ["amount", () => send("cashIn", { tillId, accountId, amount }, cashier)],
      ["amount", () => send("cashOut", { tillId, accountId, amount }, cashier)],
      ["amount", () => send("moveVaultCash", { currency, amount })],
      ["counted", () => send("closeTill", { tillId, counted: amount }, cashier)],
    ] as const;
  }

  test.each([
    ["JPY", "10.5"],
    ["USD", "1.234"],
    ["KWD", "1.2345"],
  ])("%s %s is refused by every operation", async (currency, amount) => {
    for (const [path, ask] of await inCurrency(currency, amount, 100_000n)) {
      await expectRefused(ask(), { code: "INVALID_INPUT", details: { errors: [{ path }] } });
    }
  });

  test.each([
    ["KWD", "1.234"],
    ["JPY", "10"],
    ["USD", "1.23"],
  ])("%s %s is taken by every operation", async (currency, amount) => {
    for (const [, ask] of await inCurrency(currency, amount, 100_000n)) await expect(ask()).resolves.toBeDefined();
  });
});

describe("a wallet that is frozen or closed", () => {
  async function holder() {
    const person = wallet.person(scene.tenantId);
    const { accountId } = await wallet.wallet(person, "USD", 50_00n);
    const { account } = await wallet.gateway.addBankAccount(
      { ...key(), country: "USA", currency: "USD", accountNumber: "123456789" },
      wallet.calls(person),
    );
    return { person, accountId, bankAccountId: account?.bankAccountId ?? "" };
  }

  test("frozen: gives nothing by any way, and takes money in", async () => {
    const { person, accountId, bankAccountId } = await holder();
    const ngn = await wallet.wallet(person, "NGN");
    const { quote } = (await send(
      "quoteExchange",
      { fromAccountId: accountId, toAccountId: ngn.accountId },
      person,
    )) as {
      quote: { quoteId: string };
    };
    const { payable } = (await send("requestWithdrawal", { bankAccountId }, person)) as {
      payable: { payableId: string };
    };
    const { payment } = (await send(
      "makePayment",
      { payableType: "PAYABLE_TYPE_WALLET", payableId: accountId, accountId: scene.usd },
      scene.owner,
    )) as { payment: { paymentId: string } };
    const frozen = { accountId, frozen: true, reason: "asked by the police" };
    await wallet.gateway.setWalletAccountFrozen(frozen, wallet.calls(scene.manager));
    const refused = { code: "ACCOUNT_FROZEN" };
    const pay = { payableType: "PAYABLE_TYPE_WALLET", payableId: scene.theirs, accountId };
    await expectRefused(send("makePayment", pay, person), refused);
    const out = { payableType: "PAYABLE_TYPE_WITHDRAWAL", payableId: payable.payableId, accountId };
    await expectRefused(send("makePayment", out, person), refused);
    await expectRefused(send("createHold", { accountId }, person), refused);
    await expectRefused(send("executeExchange", { quoteId: quote.quoteId }, person), refused);
    await expectRefused(send("cashOut", { accountId }), refused);
    await expectRefused(wallet.gateway.closeWalletAccount({ accountId, reason: "" }, wallet.calls(person)), refused);
    // What it has received is not taken back while it is frozen: the refund fails and can be asked
    // for again.
    const { refund } = (await send("refundPayment", { paymentId: payment.paymentId })) as {
      refund: { refundId: string; approvalId: string };
    };
    const before = moved();
    await wallet.decide(refund.approvalId);
    const shown = await wallet.gateway.getRefund({ refundId: refund.refundId }, wallet.calls(scene.manager));
    expect([shown.refund?.status, shown.refund?.failure, moved()]).toEqual(["FAILED", "ACCOUNT_FROZEN", before]);
    await expect(send("cashIn", { accountId })).resolves.toBeDefined();
    await expect(send("topUpByCard", { accountId, cardToken: "tok_ok" }, person)).resolves.toBeDefined();
    await expect(send("makePayment", { ...pay, payableId: accountId, accountId: scene.usd })).resolves.toBeDefined();
  });

  test("closed: gives nothing and takes nothing by any way", async () => {
    const person = wallet.person(scene.tenantId);
    const { accountId } = await wallet.wallet(person, "USD");
    const ngn = await wallet.wallet(person, "NGN", 50_00n);
    const { payable } = (await send("requestPayment", { payeeAccountId: accountId }, person)) as {
      payable: { payableId: string };
    };
    await wallet.gateway.closeWalletAccount({ accountId, reason: "" }, wallet.calls(person));
    const closed = { code: "ACCOUNT_CLOSED" };
    const pay = { payableType: "PAYABLE_TYPE_WALLET", payableId: scene.theirs, accountId };
    await expectRefused(send("makePayment", pay, person), closed);
    await expectRefused(send("createHold", { accountId }, person), closed);
    await expectRefused(send("topUpByCard", { accountId, cardToken: "tok_ok" }, person), closed);
    await expectRefused(send("cashIn", { accountId }), closed);
    await expectRefused(send("cashOut", { accountId }), closed);
    await expectRefused(send("assignCredit", { accountId }), closed);
    await expectRefused(send("makePayment", { payableId: accountId }), { code: "PAYABLE_NOT_FOUND" });
    await expectRefused(send("makePayment", { payableId: payable.payableId }), { code: "PAYABLE_NOT_OPEN" });
    await expectRefused(send("createHold", { payeeAccountId: accountId }), { code: "PAYABLE_NOT_FOUND" });
    await expectRefused(send("requestPayment", { payeeAccountId: accountId }, person), { code: "ACCOUNT_NOT_FOUND" });
    const frozen = { accountId, frozen: true, reason: "asked by the police" };
    await expectRefused(wallet.gateway.setWalletAccountFrozen(frozen, wallet.calls(scene.manager)), closed);
    expect(wallet.ledger.balance(scene.tenantId, ngn.accountId)).toBe(50_00n);
  });

  test("closed since: a repeated request has its first answer", async () => {
    const person = wallet.person(scene.tenantId);
    const { accountId } = await wallet.wallet(person, "USD");
    const request = { ...key(), payeeAccountId: accountId };
    const first = await send("requestPayment", request, person);
    await wallet.gateway.closeWalletAccount({ accountId, reason: "" }, wallet.calls(person));
    expect(await send("requestPayment", request, person)).toEqual(first);
    const { bankAccountId, person: other } = await holder();
    const withdrawal = { ...key(), bankAccountId };
    const requested = await send("requestWithdrawal", withdrawal, other);
    await wallet.gateway.removeBankAccount({ bankAccountId }, wallet.calls(other));
    expect(await send("requestWithdrawal", withdrawal, other)).toEqual(requested);
    await expectRefused(send("requestWithdrawal", { bankAccountId }, other), { code: "NOT_FOUND" });
  });
});

test("a till that is closed takes, gives and counts nothing", async () => {
  const cashier = wallet.person(scene.tenantId, "CASHIER");
  const opened = await wallet.gateway.openTill({ ...key(), currency: "USD", float: "20" }, wallet.calls(cashier));
  const tillId = opened.till?.tillId ?? "";
  await send("closeTill", { tillId, counted: "20" }, cashier);
  for (const name of ["cashIn", "cashOut", "countTill", "closeTill"]) {
    await expectRefused(send(name, { tillId }, cashier), { code: "TILL_NOT_OPEN" });
  }
});

test("what was refused is still there to be done", async () => {
  const done = [
    send("makePayment"),
    send("assignCredit"),
    send("executeExchange"),
    send("confirmHold"),
    send("countTill"),
    send("cashIn"),
    send("cashOut"),
  ];
  for (const one of done) await expect(one).resolves.toBeDefined();
  await expect(send("closeTill")).resolves.toBeDefined();
});
