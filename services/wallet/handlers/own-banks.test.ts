import { randomUUID } from "node:crypto";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { startSandboxPartner } from "../../../test/support/sandbox-partner.js";
import { patient } from "../../../test/support/stand-in-plugins.js";
import {
  createWalletFixture,
  eventually,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { asksIdentityAnew } from "../../../test/support/time.js";
import { insist } from "../../../test/support/insist.js";

type Bank = Awaited<ReturnType<typeof startSandboxPartner>>;

let wallet: WalletFixture;
let own: Bank;
let other: Bank;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_own_banks", { recoverAfterMs: 150 });
  own = await startSandboxPartner();
  other = await startSandboxPartner();
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
  wallet.plugins.seen.isAway = false;
});
afterAll(async () => {
  await wallet.close();
  await own.stop();
  await other.stop();
});

jest.setTimeout(120_000);

const key = () => ({ idempotencyKey: randomUUID() });
const balance = ({ tenantId }: Person, id: string) => wallet.ledger.balance(tenantId, id);

/**
 * A sandbox's customer with 500.00 in a wallet, and how the sandbox installs a
 * bank and an acquirer of its own.
 */
async function customer() {
  const tenantId = sandboxIdOf(`t${randomUUID().slice(0, 8)}`);
  const [bankId, cardId] = [randomUUID(), randomUUID()];
  const install = (bank: object = {}, card: object = {}) =>
    wallet.plugins.install(
      tenantId,
      { kind: "BANK", installationId: bankId, url: own.url, secrets: { apiKey: own.apiKey }, ...bank },
      { kind: "CARD", installationId: cardId, url: own.url, secrets: { apiKey: own.apiKey }, ...card },
    );
  install();
  const person = wallet.person(tenantId);
  const { accountId, accountNumber } = await wallet.wallet(person, "NGN", 500_00n, bankId);
  const named = { ...key(), country: "NGA", currency: "NGN", bankCode: "058", accountNumber: "0123456789" };
  const { account } = await insist(() => wallet.gateway.addBankAccount(named, wallet.calls(person)));
  /**
   * Takes 120.00 out; `before` is done when the withdrawal has its id and the bank was not asked.
   */
  const withdraw = async (before?: (payableId: string) => Promise<void>) => {
    const requested = { ...key(), bankAccountId: account?.bankAccountId ?? "", amount: "120" };
    const { payable } = await wallet.gateway.requestWithdrawal(requested, wallet.calls(person));
    const { payableId } = payable!;
    await before?.(payableId);
    const paying = { accountId, totalCheckoutAmount: "120", paymentGatewayRef: randomUUID(), password: "" };
    const credentials = { password: "correct horse battery" };
    await wallet.gateway.makePayment(
      { ...key(), payableType: "PAYABLE_TYPE_WITHDRAWAL", payableId, ...paying, ...credentials } as never,
      wallet.calls(person),
    );
    return payableId;
  };
  const until = (payableId: string, status: string) =>
    eventually(`the withdrawal to be ${status}`, async () => {
      const { payable } = await wallet.gateway.getPayable({ payableId }, wallet.calls(person));
      return payable?.status === status;
    });
  const topUp = (cardToken = "tok_ok") =>
    wallet.gateway
      .topUpByCard({ ...key(), accountId, amount: "20", cardToken }, wallet.calls(person))
      .then((answer) => answer.topUp!);
  const partnerOf = async (payableId: string) =>
    (await wallet.database.db.collection("payables").findOne({ tenantId, _id: payableId as never }))?.["partner"] as
      { installationId: string } | undefined;
  const made = async (payableId: string) => ({
    own: await own.knows(tenantId, "transfers", payableId),
    operators: await wallet.bankKnows(tenantId, "transfers", payableId),
  });
  return {
    tenantId,
    person,
    accountId,
    accountNumber,
    bankId,
    cardId,
    install,
    withdraw,
    until,
    topUp,
    partnerOf,
    made,
  };
}

describe("a withdrawal of a tenant with a bank of its own", () => {
  test("is made there, the operator's bank hears nothing of it, and the call is noted without its key", async () => {
    const t = await customer();
    const payableId = await t.withdraw();
    await t.until(payableId, "SENT");
    expect(await t.made(payableId)).toEqual({ own: "PAID", operators: undefined });
    expect(await t.partnerOf(payableId)).toMatchObject({ installationId: t.bankId });
    expect(balance(t.person, t.accountId)).toBe(380_00n);
    const transfer = () => wallet.plugins.callsOf(t.bankId).find(({ operation }) => operation === "transfer");
    expect(await eventually("the note", transfer)).toMatchObject({ reference: payableId, outcome: "OK" });
    expect(JSON.stringify(wallet.plugins.seen.calls)).not.toContain(own.apiKey);
  });

  test("names the customer as who pays and who is paid, as they were when it was first sent", async () => {
    const t = await customer();
    await own.control("/rules", { account: t.tenantId, behaviour: "SERVER_ERROR", times: 2 });
    const payableId = await t.withdraw();
    const isAsked = () => wallet.plugins.callsOf(t.bankId).some(({ operation }) => operation === "transfer");
    await eventually("the first try", isAsked);
    wallet.identity.parties.moves(t.person.customerId, "Abuja");
    await t.until(payableId, "SENT");
    const address = { lines: ["7 Broad Street"], city: "Lagos", country: "NGA" };
    const known = { kind: "PERSON", name: "Amina Bello", address };
    expect(await own.partiesOf(t.tenantId, payableId)).toEqual({
      originator: {
        ...known,
        dateOfBirth: "1990-04-12",
        placeOfBirth: { city: "Kano", country: "NGA" },
        nationality: "NGA",
        uniqueId: payableId.replaceAll("-", ""),
        customerCode: `C-${t.person.customerId.slice(0, 8)}`,
      },
      beneficiary: { ...known, account: "0123456789", country: "NGA" },
    });
    expect(JSON.stringify(wallet.plugins.seen.calls)).not.toMatch(/Bello|Broad Street/);
  });

  test.each(["PAUSED", "REMOVING"])("ends there once it is %s, and nothing new goes there", async (status) => {
    const t = await customer();
    const first = await t.withdraw((reference) =>
      own.control("/rules", { reference, behaviour: "ACCEPT", settleMs: 2_500 }),
    );
    await eventually("the order", async () => (await t.made(first)).own !== undefined);
    t.install({ status });
    await asksIdentityAnew();
    const next = await t.withdraw();
    await t.until(first, "SENT");
    await t.until(next, "SENT");
    expect(await t.made(first)).toEqual({ own: "PAID", operators: undefined });
    expect(await t.made(next)).toEqual({ own: undefined, operators: "PAID" });
  });

  test.each(["decided", "asked", "posted"])(
    "cut off at wallet.withdrawal.%s while the bank is paused is made there, once",
    async (step) => {
      const t = await customer();
      wallet.crashAt(`wallet.withdrawal.${step}`);
      const payableId = await t.withdraw();
      await eventually("the crash", () => wallet.crashedAt(`wallet.withdrawal.${step}`));
      t.install({ status: "PAUSED" });
      await t.until(payableId, "SENT");
      expect(await t.made(payableId)).toEqual({ own: "PAID", operators: undefined });
      expect(balance(t.person, t.accountId)).toBe(380_00n);
      expect(balance(t.person, "withdrawal_clearing:NGN")).toBe(0n);
    },
  );

  test("that comes back is in the wallet again, also while the bank is being removed", async () => {
    const t = await customer();
    const back = (reference: string) =>
      own.control("/rules", { reference, behaviour: "RETURN", delayMs: 2_500, reason: "wrong name" });
    const payableId = await t.withdraw(back);
    await t.until(payableId, "SENT");
    t.install({ status: "REMOVING" });
    await t.until(payableId, "RETURNED");
    expect(balance(t.person, t.accountId)).toBe(500_00n);
  });

  test("waits while identity does not answer: it is not sent to the operator's bank", async () => {
    const t = await customer();
    // Jobs ask beside it: what was answered before identity went away is not known any more.
    wallet.plugins.seen.isAway = true;
    await asksIdentityAnew();
    const payableId = await t.withdraw();
    await asksIdentityAnew();
    expect(await t.made(payableId)).toEqual({ own: undefined, operators: undefined });
    wallet.plugins.seen.isAway = false;
    await t.until(payableId, "SENT");
    expect(await t.made(payableId)).toEqual({ own: "PAID", operators: undefined });
  });
});

describe("a top-up of a tenant with an acquirer of its own", () => {
  const charged = async (tenantId: string, topUpId: string) => ({
    own: await own.knows(tenantId, "card-charges", topUpId),
    operators: await wallet.bankKnows(tenantId, "card-charges", topUpId),
  });

  test("is charged there, and not by the operator's", async () => {
    const t = await customer();
    const { topUpId, status } = await t.topUp();
    expect(status).toBe("DONE");
    expect(await charged(t.tenantId, topUpId)).toEqual({ own: "CAPTURED", operators: undefined });
  });

  test("that is pending is asked for there when the acquirer is paused, and charged once", async () => {
    const t = await customer();
    const { topUpId, status } = await t.topUp("tok_pending");
    expect(status).toBe("PENDING");
    t.install({}, { status: "PAUSED" });
    await asksIdentityAnew();
    const next = await t.topUp();
    expect(await charged(t.tenantId, next.topUpId)).toEqual({ own: undefined, operators: "CAPTURED" });
    await own.control(`/bank/card-charges/${t.tenantId}/${topUpId}`, { status: "CAPTURED" });
    await eventually("the money", () => balance(t.person, t.accountId) === 540_00n);
    expect(await charged(t.tenantId, topUpId)).toEqual({ own: "CAPTURED", operators: undefined });
  });

  test("is refused, and nobody charges, while identity does not answer", async () => {
    const t = await customer();
    await asksIdentityAnew();
    wallet.plugins.seen.isAway = true;
    await expect(t.topUp()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(balance(t.person, t.accountId)).toBe(500_00n);
  });
});

describe("credits of several banks", () => {
  const arrive = (bank: { control: Bank["control"] }, tenantId: string, creditId: string, reference: string) =>
    bank.control("/bank/credits", {
      account: tenantId,
      collection: "wallet",
      reference,
      amount: "10",
      currency: "NGN",
      senderName: "Amina Bello",
      creditId,
    });

  test("of the same id are credits of their own, each booked once, by whichever status", async () => {
    const t = await customer();
    const second = randomUUID();
    const at = (bank: Bank) => ({ url: bank.url, secrets: { apiKey: bank.apiKey } });
    wallet.plugins.install(
      t.tenantId,
      { kind: "BANK", installationId: t.bankId, ...at(own), status: "PAUSED" },
      { kind: "BANK", installationId: second, ...at(other), status: "REMOVING" },
    );
    const creditId = `c-${randomUUID()}`;
    for (const bank of [own, other, { control: wallet.bank }])
      await arrive(bank, t.tenantId, creditId, t.accountNumber);
    await eventually("the money", () => balance(t.person, t.accountId) === 530_00n);
    // Another look finds nothing new, and what comes next comes behind each one's cursor.
    await arrive(own, t.tenantId, `d-${randomUUID()}`, t.accountNumber);
    await eventually("the next", () => balance(t.person, t.accountId) === 540_00n);
    await asksIdentityAnew();
    expect(balance(t.person, t.accountId)).toBe(540_00n);
    const rows = await wallet.database.db.collection("bank_credits").find({ tenantId: t.tenantId }).toArray();
    expect(
      rows
        .map((row) => String(row["creditId"]))
        .filter((id) => id.endsWith(creditId))
        .toSorted(),
    ).toEqual([creditId, ...[t.bankId, second].map((id) => `${id.replaceAll("-", "")}:${creditId}`)].toSorted());
  });

  test("cut off between its taking and its booking is booked once", async () => {
    const t = await customer();
    for (const step of ["taken", "posted"]) {
      wallet.crashAt(`wallet.credit.${step}`);
      await arrive(own, t.tenantId, randomUUID(), t.accountNumber);
      await eventually("the crash", () => wallet.crashedAt(`wallet.credit.${step}`));
    }
    await eventually("the money", () => balance(t.person, t.accountId) === 520_00n);
  });

  test("are read although another bank of the tenant is away", async () => {
    const t = await customer();
    wallet.plugins.install(
      t.tenantId,
      { kind: "BANK", installationId: randomUUID(), url: "http://127.0.0.1:1", secrets: { apiKey: own.apiKey } },
      { kind: "BANK", installationId: t.bankId, url: own.url, secrets: { apiKey: own.apiKey } },
    );
    await arrive(own, t.tenantId, randomUUID(), t.accountNumber);
    await eventually("the money", () => balance(t.person, t.accountId) === 510_00n);
  });
});

test("each bank and acquirer has an account of its own in the books, by name, and what goes back is taken from it", async () => {
  const t = await customer();
  const books = (id: string) => (wallet.ledger.account(t.tenantId, id) === undefined ? 0n : balance(t.person, id));
  const at = (id: string) => books(`bank_settlement:${id}:NGN`);
  const card = (id: string) => books(`card_settlement:${id}:NGN`);
  const before = [at(t.bankId), at("operator")];
  const ofOwn = await t.withdraw((reference) =>
    own.control("/rules", { reference, behaviour: "RETURN", delayMs: 1_500, reason: "wrong name" }),
  );
  await t.until(ofOwn, "SENT");
  expect([at(t.bankId), at("operator")]).toEqual([before[0]! + 120_00n, before[1]]);
  await t.topUp();
  t.install({ status: "PAUSED", name: "Renamed" }, { status: "PAUSED" });
  await asksIdentityAnew();
  await t.until(await t.withdraw(), "SENT");
  await t.topUp();
  await t.until(ofOwn, "RETURNED");
  expect([at(t.bankId), at("operator")]).toEqual([before[0], before[1]! + 120_00n]);
  expect([card(t.cardId), card("operator")]).toEqual([-20_00n, -20_00n]);
  const credit = { account: t.tenantId, collection: "wallet", currency: "NGN", senderName: "Amina Bello" };
  // Above the operator's ceiling it lies apart, in accounts that the bank's longest id still fits.
  const creditId = "c".repeat(64);
  const apart = { ...credit, creditId, amount: "92233720368547758.07", reference: "nobody" };
  await own.control("/bank/credits", { ...credit, creditId: "c-1", amount: "10", reference: t.accountNumber });
  await own.control("/bank/credits", apart);
  const idApart = `bank_settlement:${t.bankId}:NGN:${creditId}`;
  await eventually("the credit apart", () => wallet.ledger.account(t.tenantId, idApart) !== undefined);
  expect(at(t.bankId)).toBe(before[0]! - 10_00n);
  const { account } = wallet.ledger.account(t.tenantId, idApart)!;
  expect(account).toMatchObject({ metadata: { partner: t.bankId }, name: expect.stringMatching(/, Renamed$/) });
  const first = wallet.ledger.account(t.tenantId, `bank_settlement:${t.bankId}:NGN`)!.account;
  expect(first).toMatchObject({ metadata: { partner: t.bankId }, name: "Bank settlement NGN, Ours" });
  const operators = wallet.ledger.account(t.tenantId, "card_settlement:operator:NGN")!.account;
  expect(operators).toMatchObject({
    metadata: { partner: "operator" },
    name: "Captured from cards NGN, the operator's partner",
  });
});

describe("a removal", () => {
  test("waits for withdrawals and charges that are under way, and for nothing else", async () => {
    const t = await customer();
    const sending = await t.withdraw((reference) =>
      own.control("/rules", { reference, behaviour: "ACCEPT", settleMs: 3_000 }),
    );
    const { topUpId } = await t.topUp("tok_pending");
    await eventually("the order", async () => (await t.made(sending)).own !== undefined);
    t.install({ status: "REMOVING" }, { status: "REMOVING" });
    await asksIdentityAnew();
    const { released } = wallet.plugins.seen;
    expect([released.includes(t.bankId), released.includes(t.cardId)]).toEqual([false, false]);
    await t.until(sending, "SENT");
    await eventually("the bank's release", () => released.includes(t.bankId));
    expect(released).not.toContain(t.cardId);
    await own.control(`/bank/card-charges/${t.tenantId}/${topUpId}`, { status: "REFUSED" });
    await eventually("the acquirer's release", () => released.includes(t.cardId));
  });
});

describe("a test", () => {
  test("of a sandbox's bank and acquirer passes, and is noted with identity", async () => {
    const t = await customer();
    t.install(patient, patient);
    const manager = wallet.person(t.tenantId, "MANAGER");
    for (const installationId of [t.bankId, t.cardId]) {
      const { plugin } = await wallet.pluginOwner.testPlugin({ installationId }, wallet.calls(manager));
      expect(
        wallet.plugins
          .testsOf(installationId)
          .at(-1)
          ?.checks.filter(({ result }) => result !== "PASSED"),
      ).toEqual([]);
      expect(plugin).toMatchObject({ installationId, status: "TESTED" });
    }
  });

  test("of a live one without a test system fails and asks nobody; a stranger's is not found", async () => {
    const tenantId = `t${randomUUID().slice(0, 8)}`;
    const manager = wallet.person(tenantId, "MANAGER");
    const installationId = randomUUID();
    wallet.plugins.install(tenantId, { kind: "BANK", installationId, url: "https://bank.example" });
    await wallet.pluginOwner.testPlugin({ installationId }, wallet.calls(manager));
    expect(wallet.plugins.testsOf(installationId)).toMatchObject([
      {
        hasPassed: false,
        checks: [{ name: "a test system is named", result: "FAILED" }],
      },
    ]);
    await expect(
      wallet.pluginOwner.testPlugin({ installationId: randomUUID() }, wallet.calls(manager)),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

test("a live tenant never reaches what the operator allows sandboxes", async () => {
  const tenantId = `t${randomUUID().slice(0, 8)}`;
  const [installationId, cardId] = [randomUUID(), randomUUID()];
  const secrets = { apiKey: own.apiKey };
  wallet.plugins.install(
    tenantId,
    { kind: "BANK", installationId, url: own.url, secrets },
    { kind: "CARD", installationId: cardId, url: own.url, secrets },
  );
  const person = wallet.person(tenantId);
  const { accountId } = await wallet.wallet(person, "NGN");
  const request = { ...key(), accountId, amount: "20", cardToken: "tok_ok" };
  await expect(wallet.gateway.topUpByCard(request, wallet.calls(person))).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  const [row] = await wallet.database.db.collection("top_ups").find({ tenantId }).toArray();
  expect(await own.knows(tenantId, "card-charges", String(row?.["_id"]))).toBeUndefined();
  expect(balance(person, accountId)).toBe(0n);
});

test("a deposit stands at the bank that it arrived at, whoever serves by now, and of several it must be named", async () => {
  const { person, bankId, accountId, install } = await customer();
  const deposit = (bank: string, minor: bigint) => {
    const request = { ...key(), accountId, amount: { amountMinor: minor, currency: "NGN" }, reference: "B-1", bank };
    return wallet.operator.recordDeposit(request, wallet.calls({ tenantId: person.tenantId }));
  };
  const at = (bank: string) => balance(person, `bank_settlement:${bank}:NGN`);
  const before = at(bankId);
  const unnamed = { code: "INVALID_INPUT", message: `bank: must be one of operator, ${bankId}` };
  await expect(deposit("", 1_00n)).rejects.toMatchObject(unnamed);
  await expect(deposit(randomUUID(), 1_00n)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await deposit("operator", 2_00n);
  install({ status: "PAUSED" });
  await asksIdentityAnew();
  await deposit(bankId, 4_00n);
  expect([at(bankId) - before, at("operator")]).toEqual([-4_00n, -2_00n]);
});
