import { randomUUID } from "node:crypto";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import type { StandInPickup } from "../../../test/support/stand-in-remittance.js";
import { formatMoney } from "../../kernel/money.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_tills", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const key = () => ({ idempotencyKey: randomUUID() });

// Codes work once, whoever's they are.
let code = 100_000;

/** A cashier with an open till of 200.00 USD, and a customer with 100.00. */
async function desk(float = "200") {
  const customer = wallet.person();
  const { accountId } = await wallet.wallet(customer, "USD", 100_00n);
  const cashier = wallet.person(customer.tenantId, "CASHIER");
  const { till } = await wallet.gateway.openTill({ ...key(), currency: "USD", float }, wallet.calls(cashier));
  const tillId = till?.tillId ?? "";
  const { tenantId } = customer;
  const ids = { till: `cash_till:${cashier.userId}:USD`, vault: "cash_vault:USD", off: "cash_difference:USD" };
  const books = () =>
    Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, -wallet.ledger.balance(tenantId, id)]));
  return {
    customer,
    cashier,
    accountId,
    tillId,
    till,
    books,
    balance: () => wallet.ledger.balance(tenantId, accountId),
    cashIn: (amount: string, by: Person = cashier, part = {}) =>
      wallet.gateway.cashIn({ ...key(), tillId, accountId, amount, ...part }, wallet.calls(by)),
    cashOut: (amount: string, part = {}) =>
      wallet.gateway.cashOut(
        { ...key(), tillId, accountId, amount, password: "correct horse battery", otp: String((code += 1)), ...part },
        wallet.calls(cashier),
      ),
    count: (counted: string) =>
      wallet.gateway.countTill({ ...key(), tillId, counted }, wallet.calls(cashier)).then((answer) => answer.till),
    close: (counted: string, reason = "as counted") =>
      wallet.gateway
        .closeTill({ ...key(), tillId, counted, reason }, wallet.calls(cashier))
        .then((answer) => answer.till),
  };
}

test("a transaction that is paid for within a day of cash in is claimed as paid in cash, and refused where it asks more", async () => {
  const { customer, cashIn, accountId } = await desk();
  await cashIn("50");
  const { id, transaction, total } = wallet.transaction(customer, { missingForCash: ["IDENTITY_DOCUMENT"] });
  const before = wallet.ledger.balance(customer.tenantId, accountId);
  expect(await refusalOf(wallet.pay(customer, { accountId, payableId: id, totalCheckoutAmount: total }))).toMatchObject(
    {
      code: "TRANSPARENCY_INCOMPLETE",
      details: { errors: [{ path: "IDENTITY_DOCUMENT" }] },
    },
  );
  expect(transaction).toMatchObject({ status: "AWAITING_PAYMENT", fundings: ["CASH"] });
  expect(wallet.ledger.balance(customer.tenantId, accountId)).toBe(before);
});

test("cash in and out move wallet and till together; counted right, it closes without a difference", async () => {
  const { till, cashIn, cashOut, balance, books, count, close } = await desk();
  expect(till).toMatchObject({ status: "OPEN", floatMinor: 200_00n, expectedMinor: 200_00n });
  expect((await cashIn("50")).movement).toMatchObject({ newBalanceMinor: 150_00n });
  expect((await cashOut("30")).movement).toMatchObject({ newBalanceMinor: 120_00n });
  expect(balance()).toBe(120_00n);
  expect(books()).toEqual({ till: 220_00n, vault: -200_00n, off: 0n });
  expect(await count("219.50")).toMatchObject({ countedMinor: 219_50n, differenceMinor: -50n, status: "OPEN" });
  expect(await close("220")).toMatchObject({ status: "CLOSED", differenceMinor: 0n });
  expect(books()).toEqual({ till: 0n, vault: 20_00n, off: 0n });
});

test.each([
  ["short", "199", { till: 0n, vault: -1_00n, off: 1_00n }],
  ["over", "201.25", { till: 0n, vault: 1_25n, off: -1_25n }],
  ["at 100.00 short", "100", { till: 0n, vault: -100_00n, off: 100_00n }],
])("a till that is counted %s books the difference", async (_what, counted, expected) => {
  const { books, close } = await desk();
  await close(counted);
  expect(books()).toEqual(expected);
});

test("a till that is not open takes and gives nothing", async () => {
  const { close, cashIn, cashOut, balance, count } = await desk();
  await close("200");
  await expect(cashIn("1")).rejects.toEqual(refused("TILL_NOT_OPEN"));
  await expect(cashOut("1")).rejects.toEqual(refused("TILL_NOT_OPEN"));
  await expect(count("1")).rejects.toEqual(refused("TILL_NOT_OPEN"));
  await expect(close("200")).rejects.toEqual(refused("TILL_NOT_OPEN"));
  expect(balance()).toBe(100_00n);
});

test("one that opens or closes at this moment refuses for the moment: the same key has its answer then", async () => {
  const { customer, cashier, cashIn, balance } = await desk();
  const requested = key();
  const become = (status: string) =>
    wallet.database.db.collection("tills").updateMany({ tenantId: customer.tenantId }, { $set: { status } });
  for (const status of ["OPENING", "CLOSING"]) {
    await become(status);
    expect(await refusalOf(cashIn("1", cashier, requested))).toMatchObject({
      code: "TILL_NOT_OPEN",
      details: { retryAfterS: 1 },
    });
  }
  await become("OPEN");
  await cashIn("1", cashier, requested);
  expect(balance()).toBe(101_00n);
});

test("one till per cashier and currency; another one after it is closed", async () => {
  const { cashier, close } = await desk();
  const open = (currency: string) => wallet.gateway.openTill({ ...key(), currency, float: "" }, wallet.calls(cashier));
  await expect(open("USD")).rejects.toEqual(refused("ALREADY_EXISTS"));
  await expect(open("EUR")).resolves.toMatchObject({ till: { floatMinor: 0n } });
  await close("200");
  await expect(open("USD")).resolves.toBeDefined();
  const { tills } = await wallet.gateway.listTills({ openOnly: true }, wallet.calls(cashier));
  expect(tills.map(({ currency }) => currency).toSorted()).toEqual(["EUR", "USD"]);
});

test("cash out asks for the customer's password and one-time code, always", async () => {
  const { cashOut, balance } = await desk();
  await expect(cashOut("1", { otp: "" })).rejects.toEqual(refused("OTP_REQUIRED"));
  await expect(cashOut("1", { password: "wrong" })).rejects.toEqual(refused("PASSWORD_WRONG"));
  expect(balance()).toBe(100_00n);
});

test("gives no more than the wallet or the till has", async () => {
  const rich = await desk("50");
  await expect(rich.cashOut("60")).rejects.toEqual(refused("TILL_SHORT"));
  const poor = await desk("500");
  await expect(poor.cashOut("100.01")).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
  // What the refused one would have taken is in the till's expectation again.
  expect(await poor.close("500")).toMatchObject({ differenceMinor: 0n });
});

test("another cashier's till, a frozen or closed wallet, other currencies and strangers: the right answer each", async () => {
  const { customer, cashier, tillId, accountId, cashIn, cashOut, balance } = await desk();
  await expect(cashIn("1", wallet.person(customer.tenantId, "CASHIER"))).rejects.toEqual(refused("FORBIDDEN"));
  await expect(cashIn("1", customer)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(cashIn("1", cashier, { accountId: randomUUID() })).rejects.toEqual(refused("ACCOUNT_NOT_FOUND"));
  await expect(cashIn("1", cashier, { tillId: randomUUID() })).rejects.toEqual(refused("NOT_FOUND"));
  await expect(cashIn("0")).rejects.toEqual(refused("AMOUNT_NOT_POSITIVE"));
  expect(await refusalOf(cashIn("1.001"))).toMatchObject({ details: { errors: [{ path: "amount" }] } });
  const euro = await wallet.wallet(customer, "EUR");
  await expect(cashIn("1", cashier, { accountId: euro.accountId })).rejects.toEqual(refused("CURRENCY_MISMATCH"));
  const manager = wallet.person(customer.tenantId, "MANAGER");
  const frozen = { accountId, frozen: true, reason: "asked by the police" };
  await wallet.gateway.setWalletAccountFrozen(frozen, wallet.calls(manager));
  await expect(cashOut("1")).rejects.toEqual(refused("ACCOUNT_FROZEN"));
  await expect(cashIn("1")).resolves.toBeDefined();
  await wallet.gateway.closeWalletAccount({ accountId: euro.accountId }, wallet.calls(customer));
  expect(balance()).toBe(101_00n);
  void tillId;
});

describe("a remittance handed out in cash", () => {
  /** 60.00 USD that wait for their recipient. */
  async function pickupAt(float = "200") {
    const scene = await desk(float);
    const { tenantId } = scene.customer;
    const transactionCode = `MN-${randomUUID()}`;
    const waiting: StandInPickup = { tenantId, amountMinor: 60_00n, currency: "USD", code: "RIGHT", wrongTries: 0 };
    wallet.remittance.pickups.set(transactionCode, waiting);
    return {
      ...scene,
      waiting,
      payOut: (pickupCode = "RIGHT", idempotencyKey: string = randomUUID(), by: Person = scene.cashier) =>
        wallet.gateway.payOutCash({ idempotencyKey, transactionCode, pickupCode }, wallet.calls(by)),
      till: async () => {
        const stored = await wallet.database.db.collection("tills").findOne({ tenantId, isOpen: true });
        const [shown] = (await wallet.gateway.listTills({}, wallet.calls(scene.cashier))).tills;
        return { expectedMinor: shown?.expectedMinor, moving: Number(stored?.["moving"]) };
      },
      report: async () => {
        const manager = wallet.person(tenantId, "MANAGER");
        return (await wallet.gateway.sumCash({ date: "" }, wallet.calls(manager))).sums;
      },
    };
  }

  test("comes out of the open till once, and a repeat is answered the same whatever its code", async () => {
    const { payOut, till, tillId, close, report, waiting, cashier } = await pickupAt();
    const requested = randomUUID();
    const done = await payOut("RIGHT", requested);
    const amount = { amountMinor: 60_00n, currency: "USD" };
    expect(done).toMatchObject({ amount, recipientName: "Ngozi Okafor", tillId });
    expect(await payOut("OTHER", requested)).toEqual(done);
    expect(await till()).toMatchObject({ expectedMinor: 140_00n, moving: 0 });
    expect(waiting.handedOut?.cashierId).toBe(cashier.userId);
    await expect(payOut()).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(await till()).toMatchObject({ expectedMinor: 140_00n, moving: 0 });
    expect(await report()).toContainEqual(
      expect.objectContaining({ kind: "CASH_PICKUP", currency: "USD", count: 1, totalMinor: 60_00n }),
    );
    expect(await close("140")).toMatchObject({ differenceMinor: 0n });
  });

  test("is refused as handed out, also where the till has not so much any more", async () => {
    const { payOut, till } = await pickupAt("100");
    await payOut();
    await expect(payOut()).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(await till()).toMatchObject({ expectedMinor: 40_00n, moving: 0 });
  });

  test("is refused without an open till that has so much before a try of the code is counted", async () => {
    const short = await pickupAt("59.99");
    await expect(short.payOut("WRONG")).rejects.toEqual(refused("TILL_SHORT"));
    await short.close("59.99");
    await expect(short.payOut("WRONG")).rejects.toEqual(refused("TILL_NOT_OPEN"));
    const stranger = wallet.person(short.customer.tenantId, "CASHIER");
    await expect(short.payOut("WRONG", randomUUID(), stranger)).rejects.toEqual(refused("TILL_NOT_OPEN"));
    expect(short.waiting.wrongTries).toBe(0);
    const agent = wallet.person(short.customer.tenantId, "AGENT");
    await expect(short.payOut("RIGHT", randomUUID(), agent)).rejects.toEqual(refused("FORBIDDEN"));
  });

  test("a wrong code frees what was reserved, and the right one goes through under the same key", async () => {
    const { payOut, till, waiting } = await pickupAt();
    const requested = randomUUID();
    await expect(payOut("WRONG", requested)).rejects.toEqual(refused("PICKUP_CODE_WRONG"));
    expect(waiting.wrongTries).toBe(1);
    expect(await till()).toMatchObject({ expectedMinor: 200_00n, moving: 0 });
    await payOut("RIGHT", requested);
    expect(await till()).toMatchObject({ expectedMinor: 140_00n, moving: 0 });
  });

  test("reserves are taken at once: of two that the till cannot both give one is short", async () => {
    const first = await pickupAt("100");
    const code = `MN-${randomUUID()}`;
    wallet.remittance.pickups.set(code, { ...first.waiting });
    const second = () =>
      wallet.gateway.payOutCash({ ...key(), transactionCode: code, pickupCode: "RIGHT" }, wallet.calls(first.cashier));
    const both = await Promise.allSettled([first.payOut(), second()]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: refused("TILL_SHORT") });
    expect(await first.till()).toMatchObject({ expectedMinor: 40_00n, moving: 0 });
  });

  test.each([
    ["recorded", false],
    ["claimed", true],
    ["ended", true],
  ])("killed where it is %s: till and recipient have both of it or neither", async (point, isHandedOut) => {
    const { payOut, till, waiting } = await pickupAt();
    wallet.crashAt(`wallet.pickup.${point}`);
    await expect(payOut()).rejects.toBeDefined();
    wallet.crashAt(undefined);
    const settled = await eventually("the till to rest", async () => {
      const now = await till();
      return now.moving === 0 ? now : undefined;
    });
    expect([waiting.handedOut !== undefined, settled.expectedMinor]).toEqual([
      isHandedOut,
      isHandedOut ? 140_00n : 200_00n,
    ]);
  });

  test("an answer of remittance that is lost changes nothing: the same key hears it", async () => {
    const { payOut, till, waiting } = await pickupAt();
    wallet.faults.next("handOutCash", "after");
    const requested = randomUUID();
    await expect(payOut("RIGHT", requested)).rejects.toBeDefined();
    wallet.faults.clear();
    await eventually("the key to be free", () => payOut("RIGHT", requested).catch(() => undefined));
    expect(waiting.handedOut).toBeDefined();
    expect(await till()).toMatchObject({ expectedMinor: 140_00n, moving: 0 });
  });
});

/** A field each, as amounts of dollars; the limit alone where nothing differs. */
function expectSet(noted: string[], subject: string, parts: object): void {
  const set = `LIMIT_SET ${subject}`;
  const minors = Object.values(parts) as bigint[];
  const amounts = minors.map((minor) => `→ ${formatMoney({ minor, currency: "USD" })} USD`).toSorted();
  expect(noted.every((one) => one.startsWith(set))).toBe(true);
  expect(noted.map((one) => (one === set ? one : one.slice(one.indexOf("→")))).toSorted()).toEqual(
    amounts.length === 0 ? [set] : amounts,
  );
}

describe("one cashier", () => {
  async function limited(limit: object, walletLimit?: object) {
    const scene = await desk();
    const manager = wallet.person(scene.customer.tenantId, "MANAGER");
    const set = async (cashierId: string, parts: object) => {
      const request = { ...key(), limit: { cashierId, currency: "USD", ...parts }, reason: "this year's" };
      const { approvalId } = await wallet.gateway.setCashLimit(request, wallet.calls(manager));
      const { noted } = await wallet.decide(approvalId);
      const subject = cashierId === "" ? "cash-limit:USD" : `cash-limit:${cashierId}:USD`;
      expectSet(noted, subject, parts);
    };
    await set("", limit);
    if (walletLimit !== undefined) {
      const { accountId } = scene;
      const request = { ...key(), limit: { accountId, currency: "USD", ...walletLimit }, reason: "this year's" };
      const { approvalId } = await wallet.gateway.setWalletLimit(request, wallet.calls(manager));
      const { noted } = await wallet.decide(approvalId);
      expectSet(noted, `wallet-limit:${accountId}`, walletLimit);
    }
    const report = async () => (await wallet.gateway.sumCash({ date: "" }, wallet.calls(manager))).sums;
    return { ...scene, manager, set, report };
  }
  const over = async (requested: Promise<unknown>) => {
    const refusal = await refusalOf(requested);
    return [refusal.code, (refusal.details as { figures?: { limit: string } })?.figures?.limit];
  };

  test("takes no more at once, in a day, into the till and into the wallet than their limits say", async () => {
    const parts = { perCashInMinor: 100_00n, perDayMinor: 150_00n, tillMinor: 400_00n };
    const { cashIn, cashier, set, balance } = await limited(parts);
    expect(await over(cashIn("100.01"))).toEqual(["AMOUNT_OUT_OF_LIMITS", "100.00"]);
    await cashIn("100");
    expect(await over(cashIn("50.01"))).toEqual(["DAILY_LIMIT_EXCEEDED", "150.00"]);
    await cashIn("50");
    // The cashier's own limit is in place of that of all; what it leaves out is as it was.
    await set(cashier.userId, { perDayMinor: 1_000_00n });
    expect(await over(cashIn("50.01"))).toEqual(["AMOUNT_OUT_OF_LIMITS", "400.00"]);
    await cashIn("50");
    expect(balance()).toBe(300_00n);
  });

  test("opens no till with more than may be in it; an agent neither", async () => {
    const { customer, set } = await limited({ tillMinor: 400_00n });
    for (const role of ["CASHIER", "AGENT"] as const) {
      const by = wallet.person(customer.tenantId, role);
      const open = (float: string, mine = key()) =>
        wallet.gateway.openTill({ ...mine, currency: "USD", float }, wallet.calls(by));
      const mine = key();
      for (const again of [mine, mine]) {
        expect(await over(open("400.01", again))).toEqual(["AMOUNT_OUT_OF_LIMITS", "400.00"]);
      }
      await set(by.userId, { tillMinor: 50_00n });
      expect(await over(open("50.01"))).toEqual(["AMOUNT_OUT_OF_LIMITS", "50.00"]);
      expect((await open("50")).till).toMatchObject({ status: "OPEN", floatMinor: 50_00n });
    }
  });

  test("takes no more into one wallet than its limits for cash say", async () => {
    const { cashIn } = await limited({}, { perCashInMinor: 50_00n, cashInPerDayMinor: 80_00n });
    expect(await over(cashIn("50.01"))).toEqual(["AMOUNT_OUT_OF_LIMITS", "50.00"]);
    await cashIn("50");
    expect(await over(cashIn("30.01"))).toEqual(["DAILY_LIMIT_EXCEEDED", "80.00"]);
    await cashIn("30");
  });

  test("has limits also where the organisation has set none out", async () => {
    const { cashIn } = await desk();
    expect(await over(cashIn("100000.01"))).toEqual(["AMOUNT_OUT_OF_LIMITS", "100000.00"]);
    expect((await cashIn("10000")).movement).toBeDefined();
    expect(await cashIn("10000.01")).toMatchObject({ movement: undefined, cashIn: { status: "WAITING" } });
  });

  test("does not pass them by cash-ins at the same time", async () => {
    const { cashIn, balance } = await limited({ perDayMinor: 50_00n });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => cashIn("20")));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(balance()).toBe(140_00n);
  });

  test("waits for a manager above the amount of the maker-checker rule; then the cashier takes it, once, and it is counted", async () => {
    const { cashIn, manager, balance, close, report, cashier, customer } = await limited({
      fourEyesAboveMinor: 500_00n,
    });
    await cashIn("500");
    const request = key();
    const { cashIn: requested } = await cashIn("500.01", cashier, request);
    expect(requested).toMatchObject({ status: "WAITING", amount: { amountMinor: 500_01n } });
    expect((await cashIn("500.01", cashier, request)).cashIn).toEqual(requested);
    const { cashInId, approvalId } = requested!;
    const read = (by: Person) =>
      wallet.gateway.getCashIn({ cashInId }, wallet.calls(by)).then((answer) => answer.cashIn);
    const take = (part: object = key(), by: Person = cashier) =>
      wallet.gateway.takeCashIn({ ...key(), cashInId, ...part }, wallet.calls(by));
    const mine = key();
    expect(await refusalOf(take(mine))).toMatchObject({ code: "STATE_CONFLICT", details: { retryAfterS: 1 } });
    const { noted } = await wallet.decide(approvalId);
    expect(noted).toEqual([`CASH_IN_ALLOWED wallet:${requested!.accountId} 500.01 USD`]);
    // Nothing is booked for a customer who has left.
    expect([(await read(cashier))?.status, balance()]).toEqual(["APPROVED", 600_00n]);
    await expect(take(key(), wallet.person(customer.tenantId, "CASHIER"))).rejects.toEqual(refused("FORBIDDEN"));
    await expect(take({ cashInId: randomUUID() })).rejects.toEqual(refused("NOT_FOUND"));
    const both = await Promise.allSettled([take(mine), take()]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: refused("STATE_CONFLICT") });
    expect([(await read(cashier))?.status, balance()]).toEqual(["DONE", 1_100_01n]);
    await expect(take()).rejects.toEqual(refused("STATE_CONFLICT"));
    await expect(read(wallet.person(customer.tenantId, "CASHIER"))).rejects.toEqual(refused("FORBIDDEN"));
    await expect(read(manager)).resolves.toBeDefined();
    expect(await report()).toMatchObject([
      { cashierId: cashier.userId, currency: "USD", kind: "CASH_IN", count: 2, totalMinor: 1_000_01n, approved: 1 },
    ]);
    expect(await close("1200.01")).toMatchObject({ differenceMinor: 0n });
  });

  test("takes nothing that nobody approved, for which there is no room or till any more, or of another day", async () => {
    const { cashIn, balance, close, cashier } = await limited({ fourEyesAboveMinor: 10_00n, perDayMinor: 50_00n });
    const ask = async () => (await cashIn("30")).cashIn!;
    const take = ({ cashInId }: { cashInId: string }) =>
      wallet.gateway.takeCashIn({ ...key(), cashInId }, wallet.calls(cashier));
    const read = ({ cashInId }: { cashInId: string }) =>
      wallet.gateway.getCashIn({ cashInId }, wallet.calls(cashier)).then((answer) => answer.cashIn?.status);
    const [no, first, second] = [await ask(), await ask(), await ask()];
    await wallet.decide(no.approvalId, "REFUSED");
    await expect(take(no)).rejects.toEqual(refused("STATE_CONFLICT"));
    for (const one of [first, second]) await wallet.decide(one.approvalId);
    await take(first);
    await expect(take(second)).rejects.toEqual(refused("DAILY_LIMIT_EXCEEDED"));
    await close("230");
    await expect(take(second)).rejects.toEqual(refused("TILL_NOT_OPEN"));
    expect(await read(second)).toBe("APPROVED");
    await wallet.database.db
      .collection("cash_ins")
      .updateOne({ _id: second.cashInId as never, tenantId: cashier.tenantId }, { $set: { day: "2026-01-01" } });
    expect(await read(second)).toBe("EXPIRED");
    await expect(take(second)).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(balance()).toBe(130_00n);
  });

  test.each(["INVALID_INPUT", "FORBIDDEN"] as const)(
    "has nothing waiting about which identity takes no question: %s",
    async (code) => {
      const { cashier, customer, tillId, accountId } = await limited({ fourEyesAboveMinor: 10_00n });
      const again = { ...key(), tillId, accountId, amount: "30" };
      wallet.identity.state.takesNoQuestion = code;
      await expect(wallet.gateway.cashIn(again, wallet.calls(cashier))).rejects.toEqual(refused(code));
      wallet.identity.state.takesNoQuestion = undefined;
      const { tenantId } = customer;
      const stored = wallet.database.db.collection("cash_ins").find({ tenantId, cashierId: cashier.userId });
      expect(await stored.toArray()).toMatchObject([{ status: "FAILED", failure: code }]);
      const requested = () => wallet.identity.state.approvals.filter((one) => one.tenantId === tenantId).length;
      const before = requested();
      // Under its own key the failure stands, and nobody is asked about what is over.
      await expect(wallet.gateway.cashIn(again, wallet.calls(cashier))).rejects.toEqual(refused(code));
      expect(requested()).toBe(before);
    },
  );

  test.each(["INVALID_INPUT", "FORBIDDEN"] as const)(
    "has no limit by a question that identity does not take, and a repeat is refused as well: %s",
    async (code) => {
      const { customer, accountId } = await desk();
      const { tenantId } = customer;
      const by = wallet.calls(wallet.person(tenantId, "MANAGER"));
      const both = () => ({ ...key(), reason: "this year's" });
      const ofCash = { ...both(), limit: { cashierId: "", currency: "USD", perDayMinor: 1_00n } };
      const ofWallet = { ...both(), limit: { accountId, currency: "USD", perDayMinor: 1_00n } };
      const asks = [() => wallet.gateway.setCashLimit(ofCash, by), () => wallet.gateway.setWalletLimit(ofWallet, by)];
      wallet.identity.state.takesNoQuestion = code;
      for (const ask of asks) {
        for (let time = 0; time < 2; time += 1) expect((await refusalOf(ask())).code).toBe(code);
      }
      wallet.identity.state.takesNoQuestion = undefined;
      const held = async () => [
        ...(await wallet.gateway.listCashLimits({}, by)).limits,
        ...(await wallet.gateway.listWalletLimits({}, by)).limits,
      ];
      expect(await held()).toEqual([]);
      expect(wallet.identity.state.approvals.filter((one) => one.tenantId === tenantId)).toEqual([]);
      for (const ask of asks) expect((await ask()).approvalStatus).toBe("PENDING");
    },
  );

  test.each(["", "a\u0007b", "x".repeat(301)])(
    "are asked for with no reason that an approval refuses: %j",
    async (reason) => {
      const { manager, accountId } = await limited({});
      const by = wallet.calls(manager);
      const rpcs = {
        cash: () => wallet.gateway.setCashLimit({ ...key(), limit: { currency: "USD", perDayMinor: 1n }, reason }, by),
        wallet: () =>
          wallet.gateway.setWalletLimit(
            { ...key(), limit: { accountId, currency: "USD", perDayMinor: 1n }, reason },
            by,
          ),
        refund: () => wallet.gateway.refundPayment({ ...key(), paymentId: "p1", amount: "", reason }, by),
      };
      const requested = () => wallet.identity.state.approvals.filter((one) => one.tenantId === manager.tenantId).length;
      const before = requested();
      for (const ask of Object.values(rpcs)) {
        expect(await refusalOf(ask())).toMatchObject({
          code: "INVALID_INPUT",
          details: { errors: [{ path: "reason" }] },
        });
      }
      expect(requested()).toBe(before);
    },
  );

  test("pays out no more of a wallet's day than is left", async () => {
    const { cashOut, accountId } = await limited({}, { perDayMinor: 50_00n });
    await cashOut("30");
    expect(await over(cashOut("20.01"))).toEqual(["DAILY_LIMIT_EXCEEDED", "50.00"]);
    void accountId;
  });
});

test("twenty cash-outs at once never take more than the till has", async () => {
  const { cashOut, balance, close } = await desk("50");
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => cashOut("10")));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(balance()).toBe(50_00n);
  expect(await close("0")).toMatchObject({ differenceMinor: 0n });
});

test.each(["recorded", "posted", "ended"])("a cash-in cut off at %s happens once", async (step) => {
  const { cashier, tillId, accountId, balance, close } = await desk();
  const request = { ...key(), tillId, accountId, amount: "25" };
  wallet.crashAt(`wallet.movement.${step}`);
  // Where recovery was quicker it is the relay that is cut off.
  await wallet.gateway.cashIn(request, wallet.calls(cashier)).catch(() => undefined);
  const answered = () => wallet.gateway.cashIn(request, wallet.calls(cashier)).catch(() => undefined);
  const again = await eventually("the answer", answered);
  expect(wallet.crashedAt(`wallet.movement.${step}`)).toBe(true);
  expect(again.movement).toMatchObject({ newBalanceMinor: 125_00n });
  expect(balance()).toBe(125_00n);
  expect(await close("225")).toMatchObject({ differenceMinor: 0n });
});

describe("the vault", () => {
  async function vault() {
    const scene = await desk();
    const manager = wallet.person(scene.customer.tenantId, "MANAGER");
    const { tenantId } = scene.customer;
    const bank = () => -wallet.ledger.balance(tenantId, "bank_settlement:operator:USD");
    const ask = (direction: string, amount: string, part = {}) =>
      wallet.gateway.moveVaultCash(
        { ...key(), currency: "USD", amount, direction, reference: "Slip 1", ...part },
        wallet.calls(manager),
      );
    return { ...scene, bank, ask };
  }

  test("gets cash from the bank and brings it back once a second manager has approved it", async () => {
    const { ask, books, bank, close } = await vault();
    const before = bank();
    expect(books()).toMatchObject({ till: 200_00n, vault: -200_00n });
    const request = key();
    const fetched = await ask("FROM_BANK", "500", request);
    expect(fetched).toMatchObject({ approvalStatus: "PENDING" });
    expect(await ask("FROM_BANK", "500", request)).toEqual(fetched);
    expect([books()["vault"], bank()]).toEqual([-200_00n, before]);
    const { noted } = await wallet.decide(fetched.approvalId);
    expect(noted).toEqual([
      "ACCOUNT_CREDITED account:bank_settlement:operator:USD 500.00 USD",
      "ACCOUNT_DEBITED account:cash_vault:USD 500.00 USD",
    ]);
    await eventually("the cash", () => books()["vault"] === 300_00n);
    await wallet.decide(fetched.approvalId);
    expect(bank()).toBe(before - 500_00n);
    await close("199.50");
    const brought = await ask("TO_BANK", "499.50");
    const refusedOne = await ask("TO_BANK", "1");
    await wallet.decide(refusedOne.approvalId, "REFUSED");
    await wallet.decide(brought.approvalId);
    await eventually("the cash", () => books()["vault"] === 0n);
    expect(books()).toEqual({ till: 0n, vault: 0n, off: 50n });
    expect(bank()).toBe(before - 50n);
  });

  test.each(["posted", "ended"])("cut off at %s it gets its cash once", async (step) => {
    const { ask, books } = await vault();
    const { approvalId } = await ask("FROM_BANK", "500");
    wallet.crashAt(`wallet.movement.${step}`);
    await wallet.decide(approvalId);
    await eventually("the kill", () => wallet.crashedAt(`wallet.movement.${step}`));
    wallet.crashAt(undefined);
    await eventually("the cash", () => books()["vault"] === 300_00n);
  });
});
