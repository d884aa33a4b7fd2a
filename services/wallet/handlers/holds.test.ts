import { randomUUID } from "node:crypto";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { atDepth } from "../../../test/support/depth.js";
import { asksIdentityAnew } from "../../../test/support/time.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_holds", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
  wallet.compliance.state.answer = { approved: true };
});
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });
const key = () => ({ idempotencyKey: randomUUID() });
const balance = ({ tenantId }: Person, id: string) => wallet.ledger.balance(tenantId, id);

describe("a hold", () => {
  async function held(amount = "40", expiresInS = 0) {
    const payer = wallet.person();
    const shop = wallet.person(payer.tenantId);
    const from = await wallet.wallet(payer, "USD", 100_00n);
    const to = await wallet.wallet(shop, "USD");
    const request = {
      ...key(),
      accountId: from.accountId,
      payeeAccountId: to.accountId,
      amount,
      expiresInS,
      password: "correct horse battery",
    };
    const create = (part: object = {}) => wallet.gateway.createHold({ ...request, ...part }, wallet.calls(payer));
    const { hold } = await create();
    const holdId = hold?.holdId ?? "";
    return {
      payer,
      shop,
      from,
      to,
      holdId,
      hold,
      create,
      confirm: (part = "", by = shop) =>
        wallet.gateway.confirmHold({ ...key(), holdId, amount: part }, wallet.calls(by)).then((answer) => answer.hold),
      release: (by = shop) =>
        wallet.gateway.releaseHold({ ...key(), holdId }, wallet.calls(by)).then((answer) => answer.hold),
      status: async () => (await wallet.gateway.getHold({ holdId }, wallet.calls(payer))).hold?.status,
      available: async () => {
        const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(payer));
        return [accounts[0]?.availableBalanceMinor, accounts[0]?.heldBalanceMinor];
      },
    };
  }

  test("takes money out of reach and leaves it in the wallet", async () => {
    const { payer, hold, from, available, create } = await held();
    expect(hold).toMatchObject({ status: "HELD", amount: { amountMinor: 40_00n } });
    expect(balance(payer, from.accountId)).toBe(100_00n);
    expect(await available()).toEqual([60_00n, 40_00n]);
    await expect(create({ ...key(), amount: "60.01" })).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
  });

  test("is confirmed in part, once; the rest is free again", async () => {
    const { shop, to, confirm, release, available } = await held();
    expect(await confirm("25")).toMatchObject({ status: "CONFIRMED", confirmedMinor: 25_00n });
    expect(balance(shop, to.accountId)).toBe(25_00n);
    expect(await available()).toEqual([75_00n, 0n]);
    await expect(confirm("1")).rejects.toEqual(refused("HOLD_NOT_OPEN"));
    await expect(release()).rejects.toEqual(refused("HOLD_NOT_OPEN"));
  });

  test("that is released can never be confirmed", async () => {
    const { shop, to, confirm, release, available } = await held();
    expect((await release())?.status).toBe("RELEASED");
    expect(await available()).toEqual([100_00n, 0n]);
    await expect(confirm()).rejects.toEqual(refused("HOLD_NOT_OPEN"));
    expect(balance(shop, to.accountId)).toBe(0n);
  });

  test("whose time is over can never be confirmed, also where only the ledger knows", async () => {
    const { payer, holdId, confirm, status } = await held();
    const holds = wallet.database.db.collection("holds");
    const past = new Date(Date.now() - 1_000);
    await holds.updateOne({ _id: holdId as never, tenantId: payer.tenantId }, { $set: { expiresAt: past } });
    await expect(confirm()).rejects.toEqual(refused("HOLD_NOT_OPEN"));
    expect(await status()).toBe("EXPIRED");
  });

  test("whose time is over is noted by its row, and gives its part of the limits back", async () => {
    const { payer, holdId } = await held();
    const rows = wallet.database.db.collection("outbox");
    const { tenantId } = payer;
    const past = new Date(Date.now() - 1_000);
    const mine = { tenantId, kind: "expire-hold" };
    expect(await rows.findOne(mine)).toMatchObject({ state: "DUE", payload: { holdId } });
    await rows.updateOne(mine, { $set: { dueAt: past, notBefore: past } });
    const stored = () => wallet.database.db.collection("holds").findOne({ _id: holdId as never, tenantId });
    await eventually("the hold to be over", async () => (await stored())?.["status"] === "EXPIRED");
    await eventually("the limit to be free", () =>
      wallet.compliance.state.settled.find(([rpc, id]) => rpc === "release" && id === holdId),
    );
  });

  test("is decided once by confirm and release at the same time", async () => {
    const { confirm, release, payer, from, to } = await held();
    const results = await Promise.allSettled([confirm(), release(), confirm("1"), release()]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([100_00n, 60_00n, 99_00n]).toContain(balance(payer, from.accountId));
    expect(balance(payer, from.accountId) + balance(payer, to.accountId)).toBe(100_00n);
  });

  test("only who gets it or a manager decides, and never about more than is held", async () => {
    const { payer, confirm } = await held();
    await expect(confirm("", payer)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(confirm("", wallet.person())).rejects.toEqual(refused("NOT_FOUND"));
    await expect(confirm("40.01")).rejects.toEqual(refused("AMOUNT_MISMATCH"));
    await expect(confirm("", wallet.person(payer.tenantId, "MANAGER"))).resolves.toMatchObject({ status: "CONFIRMED" });
  });

  test("asks for the password, and for compliance's word", async () => {
    const { create } = await held();
    await expect(create({ ...key(), password: "wrong" })).rejects.toEqual(refused("PASSWORD_WRONG"));
    wallet.compliance.state.answer = { approved: false };
    await expect(create(key())).rejects.toEqual(refused("COMPLIANCE_REJECTED"));
  });

  test.each(["recorded", "posted", "ended"])("a confirmation cut off at %s happens once", async (step) => {
    const { shop, to, holdId } = await held();
    const request = { ...key(), holdId, amount: "10" };
    wallet.crashAt(`wallet.movement.${step}`);
    await refusalOf(wallet.gateway.confirmHold(request, wallet.calls(shop)));
    const again = await wallet.gateway.confirmHold(request, wallet.calls(shop));
    expect(again.hold).toMatchObject({ status: "CONFIRMED", confirmedMinor: 10_00n });
    expect(balance(shop, to.accountId)).toBe(10_00n);
  });
});

describe("a wallet's day of 3,000", () => {
  async function limited(depositMinor = 50_000_00n) {
    const payer = wallet.person();
    const { tenantId } = payer;
    const manager = wallet.person(tenantId, "MANAGER");
    const from = await wallet.wallet(payer, "USD", depositMinor);
    const friend = wallet.person(tenantId);
    const to = await wallet.wallet(friend, "USD");
    const limit = { currency: "USD", accountId: from.accountId, perDayMinor: 3_000_00n };
    const request = { ...key(), limit, reason: "asked by the customer" };
    await wallet.decide((await wallet.gateway.setWalletLimit(request, wallet.calls(manager))).approvalId);
    const hold = (amount: string, part = {}) => {
      const parties = { accountId: from.accountId, payeeAccountId: to.accountId };
      const requested = { ...key(), ...parties, amount, password: "correct horse battery", ...part };
      return wallet.gateway.createHold(requested, wallet.calls(payer)).then((answer) => answer.hold?.holdId ?? "");
    };
    const end = (holdId: string, amount?: string) =>
      amount === undefined
        ? wallet.gateway.releaseHold({ ...key(), holdId }, wallet.calls(friend))
        : wallet.gateway.confirmHold({ ...key(), holdId, amount }, wallet.calls(friend));
    const spent = async () => {
      const days = await wallet.database.db.collection("wallet_spending").find({ tenantId }).sort({ day: 1 }).toArray();
      return days.map((day) => day["spentMinor"] as bigint);
    };
    const pay = (amount: string) =>
      wallet.pay(payer, {
        accountId: from.accountId,
        payableType: "PAYABLE_TYPE_WALLET_CUSTOMER",
        payableId: to.accountId,
        totalCheckoutAmount: amount,
      });
    return { payer, friend, from, hold, end, spent, pay };
  }

  test("is not passed by holds: nine beyond it are refused, one after the other and at once, and by payments neither", async () => {
    const { payer, from, hold, pay, spent } = await limited();
    await hold("3000");
    for (let i = 0; i < 3; i++) await expect(hold("1000")).rejects.toEqual(refused("DAILY_LIMIT_EXCEEDED"));
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => hold("0.01")));
    expect(results.map((result) => result.status === "rejected" && result.reason.code)).toEqual(
      Array.from({ length: 6 }, () => "DAILY_LIMIT_EXCEEDED"),
    );
    await expect(pay("0.01")).rejects.toEqual(refused("DAILY_LIMIT_EXCEEDED"));
    expect(await spent()).toEqual([3_000_00n]);
    expect(balance(payer, from.accountId)).toBe(50_000_00n);
    // Nothing that was refused has taken a part of compliance's limits; a
    // slow answer is asked for again.
    const checked = wallet.compliance.state.checks.filter(({ customerId }) => customerId === payer.customerId);
    expect(new Set(checked.map(({ paymentId }) => paymentId)).size).toBe(1);
  });

  test("has room for one of two holds at the same time", async () => {
    const { hold, spent } = await limited();
    const results = await Promise.allSettled([hold("2000"), hold("2000"), hold("2000")]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await spent()).toEqual([2_000_00n]);
  });

  test("gets back what is released, what is not confirmed, what compliance or the ledger refuses, and keeps the rest", async () => {
    const { hold, end, spent } = await limited(2_500_00n);
    await end(await hold("2000"));
    expect(await spent()).toEqual([0n]);
    await end(await hold("2000"), "500");
    expect(await spent()).toEqual([500_00n]);
    await expect(hold("2500")).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
    wallet.compliance.state.answer = { approved: false };
    await expect(hold("10")).rejects.toEqual(refused("COMPLIANCE_REJECTED"));
    expect(await spent()).toEqual([500_00n]);
  });

  test("gets back what runs out", async () => {
    const { payer, hold, spent } = await limited();
    await hold("100");
    const past = new Date(Date.now() - 1_000);
    const mine = { tenantId: payer.tenantId, kind: "expire-hold" };
    await wallet.database.db.collection("outbox").updateOne(mine, { $set: { dueAt: past, notBefore: past } });
    await eventually("the day to be free", async () => (await spent())[0] === 0n);
  });

  test("is that on which it was held, also where it is released on the next one", async () => {
    const { hold, end, spent } = await limited();
    const holdId = await hold("3000");
    wallet.identity.state.offsetMs = 86_400_000;
    try {
      await asksIdentityAnew();
      await hold("2500");
      expect(await spent()).toEqual([3_000_00n, 2_500_00n]);
      await end(holdId);
      expect(await spent()).toEqual([0n, 2_500_00n]);
      await expect(hold("500.01")).rejects.toEqual(refused("DAILY_LIMIT_EXCEEDED"));
    } finally {
      wallet.identity.state.offsetMs = 0;
      await asksIdentityAnew();
    }
  });

  test("is passed by exchanges neither, and a refused one leaves its quote open", async () => {
    const { payer, from, hold, spent } = await limited();
    await wallet.wallet(payer, "NGN");
    const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(payer));
    const ngn = accounts.find(({ currency }) => currency === "NGN");
    const quoted = async (amount: string) => {
      const requested = { ...key(), fromAccountId: from.accountId, toAccountId: ngn?.accountId ?? "", amount };
      return (await wallet.gateway.quoteExchange(requested, wallet.calls(payer))).quote?.quoteId ?? "";
    };
    const execute = (quoteId: string) => wallet.gateway.executeExchange({ ...key(), quoteId }, wallet.calls(payer));
    await hold("2000");
    const large = await quoted("1000.01");
    await expect(execute(large)).rejects.toEqual(refused("DAILY_LIMIT_EXCEEDED"));
    await execute(await quoted("1000"));
    expect(await spent()).toEqual([3_000_00n]);
  });
});

describe("an exchange", () => {
  async function traveller() {
    const person = wallet.person();
    const usd = await wallet.wallet(person, "USD", 100_00n);
    const ngn = await wallet.wallet(person, "NGN");
    const quote = (amount: string, part: object = {}) =>
      wallet.gateway
        .quoteExchange(
          { ...key(), fromAccountId: usd.accountId, toAccountId: ngn.accountId, amount, ...part },
          wallet.calls(person),
        )
        .then((answer) => answer.quote!);
    const execute = (quoteId: string, by = person) =>
      wallet.gateway.executeExchange({ ...key(), quoteId }, wallet.calls(by));
    return { person, usd, ngn, quote, execute };
  }

  test("moves both currencies at the quoted rate, cut down to whole minor units", async () => {
    const { person, usd, ngn, quote, execute } = await traveller();
    const { quoteId, to, rate } = await quote("10.01");
    expect([to?.amountMinor, rate]).toEqual([15_272_75n, "1525.75"]);
    expect(await execute(quoteId)).toMatchObject({
      quote: { status: "USED" },
      newFromBalanceMinor: 89_99n,
      newToBalanceMinor: 15_272_75n,
    });
    expect(balance(person, usd.accountId)).toBe(89_99n);
    expect(balance(person, ngn.accountId)).toBe(15_272_75n);
    expect(balance(person, "wallet_exchange_position:USD")).toBe(10_01n);
    expect(balance(person, "wallet_exchange_position:NGN")).toBe(-15_272_75n);
  });

  test("uses a quote once, also by ten at the same time", async () => {
    const { person, usd, quote, execute } = await traveller();
    const { quoteId } = await quote("10");
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => execute(quoteId)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toEqual(refused("QUOTE_NOT_OPEN"));
    }
    expect(balance(person, usd.accountId)).toBe(90_00n);
  });

  test("of a quote whose time is over, another's, or beyond the balance moves nothing", async () => {
    const { person, usd, ngn, quote, execute } = await traveller();
    const late = await quote("10");
    await wallet.database.db
      .collection("exchange_quotes")
      .updateOne({ _id: late.quoteId as never, tenantId: person.tenantId }, { $set: { expiresAt: new Date(0) } });
    await expect(execute(late.quoteId)).rejects.toEqual(refused("QUOTE_NOT_OPEN"));
    const own = await quote("10");
    await expect(execute(own.quoteId, wallet.person(person.tenantId))).rejects.toEqual(refused("FORBIDDEN"));
    const large = await quote("100.01");
    await expect(execute(large.quoteId)).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
    await expect(quote("1", { toAccountId: usd.accountId })).rejects.toEqual(refused("INVALID_INPUT"));
    await expect(quote("1", { fromAccountId: ngn.accountId, toAccountId: usd.accountId })).rejects.toEqual(
      refused("RATE_NOT_AVAILABLE"),
    );
    expect([balance(person, usd.accountId), balance(person, ngn.accountId)]).toEqual([100_00n, 0n]);
  });
});

describe("a refund of a payment", () => {
  async function paid(total = "100") {
    const payer = wallet.person();
    const shop = wallet.person(payer.tenantId);
    const manager = wallet.person(payer.tenantId, "MANAGER");
    const from = await wallet.wallet(payer, "USD", 500_00n);
    const to = await wallet.wallet(shop, "USD");
    const { payment } = await wallet.pay(payer, {
      accountId: from.accountId,
      payableType: "PAYABLE_TYPE_WALLET_CUSTOMER",
      payableId: to.accountId,
      totalCheckoutAmount: total,
    });
    const paymentId = payment?.paymentId ?? "";
    const ask = (amount = "", by = manager, own = key()) =>
      wallet.gateway
        .refundPayment({ ...own, paymentId, amount, reason: "sent back" }, wallet.calls(by))
        .then((answer) => answer.refund!);
    const ended = (refundId: string) =>
      eventually("the refund to end", async () => {
        const { refund } = await wallet.gateway.getRefund({ refundId }, wallet.calls(manager));
        return refund?.status === "DONE" || refund?.status === "FAILED" ? refund : undefined;
      });
    const shown = async () => (await wallet.gateway.getPayment({ paymentId }, wallet.calls(payer))).payment;
    return { payer, shop, manager, from, to, paymentId, ask, ended, shown };
  }

  test.each(["", "a\u0007b", "x".repeat(301)])(
    "with a reason that an approval would refuse (%j) holds nothing",
    async (reason) => {
      const { paymentId, manager, payer } = await paid();
      const requested = wallet.gateway.refundPayment(
        { ...key(), paymentId, amount: "", reason },
        wallet.calls(manager),
      );
      expect(await refusalOf(requested)).toMatchObject({
        code: "INVALID_INPUT",
        details: { errors: [{ path: "reason" }] },
      });
      const { tenantId } = payer;
      expect(await wallet.database.db.collection("refunds").countDocuments({ tenantId })).toBe(0);
      const several = "sent back:\nit was broken";
      const all = await wallet.gateway.refundPayment({ ...key(), paymentId, reason: several }, wallet.calls(manager));
      expect(all.refund).toMatchObject({ reason: several, status: "ASKED", approvalId: expect.stringMatching(/./) });
    },
  );

  test.each(["INVALID_INPUT", "FORBIDDEN"] as const)(
    "is over for a repeat too where identity took no question about it: %s",
    async (code) => {
      const { ask, manager } = await paid();
      const requested = () => wallet.identity.state.approvals.filter((one) => one.tenantId === manager.tenantId).length;
      const [own, before] = [key(), requested()];
      wallet.identity.state.takesNoQuestion = code;
      expect(await refusalOf(ask("30", manager, own))).toMatchObject({ code });
      wallet.identity.state.takesNoQuestion = undefined;
      expect(await refusalOf(ask("30", manager, own))).toMatchObject({ code });
      expect(requested()).toBe(before);
      expect(await ask("", manager)).toMatchObject({ status: "ASKED", amount: { amountMinor: 100_00n } });
    },
  );

  test("in parts, then whole, once two persons agreed", async () => {
    const { payer, from, to, ask, ended, shown } = await paid();
    const first = await ask("30");
    expect(first.status).toBe("ASKED");
    expect(balance(payer, from.accountId)).toBe(400_00n);
    const { noted } = await wallet.decide(first.approvalId);
    expect(noted).toEqual([`MONEY_REFUNDED wallet:${from.accountId} 30.00 USD`]);
    await ended(first.refundId);
    expect(balance(payer, from.accountId)).toBe(430_00n);
    expect(await shown()).toMatchObject({ status: "PARTIALLY_REFUNDED", refundedMinor: 30_00n });
    await expect(ask("70.01")).rejects.toEqual(refused("REFUND_EXCEEDS_PAYMENT"));
    const rest = await ask();
    await wallet.decide(rest.approvalId);
    await ended(rest.refundId);
    expect(await shown()).toMatchObject({ status: "REFUNDED", refundedMinor: 100_00n });
    expect([balance(payer, from.accountId), balance(payer, to.accountId)]).toEqual([500_00n, 0n]);
  });

  test("is asked for a hundred times, refused ones included", async () => {
    const { paymentId, payer, ask } = await paid();
    await wallet.decide((await ask("1")).approvalId, "REFUSED");
    const payments = wallet.database.db.collection<{ _id: string }>("payments");
    const own = { tenantId: payer.tenantId, _id: paymentId };
    const counted = await payments.findOneAndUpdate(own, { $set: { refundsAsked: 100 } });
    expect(counted).toMatchObject({ refundsAsked: 1 });
    await expect(ask("1")).rejects.toEqual(refused("REFUND_LIMIT_REACHED"));
  });

  test("is not booked twice when it is told twice, and not at all when it is refused", async () => {
    const { payer, from, ask, ended, shown } = await paid();
    const refusedOne = await ask();
    await wallet.decide(refusedOne.approvalId, "REFUSED");
    expect(await shown()).toMatchObject({ status: "SUCCESS" });
    const again = await ask();
    await Promise.all([wallet.decide(again.approvalId), wallet.decide(again.approvalId)]);
    await ended(again.refundId);
    await wallet.decide(again.approvalId);
    expect(balance(payer, from.accountId)).toBe(500_00n);
  });

  test("hundreds at the same time have one winner", async () => {
    const { payer, from, ask, ended } = await paid();
    // A busy machine may not answer in time: whoever hears nothing asks again with their key.
    const patient = async (): Promise<Awaited<ReturnType<typeof ask>>> => {
      const own = key();
      for (;;) {
        try {
          return await ask("", undefined, own);
        } catch (error) {
          const { code = "" } = error as { code?: string };
          if (!["DEADLINE_EXCEEDED", "IDEMPOTENCY_IN_FLIGHT", "UNAVAILABLE"].includes(code)) throw error;
        }
      }
    };
    const results = await Promise.allSettled(
      Array.from({ length: atDepth({ quick: 60, ci: 200, long: 500 }) }, patient),
    );
    const won = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(won).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toEqual(refused("REFUND_EXCEEDS_PAYMENT"));
    }
    await wallet.decide(won[0]!.approvalId);
    await ended(won[0]!.refundId);
    expect(balance(payer, from.accountId)).toBe(500_00n);
  }, 120_000);

  test("fails where the payee has spent it, and can be asked for again", async () => {
    const { payer, shop, from, to, ask, ended, shown } = await paid();
    const elsewhere = await wallet.wallet(wallet.person(payer.tenantId), "USD");
    await wallet.pay(shop, {
      accountId: to.accountId,
      payableType: "PAYABLE_TYPE_WALLET",
      payableId: elsewhere.accountId,
      totalCheckoutAmount: "60",
    });
    const all = await ask();
    await wallet.decide(all.approvalId);
    expect(await ended(all.refundId)).toMatchObject({ status: "FAILED", failure: "INSUFFICIENT_FUNDS" });
    expect(await shown()).toMatchObject({ status: "SUCCESS" });
    const part = await ask("40");
    await wallet.decide(part.approvalId);
    expect(await ended(part.refundId)).toMatchObject({ status: "DONE" });
    expect(balance(payer, from.accountId)).toBe(440_00n);
  });

  test("of a transaction, a failed payment, an unknown one or by a customer is refused", async () => {
    const { payer, manager, ask } = await paid();
    const { id, total } = wallet.transaction(payer);
    const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(payer));
    const accountId = accounts[0]?.accountId ?? "";
    const { payment } = await wallet.pay(payer, { accountId, payableId: id, totalCheckoutAmount: total });
    const refund = (paymentId: string) =>
      wallet.gateway.refundPayment({ ...key(), paymentId, reason: "x" }, wallet.calls(manager));
    await expect(refund(payment?.paymentId ?? "")).rejects.toEqual(refused("STATE_CONFLICT"));
    await expect(refund(randomUUID())).rejects.toEqual(refused("NOT_FOUND"));
    await expect(ask("", payer)).rejects.toEqual(refused("FORBIDDEN"));
  });
});
