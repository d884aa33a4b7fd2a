import { randomUUID } from "node:crypto";
import {
  createLendingFixture,
  type LendingFixture,
  type LendingPerson,
} from "../../../test/support/lending-fixture.js";
import { eventually, refusalOf } from "../../../test/support/wallet-fixture.js";
import { declaredCrashPoints } from "../../../test/support/crash-points.js";

let lending: LendingFixture;
beforeAll(async () => {
  lending = await createLendingFixture("lend_payoff", { recoverAfterMs: 300 });
});
afterAll(() => lending.close());
afterEach(() => {
  Object.assign(lending.state, { pin: "", debitFault: "" });
});

async function scene(depositMinor = 500_000n) {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId);
  const loan = await lending.loan(person);
  const walletId = await lending.wallet(person, "USD", depositMinor);
  const manager = lending.person(tenantId, "MANAGER");
  return { person, tenantId, loan, walletId, manager };
}

function payOff(person: LendingPerson, loanApplicationId: string, more: object = {}) {
  const request = { idempotencyKey: randomUUID(), loanApplicationId, paymentMethod: "WALLET", ...more };
  return lending.gateway.payoffLoan(request, lending.calls(person));
}
const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code;
// 1,200.00 and 20 of 30 days of 12.00.
const due = 120_800n;

describe("from the wallet", () => {
  test("settles at once: nothing is left of the loan nor in its ledger account", async () => {
    const { person, tenantId, loan, walletId } = await scene();
    const paid = await payOff(person, loan.loanApplicationId);
    expect(paid).toMatchObject({
      isSettled: true,
      remainingBalanceMinor: 0n,
      loanStatus: "PAID_OFF",
      payoffAmount: { amountMinor: due },
    });
    expect(await lending.balance(tenantId, loan.accountId)).toBe(0n);
    expect(await lending.balance(tenantId, walletId)).toBe(-500_000n + due);
    expect(await lending.balance(tenantId, "loan_clearing:USD")).toBe(0n);
    expect(await lending.balance(tenantId, "loan_interest_receivable:USD")).toBe(0n);
    await lending.reconciled(tenantId);
    const { repayments } = await lending.gateway.listRepaidTransactions(
      { customerId: person.customerId },
      lending.calls(person),
    );
    expect(repayments).toMatchObject([{ repaymentId: paid.repaymentId, status: "PAID", paymentMethod: "WALLET" }]);
    expect(await codeOf(payOff(person, loan.loanApplicationId))).toBe("LOAN_CLOSED");
  });

  test("in a sandbox that was moved on, the wallet's debit counts on its business day", async () => {
    const { person, tenantId, loan } = await scene();
    await lending.moveTo(tenantId, "2027-01-05");
    await lending.service.accruals.runDay(tenantId, "2027-01-05");
    expect(await payOff(person, loan.loanApplicationId)).toMatchObject({ isSettled: true });
    expect(new Set(await lending.effectiveDays(tenantId, "loan_clearing:USD"))).toEqual(new Set(["2027-01-05"]));
  });

  test("the same key gives the same answer and takes the money once", async () => {
    const { person, loan, tenantId, walletId } = await scene();
    const key = { idempotencyKey: "once" };
    const first = await payOff(person, loan.loanApplicationId, key);
    expect(await payOff(person, loan.loanApplicationId, key)).toEqual(first);
    expect(await lending.balance(tenantId, walletId)).toBe(-500_000n + due);
  });

  test("two at once: one wins, and the wallet pays once", async () => {
    const { person, loan, tenantId, walletId } = await scene();
    const both = await Promise.allSettled([
      payOff(person, loan.loanApplicationId),
      payOff(person, loan.loanApplicationId),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await lending.balance(tenantId, walletId)).toBe(-500_000n + due);
    await lending.reconciled(tenantId);
  });

  test("too little money: refused and kept, the loan is as it was, and can be paid off later", async () => {
    const { person, loan, tenantId } = await scene(100n);
    const key = { idempotencyKey: "poor" };
    expect(await codeOf(payOff(person, loan.loanApplicationId, key))).toBe("INSUFFICIENT_FUNDS");
    expect(await codeOf(payOff(person, loan.loanApplicationId, key))).toBe("INSUFFICIENT_FUNDS");
    expect((await lending.read(person, loan.loanApplicationId)).status).toBe("ACTIVE");
    await lending.reconciled(tenantId);
    expect(await codeOf(payOff(person, loan.loanApplicationId))).toBe("INSUFFICIENT_FUNDS");
  });

  test("an amount that is not what is due is refused and names it; a quote's amount is taken while it is good", async () => {
    const { person, loan, tenantId } = await scene();
    const refused = await refusalOf(payOff(person, loan.loanApplicationId, { payoffAmount: "1000" }));
    expect([refused.code, refused.message]).toEqual(["AMOUNT_MISMATCH", "payoffAmount must be 1208.00 USD"]);
    const { quote } = await lending.gateway.getPayoffQuote(
      { loanApplicationId: loan.loanApplicationId },
      lending.calls(person),
    );
    expect(quote).toMatchObject({ amount: { amountMinor: due }, interestMinor: 800n, businessDate: "2026-11-21" });
    await lending.moveTo(tenantId, "2026-11-22");
    const paid = await payOff(person, loan.loanApplicationId, { payoffAmount: "1208.00" });
    expect([paid.loanStatus, paid.remainingBalanceMinor]).toEqual(["PAID_OFF", 0n]);
    await lending.reconciled(tenantId);
  });

  test("is debited from the wallet that is open, whichever were closed before it", async () => {
    const { person, loan, tenantId } = await scene(0n);
    for (const [id, wallet] of lending.wallets) {
      if (wallet.customerId === person.customerId) lending.wallets.set(id, { ...wallet, status: "CLOSED" });
    }
    const open = await lending.wallet(person, "USD", 500_000n);
    expect((await payOff(person, loan.loanApplicationId)).isSettled).toBe(true);
    expect(await lending.balance(tenantId, open)).toBe(-500_000n + due);
  });

  test("asks for the PIN where one is wanted", async () => {
    const { person, loan } = await scene();
    lending.state.pin = "1234";
    expect(await codeOf(payOff(person, loan.loanApplicationId))).toBe("PIN_REQUIRED");
    expect(await codeOf(payOff(person, loan.loanApplicationId, { transactionPin: "9999" }))).toBe("PIN_WRONG");
    expect((await payOff(person, loan.loanApplicationId, { transactionPin: "1234" })).isSettled).toBe(true);
  });

  test("what waits for verification is rejected by it: never more is taken than was owed, and late money lies in suspense", async () => {
    const { person, loan, tenantId, manager } = await scene();
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, loan.accountId, "100", { bankAccountId });
    const { reference } = await lending.gateway.getRepaymentInstructions(
      { loanApplicationId: loan.loanApplicationId },
      lending.calls(person),
    );
    const [paid, forced] = await Promise.allSettled([
      payOff(person, loan.loanApplicationId),
      lending.force(manager, repayment?.repaymentId ?? ""),
    ]);
    const now = await lending.read(person, loan.loanApplicationId);
    expect(paid.status === "fulfilled" || forced.status === "fulfilled").toBe(true);
    if (paid.status === "fulfilled" && forced.status === "rejected") {
      await lending.credit(tenantId, reference, "100");
      await lending.service.feed.read(tenantId);
      expect(await lending.balance(tenantId, "loan_suspense:USD")).toBe(-10_000n);
    }
    expect(now.overpaidMinor).toBe(0n);
    await lending.reconciled(tenantId);
  });

  test("an answer of the wallet that was lost is asked for again: the money was taken once", async () => {
    const { person, loan, tenantId, walletId } = await scene();
    lending.state.debitFault = "after";
    expect(await codeOf(payOff(person, loan.loanApplicationId))).toBe("UNAVAILABLE");
    lending.state.debitFault = "";
    await eventually(
      "the payoff to be settled",
      async () => (await lending.read(person, loan.loanApplicationId)).status === "PAID_OFF",
    );
    expect(await lending.balance(tenantId, walletId)).toBe(-500_000n + due);
    await lending.reconciled(tenantId);
  });

  test.each(declaredCrashPoints("lending").filter((point) => point.startsWith("lending.payoff")))(
    "cut off at %s, it happens once",
    async (point) => {
      const { person, loan, tenantId, walletId } = await scene();
      lending.crashAt(point);
      await payOff(person, loan.loanApplicationId).catch(() => undefined);
      await eventually(
        "the payoff to be settled",
        async () => (await lending.read(person, loan.loanApplicationId)).status === "PAID_OFF",
      );
      expect(lending.crashedAt(point)).toBe(true);
      expect(await lending.balance(tenantId, walletId)).toBe(-500_000n + due);
      await lending.reconciled(tenantId);
    },
  );
});

describe("interest to the next due date, 1,000 over 12 months at 12 %, on the first due date", () => {
  test.each([
    ["with nothing paid", [], "2026-11-21", 101_000n, 1_000n],
    ["with the instalment paid", ["88.85"], "2026-11-21", 92_115n, 0n],
    ["on the day after it, with the instalment paid", ["88.85"], "2026-11-22", 93_036n, 921n],
  ] as const)("%s: the period that ends, and no other", async (_name, repaid, today, owed, interestMinor) => {
    const person = lending.person();
    const { tenantId } = person;
    await lending.product(tenantId, { payoffInterest: "TO_NEXT_DUE_DATE" });
    const repayments = repaid.map((amount) => ({ paidOn: "2026-11-21", amount }));
    lending.setToday(tenantId, today);
    const { loanApplicationId } = await lending.loan(person, { amount: "1000", disbursedOn: "2026-10-21", repayments });
    await lending.wallet(person, "USD", 500_000n);
    const { quote } = await lending.gateway.getPayoffQuote({ loanApplicationId }, lending.calls(person));
    expect(quote).toMatchObject({ amount: { amountMinor: owed }, interestMinor });
    const paid = await payOff(person, loanApplicationId);
    expect(paid).toMatchObject({
      payoffAmount: { amountMinor: owed },
      remainingBalanceMinor: 0n,
      loanStatus: "PAID_OFF",
    });
    expect(await lending.balance(tenantId, "loan_interest_receivable:USD")).toBe(0n);
    await lending.reconciled(tenantId);
  });
});

describe("by bank transfer and card: 202 while nobody has answered", () => {
  test("BANK_TRANSFER: the loan stays ACTIVE until the money has come with the payoff's reference", async () => {
    const { person, loan, tenantId } = await scene();
    const waiting = await payOff(person, loan.loanApplicationId, { paymentMethod: "BANK_TRANSFER" });
    expect(waiting).toMatchObject({ isSettled: false, loanStatus: "ACTIVE", remainingBalanceMinor: due });
    await lending.credit(tenantId, waiting.transactionReference, "1208.00");
    await lending.service.feed.read(tenantId);
    expect((await lending.read(person, loan.loanApplicationId)).status).toBe("PAID_OFF");
    expect(await lending.balance(tenantId, "lending_bank_settlement:operator:USD")).toBe(due);
    await lending.reconciled(tenantId);
  });

  test("BANK_TRANSFER that comes too late is no payoff: it lies in suspense until it is recorded as a repayment", async () => {
    const { person, loan, tenantId } = await scene();
    const waiting = await payOff(person, loan.loanApplicationId, { paymentMethod: "BANK_TRANSFER" });
    await lending.moveTo(tenantId, "2026-11-23");
    await lending.credit(tenantId, waiting.transactionReference, "1208.00");
    await lending.service.feed.read(tenantId);
    expect((await lending.read(person, loan.loanApplicationId)).status).toBe("ACTIVE");
    expect(await lending.balance(tenantId, "loan_suspense:USD")).toBe(-due);
    const bankAccountId = lending.bankAccount(person);
    await lending.repay(person, loan.accountId, "1208", { bankAccountId });
    await eventually("the repayment", async () => (await lending.balance(tenantId, "loan_suspense:USD")) === 0n);
    await lending.reconciled(tenantId);
  });

  test("BANK_TRANSFER that was paid before people gave the loan up pays it off; a late one recovers what was lost", async () => {
    const { person, loan, tenantId, manager } = await scene();
    const late = await lending.loan(person);
    const references = [];
    for (const { accountId, loanApplicationId } of [loan, late]) {
      const waiting = await payOff(person, loanApplicationId, { paymentMethod: "BANK_TRANSFER" });
      references.push(waiting.transactionReference);
      const requested = { idempotencyKey: randomUUID(), accountId, reason: "gone" };
      await lending.approve((await lending.gateway.writeOffLoan(requested, lending.calls(manager))).approvalId);
    }
    await lending.credit(tenantId, references[0]!, "1208.00");
    await lending.service.feed.read(tenantId);
    await lending.moveTo(tenantId, "2026-11-23");
    await lending.credit(tenantId, references[1]!, "1208.00");
    await lending.service.feed.read(tenantId);
    const statusOf = async ({ loanApplicationId }: { loanApplicationId: string }) => {
      const { status, writtenOffMinor, recoveredMinor, overpaidMinor } = await lending.read(person, loanApplicationId);
      return [status, writtenOffMinor, recoveredMinor, overpaidMinor];
    };
    expect(await statusOf(loan)).toEqual(["PAID_OFF", 0n, 0n, 0n]);
    expect(await statusOf(late)).toEqual(["WRITTEN_OFF", due, due, 0n]);
    await lending.reconciled(tenantId);
  });

  test("BANK_TRANSFER of what the loan no longer costs is no payoff either", async () => {
    const { person, loan, tenantId, manager } = await scene();
    const waiting = await payOff(person, loan.loanApplicationId, { paymentMethod: "BANK_TRANSFER" });
    const bankAccountId = lending.bankAccount(person);
    const { repayment } = await lending.repay(person, loan.accountId, "8", { bankAccountId });
    await lending.force(manager, repayment?.repaymentId ?? "");
    await lending.credit(tenantId, waiting.transactionReference, "1208.00");
    await lending.service.feed.read(tenantId);
    const now = await lending.read(person, loan.loanApplicationId);
    expect([now.status, now.overpaidMinor]).toEqual(["ACTIVE", 0n]);
    expect(await lending.balance(tenantId, "loan_suspense:USD")).toBe(-due);
    await lending.reconciled(tenantId);
  });

  test("a quote is good by business time", async () => {
    const { person, loan, tenantId } = await scene();
    const { quote } = await lending.gateway.getPayoffQuote(
      { loanApplicationId: loan.loanApplicationId },
      lending.calls(person),
    );
    expect(quote?.validUntil?.toISOString().slice(0, 10)).toBe("2026-11-22");
    await lending.moveTo(tenantId, "2026-11-24");
    expect(await codeOf(payOff(person, loan.loanApplicationId, { payoffAmount: "1208.00" }))).toBe("AMOUNT_MISMATCH");
  });

  test("money that comes while a card is asked waits in suspense, and counts when the card is refused", async () => {
    const { person, loan, tenantId } = await scene();
    const bankAccountId = lending.bankAccount(person);
    await lending.repay(person, loan.accountId, "100", { bankAccountId });
    const waiting = await payOff(person, loan.loanApplicationId, { paymentMethod: "CARD", cardToken: "tok_pending" });
    const { reference } = await lending.gateway.getRepaymentInstructions(
      { loanApplicationId: loan.loanApplicationId },
      lending.calls(person),
    );
    await lending.credit(tenantId, reference, "100");
    await lending.service.feed.read(tenantId);
    expect(await lending.balance(tenantId, "loan_suspense:USD")).toBe(-10_000n);
    await eventually("the charge to be there", () =>
      lending.settleCard(tenantId, waiting.repaymentId, "REFUSED").then(
        () => true,
        () => undefined,
      ),
    );
    await eventually("the repayment", async () => (await lending.balance(tenantId, "loan_suspense:USD")) === 0n);
    const now = await lending.read(person, loan.loanApplicationId);
    expect([now.status, now.pendingMinor, now.totalPayableMinor]).toEqual([
      "ACTIVE",
      0n,
      loan.totalPayableMinor - 10_000n,
    ]);
    await lending.reconciled(tenantId);
  });

  test("CARD without a token charges the card that the customer has stored, with the PIN where one is wanted", async () => {
    const { person, loan, tenantId } = await scene();
    const byCard = { paymentMethod: "CARD" };
    lending.state.pin = "1234";
    expect(await codeOf(payOff(person, loan.loanApplicationId, byCard))).toBe("PIN_REQUIRED");
    lending.state.pin = "";
    await lending.storeCard(person, "");
    const none = await refusalOf(payOff(person, loan.loanApplicationId, byCard));
    expect([none.code, none.message]).toEqual(["CARD_REFUSED", expect.stringContaining("WALLET or BANK_TRANSFER")]);
    await lending.storeCard(person, "tok_refused");
    await payOff(person, loan.loanApplicationId, byCard);
    await lending.storeCard(person, "tok_ok");
    await eventually("the loan to be free again", () =>
      payOff(person, loan.loanApplicationId, byCard).catch(() => undefined),
    );
    await eventually(
      "the card to answer",
      async () => (await lending.read(person, loan.loanApplicationId)).status === "PAID_OFF",
    );
    await lending.reconciled(tenantId);
    expect(await lending.balance(tenantId, "lending_card_settlement:operator:USD")).toBe(due);
  });

  test("another method is refused with the methods there are", async () => {
    const { person, loan } = await scene();
    const refused = await refusalOf(payOff(person, loan.loanApplicationId, { paymentMethod: "CHEQUE" }));
    expect([refused.code, refused.message]).toEqual([
      "INVALID_INPUT",
      "paymentMethod: must be one of WALLET, BANK_TRANSFER, CARD",
    ]);
  });

  test("CARD: captured, the loan is paid off", async () => {
    const { person, loan, tenantId } = await scene();
    const waiting = await payOff(person, loan.loanApplicationId, { paymentMethod: "CARD", cardToken: "tok_ok" });
    expect([waiting.isSettled, waiting.loanStatus]).toEqual([false, "ACTIVE"]);
    await eventually(
      "the card to answer",
      async () => (await lending.read(person, loan.loanApplicationId)).status === "PAID_OFF",
    );
    await lending.reconciled(tenantId);
    expect(await lending.balance(tenantId, "lending_card_settlement:operator:USD")).toBe(due);
  });

  test("CARD: refused, the loan is as it was and can be paid off otherwise", async () => {
    const { person, loan, tenantId } = await scene();
    await payOff(person, loan.loanApplicationId, { paymentMethod: "CARD", cardToken: "tok_refused" });
    await eventually("the loan to be free again", () => payOff(person, loan.loanApplicationId).catch(() => undefined));
    expect(await lending.balance(tenantId, "lending_card_settlement:operator:USD")).toBe(0n);
    await lending.reconciled(tenantId);
  });

  test("CARD: pending, nobody else can pay it meanwhile", async () => {
    const { person, loan, tenantId } = await scene();
    const waiting = await payOff(person, loan.loanApplicationId, { paymentMethod: "CARD", cardToken: "tok_pending" });
    expect(await codeOf(payOff(person, loan.loanApplicationId))).toBe("STATE_CONFLICT");
    const bankAccountId = lending.bankAccount(person);
    expect(await codeOf(lending.repay(person, loan.accountId, "10", { bankAccountId }))).toBe("STATE_CONFLICT");
    await eventually("the charge to be there", () =>
      lending.settleCard(tenantId, waiting.repaymentId, "CAPTURED").then(
        () => true,
        () => undefined,
      ),
    );
    await eventually(
      "the card to answer",
      async () => (await lending.read(person, loan.loanApplicationId)).status === "PAID_OFF",
    );
    await lending.reconciled(tenantId);
  });
});

test("other customers' loans are forbidden, other tenants' are not there", async () => {
  const { person, loan, tenantId } = await scene();
  expect(await codeOf(payOff(lending.person(tenantId), loan.loanApplicationId))).toBe("FORBIDDEN");
  expect(await codeOf(payOff(lending.person(), loan.loanApplicationId))).toBe("LOAN_NOT_FOUND");
  expect(await codeOf(payOff(person, randomUUID()))).toBe("LOAN_NOT_FOUND");
});
