import { randomUUID } from "node:crypto";
import {
  createLendingFixture,
  type LendingFixture,
  type LendingPerson,
} from "../../../test/support/lending-fixture.js";
import { startSandboxPartner } from "../../../test/support/sandbox-partner.js";
import { eventually } from "../../../test/support/wallet-fixture.js";
import { asksIdentityAnew } from "../../../test/support/time.js";

type Bank = Awaited<ReturnType<typeof startSandboxPartner>>;

let lending: LendingFixture;
let own: Bank;
beforeAll(async () => {
  lending = await createLendingFixture("lend_own_banks", { recoverAfterMs: 150 });
  own = await startSandboxPartner();
});
afterEach(() => lending.crashAt(undefined));
afterAll(async () => {
  await lending.close();
  await own.stop();
});

jest.setTimeout(120_000);

const key = () => ({ idempotencyKey: randomUUID() });

/** A sandbox with a bank and an acquirer of its own. */
async function sandbox() {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId);
  const [bankId, cardId] = [randomUUID(), randomUUID()];
  const at = { url: own.url, secrets: { apiKey: own.apiKey } };
  const install = (change: object = {}) =>
    lending.plugins.install(
      tenantId,
      { kind: "BANK", installationId: bankId, ...at, ...change },
      { kind: "CARD", installationId: cardId, ...at, ...change },
    );
  install();
  const manager = lending.person(tenantId, "MANAGER");
  return { person, tenantId, bankId, cardId, install, manager };
}
type Sandbox = Awaited<ReturnType<typeof sandbox>>;

/** An approved loan of 1,200.00 whose disbursement to a bank account waits for a second person. */
async function accepted({ person, manager }: Sandbox) {
  const requested = { productId: "personal", amount: "1200", instalments: 12, monthlyIncome: "1000" };
  const { application } = await lending.gateway.applyForLoan({ ...key(), ...requested }, lending.calls(person));
  const { loanApplicationId } = application!;
  const bankAccountId = lending.bankAccount(person);
  await lending.gateway.acceptLoanOffer({ ...key(), loanApplicationId, bankAccountId }, lending.calls(person));
  const { approvalId } = await lending.gateway.disburseLoan(
    { ...key(), loanApplicationId, reason: "signed" },
    lending.calls(manager),
  );
  const row = await lending.lendingDb.db
    .collection("loan_applications")
    .findOne({ tenantId: person.tenantId, loanApplicationId });
  return { loanApplicationId, approvalId, reference: `loan-${String(row?.["accountId"])}-1` };
}

const isActive = (person: LendingPerson, loanApplicationId: string) => async () =>
  (await lending.read(person, loanApplicationId)).status === "ACTIVE";
const whoPaid = async (tenantId: string, reference: string) => ({
  own: await own.knows(tenantId, "transfers", reference),
  operators: await lending.bankKnows(tenantId, "transfers", reference),
});
const whoCharged = async (tenantId: string, payoffId: string) => ({
  own: await own.knows(tenantId, "card-charges", payoffId),
  operators: await lending.bankKnows(tenantId, "card-charges", payoffId),
});

/** Money at the tenant's own partner and at the operator's, debits above zero, minor units. */
const booked = (tenantId: string, kind: "bank" | "card", id: string) =>
  Promise.all([id, "operator"].map((at) => lending.balance(tenantId, `lending_${kind}_settlement:${at}:USD`)));

describe("a disbursement of a tenant with a bank of its own", () => {
  test("is paid there, once, also where it was paused after the decision and a process died", async () => {
    for (const point of [undefined, "lending.disbursement.begun", "lending.disbursement.paid"]) {
      const at = await sandbox();
      const { loanApplicationId, approvalId, reference } = await accepted(at);
      lending.crashAt(point);
      await lending.approve(approvalId);
      if (point !== undefined) {
        await eventually("the crash", () => lending.crashedAt(point));
        at.install({ status: "PAUSED" });
      }
      await eventually("the loan to begin", isActive(at.person, loanApplicationId));
      expect(await whoPaid(at.tenantId, reference)).toEqual({ own: "PAID", operators: undefined });
      const named = { kind: "PERSON", name: "Amina Bello", address: { city: "Lagos", country: "NGA" } };
      expect(await own.partiesOf(at.tenantId, reference)).toMatchObject({ originator: named, beneficiary: named });
      await lending.reconciled(at.tenantId);
      expect(await booked(at.tenantId, "bank", at.bankId)).toEqual([-1_200_00n, 0n]);
    }
  });

  test("that comes back is heard of while the bank is being removed", async () => {
    const at = await sandbox();
    const { loanApplicationId, approvalId, reference } = await accepted(at);
    await own.control("/rules", { reference, behaviour: "RETURN", delayMs: 2_000, reason: "wrong name" });
    await lending.approve(approvalId);
    await eventually("the loan to begin", isActive(at.person, loanApplicationId));
    at.install({ status: "REMOVING" });
    await eventually("the return", async () => {
      const { application } = await lending.gateway.getLoanApplication(
        { loanApplicationId },
        lending.calls(at.manager),
      );
      return application?.disbursementStatus === "RETURNED";
    });
    await lending.reconciled(at.tenantId);
    expect(await booked(at.tenantId, "bank", at.bankId)).toEqual([0n, 0n]);
  });
});

test("an overpayment goes back by the own bank that served when it was approved", async () => {
  const at = await sandbox();
  const loan = await lending.loan(at.person, { repayments: [{ paidOn: "2026-11-05", amount: "1319.42" }] });
  const clerk = lending.person(at.tenantId, "CASHIER");
  const requested = {
    amount: "",
    walletAccountId: "",
    bankAccountId: lending.bankAccount(at.person),
    reason: "paid twice",
  };
  const { approvalId } = await lending.gateway.payBackOverpayment(
    { ...key(), accountId: loan.accountId, ...requested },
    lending.calls(clerk),
  );
  lending.crashAt("lending.payback.begun");
  await lending.approve(approvalId);
  await eventually("the crash", () => lending.crashedAt("lending.payback.begun"));
  at.install({ status: "PAUSED" });
  const reference = `payback-${approvalId}`;
  await eventually("the transfer", async () => (await whoPaid(at.tenantId, reference)).own === "PAID");
  expect(await whoPaid(at.tenantId, reference)).toEqual({ own: "PAID", operators: undefined });
  await eventually("the books", async () => (await lending.balance(at.tenantId, "loan_overpayments:USD")) === 0n);
  await lending.reconciled(at.tenantId);
});

describe("a payoff by card of a tenant with an acquirer of its own", () => {
  test("is charged there, also where it is pending and the acquirer is paused", async () => {
    const at = await sandbox();
    const loan = await lending.loan(at.person);
    const request = {
      ...key(),
      loanApplicationId: loan.loanApplicationId,
      paymentMethod: "CARD",
      cardToken: "tok_pending",
    };
    const { repaymentId } = await lending.gateway.payoffLoan(request, lending.calls(at.person));
    await eventually("the charge", async () => (await whoCharged(at.tenantId, repaymentId)).own === "PENDING");
    at.install({ status: "PAUSED" });
    await own.control(`/bank/card-charges/${at.tenantId}/${repaymentId}`, { status: "CAPTURED" });
    const isPaidOff = async () => (await lending.read(at.person, loan.loanApplicationId)).status === "PAID_OFF";
    await eventually("the end", isPaidOff);
    expect(await whoCharged(at.tenantId, repaymentId)).toEqual({ own: "CAPTURED", operators: undefined });
    await lending.reconciled(at.tenantId);
    const [captured] = await booked(at.tenantId, "card", at.cardId);
    expect(captured).toBeGreaterThan(0n);
    const back = { ...key(), repaymentId, reason: "the scheme took it back" };
    await lending.gateway.chargeBackRepayment(back, lending.calls(at.manager));
    await lending.reconciled(at.tenantId);
    expect(await booked(at.tenantId, "card", at.cardId)).toEqual([0n, 0n]);
  });

  test("charges the card that is stored there", async () => {
    const at = await sandbox();
    const loan = await lending.loan(at.person);
    const { tenantId: account, customerId: customer } = at.person;
    await own.control("/bank/cards", { account, customer, cardToken: "tok_ok" });
    await lending.storeCard(at.person, "tok_refused");
    const request = { ...key(), loanApplicationId: loan.loanApplicationId, paymentMethod: "CARD" };
    const { repaymentId } = await lending.gateway.payoffLoan(request, lending.calls(at.person));
    await eventually("the charge", async () => (await whoCharged(at.tenantId, repaymentId)).own === "CAPTURED");
  });
});

describe("credits of several banks", () => {
  test("of the same id are credits of their own, each taken once", async () => {
    const at = await sandbox();
    await lending.loan(at.person);
    at.install({ status: "PAUSED" });
    const creditId = `c-${randomUUID()}`;
    const amounts = ["10", "11", "12", "13"];
    const arrive = (bank: Pick<Bank, "control">, id: string, amount: string) =>
      bank.control("/bank/credits", {
        account: at.tenantId,
        collection: "lending",
        reference: "nobody's",
        amount,
        currency: "USD",
        senderName: "Amina Bello",
        creditId: id,
      });
    await arrive(own, creditId, amounts[0]!);
    await arrive({ control: lending.bankControl }, creditId, amounts[1]!);
    await lending.service.feed.read(at.tenantId);
    await arrive(own, `d-${randomUUID()}`, amounts[2]!);
    for (const _time of [1, 2, 3]) await lending.service.feed.read(at.tenantId);
    const suspense = async () => lending.balance(at.tenantId, "loan_suspense:USD");
    await eventually("the books", async () => (await suspense()) === -33_00n);
    const { credits } = await lending.gateway.listSuspense({}, lending.calls(at.manager));
    expect(
      credits
        .map(({ creditId: id }) => id)
        .filter((id) => id.endsWith(creditId))
        .toSorted(),
    ).toEqual([creditId, `${at.bankId.replaceAll("-", "")}:${creditId}`].toSorted());
    expect(credits).toHaveLength(3);
    await lending.reconciled(at.tenantId);
    expect(await booked(at.tenantId, "bank", at.bankId)).toEqual([22_00n, 11_00n]);
  });
});

test("repayments are sent to the account that the own bank keeps for loans, and to the operator's while it is paused", async () => {
  const at = await sandbox();
  const { loanApplicationId } = await lending.loan(at.person);
  const where = async () => {
    const instructions = await lending.gateway.getRepaymentInstructions(
      { loanApplicationId },
      lending.calls(at.person),
    );
    return [instructions.bankName, instructions.bankCode, instructions.accountNumber];
  };
  const operators = await where();
  const configuration = { loanBankName: "Own Bank", loanBankCode: "099", loanAccountNumber: "0123456789" };
  at.install({ configuration });
  await asksIdentityAnew();
  expect(await where()).toEqual(["Own Bank", "099", "0123456789"]);
  at.install({ configuration, status: "PAUSED" });
  await asksIdentityAnew();
  expect(await where()).toEqual(operators);
});

test("a removal waits for what is under way there", async () => {
  const at = await sandbox();
  const { loanApplicationId, approvalId, reference } = await accepted(at);
  await own.control("/rules", { reference, behaviour: "ACCEPT", settleMs: 3_000 });
  await lending.approve(approvalId);
  await eventually("the order", async () => (await whoPaid(at.tenantId, reference)).own !== undefined);
  const loan = await lending.loan(at.person);
  const request = {
    ...key(),
    loanApplicationId: loan.loanApplicationId,
    paymentMethod: "CARD",
    cardToken: "tok_pending",
  };
  const { repaymentId } = await lending.gateway.payoffLoan(request, lending.calls(at.person));
  await eventually("the charge", async () => (await whoCharged(at.tenantId, repaymentId)).own === "PENDING");
  at.install({ status: "REMOVING" });
  await asksIdentityAnew();
  const { released } = lending.plugins.seen;
  expect([released.includes(at.bankId), released.includes(at.cardId)]).toEqual([false, false]);
  await eventually("the loan to begin", isActive(at.person, loanApplicationId));
  await eventually("the bank's release", () => released.includes(at.bankId));
  expect(released).not.toContain(at.cardId);
  await own.control(`/bank/card-charges/${at.tenantId}/${repaymentId}`, { status: "REFUSED" });
  await eventually("the acquirer's release", () => released.includes(at.cardId));
});
