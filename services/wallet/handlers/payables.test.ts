import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { PayableType } from "../../../proto/gen/wallet/v1/wallet.js";
import { plansOf } from "../../../test/support/read-plans.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { asksIdentityAnew } from "../../../test/support/time.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_payables", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
  wallet.identity.state.offsetMs = 0;
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const key = () => ({ idempotencyKey: randomUUID() });
const balance = ({ tenantId }: Person, id: string) => wallet.ledger.balance(tenantId, id);
const read = (person: Person, payableId: string) =>
  wallet.gateway.getPayable({ payableId }, wallet.calls(person)).then(({ payable }) => payable!);

async function payer(minor = 500_00n, currency = "USD") {
  const person = wallet.person();
  const { accountId } = await wallet.wallet(person, currency, minor);
  const manager = wallet.person(person.tenantId, "MANAGER");
  const pay = (type: PayableType, payableId: string, totalCheckoutAmount: string, part = {}) =>
    wallet.pay(person, { accountId, payableType: type, payableId, totalCheckoutAmount, ...part });
  const issue = (part: object = {}) =>
    wallet.gateway
      .issuePayable(
        {
          ...key(),
          type: "BILL",
          payeeName: "City Power",
          reference: "INV-7",
          description: "",
          payerCustomerId: person.customerId,
          currency,
          principal: "100",
          fee: "2.50",
          tax: "0.19",
          expiresInS: 0,
          ...part,
        },
        wallet.calls(manager),
      )
      .then(({ payable }) => payable!);
  return { person, accountId, manager, pay, issue };
}

async function withdrawer() {
  const scene = await payer(500_00n, "NGN");
  const { person } = scene;
  const { account } = await wallet.gateway.addBankAccount(
    { ...key(), country: "NGA", currency: "NGN", bankCode: "058", accountNumber: "0123456789" },
    wallet.calls(person),
  );
  const ask = async (amount = "120") => {
    const request = { ...key(), bankAccountId: account?.bankAccountId ?? "", amount };
    const { payable } = await wallet.gateway.requestWithdrawal(request, wallet.calls(person));
    return payable!;
  };
  return { ...scene, ask };
}

describe.each(["BILL", "MERCHANT"] as const)("a %s", (type) => {
  const wireType: PayableType = `PAYABLE_TYPE_${type}`;

  test("is paid once: principal, fee and tax each to where they belong", async () => {
    const { person, accountId, issue, pay } = await payer();
    const { payableId, total, payeeCode } = await issue({ type });
    expect(total).toEqual({ amountMinor: 102_69n, currency: "USD" });
    const { payment } = await pay(wireType, payableId, "102.69");
    expect(payment).toMatchObject({ status: "SUCCESS", payableType: wireType, newBalanceMinor: 397_31n });
    const parts = [`merchant_settlement:${payeeCode}:USD`, "wallet_fee_income:USD", "wallet_tax_payable:USD"];
    expect(parts.map((id) => balance(person, id))).toEqual([100_00n, 2_50n, 19n]);
    expect(await read(person, payableId)).toMatchObject({ status: "PAID", paymentId: payment?.paymentId });
    await expect(pay(wireType, payableId, "102.69")).rejects.toEqual(refused("PAYABLE_ALREADY_PAID"));
    expect(balance(person, accountId)).toBe(397_31n);
  });

  test("each payee is owed in an account of its own, by its code or its name however it is written", async () => {
    const { person, issue, pay } = await payer();
    const issued = [
      await issue({ type, payeeName: "City  POWER" }),
      await issue({ type, payeeName: "city power" }),
      await issue({ type, payeeName: "City+Power" }),
      await issue({ type, payeeName: "Any", payeeCode: "town-water" }),
    ] as const;
    const [first, , third] = issued.map(({ payeeCode }) => payeeCode);
    expect(issued.map(({ payeeCode }) => payeeCode)).toEqual([first, first, third, "town-water"]);
    expect([first, third]).toEqual([1, 2].map(() => expect.stringMatching(/^city-power-[0-9a-f]{12}$/)));
    const paid: string[] = [];
    for (const { payableId } of issued) {
      paid.push((await pay(wireType, payableId, "102.69")).payment!.paymentId);
    }
    const owed = () => [first, third, "town-water"].map((code) => balance(person, `merchant_settlement:${code}:USD`));
    expect(owed()).toEqual([200_00n, 100_00n, 100_00n]);
    const waters = wallet.ledger.account(person.tenantId, "merchant_settlement:town-water:USD");
    expect(waters?.account).toMatchObject({ name: "Owed to Any USD", metadata: { payee: "town-water" } });
  });

  test("is not paid with another amount, to the last minor unit", async () => {
    const { person, accountId, issue, pay } = await payer();
    const { payableId } = await issue({ type });
    for (const amount of ["102.68", "102.70", "100"]) {
      await expect(pay(wireType, payableId, amount)).rejects.toEqual(refused("AMOUNT_MISMATCH"));
    }
    expect(balance(person, accountId)).toBe(500_00n);
    await expect(pay(wireType, payableId, "102.690")).resolves.toBeDefined();
  });
});

test("ten payments of one bill at once pay it once", async () => {
  const { person, accountId, issue, pay } = await payer(5_000_00n);
  const { payableId } = await issue();
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => pay("PAYABLE_TYPE_BILL", payableId, "102.69")),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") {
      expect(["PAYABLE_ALREADY_PAID", "PAYABLE_NOT_OPEN"]).toContain((result.reason as { code: string }).code);
    }
  }
  expect(balance(person, accountId)).toBe(4_897_31n);
});

test("a bill that could not be paid for want of money can be paid later", async () => {
  const { person, accountId, issue, pay } = await payer(1n);
  const { payableId } = await issue();
  const reference = { paymentGatewayRef: "ref-poor" };
  await expect(pay("PAYABLE_TYPE_BILL", payableId, "102.69", reference)).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
  expect((await read(person, payableId)).status).toBe("OPEN");
  const deposit = { ...key(), accountId, amount: { amountMinor: 200_00n, currency: "USD" }, reference: "B" };
  await wallet.operator.recordDeposit(deposit, wallet.calls({ tenantId: person.tenantId }));
  await expect(pay("PAYABLE_TYPE_BILL", payableId, "102.69", reference)).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
  await expect(pay("PAYABLE_TYPE_BILL", payableId, "102.69")).resolves.toBeDefined();
});

test("another customer's, an expired, a cancelled, an unknown one and one of another type or tenant are not paid", async () => {
  const { person, accountId, manager, issue, pay } = await payer();
  const bill = (payableId: string) => pay("PAYABLE_TYPE_BILL", payableId, "102.69");
  const theirs = await issue({ payerCustomerId: wallet.person(person.tenantId).customerId });
  await expect(bill(theirs.payableId)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(read(person, theirs.payableId)).rejects.toEqual(refused("FORBIDDEN"));
  const foreign = await (await payer()).issue();
  await expect(bill(foreign.payableId)).rejects.toEqual(refused("PAYABLE_NOT_FOUND"));
  await expect(bill(randomUUID())).rejects.toEqual(refused("PAYABLE_NOT_FOUND"));
  const order = await issue({ type: "MERCHANT" });
  await expect(bill(order.payableId)).rejects.toEqual(refused("PAYABLE_NOT_FOUND"));
  const cancelled = await issue();
  await wallet.gateway.cancelPayable({ payableId: cancelled.payableId }, wallet.calls(manager));
  await expect(bill(cancelled.payableId)).rejects.toEqual(refused("PAYABLE_NOT_OPEN"));
  const euro = await issue({ currency: "EUR" });
  await expect(bill(euro.payableId)).rejects.toEqual(refused("CURRENCY_MISMATCH"));
  const late = await issue({ expiresInS: 60 });
  wallet.identity.state.offsetMs = 61_000;
  await asksIdentityAnew();
  await expect(bill(late.payableId)).rejects.toEqual(refused("PAYABLE_EXPIRED"));
  expect((await read(person, late.payableId)).status).toBe("EXPIRED");
  expect(balance(person, accountId)).toBe(500_00n);
});

test.each([
  ["type", { type: "WITHDRAWAL" }],
  ["payeeName", { payeeName: "" }],
  ["principal", { principal: "-1" }],
  ["principal", { currency: "JPY", principal: "10.5", fee: "", tax: "" }],
  ["fee", { fee: "1.001" }],
  ["tax", { tax: "x" }],
  ["currency", { currency: "ZZZ" }],
  ["expiresInS", { expiresInS: 5 }],
])("a faulty %s of a bill is named", async (path, part) => {
  const { issue } = await payer();
  expect(await refusalOf(issue(part))).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
});

test("amounts have the decimals of their currency: KWD 1.234 is taken", async () => {
  const { issue, pay } = await payer(5_000n, "KWD");
  const { payableId, total } = await issue({ principal: "1.234", fee: "", tax: "" });
  expect(total?.amountMinor).toBe(1_234n);
  await expect(pay("PAYABLE_TYPE_BILL", payableId, "1.234")).resolves.toBeDefined();
});

describe("a payment request", () => {
  async function asked(part: object = {}) {
    const scene = await payer();
    const friend = wallet.person(scene.person.tenantId);
    const payee = await wallet.wallet(friend, "USD");
    const request = { ...key(), payeeAccountId: payee.accountId, amount: "25", description: "Lunch", ...part };
    const { payable } = await wallet.gateway.requestPayment(request, wallet.calls(friend));
    return { ...scene, friend, payee, payable: payable! };
  }

  test.each(["PAYABLE_TYPE_WALLET", "PAYABLE_TYPE_WALLET_CUSTOMER"] as const)("is paid once as %s", async (type) => {
    const { person, friend, payee, payable, pay } = await asked();
    expect(payable).toMatchObject({ type: "PAYMENT_REQUEST", payeeName: "Amina Bello", description: "Lunch" });
    await pay(type, payable.payableId, "25");
    expect(balance(friend, payee.accountId)).toBe(25_00n);
    await expect(pay(type, payable.payableId, "25")).rejects.toEqual(refused("PAYABLE_ALREADY_PAID"));
    expect((await read(person, payable.payableId)).status).toBe("PAID");
  });

  test("for one customer is not another's to pay", async () => {
    const { friend, payee, person, pay } = await asked();
    const request = { ...key(), payeeAccountId: payee.accountId, amount: "25", payerCustomerId: friend.customerId };
    const { payable } = await wallet.gateway.requestPayment(request, wallet.calls(friend));
    await expect(pay("PAYABLE_TYPE_WALLET", payable!.payableId, "25")).rejects.toEqual(refused("FORBIDDEN"));
    await expect(read(person, payable!.payableId)).rejects.toEqual(refused("FORBIDDEN"));
  });

  test("is for one's own wallet only, and only who asked takes it back", async () => {
    const { person, friend, payee, payable } = await asked();
    const request = { ...key(), payeeAccountId: payee.accountId, amount: "25" };
    await expect(wallet.gateway.requestPayment(request, wallet.calls(person))).rejects.toEqual(refused("FORBIDDEN"));
    const cancel = (by: Person) => wallet.gateway.cancelPayable({ payableId: payable.payableId }, wallet.calls(by));
    await expect(cancel(person)).rejects.toEqual(refused("FORBIDDEN"));
    for (let time = 0; time < 2; time += 1) expect((await cancel(friend)).payable?.status).toBe("CANCELLED");
  });

  test("lists show a customer what they pay and get, page by page", async () => {
    const { friend, payee } = await asked();
    for (const amount of ["1", "2"]) {
      const request = { ...key(), payeeAccountId: payee.accountId, amount };
      await wallet.gateway.requestPayment(request, wallet.calls(friend));
    }
    const list = (cursor: string) =>
      wallet.gateway.listPayables({ type: "PAYMENT_REQUEST", pageSize: 2, cursor }, wallet.calls(friend));
    const first = await list("");
    const second = await list(first.nextCursor);
    const minors = [...first.payables, ...second.payables].map(({ total }) => total?.amountMinor);
    expect(minors).toEqual([2_00n, 1_00n, 25_00n]);
    expect(second.nextCursor).toBe("");
  });
});

test("what is rare, of a type, is listed without looking at the others; bookings without those of other tenants", async () => {
  const { person, manager, issue } = await payer();
  const { payableId } = await issue();
  const { uri, database, db } = wallet.database;
  const one = (await db.collection("payables").findOne({ tenantId: person.tenantId, _id: payableId as never }))!;
  // Ids that come after it, of another type, and of another tenant.
  const rows = Array.from({ length: 300 }, (_, index) => ({ ...one, _id: `${payableId}-${index}`, type: "MERCHANT" }));
  await db.collection("payables").insertMany(rows as never[]);
  const foreign = Array.from({ length: 300 }, (_, index) => ({ _id: `0-${index}`, tenantId: "somebody-else" }));
  for (const name of ["payments", "movements", "top_ups"]) await db.collection(name).insertMany(foreign as never[]);
  const plans = await plansOf(
    { uri, database },
    async () => {
      const { payables } = await wallet.gateway.listPayables({ type: "BILL" }, wallet.calls(manager));
      expect(payables).toHaveLength(1);
      for (const kind of ["payment", "movement", "top-up"])
        await wallet.operator.listBookings({ cursor: `${kind} ` }, wallet.calls({ tenantId: person.tenantId }));
    },
    person.tenantId,
  );
  const reads = plans.filter(({ collection }) => ["payables", "payments", "movements", "top_ups"].includes(collection));
  expect(reads.length).toBeGreaterThanOrEqual(4);
  for (const { collection, plan, examined } of reads)
    expect([collection, plan, examined < 20]).toEqual([collection, plan, true]);
});

describe("a withdrawal", () => {
  const paid = async (behaviour?: object) => {
    const scene = await withdrawer();
    const { payableId } = await scene.ask();
    if (behaviour !== undefined) await wallet.bank("/rules", { reference: payableId, ...behaviour });
    const answer = await scene.pay("PAYABLE_TYPE_WITHDRAWAL", payableId, "120");
    const until = (status: string) =>
      eventually(`the withdrawal to be ${status}`, async () => (await read(scene.person, payableId)).status === status);
    return { ...scene, payableId, answer, until };
  };
  const books = (person: Person) =>
    ["withdrawal_clearing:NGN", "bank_settlement:operator:NGN"].map((id) => balance(person, id));

  test("leaves the wallet at once and the bank when it has paid it", async () => {
    const { person, accountId, until } = await paid();
    expect(balance(person, accountId)).toBe(380_00n);
    await until("SENT");
    // The stand-in ledger counts credits less debits; a deposit of 500.00 was debited to the bank
    // before.
    expect(books(person)).toEqual([0n, -380_00n]);
  });

  test.each(["REFUSE", "REFUSE_LATER"])("that the bank refuses (%s) is back in the wallet, once", async (behaviour) => {
    const { person, accountId, until, payableId, answer } = await paid({ behaviour, reason: "account closed" });
    await until("REFUSED");
    expect(balance(person, accountId)).toBe(500_00n);
    expect(books(person)[0]).toBe(0n);
    expect(await read(person, payableId)).toMatchObject({ reason: "account closed" });
    const stored = await wallet.database.db
      .collection("payments")
      .findOne({ tenantId: person.tenantId, _id: answer.payment?.paymentId as never });
    expect(stored).toMatchObject({ status: "REFUNDED", refundedMinor: 120_00n });
    const released = ["release", answer.payment?.paymentId];
    const isFree = () => wallet.compliance.state.settled.some((one) => isDeepStrictEqual(one, released));
    await eventually("compliance to be told", isFree);
  });

  test.each(["HANG", "LOSE_ANSWER"])(
    "whose outcome is unknown (%s) is neither refunded nor made twice",
    async (behaviour) => {
      const { person, accountId, until } = await paid({ behaviour, times: 1 });
      await until("SENT");
      expect(balance(person, accountId)).toBe(380_00n);
      expect(books(person)).toEqual([0n, -380_00n]);
    },
  );

  test("that comes back from the bank is in the wallet again", async () => {
    const { person, accountId, until } = await paid({ behaviour: "RETURN", delayMs: 100, reason: "wrong name" });
    await until("RETURNED");
    expect(balance(person, accountId)).toBe(500_00n);
    expect(books(person)).toEqual([0n, -500_00n]);
  });

  test.each(["decided", "asked", "posted", "ended"].map((step) => `wallet.withdrawal.${step}`))(
    "cut off at %s goes out once",
    async (point) => {
      wallet.crashAt(point);
      const { person, accountId, until } = await paid();
      await until("SENT");
      expect(wallet.crashedAt(point)).toBe(true);
      expect(balance(person, accountId)).toBe(380_00n);
      expect(books(person)).toEqual([0n, -380_00n]);
    },
  );

  test("cut off at wallet.withdrawal.returned comes back once", async () => {
    wallet.crashAt("wallet.withdrawal.returned");
    const { person, accountId, until } = await paid({ behaviour: "RETURN", delayMs: 50 });
    await until("RETURNED");
    expect(wallet.crashedAt("wallet.withdrawal.returned")).toBe(true);
    expect(balance(person, accountId)).toBe(500_00n);
  });

  test.each([undefined, "wallet.withdrawal.decided", "wallet.withdrawal.posted"])(
    "of who was blocked before the bank was asked never leaves, and its part of the day is free again (cut off at %s)",
    async (point) => {
      const { person, manager, accountId, ask, pay } = await withdrawer();
      const limit = { accountId, currency: "NGN", perDayMinor: 120_00n };
      const requested = await wallet.gateway.setWalletLimit(
        { ...key(), limit, reason: "as agreed" },
        wallet.calls(manager),
      );
      await wallet.decide(requested.approvalId);
      const { payableId } = await ask();
      // The bank is asked only after compliance, which is away until the customer is blocked.
      wallet.faults.next("checkMoves", "before");
      await pay("PAYABLE_TYPE_WITHDRAWAL", payableId, "120");
      wallet.crashAt(point);
      wallet.compliance.state.statuses.set(person.customerId, "BLOCKED");
      await eventually("it to be stopped", async () => (await read(person, payableId)).status === "REFUSED");
      wallet.compliance.state.statuses.delete(person.customerId);
      expect(point === undefined || wallet.crashedAt(point)).toBe(true);
      expect([balance(person, accountId), ...books(person)]).toEqual([500_00n, 0n, -500_00n]);
      const { payableId: next } = await ask();
      await pay("PAYABLE_TYPE_WITHDRAWAL", next, "120");
      const { payableId: tooMuch } = await ask("1");
      await expect(pay("PAYABLE_TYPE_WITHDRAWAL", tooMuch, "1")).rejects.toEqual(refused("DAILY_LIMIT_EXCEEDED"));
    },
  );

  test("goes to an own bank account that is still there", async () => {
    const { person, ask, pay } = await withdrawer();
    const stranger = wallet.person(person.tenantId);
    const { accounts } = await wallet.gateway.listBankAccounts({}, wallet.calls(person));
    const bankAccountId = accounts[0]?.bankAccountId ?? "";
    const request = { ...key(), bankAccountId, amount: "1" };
    await expect(wallet.gateway.requestWithdrawal(request, wallet.calls(stranger))).rejects.toEqual(
      refused("FORBIDDEN"),
    );
    const { payableId } = await ask();
    await wallet.gateway.removeBankAccount({ bankAccountId }, wallet.calls(person));
    await expect(pay("PAYABLE_TYPE_WITHDRAWAL", payableId, "120")).rejects.toEqual(refused("PAYABLE_NOT_OPEN"));
  });
});

describe("limits", () => {
  async function limited(limit: { perPaymentMinor?: bigint; perDayMinor?: bigint }, minor = 5_000n) {
    const scene = await payer(minor);
    const { person, manager, accountId } = scene;
    const friend = wallet.person(person.tenantId);
    const to = await wallet.wallet(friend, "USD");
    const request = { ...key(), limit: { accountId, currency: "USD", ...limit }, reason: "asked by the customer" };
    const requested = await wallet.gateway.setWalletLimit(request, wallet.calls(manager));
    const send = (amount: string, part = {}) => scene.pay("PAYABLE_TYPE_WALLET", to.accountId, amount, part);
    return { ...scene, asked: requested, send };
  }

  test("hold once a second person has approved them", async () => {
    const { asked, send, manager } = await limited({ perPaymentMinor: 10_00n });
    expect(asked.approvalStatus).toBe("PENDING");
    await expect(send("10.01")).resolves.toBeDefined();
    await wallet.decide(asked.approvalId);
    await expect(send("10.01")).rejects.toEqual(refused("AMOUNT_OUT_OF_LIMITS"));
    await expect(send("10.00")).resolves.toBeDefined();
    const { limits } = await wallet.gateway.listWalletLimits({}, wallet.calls(manager));
    expect(limits).toMatchObject([{ currency: "USD", perPaymentMinor: 10_00n }]);
  });

  test("of a day are never passed, also by payments at the same time, and a failed payment gives its part back", async () => {
    const { asked, send, person, accountId } = await limited({ perDayMinor: 30_00n }, 25_00n);
    await wallet.decide(asked.approvalId);
    await expect(send("26")).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => send("4")));
    // Money for six, the day's limit for seven: the six pass whatever the order.
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    expect(balance(person, accountId)).toBe(1_00n);
    const deposit = { ...key(), accountId, amount: { amountMinor: 50_00n, currency: "USD" }, reference: "B" };
    await wallet.operator.recordDeposit(deposit, wallet.calls({ tenantId: person.tenantId }));
    await expect(send("6.01")).rejects.toEqual(refused("DAILY_LIMIT_EXCEEDED"));
    await expect(send("6")).resolves.toBeDefined();
    // The next business day starts anew.
    wallet.identity.state.offsetMs = 86_400_000;
    await asksIdentityAnew();
    await expect(send("6.01")).resolves.toBeDefined();
  });
});
