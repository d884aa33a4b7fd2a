import { randomUUID } from "node:crypto";
import { testTenant } from "../../../test/support/index.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_money_in", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const key = () => ({ idempotencyKey: randomUUID() });
const balance = ({ tenantId }: Person, id: string) => wallet.ledger.balance(tenantId, id);

describe("a card", () => {
  async function owner() {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, "USD");
    const topUp = (cardToken: string, part: object = {}) =>
      wallet.gateway
        .topUpByCard({ ...key(), accountId, amount: "20", cardToken, ...part }, wallet.calls(person))
        .then((answer) => answer.topUp!);
    return { person, accountId, topUp };
  }

  test("that is charged fills the wallet, once per key", async () => {
    const { person, accountId, topUp } = await owner();
    const request = key();
    const first = await topUp("tok_ok", request);
    expect(first).toMatchObject({ status: "DONE", newBalanceMinor: 20_00n });
    expect(await topUp("tok_ok", request)).toEqual(first);
    expect(balance(person, accountId)).toBe(20_00n);
    expect(balance(person, "card_settlement:operator:USD")).toBe(-20_00n);
  });

  test("that is refused moves nothing, and the key remembers", async () => {
    const { person, accountId, topUp } = await owner();
    const request = key();
    for (let time = 0; time < 2; time += 1) {
      await expect(topUp("tok_refused", request)).rejects.toEqual(refused("CARD_REFUSED"));
    }
    expect(balance(person, accountId)).toBe(0n);
  });

  test("that is not charged yet is answered PENDING, and fills the wallet when it is", async () => {
    const { person, accountId, topUp } = await owner();
    const pending = await topUp("tok_pending");
    expect(pending.status).toBe("PENDING");
    expect(balance(person, accountId)).toBe(0n);
    await wallet.bank(`/bank/card-charges/${person.tenantId}/${pending.topUpId}`, { status: "CAPTURED" });
    await eventually("the money", () => balance(person, accountId) === 20_00n);
    const done = await eventually("the top-up to be done", async () => {
      const { topUp: now } = await wallet.gateway.getTopUp({ topUpId: pending.topUpId }, wallet.calls(person));
      return now?.status === "DONE" ? now : undefined;
    });
    expect(done.newBalanceMinor).toBe(20_00n);
  });

  test.each(["HANG", "LOSE_ANSWER"])("whose answer is lost (%s) is charged once", async (behaviour) => {
    const { person, accountId, topUp } = await owner();
    await wallet.bank("/rules", { account: person.tenantId, behaviour, times: 1 });
    await expect(topUp("tok_ok")).rejects.toEqual(refused("UNAVAILABLE"));
    await eventually("the money", () => balance(person, accountId) === 20_00n);
  });

  test.each(["recorded", "charged", "posted", "ended"].map((step) => `wallet.top-up.${step}`))(
    "cut off at %s is charged once",
    async (point) => {
      const { person, accountId, topUp } = await owner();
      const request = key();
      wallet.crashAt(point);
      await refusalOf(topUp("tok_ok", request));
      await eventually("the money", () => balance(person, accountId) === 20_00n);
      // Recovery may still have it in hand.
      const again = await eventually("the answer", () => topUp("tok_ok", request).catch(() => undefined));
      expect(again).toMatchObject({ status: "DONE" });
      expect(balance(person, accountId)).toBe(20_00n);
    },
  );

  test("fills one's own wallet only, and its token is not kept", async () => {
    const { person, accountId, topUp } = await owner();
    const stranger = wallet.person(person.tenantId);
    const request = { ...key(), accountId, amount: "1", cardToken: "tok_ok" };
    await expect(wallet.gateway.topUpByCard(request, wallet.calls(stranger))).rejects.toEqual(refused("FORBIDDEN"));
    const { topUpId } = await topUp("tok_ok");
    await expect(wallet.gateway.getTopUp({ topUpId }, wallet.calls(stranger))).rejects.toEqual(refused("FORBIDDEN"));
    const row = await wallet.database.db
      .collection("top_ups")
      .findOne({ _id: topUpId as never, tenantId: person.tenantId });
    expect(row).toMatchObject({ cardToken: "" });
  });
});

describe("a ceiling", () => {
  const most = 2n ** 63n - 1n;

  test("is the tenant's own where it is lower, and is told", async () => {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, "USD");
    wallet.identity.ceilings.set(person.tenantId, [{ amountMinor: 50_00n, currency: "USD" }]);
    const topUp = (amount: string) =>
      wallet.gateway.topUpByCard({ ...key(), accountId, amount, cardToken: "tok_ok" }, wallet.calls(person));
    await expect(topUp("50.01")).rejects.toMatchObject({
      code: "AMOUNT_ABOVE_CEILING",
      details: { figures: { ceiling: "50.00", asked: "50.01" } },
    });
    expect((await topUp("50.00")).topUp).toMatchObject({ status: "DONE" });
    expect(balance(person, accountId)).toBe(50_00n);
  });

  test.each(["the wallet", "card_settlement:operator:USD", "suspense:USD"])(
    "of the books: no card is charged while %s is more than half full",
    async (what) => {
      const person = wallet.person();
      const { tenantId } = person;
      const { accountId } = await wallet.wallet(person, "USD");
      const topUp = () =>
        wallet.gateway.topUpByCard({ ...key(), accountId, amount: "1", cardToken: "tok_ok" }, wallet.calls(person));
      await topUp();
      const full = wallet.ledger.account(tenantId, what === "the wallet" ? accountId : what)!;
      full.credits += most / 2n + 2_00n;
      await expect(topUp()).rejects.toEqual(refused("AMOUNT_TOO_LARGE"));
      full.credits -= most / 2n + 2_00n;
      expect(await topUp()).toMatchObject({ topUp: { status: "DONE" } });
    },
  );

  test("of the books that is met after the charge: the money lies in accounts of its own", async () => {
    const person = wallet.person();
    const { tenantId } = person;
    const { accountId } = await wallet.wallet(person, "USD");
    const topUp = (cardToken: string) =>
      wallet.gateway.topUpByCard({ ...key(), accountId, amount: "20", cardToken }, wallet.calls(person));
    const { topUp: first } = await topUp("tok_pending");
    await topUp("tok_ok");
    wallet.ledger.account(tenantId, "card_settlement:operator:USD")!.debits = most;
    const topUpId = first!.topUpId;
    await wallet.bank(`/bank/card-charges/${tenantId}/${topUpId}`, { status: "CAPTURED" });
    await eventually("it to fail", async () => {
      const { topUp: now } = await wallet.gateway.getTopUp({ topUpId }, wallet.calls(person));
      return now?.status === "FAILED";
    });
    expect(balance(person, `suspense:USD:${topUpId}`)).toBe(20_00n);
    expect(balance(person, `card_settlement:operator:USD:${topUpId}`)).toBe(-20_00n);
    expect(balance(person, accountId)).toBe(20_00n);
  });
});

describe("a bank transfer", () => {
  const arrive = ({ tenantId }: Person, reference: string, part: object = {}) =>
    wallet.bank("/bank/credits", {
      account: tenantId,
      collection: "wallet",
      reference,
      amount: "75.50",
      currency: "USD",
      senderName: "Chidi Okafor",
      ...part,
    });
  async function owner() {
    const person = wallet.person();
    const account = await wallet.wallet(person, "USD");
    const manager = wallet.person(person.tenantId, "MANAGER");
    const unmatched = () =>
      wallet.gateway.listUnmatchedCredits({}, wallet.calls(manager)).then(({ credits }) => credits);
    return { person, manager, ...account, unmatched };
  }

  test.each([
    ["as it is", (number: string) => number],
    ["among words and set apart", (number: string) => `INV 77 / ${number.slice(0, 5)} ${number.slice(5)} thanks`],
  ])("whose reference names the wallet %s is in it", async (_what, reference) => {
    const { person, accountId, accountNumber } = await owner();
    await arrive(person, reference(accountNumber));
    await eventually("the money", () => balance(person, accountId) === 75_50n);
    expect(balance(person, "bank_settlement:operator:USD")).toBe(-75_50n);
  });

  test.each([
    ["nobody", () => "thank you", {}, "NO_SUCH_ACCOUNT"],
    ["a wallet of another currency", (number: string) => number, { currency: "EUR" }, "OTHER_CURRENCY"],
  ])(
    "for %s is in suspense and listed for staff, who give it to a wallet once",
    async (_what, reference, part, reason) => {
      const { person, manager, accountId, accountNumber, unmatched } = await owner();
      const creditId = `cr-${randomUUID()}`;
      await arrive(person, reference(accountNumber), { creditId, ...part });
      await eventually("the credit", async () => (await unmatched()).length === 1);
      const [credit] = await unmatched();
      expect(credit).toMatchObject({ creditId, status: "UNMATCHED", reason });
      const assign = (by: Person, extra: object = {}) =>
        wallet.gateway.assignCredit(
          { ...key(), creditId, accountId, reason: "they called", ...extra },
          wallet.calls(by),
        );
      await expect(assign(person)).rejects.toEqual(refused("FORBIDDEN"));
      if (reason === "OTHER_CURRENCY") {
        await expect(assign(manager)).rejects.toEqual(refused("CURRENCY_MISMATCH"));
        return;
      }
      const results = await Promise.allSettled(Array.from({ length: 5 }, () => assign(manager)));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(balance(person, accountId)).toBe(75_50n);
      expect(balance(person, "suspense:USD")).toBe(0n);
      expect(await unmatched()).toEqual([]);
    },
  );

  test("in suspense is reported by its age, to managers, until it is somebody's", async () => {
    const { person, manager, accountId, unmatched } = await owner();
    const creditId = `cr-${randomUUID()}`;
    await arrive(person, "thank you", { creditId });
    await arrive(person, "thank you", { amount: "10.25" });
    await arrive(person, "thank you", { amount: "3.00", currency: "EUR" });
    await eventually("all of them", async () => (await unmatched()).length === 3);
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const reported = async (from = day(-1), by = manager) => {
      const asked = { report: "suspense", from, to: day(2), by: [], columns: [] };
      const { columns, rows } = await wallet.reports.getReport(asked, wallet.calls(by));
      expect(columns).toEqual(["age", "service", "currency", "count", "amount"]);
      return rows.map(({ cells }) => cells.join(" "));
    };
    expect(await reported()).toEqual(["0-7 wallet EUR 1 3.00", "0-7 wallet USD 2 85.75"]);
    await wallet.gateway.assignCredit({ ...key(), creditId, accountId, reason: "they called" }, wallet.calls(manager));
    await eventually("one less", async () => (await reported())[1] === "0-7 wallet USD 1 10.25");
    expect(await reported(day(-1), wallet.person(undefined, "MANAGER"))).toEqual([]);
    await expect(reported("2026-02-30")).rejects.toEqual(refused("INVALID_INPUT"));
    for (const role of ["CASHIER", "AGENT", "CUSTOMER"] as const) {
      await expect(reported(day(-1), wallet.person(person.tenantId, role))).rejects.toEqual(refused("FORBIDDEN"));
    }
  });

  test("above the operator's ceiling lies apart for staff, and the next ones arrive", async () => {
    const { person, manager, accountId, accountNumber, unmatched } = await owner();
    const ids = [randomUUID(), randomUUID()];
    for (const creditId of ids) await arrive(person, accountNumber, { creditId, amount: "92233720368547758.07" });
    await arrive(person, accountNumber);
    await eventually("the next", () => balance(person, accountId) === 75_50n);
    expect(balance(person, "bank_settlement:operator:USD")).toBe(-75_50n);
    const reason = "AMOUNT_ABOVE_CEILING";
    // Each is booked by a row of its own, in no order.
    await eventually("both to lie apart", async () => (await unmatched()).length === ids.length);
    const listed = await unmatched();
    expect(listed.map((credit) => [credit.creditId, credit.reason]).toSorted()).toEqual(
      ids.map((id) => [id, reason]).toSorted(),
    );
    for (const id of ids) expect(balance(person, `suspense:USD:${id}`)).toBe(2n ** 63n - 1n);
    const request = { ...key(), creditId: ids[0]!, accountId, reason: "they called" };
    await expect(wallet.gateway.assignCredit(request, wallet.calls(manager))).rejects.toEqual(refused(reason));
  });

  test("beyond what an account can hold is passed over, and the next one arrives", async () => {
    const { person, accountId, accountNumber, unmatched } = await owner();
    await arrive(person, accountNumber, { amount: "92233720368547758.08" });
    await arrive(person, accountNumber, { amount: "0" });
    await arrive(person, accountNumber);
    await eventually("the next", () => balance(person, accountId) === 75_50n);
    expect(await unmatched()).toEqual([]);
  });

  test("above the tenant's ceiling is in suspense until staff gives it to a wallet", async () => {
    const { person, manager, accountId, accountNumber, unmatched } = await owner();
    wallet.identity.ceilings.set(person.tenantId, [{ amountMinor: 50_00n, currency: "USD" }]);
    await arrive(person, accountNumber);
    await eventually("the credit", async () => (await unmatched()).length === 1);
    const [credit] = await unmatched();
    expect(credit).toMatchObject({ reason: "AMOUNT_ABOVE_CEILING", amount: { amountMinor: 75_50n } });
    expect(balance(person, "suspense:USD")).toBe(75_50n);
    const request = { ...key(), creditId: credit!.creditId, accountId, reason: "they called" };
    const assign = () => wallet.gateway.assignCredit(request, wallet.calls(manager));
    const become = (status: string) =>
      wallet.database.db.collection("bank_credits").updateMany({ tenantId: person.tenantId }, { $set: { status } });
    // Somebody else gives it away at this moment, which may fail: the same key has its answer then.
    await become("ASSIGNING");
    await expect(assign()).rejects.toMatchObject({ code: "STATE_CONFLICT", details: { retryAfterS: 1 } });
    await become("UNMATCHED");
    await assign();
    expect(balance(person, accountId)).toBe(75_50n);
  });

  test("that finds suspense full lies apart", async () => {
    const { person, unmatched } = await owner();
    await arrive(person, "thank you");
    await eventually("the first", async () => (await unmatched()).length === 1);
    wallet.ledger.account(person.tenantId, "suspense:USD")!.credits = 2n ** 63n - 1n;
    const creditId = randomUUID();
    await arrive(person, "thank you", { creditId });
    await eventually("the second", async () => (await unmatched()).length === 2);
    expect(balance(person, `suspense:USD:${creditId}`)).toBe(75_50n);
  });

  test.each(["taken", "posted", "booked"].map((step) => `wallet.credit.${step}`))(
    "cut off at %s arrives once",
    async (point) => {
      const { person, accountId, accountNumber } = await owner();
      wallet.crashAt(point);
      await arrive(person, accountNumber);
      await eventually("the money", () => balance(person, accountId) > 0n && wallet.crashedAt(point));
      await arrive(person, accountNumber, { amount: "1" });
      await eventually("the next", () => balance(person, accountId) === 76_50n);
    },
  );

  describe("in a sandbox", () => {
    const receive = (by: Person, reference: string, part: object = {}) =>
      wallet.gateway
        .receiveBankTransfer(
          { ...key(), reference, amount: "75.50", currency: "USD", senderName: "Chidi Okafor", ...part },
          wallet.calls(by),
        )
        .then(({ credit }) => credit!);
    async function sandboxed() {
      const person = wallet.person(`${testTenant()}--sandbox`);
      const account = await wallet.wallet(person, "USD");
      return { person, ...account };
    }

    test("is made to arrive, once per key, in the wallet that its reference names", async () => {
      const { person, accountId, accountNumber } = await sandboxed();
      const request = key();
      const first = await receive(person, `for ${accountNumber}`, request);
      expect(first).toMatchObject({ status: "TAKEN", accountId, amount: { amountMinor: 75_50n, currency: "USD" } });
      expect(await receive(person, `for ${accountNumber}`, request)).toEqual(first);
      await eventually("the money", () => balance(person, accountId) === 75_50n);
      expect(balance(person, "bank_settlement:operator:USD")).toBe(-75_50n);
    });

    test.each(["posted", "booked"])("cut off at wallet.credit.%s arrives once", async (step) => {
      const { person, accountId, accountNumber } = await sandboxed();
      wallet.crashAt(`wallet.credit.${step}`);
      const { creditId } = await receive(person, accountNumber);
      const stored = () =>
        wallet.database.db.collection("bank_credits").findOne({ tenantId: person.tenantId, creditId });
      const isCutOff = () => wallet.crashedAt(`wallet.credit.${step}`);
      await eventually("it to be booked", async () => isCutOff() && (await stored())?.["status"] === "BOOKED");
      expect(balance(person, accountId)).toBe(75_50n);
    });

    test("goes to suspense where it names nobody, and staff gives it to a wallet", async () => {
      const { person, accountId } = await sandboxed();
      const manager = wallet.person(person.tenantId, "MANAGER");
      const { creditId } = await receive(manager, "thank you");
      const listed = async () => (await wallet.gateway.listUnmatchedCredits({}, wallet.calls(manager))).credits.length;
      await eventually("it to be listed", async () => (await listed()) === 1);
      expect(balance(person, "suspense:USD")).toBe(75_50n);
      const request = { ...key(), creditId, accountId, reason: "they called" };
      await wallet.gateway.assignCredit(request, wallet.calls(manager));
      expect(balance(person, accountId)).toBe(75_50n);
    });

    test("never for a live tenant, nor of nothing or with faults", async () => {
      const { person } = await sandboxed();
      await expect(receive(wallet.person(), "x")).rejects.toEqual(refused("FORBIDDEN"));
      await expect(receive(wallet.person(person.tenantId, "CASHIER"), "x")).rejects.toEqual(refused("FORBIDDEN"));
      await expect(receive(person, "x", { amount: "0" })).rejects.toEqual(refused("AMOUNT_NOT_POSITIVE"));
      for (const [path, wrong] of [
        ["reference", ""],
        ["amount", "1.001"],
        ["currency", "ZZZ"],
        ["senderName", "x".repeat(101)],
        ["senderAccountNumber", "1".repeat(41)],
        ["idempotencyKey", ""],
      ] as const) {
        const refusal = await refusalOf(receive(person, "x", { [path]: wrong }));
        expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
      }
    });
  });
});
