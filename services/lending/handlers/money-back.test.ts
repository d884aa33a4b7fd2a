import { randomUUID } from "node:crypto";
import { declaredCrashPoints } from "../../../test/support/crash-points.js";
import { createLendingFixture, type LendingFixture } from "../../../test/support/lending-fixture.js";
import { eventually, refusalOf } from "../../../test/support/wallet-fixture.js";

let lending: LendingFixture;
beforeAll(async () => {
  lending = await createLendingFixture("lend_back");
});
afterAll(() => lending.close());

const key = () => ({ idempotencyKey: randomUUID() });
const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code;

/** A loan on which 40.00 more was paid than it cost. */
async function overpaid() {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId);
  const manager = lending.person(tenantId, "MANAGER");
  const clerk = lending.person(tenantId, "CASHIER");
  const repayments = [{ paidOn: "2026-11-05", amount: "1319.42" }];
  const loan = await lending.loan(person, { repayments });
  expect([loan.status, loan.overpaidMinor]).toEqual(["PAID_OFF", 4_000n]);
  const ask = (more: object) => {
    const to = { amount: "", walletAccountId: "", bankAccountId: "", reason: "paid twice", ...more };
    return lending.gateway.payBackOverpayment({ ...key(), accountId: loan.accountId, ...to }, lending.calls(clerk));
  };
  const overpaymentRefunds = async () => {
    const { loan: now } = await lending.gateway.getLoan(
      { loanApplicationId: loan.loanApplicationId },
      lending.calls(manager),
    );
    return now?.overpaymentRefunds.map(({ status, amountMinor }) => [status, amountMinor]);
  };
  return { person, tenantId, manager, loan, ask, overpaymentRefunds };
}

describe("what was overpaid", () => {
  test("goes back into the wallet when a second person has approved it, once", async () => {
    const { person, tenantId, loan, ask, overpaymentRefunds } = await overpaid();
    const walletAccountId = await lending.wallet(person, "USD", 0n);
    const { approvalId } = await ask({ walletAccountId });
    expect(await lending.balance(tenantId, walletAccountId)).toBe(0n);
    const { noted } = await lending.approve(approvalId);
    expect(noted).toEqual([`MONEY_PAID_OUT loan:${loan.accountId} 40.00 USD`]);
    await lending.approve(approvalId);
    await eventually("the money", async () => (await lending.balance(tenantId, walletAccountId)) === -4_000n);
    await eventually("the end", async () => (await overpaymentRefunds())?.[0]?.[0] === "DONE");
    expect(await overpaymentRefunds()).toEqual([["DONE", 4_000n]]);
    const now = await lending.read(person, loan.loanApplicationId);
    expect([now.overpaidMinor, now.status]).toEqual([0n, "PAID_OFF"]);
    expect(await lending.balance(tenantId, "loan_overpayments:USD")).toBe(0n);
    expect(await codeOf(ask({ walletAccountId }))).toBe("INVALID_AMOUNT");
    await lending.reconciled(tenantId);
  });

  test("goes to a bank account, and a part of it alone where that is asked for", async () => {
    const { person, tenantId, ask, overpaymentRefunds, loan } = await overpaid();
    const { approvalId } = await ask({ amount: "15", bankAccountId: lending.bankAccount(person) });
    await lending.approve(approvalId);
    await eventually("the end", async () => (await overpaymentRefunds())?.[0]?.[0] === "DONE");
    expect((await lending.read(person, loan.loanApplicationId)).overpaidMinor).toBe(2_500n);
    expect(await lending.balance(tenantId, "lending_bank_settlement:operator:USD")).toBe(-1_500n);
    await lending.reconciled(tenantId);
  });

  test("that the bank refuses stays the customer's, and can be asked for again", async () => {
    const { person, tenantId, ask, overpaymentRefunds, loan } = await overpaid();
    await lending.bankRule(tenantId, { behaviour: "REFUSE", reason: "no such account" });
    const { approvalId } = await ask({ bankAccountId: lending.bankAccount(person) });
    await lending.approve(approvalId);
    await eventually("the end", async () => (await overpaymentRefunds())?.[0]?.[0] === "FAILED");
    expect((await lending.read(person, loan.loanApplicationId)).overpaidMinor).toBe(4_000n);
    const walletAccountId = await lending.wallet(person, "USD", 0n);
    await lending.approve((await ask({ walletAccountId, reason: "into the wallet then" })).approvalId);
    await eventually("the money", async () => (await lending.balance(tenantId, walletAccountId)) === -4_000n);
    await lending.reconciled(tenantId);
  });

  test("is not asked for while compliance's table does not let the customer have it", async () => {
    const { person, ask } = await overpaid();
    const walletAccountId = await lending.wallet(person, "USD", 0n);
    try {
      lending.state.moves = "MOVE_VERDICT_WAIT";
      expect(await codeOf(ask({ walletAccountId }))).toBe("CUSTOMER_NOT_CONFIRMED");
      lending.state.moves = "MOVE_VERDICT_REFUSE";
      expect(await codeOf(ask({ walletAccountId }))).toBe("COMPLIANCE_REJECTED");
    } finally {
      lending.state.moves = "MOVE_VERDICT_PASS";
    }
  });

  test("approved twice over is paid once: the second finds it gone", async () => {
    const { person, tenantId, ask, overpaymentRefunds } = await overpaid();
    const walletAccountId = await lending.wallet(person, "USD", 0n);
    const [one, two] = [await ask({ walletAccountId }), await ask({ walletAccountId, reason: "asked again" })];
    await lending.approve(one.approvalId);
    await eventually("the end", async () => (await overpaymentRefunds())?.[0]?.[0] === "DONE");
    await lending.approve(two.approvalId);
    expect((await overpaymentRefunds())?.map(([status]) => status).toSorted()).toEqual(["DONE", "FAILED"]);
    expect(await lending.balance(tenantId, walletAccountId)).toBe(-4_000n);
    await lending.reconciled(tenantId);
  });

  test("is asked for with good input, of a loan that is there", async () => {
    const { person, ask, tenantId } = await overpaid();
    const walletAccountId = await lending.wallet(person, "USD", 0n);
    const other = await lending.wallet(lending.person(tenantId), "USD", 0n);
    const refused = await refusalOf(ask({}));
    expect([refused.code, refused.message]).toEqual([
      "INVALID_INPUT",
      "walletAccountId: this or bankAccountId is required, and not both",
    ]);
    expect(await codeOf(ask({ walletAccountId, amount: "40.01" }))).toBe("INVALID_AMOUNT");
    expect(await codeOf(ask({ walletAccountId, amount: "0" }))).toBe("INVALID_AMOUNT");
    expect((await refusalOf(ask({ walletAccountId, amount: "1.001" }))).message).toMatch(/^amount/);
    expect((await refusalOf(ask({ walletAccountId, reason: "" }))).message).toMatch(/^reason/);
    expect(await codeOf(ask({ walletAccountId: other }))).toBe("ACCOUNT_NOT_FOUND");
    expect(await codeOf(ask({ bankAccountId: lending.bankAccount(person, "NGN") }))).toBe("CURRENCY_MISMATCH");
    expect(await codeOf(ask({ bankAccountId: randomUUID() }))).toBe("BANK_ACCOUNT_MISMATCH");
    expect(await codeOf(ask({ walletAccountId, accountId: randomUUID() }))).toBe("LOAN_NOT_FOUND");
  });

  test.each(declaredCrashPoints("lending").filter((point) => point.startsWith("lending.payback")))(
    "cut off at %s, it is paid once",
    async (point) => {
      const { person, tenantId, ask, overpaymentRefunds } = await overpaid();
      const walletAccountId = await lending.wallet(person, "USD", 0n);
      const { approvalId } = await ask({ walletAccountId });
      lending.crashAt(point);
      await lending.approve(approvalId);
      await eventually("the end", async () => (await overpaymentRefunds())?.[0]?.[0] === "DONE");
      await eventually("the crash", () => lending.crashedAt(point));
      expect(await lending.balance(tenantId, walletAccountId)).toBe(-4_000n);
      await lending.reconciled(tenantId);
    },
  );
});

async function toBank(rule?: { behaviour: string; delayMs?: number; reason?: string }) {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId, { disbursementFee: "12" });
  const manager = lending.person(tenantId, "MANAGER");
  const request = { ...key(), productId: "personal", amount: "1200", instalments: 12 };
  const { application } = await lending.gateway.applyForLoan(request, lending.calls(person));
  const { loanApplicationId = "" } = application ?? {};
  const bankAccountId = lending.bankAccount(person);
  await lending.gateway.acceptLoanOffer({ ...key(), loanApplicationId, bankAccountId }, lending.calls(person));
  const ask = { ...key(), loanApplicationId, reason: "signed" };
  const { approvalId } = await lending.gateway.disburseLoan(ask, lending.calls(manager));
  if (rule !== undefined) await lending.bankRule(tenantId, rule);
  const status = async () => {
    const read = await lending.gateway.getLoanApplication({ loanApplicationId }, lending.calls(person));
    return read.application;
  };
  return { person, tenantId, manager, loanApplicationId, approvalId, bankAccountId, status, ask };
}

describe("a disbursement to a bank account", () => {
  test.each(["", "lending.return.booked"])(
    "that the bank returns after it was paid ends the loan as if it had never been %s",
    async (point) => {
      const at = await toBank({ behaviour: "RETURN", delayMs: 0, reason: "account closed" });
      if (point !== "") lending.crashAt(point);
      await lending.approve(at.approvalId);
      await eventually("the return", async () => (await at.status())?.disbursementStatus === "RETURNED");
      if (point !== "") await eventually("the crash", () => lending.crashedAt(point));
      expect((await at.status())?.disbursementFailure).toBe("the bank returned it: account closed");
      const loan = await lending.read(at.person, at.loanApplicationId);
      expect([loan.status, loan.totalPayableMinor]).toEqual(["CANCELLED", 0n]);
      await lending.reconciled(at.tenantId);
      for (const account of [loan.accountId, "lending_bank_settlement:operator:USD", "loan_fee_income:USD"]) {
        expect(await lending.balance(at.tenantId, account)).toBe(0n);
      }
      const bankAccountId = lending.bankAccount(at.person);
      expect(await codeOf(lending.repay(at.person, loan.accountId, "10", { bankAccountId }))).toBe("LOAN_CLOSED");
      const again = { ...at.ask, ...key() };
      expect(await codeOf(lending.gateway.disburseLoan(again, lending.calls(at.manager)))).toBe("STATE_CONFLICT");
    },
  );

  test("whose account was taken away before anything went out fails, and nothing goes out", async () => {
    const at = await toBank();
    lending.closeBankAccount(at.bankAccountId);
    await lending.approve(at.approvalId);
    await eventually("the end", async () => (await at.status())?.disbursementStatus === "FAILED");
    expect((await at.status())?.disbursementFailure).toBe("no such verified bank account of the customer");
    expect(await lending.balance(at.tenantId, "lending_bank_settlement:operator:USD")).toBe(0n);
    await lending.reconciled(at.tenantId);
  });

  test("that the bank refuses fails, and the same key asks for nothing twice", async () => {
    const at = await toBank({ behaviour: "REFUSE", reason: "name differs" });
    const first = await lending.gateway.disburseLoan(at.ask, lending.calls(at.manager));
    await lending.approve(at.approvalId);
    await eventually("the end", async () => (await at.status())?.disbursementStatus === "FAILED");
    expect(await lending.gateway.disburseLoan(at.ask, lending.calls(at.manager))).toEqual(first);
    expect((await lending.read(at.person, at.loanApplicationId)).status).toBe("PENDING_DISBURSEMENT");
    await lending.reconciled(at.tenantId);
  });
});
