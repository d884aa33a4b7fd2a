import { randomUUID } from "node:crypto";
import {
  createLendingFixture,
  type LendingFixture,
  type LendingPerson,
} from "../../../test/support/lending-fixture.js";
import { eventually, refusalOf } from "../../../test/support/wallet-fixture.js";

let lending: LendingFixture;
beforeAll(async () => {
  lending = await createLendingFixture("lend_repay");
});
afterAll(() => lending.close());

async function scene(ceilings: { amountMinor: bigint; currency: string }[] = []) {
  const person = lending.person();
  lending.ceilings.set(person.tenantId, ceilings);
  const manager = lending.person(person.tenantId, "MANAGER");
  await lending.product(person.tenantId);
  const loan = await lending.loan(person);
  const bankAccountId = lending.bankAccount(person);
  return { person, manager, tenantId: person.tenantId, loan, bankAccountId };
}

test.each([
  ["MOVE_VERDICT_REFUSE", "CUSTOMER_NOT_CONFIRMED", "CUSTOMER_NOT_CONFIRMED"],
  ["MOVE_VERDICT_REFUSE", "CUSTOMER_BLOCKED", "COMPLIANCE_REJECTED"],
  ["MOVE_VERDICT_WAIT", "", "CUSTOMER_NOT_CONFIRMED"],
  ["MOVE_VERDICT_HOLD", "", "COMPLIANCE_REJECTED"],
] as const)("compliance's table is asked before: %s, %s is %s", async (decision, reasonCode, code) => {
  const { person, loan, bankAccountId } = await scene();
  lending.state.moves = decision;
  lending.state.movesReason = reasonCode;
  try {
    expect(await codeOf(lending.repay(person, loan.accountId, "10", { bankAccountId }))).toBe(code);
    const payoff = { loanApplicationId: loan.loanApplicationId, cardToken: "tok_ok" };
    for (const paymentMethod of ["CARD", "BANK_TRANSFER"]) {
      const request = { idempotencyKey: randomUUID(), paymentMethod, ...payoff };
      expect(await codeOf(lending.gateway.payoffLoan(request, lending.calls(person)))).toBe(code);
    }
  } finally {
    Object.assign(lending.state, { moves: "MOVE_VERDICT_PASS", movesReason: "" });
  }
  const { repayment } = await lending.repay(person, loan.accountId, "10", { bankAccountId });
  expect(repayment?.status).toBe("PENDING_VERIFICATION");
});

const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code;

describe("the seven failures, in the order that was decided", () => {
  test("3 UNAUTHORIZED: userId or customerId of somebody else, before the loan is looked for", async () => {
    const { person, loan, bankAccountId } = await scene();
    const other = lending.person(person.tenantId);
    const requested = [
      { customerId: other.customerId },
      { userId: other.userId },
      { accountId: randomUUID(), customerId: other.customerId },
    ];
    for (const more of requested) {
      expect(await codeOf(lending.repay(person, loan.accountId, "10", { bankAccountId, ...more }))).toBe(
        "UNAUTHORIZED",
      );
    }
  });

  test("1 LOAN_NOT_FOUND: unknown, another customer's and another tenant's", async () => {
    const { person, bankAccountId } = await scene();
    const [other, elsewhere] = [lending.person(person.tenantId), lending.person()];
    await lending.product(elsewhere.tenantId);
    const theirs = [await lending.loan(other), await lending.loan(elsewhere)].map(({ accountId }) => accountId);
    for (const accountId of [randomUUID(), ...theirs]) {
      expect(await codeOf(lending.repay(person, accountId, "-10", { bankAccountId }))).toBe("LOAN_NOT_FOUND");
    }
  });

  test("7 MISSING_LOAN_APPLICATION comes before the loan's being closed and the amount", async () => {
    const { person, bankAccountId } = await scene();
    const [open, closed] = [
      await lending.loan(person, { loanApplicationId: "" }),
      await lending.loan(person, { loanApplicationId: "", repayments: [{ paidOn: "2026-11-02", amount: "1279.42" }] }),
    ];
    expect(closed.status).toBe("PAID_OFF");
    for (const { accountId } of [open, closed]) {
      expect(await codeOf(lending.repay(person, accountId, "0", { bankAccountId }))).toBe("MISSING_LOAN_APPLICATION");
    }
  });

  test("2 LOAN_CLOSED comes before third-party collection", async () => {
    const { person, bankAccountId, tenantId } = await scene();
    await lending.product(tenantId, { productId: "collected", thirdPartyCollection: true });
    const repayments = [{ paidOn: "2026-11-02", amount: "1279.42" }];
    const loan = await lending.loan(person, { productId: "collected", repayments });
    expect(await codeOf(lending.repay(person, loan.accountId, "10", { bankAccountId }))).toBe("LOAN_CLOSED");
  });

  test("4 MANUAL_REPAYMENT_NOT_ALLOWED comes before the amount", async () => {
    const { person, bankAccountId, tenantId } = await scene();
    await lending.product(tenantId, { productId: "collected", thirdPartyCollection: true });
    const loan = await lending.loan(person, { productId: "collected" });
    expect(await codeOf(lending.repay(person, loan.accountId, "0", { bankAccountId }))).toBe(
      "MANUAL_REPAYMENT_NOT_ALLOWED",
    );
  });

  test("5 INVALID_AMOUNT: zero, negative, above total payable, and what waits counts; before the bank account", async () => {
    const { person, loan, bankAccountId } = await scene();
    const payable = loan.totalPayableMinor;
    const text = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`;
    for (const amount of ["0", "0.00", "-1", text(payable + 1n)]) {
      expect(await codeOf(lending.repay(person, loan.accountId, amount, { bankAccountId: randomUUID() }))).toBe(
        "INVALID_AMOUNT",
      );
    }
    await lending.repay(person, loan.accountId, text(payable - 100n), { bankAccountId });
    expect(await codeOf(lending.repay(person, loan.accountId, "1.01", { bankAccountId }))).toBe("INVALID_AMOUNT");
    await lending.repay(person, loan.accountId, "1.00", { bankAccountId });
  });

  test("6 BANK_ACCOUNT_MISMATCH: unknown, another customer's, removed", async () => {
    const { person, loan, tenantId } = await scene();
    const other = lending.person(tenantId);
    const wrong = [randomUUID(), lending.bankAccount(other), lending.bankAccount(person, "USD", "REMOVED")];
    for (const bankAccountId of wrong) {
      expect(await codeOf(lending.repay(person, loan.accountId, "10", { bankAccountId }))).toBe(
        "BANK_ACCOUNT_MISMATCH",
      );
    }
  });
});

test("is recorded and moves nothing until it is verified; then loan and ledger move as one", async () => {
  const { person, manager, loan, bankAccountId, tenantId } = await scene();
  const { repayment } = await lending.repay(person, loan.accountId, "106.62", { bankAccountId });
  expect(repayment).toMatchObject({
    status: "PENDING_VERIFICATION",
    customerName: "Amina Bello",
    loanProductName: "Personal loan",
  });
  const waiting = await lending.read(person, loan.loanApplicationId);
  expect([waiting.totalPayableMinor, waiting.pendingMinor]).toEqual([loan.totalPayableMinor, 10_662n]);
  expect(await lending.balance(tenantId, loan.accountId)).toBe(120_000n);
  await lending.reconciled(tenantId);

  await lending.force(manager, repayment?.repaymentId ?? "");
  const paid = await lending.read(person, loan.loanApplicationId);
  expect(paid).toMatchObject({ totalPayableMinor: loan.totalPayableMinor - 10_662n, pendingMinor: 0n });
  expect(await lending.balance(tenantId, loan.accountId)).toBe(120_000n - 9_462n);
  expect(await lending.balance(tenantId, "lending_bank_settlement:operator:USD")).toBe(10_662n);
  await lending.reconciled(tenantId);
  const { repayments } = await lending.gateway.listRepaidTransactions(
    { customerId: person.customerId },
    lending.calls(person),
  );
  expect(repayments.map(({ status, paymentMethod }) => [status, paymentMethod])).toEqual([
    ["VERIFIED", "BANK_TRANSFER"],
  ]);
});

test("rejected, it moves nothing and does not count any more", async () => {
  const { person, manager, loan, bankAccountId, tenantId } = await scene();
  const { repayment } = await lending.repay(person, loan.accountId, "100", { bankAccountId });
  await lending.force(manager, repayment?.repaymentId ?? "", false);
  const after = await lending.read(person, loan.loanApplicationId);
  expect([after.pendingMinor, after.totalPayableMinor]).toEqual([0n, loan.totalPayableMinor]);
  expect(await codeOf(lending.force(manager, repayment?.repaymentId ?? ""))).toBe("STATE_CONFLICT");
  await lending.reconciled(tenantId);
});

test("rejected by two people, the effect says of which loan and how much, and nothing moves", async () => {
  const { person, manager, loan, bankAccountId, tenantId } = await scene();
  const { repayment } = await lending.repay(person, loan.accountId, "100", { bankAccountId });
  const repaymentId = repayment?.repaymentId ?? "";
  const ask = { idempotencyKey: "k", repaymentId, verify: false, reason: "never sent", creditId: "" };
  const { approvalId } = await lending.gateway.askRepaymentVerification(ask, lending.calls(manager));
  const { foreseen, effects } = await lending.approve(approvalId);
  const amount = { amountMinor: 10_000n, currency: "USD" };
  const subject = `loan:${loan.accountId}`;
  expect(effects).toEqual([{ kind: "REPAYMENT_REJECTED", subject, amount, change: undefined }]);
  expect(foreseen).toEqual(effects);
  await lending.approve(approvalId);
  const again = lending.gateway.askRepaymentVerification({ ...ask, idempotencyKey: "k2" }, lending.calls(manager));
  expect(await refusalOf(again)).toMatchObject({ code: "STATE_CONFLICT", message: "the repayment is REJECTED" });
  const after = await lending.read(person, loan.loanApplicationId);
  expect([after.pendingMinor, after.totalPayableMinor]).toEqual([0n, loan.totalPayableMinor]);
  await lending.reconciled(tenantId);
});

test("the same key gives the same answer; another request under it is refused", async () => {
  const { person, loan, bankAccountId } = await scene();
  const more = { bankAccountId, idempotencyKey: "one-key" };
  const first = await lending.repay(person, loan.accountId, "10", more);
  expect(await lending.repay(person, loan.accountId, "10", more)).toEqual(first);
  expect(await codeOf(lending.repay(person, loan.accountId, "11", more))).toBe("IDEMPOTENCY_KEY_REUSED");
});

test("forcing is of sandboxes only", async () => {
  const tenantId = randomUUID();
  const manager = lending.person(tenantId, "MANAGER");
  expect(await codeOf(lending.force(manager, "any"))).toBe("FORBIDDEN");
});

describe("the bank's own word", () => {
  async function instructed(person: LendingPerson, loanApplicationId: string) {
    return (await lending.gateway.getRepaymentInstructions({ loanApplicationId }, lending.calls(person))).reference;
  }
  const statusOf = async (person: LendingPerson, amountMinor: bigint) =>
    (
      await lending.gateway.listRepaidTransactions({ customerId: person.customerId }, lending.calls(person))
    ).repayments.find(({ amount }) => amount?.amountMinor === amountMinor)?.status;

  test("verifies what matches by reference and amount; a second look changes nothing", async () => {
    const { person, loan, bankAccountId, tenantId } = await scene();
    const reference = await instructed(person, loan.loanApplicationId);
    await lending.repay(person, loan.accountId, "50", { bankAccountId, repaymentReference: reference.toLowerCase() });
    await lending.credit(tenantId, ` ${reference} `, "50.00");
    await lending.service.feed.read(tenantId);
    await lending.service.feed.read(tenantId);
    expect(await statusOf(person, 5_000n)).toBe("VERIFIED");
    expect(await lending.balance(tenantId, "lending_bank_settlement:operator:USD")).toBe(5_000n);
    await lending.reconciled(tenantId);
  });

  test("puts what matches nothing into suspense, and takes it out for a repayment that is recorded later", async () => {
    const { person, loan, bankAccountId, tenantId } = await scene();
    const reference = await instructed(person, loan.loanApplicationId);
    await lending.credit(tenantId, reference, "70");
    await lending.credit(tenantId, "somebody else", "30");
    await lending.service.feed.read(tenantId);
    expect(await lending.balance(tenantId, "loan_suspense:USD")).toBe(-10_000n);
    await lending.repay(person, loan.accountId, "70", { bankAccountId });
    await eventually("the repayment to be verified", () => statusOf(person, 7_000n));
    await eventually(
      "the suspense to be used",
      async () => (await lending.balance(tenantId, "loan_suspense:USD")) === -3_000n,
    );
    const clerk = lending.person(tenantId, "CASHIER");
    const { credits } = await lending.gateway.listSuspense({}, lending.calls(clerk));
    expect(credits.map(({ reference: of }) => of)).toEqual(["somebody else"]);
    await lending.reconciled(tenantId);
  });

  test("what lies in suspense is reported by its age, to managers, until a repayment takes it", async () => {
    const { person, manager, loan, bankAccountId, tenantId } = await scene();
    const reference = await instructed(person, loan.loanApplicationId);
    await lending.credit(tenantId, reference, "70");
    await lending.credit(tenantId, "somebody else", "30");
    await lending.service.feed.read(tenantId);
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    await lending.moveTo(tenantId, day(20));
    const reported = async (by = manager) => {
      const asked = { report: "suspense", from: day(-1), to: day(2), by: [], columns: [] };
      const { rows } = await lending.reports.getReport(asked, lending.calls(by));
      return rows.map(({ cells }) => cells.join(" "));
    };
    expect(await reported()).toEqual(["8-30 lending USD 2 100.00"]);
    await lending.moveTo(tenantId, day(40));
    await lending.repay(person, loan.accountId, "70", { bankAccountId });
    await eventually("the suspense to be used", async () => (await reported())[0] === "31+ lending USD 1 30.00");
    expect(await codeOf(reported(lending.person(tenantId, "CASHIER")))).toBe("FORBIDDEN");
    expect(await codeOf(reported(person))).toBe("FORBIDDEN");
  });

  test("above the operator's ceiling lies apart, takes no room of others, and nobody repays with it", async () => {
    const { person, loan, bankAccountId, tenantId } = await scene();
    const reference = await instructed(person, loan.loanApplicationId);
    for (const from of [reference, "somebody else"]) await lending.credit(tenantId, from, "92233720368547758.07");
    // What no account can hold is passed over.
    await lending.credit(tenantId, reference, "92233720368547758.08");
    await lending.credit(tenantId, reference, "70");
    await lending.service.feed.read(tenantId);
    await eventually(
      "the suspense to be booked",
      async () => (await lending.balance(tenantId, "loan_suspense:USD")) === -7_000n,
    );
    await lending.repay(person, loan.accountId, "70", { bankAccountId });
    await eventually("the repayment to be verified", () => statusOf(person, 7_000n));
    const clerk = lending.person(tenantId, "CASHIER");
    const { credits } = await lending.gateway.listSuspense({}, lending.calls(clerk));
    expect(credits.map(({ reference: of }) => of).toSorted()).toEqual([reference, "somebody else"].toSorted());
    await lending.reconciled(tenantId);
  });

  test("and a repayment above the tenant's ceiling is refused", async () => {
    const ceilings = [{ amountMinor: 1_250_00n, currency: "USD" }];
    const { person, loan, bankAccountId } = await scene(ceilings);
    const refusal = await refusalOf(lending.repay(person, loan.accountId, "1250.01", { bankAccountId }));
    expect(refusal).toMatchObject({ code: "AMOUNT_ABOVE_CEILING", details: { figures: { ceiling: "1250.00" } } });
    await lending.repay(person, loan.accountId, "1250.00", { bankAccountId });
  });

  test("is enough for a loan that somebody else collects: nobody records what the collector sends", async () => {
    const { person, tenantId } = await scene();
    await lending.product(tenantId, { productId: "collected", thirdPartyCollection: true });
    const loan = await lending.loan(person, { productId: "collected" });
    const [row] = await lending.lendingDb.db
      .collection<{ _id: string; reference: string }>("loans")
      .find({ tenantId, _id: loan.accountId })
      .toArray();
    await lending.credit(tenantId, row?.reference ?? "", "106.62");
    await lending.service.feed.read(tenantId);
    await lending.service.feed.read(tenantId);
    expect(await statusOf(person, 10_662n)).toBe("VERIFIED");
    expect((await lending.read(person, loan.loanApplicationId)).totalPayableMinor).toBe(
      loan.totalPayableMinor - 10_662n,
    );
    expect(await lending.balance(tenantId, "loan_suspense:USD")).toBe(0n);
    await lending.reconciled(tenantId);
  });

  test("recovers what was written off, and no more: the rest is the customer's", async () => {
    const { person, loan, tenantId, manager, bankAccountId } = await scene();
    const { accountId, loanApplicationId } = loan;
    const reference = await instructed(person, loanApplicationId);
    await lending.repay(person, accountId, "100", { bankAccountId });
    const requested = { idempotencyKey: randomUUID(), accountId, reason: "gone" };
    await lending.approve((await lending.gateway.writeOffLoan(requested, lending.calls(manager))).approvalId);
    await lending.moveTo(tenantId, "2026-11-23");
    await lending.credit(tenantId, reference, "100");
    await lending.credit(tenantId, reference, "5000");
    await lending.service.feed.read(tenantId);
    await lending.service.feed.read(tenantId);
    const now = await lending.read(person, loanApplicationId);
    expect([now.status, now.pendingMinor]).toEqual(["WRITTEN_OFF", 0n]);
    // 100.00 were paid before.
    expect([now.writtenOffMinor, now.recoveredMinor, now.overpaidMinor]).toEqual([110_800n, 110_800n, 389_200n]);
    await lending.reconciled(tenantId);
    expect(await lending.balance(tenantId, "loan_recovery_income:USD")).toBe(-110_800n);
    expect(await lending.balance(tenantId, "loan_overpayments:USD")).toBe(-389_200n);
    expect(await lending.balance(tenantId, "loan_suspense:USD")).toBe(0n);
  });

  test("a reference that differs from the instructions is accepted and never verified by itself, but by maker-checker", async () => {
    const { person, loan, bankAccountId, tenantId } = await scene();
    const { repayment } = await lending.repay(person, loan.accountId, "40", {
      bankAccountId,
      repaymentReference: "my rent",
    });
    await lending.credit(tenantId, "my rent", "40");
    await lending.service.feed.read(tenantId);
    const clerk = lending.person(tenantId, "CASHIER");
    const [credit] = (await lending.gateway.listSuspense({}, lending.calls(clerk))).credits;
    const ask = {
      idempotencyKey: "k",
      repaymentId: repayment?.repaymentId ?? "",
      verify: true,
      reason: "it is this one",
      creditId: credit?.creditId ?? "",
    };
    const requested = await lending.gateway.askRepaymentVerification(ask, lending.calls(clerk));
    expect(requested.repayment?.status).toBe("PENDING_VERIFICATION");
    const { noted } = await lending.approve(requested.approvalId);
    expect(noted).toEqual([`REPAYMENT_VERIFIED loan:${loan.accountId} 40.00 USD`]);
    await lending.approve(requested.approvalId);
    expect(await statusOf(person, 4_000n)).toBe("VERIFIED");
    await eventually(
      "the suspense to be used",
      async () => (await lending.balance(tenantId, "loan_suspense:USD")) === 0n,
    );
    await lending.reconciled(tenantId);
  });
});

describe("bad input names its field", () => {
  test.each([
    ["repaymentAmount", { repaymentAmount: "1.001" }, "INVALID_INPUT"],
    ["repaymentAmount", { repaymentAmount: "1e3" }, "INVALID_INPUT"],
    ["repaymentAmount", { repaymentAmount: "" }, "INVALID_INPUT"],
    ["paymentDate", { paymentDate: "2026-02-30" }, "INVALID_INPUT"],
    ["paymentDate", { paymentDate: "yesterday" }, "INVALID_INPUT"],
    ["paymentDate", { paymentDate: "yesterday", accountId: "no such loan" }, "INVALID_INPUT"],
    ["accountId", { accountId: "" }, "INVALID_INPUT"],
    ["bankAccountId", { bankAccountId: "" }, "INVALID_INPUT"],
    ["paymentNarration", { paymentNarration: "x".repeat(201) }, "INVALID_INPUT"],
    ["repaymentReference", { repaymentReference: "a\u0000" }, "INVALID_INPUT"],
    ["paymentDate", { paymentDate: "2026-11-22" }, "PAYMENT_DATE_IN_FUTURE"],
    ["paymentDate", { paymentDate: "2026-10-01" }, "PAYMENT_DATE_BEFORE_LOAN"],
  ])("%s %j", async (path, more, code) => {
    const { person, loan, bankAccountId } = await scene();
    const refused = await refusalOf(lending.repay(person, loan.accountId, "10", { bankAccountId, ...more }));
    expect([refused.code, refused.message.includes(path)]).toEqual([code, true]);
  });
});
