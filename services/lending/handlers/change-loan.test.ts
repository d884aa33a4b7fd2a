import { randomUUID } from "node:crypto";
import { createLendingFixture, type LendingFixture } from "../../../test/support/lending-fixture.js";
import { declaredCrashPoints } from "../../../test/support/crash-points.js";
import { unitsOf } from "../../../test/support/turn-units.js";
import { eventually, refusalOf } from "../../../test/support/wallet-fixture.js";

let lending: LendingFixture;
beforeAll(async () => {
  lending = await createLendingFixture("lend_serve");
});
afterAll(() => lending.close());

async function scene() {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId);
  const manager = lending.person(tenantId, "MANAGER");
  return { person, tenantId, manager };
}
const key = () => ({ idempotencyKey: randomUUID() });
const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code;

describe("the daily work", () => {
  test("books each day's interest once, however often it runs", async () => {
    const { person, tenantId } = await scene();
    const loans = await Promise.all(Array.from({ length: 5 }, () => lending.loan(person)));
    await lending.service.accruals.runDay(tenantId, "2026-11-25");
    await Promise.all([
      lending.service.accruals.runDay(tenantId, "2026-11-25"),
      lending.service.accruals.runDay(tenantId, "2026-11-25"),
    ]);
    // 24 of 30 days of 12.00.
    for (const loan of loans)
      expect((await lending.read(person, loan.loanApplicationId)).accruedInterestMinor).toBe(960n);
    await lending.reconciled(tenantId);
    expect(await lending.balance(tenantId, "loan_interest_income:USD")).toBe(-5n * 960n);
  });

  test("leaves others their turn after ten loans that are settled whole", async () => {
    const { person, tenantId } = await scene();
    await Promise.all(Array.from({ length: 24 }, () => lending.loan(person)));
    // One share has all of them.
    await lending.lendingDb.db.collection("loans").updateMany({ tenantId }, { $set: { slot: 0 } });
    // The day after the first due date each of them is more than its interest.
    const units = await unitsOf("accrual", () => lending.service.accruals.runDay(tenantId, "2026-12-02"));
    expect(units).toEqual([10, 10, 4]);
  });

  test("a due date, a penalty and the next period come on their days; days that were missed are made up for", async () => {
    const { person, tenantId } = await scene();
    const loan = await lending.loan(person);
    await lending.service.accruals.runDay(tenantId, "2026-12-06");
    expect((await lending.read(person, loan.loanApplicationId)).outstanding?.penaltiesMinor).toBe(0n);
    await lending.service.accruals.runDay(tenantId, "2026-12-07");
    const late = await lending.read(person, loan.loanApplicationId);
    expect(late.outstanding?.penaltiesMinor).toBe(1_000n);
    await lending.service.accruals.runDay(tenantId, "2027-03-15");
    expect((await lending.read(person, loan.loanApplicationId)).outstanding?.penaltiesMinor).toBe(4_000n);
    await lending.reconciled(tenantId);
  });

  test.each(declaredCrashPoints("lending").filter((point) => point.startsWith("lending.accrual")))(
    "cut off at %s, it goes on where it was, once",
    async (point) => {
      const { person, tenantId } = await scene();
      const loans = await Promise.all(Array.from({ length: 3 }, () => lending.loan(person)));
      lending.crashAt(point);
      await lending.service.accruals.runDay(tenantId, "2026-12-01").catch(() => undefined);
      expect(lending.crashedAt(point)).toBe(true);
      // The lease of the one that died runs out.
      await lending.lendingDb.db
        .collection("accrual_ranges")
        .updateMany({ tenantId }, { $set: { leasedUntil: new Date(0) } });
      await eventually("the day to be done", () => lending.service.accruals.runDay(tenantId, "2026-12-01"));
      for (const loan of loans)
        expect((await lending.read(person, loan.loanApplicationId)).accruedInterestMinor).toBe(1_200n);
      await lending.reconciled(tenantId);
      expect(await lending.balance(tenantId, "loan_interest_income:USD")).toBe(-3_600n);
    },
  );

  test("a share whose loan somebody holds is left; the others go on, and it is done when it is free", async () => {
    const { person, tenantId } = await scene();
    const loans = await Promise.all(Array.from({ length: 4 }, () => lending.loan(person)));
    const { db } = lending.lendingDb;
    const holder = await db.startSession();
    holder.startTransaction();
    const held = { _id: loans[0]?.accountId, tenantId } as never;
    await db.collection("loans").updateOne(held, { $set: { heldBy: "test" } }, { session: holder });
    expect(await lending.service.accruals.runDay(tenantId, "2026-12-01")).toBe(false);
    const progress = await lending.operator.getAccrualProgress({}, lending.calls({ tenantId }));
    expect(progress).toMatchObject({ date: "2026-12-01", rangesDone: 15, ranges: 16 });
    await holder.abortTransaction();
    await holder.endSession();
    await db.collection("accrual_ranges").updateMany({ tenantId }, { $set: { leasedUntil: new Date(0) } });
    expect(await lending.service.accruals.runDay(tenantId, "2026-12-01")).toBe(true);
    for (const loan of loans)
      expect((await lending.read(person, loan.loanApplicationId)).accruedInterestMinor).toBe(1_200n);
    await lending.reconciled(tenantId);
  });

  test.each([
    ["of plain interest", "2026-11-25", "accrual.accruedMinor", 960n],
    ["after a due date", "2026-12-07", "terms.principalMinor", 1_414n],
  ])(
    "a loan that cannot be worked on a day %s is set aside; the others go on, and it follows when it is repaired",
    async (_day, date, damaged, earned) => {
      const { person, tenantId } = await scene();
      const loans = await Promise.all(Array.from({ length: 5 }, () => lending.loan(person)));
      const stored = lending.lendingDb.db.collection<{ _id: string }>("loans");
      // All of one share, the damaged one among the others.
      await stored.updateMany({ tenantId }, { $set: { slot: 3 } });
      const [, , { accountId } = { accountId: "" }] = loans.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
      const [field, part] = damaged.split(".") as [string, string];
      const before = (await stored.findOne({ tenantId, _id: accountId })) as unknown as Record<
        string,
        Record<string, unknown>
      >;
      await stored.updateOne({ tenantId, _id: accountId }, { $set: { [damaged]: "none" } });
      lending.setToday(tenantId, date);
      expect(await lending.service.accruals.runDay(tenantId, date)).toBe(true);
      const earnedOf = async (id: string) =>
        ((await stored.findOne({ tenantId, _id: id })) as unknown as { accrual: { accruedMinor: bigint } }).accrual
          .accruedMinor;
      for (const loan of loans.filter((one) => one.accountId !== accountId)) {
        expect((await lending.read(person, loan.loanApplicationId)).accruedInterestMinor).toBe(earned);
      }
      const apart = { tenantId, kind: "resume-loan", "payload.accountId": accountId, lastError: { $exists: true } };
      await eventually(
        "a try of its own",
        async () => (await lending.lendingDb.db.collection("outbox").findOne(apart)) !== null,
      );
      await stored.updateOne({ tenantId, _id: accountId }, { $set: { [damaged]: before[field]?.[part] } });
      // The pause after its tries is not waited for.
      const past = new Date(0);
      await lending.lendingDb.db.collection("outbox").updateOne(apart, { $set: { dueAt: past, notBefore: past } });
      await eventually("it to follow", async () => (await earnedOf(accountId)) === earned);
      expect(await stored.findOne({ tenantId, _id: accountId })).not.toHaveProperty("setAside");
      await lending.reconciled(tenantId);
      expect(await lending.balance(tenantId, "loan_interest_income:USD")).toBe(-5n * earned);
    },
  );

  test("another replica does what the first has not", async () => {
    const { person, tenantId } = await scene();
    await Promise.all(Array.from({ length: 8 }, () => lending.loan(person)));
    const other = await lending.start();
    const done = await Promise.all(
      [lending.service, other].map(({ accruals }) => accruals.runDay(tenantId, "2026-11-30")),
    );
    await other.stop();
    expect(done).toContain(true);
    expect(await lending.balance(tenantId, "loan_interest_income:USD")).not.toBe(0n);
    await lending.reconciled(tenantId);
    const progress = await lending.operator.getAccrualProgress({}, lending.calls({ tenantId }));
    expect(progress).toMatchObject({ date: "2026-11-30", loansDone: 8n, rangesDone: 16, ranges: 16 });
  });
});

test("in a sandbox entries count for its business day, and balances of the ledger's days are the loans'", async () => {
  const { person, tenantId, manager } = await scene();
  const loan = await lending.loan(person);
  await lending.moveTo(tenantId, "2027-01-05");
  await lending.service.accruals.runDay(tenantId, "2027-01-05");
  const bankAccountId = lending.bankAccount(person);
  const { repayment } = await lending.repay(person, loan.accountId, "100", { bankAccountId });
  await lending.force(manager, repayment?.repaymentId ?? "");
  await lending.reconciled(tenantId);
  const days = async (accountId: string) => [...new Set(await lending.effectiveDays(tenantId, accountId))];
  expect(await days("lending_bank_settlement:operator:USD")).toEqual(["2027-01-05"]);
  expect(await days(loan.accountId)).toEqual(["2026-11-21", "2027-01-05"]);
  expect(await days("loan_penalty_income:USD")).toEqual(["2027-01-05"]);
});

describe("servicing", () => {
  test("a backdated repayment replays what came after: the penalty is undone in the ledger too", async () => {
    const { person, tenantId, manager } = await scene();
    const loan = await lending.loan(person, { disbursedOn: "2026-10-01" });
    expect(loan.outstanding?.penaltiesMinor).toBe(1_000n);
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, loan.accountId, "106.62", {
      bankAccountId,
      paymentDate: "2026-10-31",
    });
    await lending.force(manager, repayment?.repaymentId ?? "");
    expect((await lending.read(person, loan.loanApplicationId)).outstanding?.penaltiesMinor).toBe(0n);
    expect(await lending.balance(tenantId, "loan_penalty_income:USD")).toBe(0n);
    await lending.reconciled(tenantId);
  });

  test("a chargeback makes it owed again, once", async () => {
    const { person, tenantId, manager } = await scene();
    const loan = await lending.loan(person);
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, loan.accountId, "100", { bankAccountId });
    const repaymentId = repayment?.repaymentId ?? "";
    await lending.force(manager, repaymentId);
    const back = await lending.gateway.chargeBackRepayment(
      { ...key(), repaymentId, reason: "recalled" },
      lending.calls(manager),
    );
    expect([back.repayment?.status, back.loan?.totalPayableMinor]).toEqual(["CHARGED_BACK", loan.totalPayableMinor]);
    expect(
      await codeOf(
        lending.gateway.chargeBackRepayment({ ...key(), repaymentId, reason: "again" }, lending.calls(manager)),
      ),
    ).toBe("STATE_CONFLICT");
    expect(await lending.balance(tenantId, "lending_bank_settlement:operator:USD")).toBe(0n);
    await lending.reconciled(tenantId);
  });

  test("a write-off waits for a second person; what comes in later is a recovery", async () => {
    const { person, tenantId, manager } = await scene();
    const loan = await lending.loan(person);
    const { accountId } = loan;
    const requested = await lending.gateway.writeOffLoan(
      { ...key(), accountId, reason: "gone" },
      lending.calls(manager),
    );
    expect(requested.loan?.status).toBe("ACTIVE");
    const { noted } = await lending.approve(requested.approvalId);
    expect(noted).toEqual([`LOAN_WRITTEN_OFF loan:${accountId} 1208.00 USD`]);
    await lending.approve(requested.approvalId);
    const off = await lending.read(person, loan.loanApplicationId);
    expect([off.status, off.writtenOffMinor, off.totalPayableMinor]).toEqual(["WRITTEN_OFF", 120_800n, 0n]);
    await lending.reconciled(tenantId);
    expect(await lending.balance(tenantId, "loan_write_offs:USD")).toBe(120_800n);
    const recovery = { ...key(), accountId, amount: "50", reference: "B-1" };
    const { loan: recovered } = await lending.gateway.recordRecovery(recovery, lending.calls(manager));
    expect(recovered?.recoveredMinor).toBe(5_000n);
    await lending.reconciled(tenantId);
    expect(await lending.balance(tenantId, "loan_recovery_income:USD")).toBe(-5_000n);
  });

  test("a recovery above what was written off is the customer's, and payable back", async () => {
    const { person, tenantId, manager } = await scene();
    const { accountId, loanApplicationId } = await lending.loan(person);
    const call = lending.calls(manager);
    const requested = await lending.gateway.writeOffLoan({ ...key(), accountId, reason: "gone" }, call);
    await lending.approve(requested.approvalId);
    const record = (amount: string, reference: string) =>
      lending.gateway.recordRecovery({ ...key(), accountId, amount, reference }, call);
    await record("1000", "B-1");
    await record("500", "B-2");
    // The same money under another key is told from more of it.
    expect(await codeOf(record("500", "b 1"))).toBe("ALREADY_EXISTS");
    const now = await lending.read(person, loanApplicationId);
    expect([now.status, now.recoveredMinor, now.overpaidMinor]).toEqual(["WRITTEN_OFF", 120_800n, 29_200n]);
    await lending.reconciled(tenantId);
    expect(await lending.balance(tenantId, "loan_recovery_income:USD")).toBe(-120_800n);
    expect(await lending.balance(tenantId, "loan_overpayments:USD")).toBe(-29_200n);
    const walletAccountId = await lending.wallet(person, "USD", 0n);
    const back = { accountId, walletAccountId, bankAccountId: "", reason: "too much" };
    const payBack = (amount: string) => lending.gateway.payBackOverpayment({ ...key(), ...back, amount }, call);
    expect(await codeOf(payBack("292.01"))).toBe("INVALID_AMOUNT");
    await lending.approve((await payBack("292")).approvalId);
    await eventually("the money", async () => (await lending.balance(tenantId, walletAccountId)) === -29_200n);
    await lending.reconciled(tenantId);
  });

  test("a repayment that the bank tells of after the write-off was paid before it all the same", async () => {
    const { person, tenantId, manager } = await scene();
    const bankAccountId = lending.bankAccount(person);
    const ends = [];
    for (const isLate of [false, true]) {
      const { accountId, loanApplicationId } = await lending.loan(person);
      const paid = { bankAccountId, paymentDate: "2026-11-10" };
      const { repayment } = await lending.repay(person, accountId, "1000", paid);
      const verify = () => lending.force(manager, repayment?.repaymentId ?? "");
      if (!isLate) await verify();
      const requested = { ...key(), accountId, reason: "gone" };
      const { approvalId } = await lending.gateway.writeOffLoan(requested, lending.calls(manager));
      await lending.approve(approvalId);
      if (isLate) await verify();
      const { status, writtenOffMinor, recoveredMinor, pendingMinor } = await lending.read(person, loanApplicationId);
      ends.push([status, writtenOffMinor, recoveredMinor, pendingMinor]);
    }
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[0]).toEqual(["WRITTEN_OFF", 20_800n, 0n, 0n]);
    await lending.reconciled(tenantId);
  });

  test("delinquency is paused and resumed", async () => {
    const { person, tenantId, manager } = await scene();
    const loan = await lending.loan(person, { disbursedOn: "2026-09-11" });
    const { accountId } = loan;
    expect([loan.daysPastDue, loan.bucket]).toEqual([41, "31-60"]);
    const call = lending.calls(manager);
    const { loan: paused } = await lending.gateway.pauseDelinquency(
      { ...key(), accountId, from: "2026-11-01", reason: "flood" },
      call,
    );
    expect([paused?.daysPastDue, paused?.bucket, paused?.delinquencyPaused]).toEqual([21, "1-30", true]);
    expect(
      await codeOf(lending.gateway.pauseDelinquency({ ...key(), accountId, reason: "x" }, lending.calls(manager))),
    ).toBe("STATE_CONFLICT");
    await lending.moveTo(tenantId, "2026-12-01");
    await lending.gateway.resumeDelinquency({ ...key(), accountId }, lending.calls(manager));
    const within = { ...key(), accountId, from: "2026-11-15", reason: "x" };
    expect(await codeOf(lending.gateway.pauseDelinquency(within, lending.calls(manager)))).toBe("INVALID_INPUT");
    await lending.moveTo(tenantId, "2026-12-11");
    expect((await lending.read(person, loan.loanApplicationId)).daysPastDue).toBe(31);
    await lending.reconciled(tenantId);
  });

  test.each([
    ["told of before it", false],
    ["told of after it", true],
  ])("a new schedule behind the day the loan was paid in full, %s, changes nothing", async (_when, isLate) => {
    const { person, tenantId, manager } = await scene();
    await lending.product(tenantId, { annualRate: "0", instalmentFee: "1.25" });
    const loan = await lending.loan(person, { amount: "400", instalments: 4 });
    const { accountId, loanApplicationId } = loan;
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, accountId, "405", { bankAccountId, paymentDate: "2026-11-10" });
    const verify = () => lending.force(manager, repayment?.repaymentId ?? "");
    if (!isLate) await verify();
    const requested = { ...key(), accountId, instalments: 2, firstDueOn: "2027-01-15", reason: "less income" };
    const planned = lending.gateway.rescheduleLoan(requested, lending.calls(manager));
    if (isLate) await planned;
    else expect(await codeOf(planned)).toBe("LOAN_CLOSED");
    if (isLate) await verify();
    const now = await lending.read(person, loanApplicationId);
    expect([now.status, now.closedOn, now.totalPayableMinor, now.overpaidMinor]).toEqual([
      "PAID_OFF",
      "2026-11-10",
      0n,
      0n,
    ]);
    await lending.reconciled(tenantId);
    expect(await lending.balance(tenantId, "loan_fee_income:USD")).toBe(-500n);
  });

  test("a new schedule", async () => {
    const { person, tenantId, manager } = await scene();
    const loan = await lending.loan(person);
    const request = {
      ...key(),
      accountId: loan.accountId,
      instalments: 24,
      firstDueOn: "2027-01-15",
      reason: "less income",
    };
    const { loan: anew } = await lending.gateway.rescheduleLoan(request, lending.calls(manager));
    expect(anew?.nextDueOn).toBe("2027-01-15");
    expect(anew?.outstanding?.principalMinor).toBe(120_000n);
    const bad = await refusalOf(
      lending.gateway.rescheduleLoan({ ...request, ...key(), firstDueOn: "2026-02-30" }, lending.calls(manager)),
    );
    expect([bad.code, bad.message.includes("firstDueOn")]).toEqual(["INVALID_INPUT", true]);
    const far = { ...request, ...key(), instalments: 60, annualRate: "36", firstDueOn: "2027-05-20" };
    const refused = await refusalOf(lending.gateway.rescheduleLoan(far, lending.calls(manager)));
    expect([refused.code, refused.message]).toEqual([
      "AMOUNT_OUT_OF_LIMITS",
      expect.stringMatching(/^firstDueOn must be .* or earlier/),
    ]);
    await lending.reconciled(tenantId);
  });
});
