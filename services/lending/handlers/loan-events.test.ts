import { randomUUID } from "node:crypto";
import { createLendingFixture, type LendingFixture } from "../../../test/support/lending-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { Application, Loan } from "../../platform/events/shapes/loan-shape.js";
import { parseJson, printJson } from "../../kernel/json.js";

jest.setTimeout(120_000);

let lending: LendingFixture;
beforeAll(async () => void (lending = await createLendingFixture("lend_told")));
afterEach(() => Object.assign(lending.events.state, { faults: [], isAway: false }));
afterAll(() => lending.close());

const published = async (loan: string, types: string[]) => {
  await waitFor(async () => lending.events.of(loan).length >= types.length);
  expect(lending.events.typesOf(loan)).toEqual(types);
};
const waiting = (tenantId: string) =>
  lending.lendingDb.db.collection("outbox").countDocuments({ tenantId, kind: "event.publish" });

/** Events are back: nobody waits for the pause after a failed try. */
async function back(tenantId: string): Promise<void> {
  lending.events.state.isAway = false;
  await lending.lendingDb.db
    .collection("outbox")
    .updateMany({ tenantId, kind: "event.publish" }, { $set: { dueAt: new Date(0) } });
}

const next = (date: string) => Temporal.PlainDate.from(date).add({ days: 1 }).toString();

async function borrower(more: object = {}) {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId, more);
  const walletId = await lending.wallet(person, "USD", 500_000n);
  return { person, tenantId, walletId, manager: lending.person(tenantId, "MANAGER") };
}

test("an approval is told once, as the borrower reads it", async () => {
  const { person, tenantId } = await borrower();
  const requested = { idempotencyKey: randomUUID(), productId: "personal", amount: "1200", instalments: 12 };
  const { application } = await lending.gateway.applyForLoan(
    { ...requested, monthlyIncome: "9000" },
    lending.calls(person),
  );
  const { loanApplicationId } = application!;
  expect(application!.status).toBe("APPROVED");
  await lending.gateway.applyForLoan({ ...requested, monthlyIncome: "9000" }, lending.calls(person));
  await published(loanApplicationId, ["loan.approved"]);
  const [event] = lending.events.of(loanApplicationId);
  expect(event).toMatchObject({ tenantId, subjectType: "loan", customerId: person.customerId });
  const read = await lending.gateway.getLoanApplication({ loanApplicationId }, lending.calls(person));
  expect(printJson(parseJson(event!.dataJson))).toBe(printJson(readerOf(Application)(read.application)));
  await waitFor(async () => (await waiting(tenantId)) === 0);
});

test("what staff approve is told by their decision; what they reject is not", async () => {
  const { person, manager } = await borrower({ approvedAtOnce: false });
  const requested = { productId: "personal", amount: "1200", instalments: 12, monthlyIncome: "9000" };
  const ids: string[] = [];
  for (const approve of [true, false]) {
    const key = { idempotencyKey: randomUUID() };
    const { application } = await lending.gateway.applyForLoan({ ...key, ...requested }, lending.calls(person));
    const { loanApplicationId } = application!;
    expect(lending.events.of(loanApplicationId)).toEqual([]);
    const decision = { idempotencyKey: randomUUID(), loanApplicationId, approve, reason: "looked at it" };
    await lending.gateway.decideLoanApplication(decision, lending.calls(manager));
    ids.push(loanApplicationId);
  }
  await published(ids[0]!, ["loan.approved"]);
  await waitFor(async () => (await waiting(person.tenantId)) === 0);
  expect(lending.events.of(ids[1]!)).toEqual([]);
});

test("repayments are told as they are decided, and the end of the loan after the last", async () => {
  const { person, tenantId, manager } = await borrower();
  const loan = await lending.loan(person);
  const ids: string[] = [];
  for (const amount of ["100", "50"]) {
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, loan.accountId, amount, { bankAccountId });
    ids.push(repayment!.repaymentId);
  }
  lending.events.state.isAway = true;
  await lending.force(manager, ids[0]!);
  await lending.force(manager, ids[1]!, false);
  expect(lending.events.of(loan.loanApplicationId)).toEqual([]);
  await back(tenantId);
  await published(loan.loanApplicationId, ["loan.repayment_verified", "loan.repayment_rejected"]);
  expect(lending.events.of(loan.loanApplicationId).map(({ dataJson }) => JSON.parse(dataJson))).toMatchObject([
    { repaymentId: ids[0], status: "VERIFIED", repaymentAmount: 100 },
    { repaymentId: ids[1], status: "REJECTED" },
  ]);
  await lending.reconciled(tenantId);
});

test("a payoff tells what it rejects, then that the loan is paid off, as it is read", async () => {
  const { person, tenantId } = await borrower();
  const loan = await lending.loan(person);
  const { loanApplicationId } = loan;
  for (const amount of ["10", "20"]) {
    await lending.repay(person, loan.accountId, amount, { bankAccountId: lending.bankAccount(person) });
  }
  const request = { idempotencyKey: randomUUID(), loanApplicationId, paymentMethod: "WALLET" };
  expect(await lending.gateway.payoffLoan(request, lending.calls(person))).toMatchObject({ isSettled: true });
  await published(loanApplicationId, ["loan.repayment_rejected", "loan.repayment_rejected", "loan.paid_off"]);
  const { paybacks: _none, ...read } = readerOf(Loan)(await lending.read(person, loanApplicationId));
  expect(printJson(parseJson(lending.events.of(loanApplicationId)[2]!.dataJson))).toBe(printJson(read));
  await waitFor(async () => (await waiting(tenantId)) === 0);
});

test("a loan is told as disbursed with its money, after its approval, also where events were away", async () => {
  const { person, tenantId, walletId, manager } = await borrower();
  lending.events.state.isAway = true;
  const requested = { idempotencyKey: randomUUID(), productId: "personal", amount: "1200", instalments: 12 };
  const { application } = await lending.gateway.applyForLoan(
    { ...requested, monthlyIncome: "9000" },
    lending.calls(person),
  );
  const { loanApplicationId } = application!;
  const offer = { idempotencyKey: randomUUID(), loanApplicationId, walletAccountId: walletId, bankAccountId: "" };
  await lending.gateway.acceptLoanOffer(offer, lending.calls(person));
  const disbursement = { idempotencyKey: randomUUID(), loanApplicationId, reason: "all is there" };
  const { approvalId } = await lending.gateway.disburseLoan(disbursement, lending.calls(manager));
  await lending.approve(approvalId);
  await waitFor(
    async () => (await lending.read(person, loanApplicationId).catch(() => undefined))?.status === "ACTIVE",
  );
  expect(lending.events.of(loanApplicationId)).toEqual([]);
  await back(tenantId);
  await published(loanApplicationId, ["loan.approved", "loan.disbursed"]);
  expect(JSON.parse(lending.events.of(loanApplicationId)[1]!.dataJson)).toMatchObject({ status: "ACTIVE" });
  await waitFor(async () => (await waiting(tenantId)) === 0);
});

describe("an instalment whose due date passes unpaid", () => {
  const overdueOf = (loan: string) => lending.events.of(loan).filter(({ type }) => type === "loan.repayment_overdue");
  const instalmentsOf = (loan: string) =>
    overdueOf(loan).map(({ dataJson }) => (JSON.parse(dataJson) as { instalment: object }).instalment);
  /** Everything that the days have left is told. */
  async function day(tenantId: string, ...dates: string[]): Promise<void> {
    for (const date of dates) expect(await lending.service.accruals.runDay(tenantId, date)).toBe(true);
    await waitFor(async () => (await waiting(tenantId)) === 0);
  }

  test("is told once, on the day after, with the loan as it is read then; one that is paid in time is not", async () => {
    const { person, tenantId, manager } = await borrower();
    const [late, inTime] = [await lending.loan(person), await lending.loan(person)];
    await lending.moveTo(tenantId, "2026-12-01");
    await day(tenantId, "2026-12-01");
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, inTime.accountId, "106.62", { bankAccountId });
    await lending.force(manager, repayment!.repaymentId);
    expect(overdueOf(late.loanApplicationId)).toEqual([]);

    await lending.moveTo(tenantId, "2026-12-02");
    await day(tenantId, "2026-12-02", "2026-12-02", "2026-12-03", "2026-12-09");
    const [event, ...others] = overdueOf(late.loanApplicationId);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ tenantId, subjectType: "loan", customerId: person.customerId });
    expect(JSON.parse(event!.dataJson)).toMatchObject({
      loanApplicationId: late.loanApplicationId,
      overdueAmount: "106.62",
      daysPastDue: 1,
      instalment: { number: 1, dueOn: "2026-12-01", outstanding: "106.62" },
    });
    expect(lending.events.typesOf(inTime.loanApplicationId)).toEqual(["loan.repayment_verified"]);
    await lending.reconciled(tenantId);
  });

  test("is told each of its own where days were missed, and by a change of the loan that comes before the daily work", async () => {
    const { person, tenantId, manager } = await borrower();
    const loan = await lending.loan(person);
    const { loanApplicationId } = loan;
    await day(tenantId, "2027-01-02");
    const numbers = [{ number: 1 }, { number: 2, dueOn: "2027-01-01" }];
    expect(instalmentsOf(loanApplicationId)).toMatchObject(numbers);

    await lending.moveTo(tenantId, "2027-02-02");
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, loan.accountId, "5", { bankAccountId });
    await lending.force(manager, repayment!.repaymentId);
    await day(tenantId, "2027-02-02", "2027-02-03");
    expect(instalmentsOf(loanApplicationId)).toMatchObject([...numbers, { number: 3, dueOn: "2027-02-01" }]);
    await lending.reconciled(tenantId);
  });

  // The period of a loan of 29 October ends on a Sunday.
  test.each([
    ["PRECEDING", "2026-11-27", "2026-11-28"],
    ["FOLLOWING", "2026-11-30", "2026-12-01"],
  ])("is told on the day after where the due date was moved: %s", async (businessDayRule, dueOn, dayAfter) => {
    const { person, tenantId } = await borrower({ businessDayRule });
    const { loanApplicationId } = await lending.loan(person, { disbursedOn: "2026-10-29" });
    for (let date = "2026-11-22"; date <= dueOn; date = next(date)) await day(tenantId, date);
    expect(overdueOf(loanApplicationId)).toEqual([]);
    await day(tenantId, dayAfter);
    expect(instalmentsOf(loanApplicationId)).toMatchObject([{ number: 1, dueOn }]);
    await lending.reconciled(tenantId);
  });

  test("is not told of a loan that was taken over late", async () => {
    const { person, tenantId } = await borrower();
    const { loanApplicationId } = await lending.loan(person, { disbursedOn: "2026-09-01" });
    await day(tenantId, "2026-11-22", "2026-11-30");
    expect(overdueOf(loanApplicationId)).toEqual([]);
    await day(tenantId, "2026-12-02");
    expect(instalmentsOf(loanApplicationId)).toMatchObject([{ number: 3, dueOn: "2026-12-01" }]);
  });
});
