import { randomUUID } from "node:crypto";
import {
  createLendingFixture,
  type LendingFixture,
  type LendingPerson,
} from "../../../test/support/lending-fixture.js";
import { refusalOf } from "../../../test/support/wallet-fixture.js";

// Every other operation on loans with each of its fields wrong. Of repay-loan, applying, products
// and paying back their own tests tell.

let lending: LendingFixture;
let at: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  lending = await createLendingFixture("lend_bad");
  at = await scene();
});
afterAll(() => lending.close());

type Rpc = Exclude<keyof LendingFixture["gateway"], "close">;

async function scene() {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId);
  const manager = lending.person(tenantId, "MANAGER");
  const loan = await lending.loan(person);
  const { repayment } = await lending.repay(person, loan.accountId, "10", {
    bankAccountId: lending.bankAccount(person),
  });
  const gone = await lending.loan(person, { disbursedOn: "2026-09-01" });
  const reason = "gone";
  const requested = await lending.gateway.writeOffLoan(
    { idempotencyKey: randomUUID(), accountId: gone.accountId, reason },
    lending.calls(manager),
  );
  await lending.approve(requested.approvalId);
  const apply = { idempotencyKey: randomUUID(), productId: "personal", amount: "100", instalments: 2 };
  const { application } = await lending.gateway.applyForLoan(apply, lending.calls(person));
  const walletAccountId = await lending.wallet(person, "USD", 0n);
  const ids = {
    loan: loan.accountId,
    loanApplication: loan.loanApplicationId,
    writtenOff: gone.accountId,
    repayment: repayment?.repaymentId ?? "",
    application: application?.loanApplicationId ?? "",
    wallet: walletAccountId,
  };
  return { person, manager, tenantId, ids };
}

/** What each operation takes, all of it good; who asks for it. */
function good(rpc: string): { request: object; by: LendingPerson | undefined } {
  const { ids, person, manager } = at;
  const [reason, idempotencyKey] = ["because", randomUUID()];
  const requests: Record<string, [object, (LendingPerson | undefined)?]> = {
    quoteLoan: [{ productId: "personal", amount: "100", instalments: 2 }, person],
    decideLoanApplication: [{ loanApplicationId: ids.application, approve: true, reason }],
    acceptLoanOffer: [{ loanApplicationId: ids.application, walletAccountId: ids.wallet }, person],
    withdrawLoanApplication: [{ loanApplicationId: ids.application }, person],
    disburseLoan: [{ loanApplicationId: ids.application, reason }],
    getLoan: [{ loanApplicationId: ids.loanApplication }, person],
    getRepaymentInstructions: [{ loanApplicationId: ids.loanApplication }, person],
    listLoanHistory: [{ customerId: person.customerId, page: 1, pageSize: 10 }, person],
    listRepaidTransactions: [{ customerId: person.customerId }, person],
    getPayoffQuote: [{ loanApplicationId: ids.loanApplication }, person],
    payoffLoan: [{ loanApplicationId: ids.loanApplication, paymentMethod: "WALLET" }, person],
    askRepaymentVerification: [{ repaymentId: ids.repayment, verify: true, reason }],
    forceRepaymentOutcome: [{ repaymentId: ids.repayment, verify: true, reason }],
    pauseDelinquency: [{ accountId: ids.loan, from: "2026-11-20", reason }],
    resumeDelinquency: [{ accountId: ids.loan }],
    chargeBackRepayment: [{ repaymentId: ids.repayment, reason }],
    writeOffLoan: [{ accountId: ids.loan, reason }],
    recordRecovery: [{ accountId: ids.writtenOff, amount: "1", reference: "B-1" }],
    rescheduleLoan: [{ accountId: ids.loan, instalments: 12, firstDueOn: "2027-01-01", reason }],
    payBackOverpayment: [{ accountId: ids.loan, walletAccountId: ids.wallet, reason }],
    putHolidayCalendar: [{ calendar: { weekend: [6, 7], holidays: [] } }],
    importLoan: [
      {
        customerId: person.customerId,
        productId: "personal",
        amount: "100",
        instalments: 2,
        disbursedOn: "2026-11-01",
      },
      undefined,
    ],
  };
  const [request, by = manager] = requests[rpc] ?? [{}];
  const isOfOperators = rpc === "importLoan" || rpc === "putHolidayCalendar";
  return { request: { idempotencyKey, ...request }, by: isOfOperators ? undefined : by };
}

function ask(rpc: string, more: object, as?: LendingPerson): Promise<unknown> {
  const { request, by } = good(rpc);
  const client = by === undefined ? lending.operator : lending.gateway;
  const call = lending.calls(as ?? by ?? { tenantId: at.tenantId });
  return (client[rpc as Rpc] as (request: object, call: unknown) => Promise<unknown>)({ ...request, ...more }, call);
}

const long = "x".repeat(301);
const texts = (rpc: string, field: string): [string, string, unknown, string][] => [
  [rpc, field, "", "INVALID_INPUT"],
  [rpc, field, long, "INVALID_INPUT"],
  [rpc, field, "a\u0000", "INVALID_INPUT"],
];

test.each<[string, string, unknown, string]>([
  ["quoteLoan", "amount", "", "INVALID_INPUT"],
  ["quoteLoan", "amount", "1.001", "INVALID_INPUT"],
  ["quoteLoan", "amount", "9.99", "AMOUNT_OUT_OF_LIMITS"],
  ["quoteLoan", "instalments", 0, "AMOUNT_OUT_OF_LIMITS"],
  ["quoteLoan", "instalments", 361, "AMOUNT_OUT_OF_LIMITS"],
  ["quoteLoan", "firstDueOn", "soon", "INVALID_INPUT"],
  ["quoteLoan", "firstDueOn", "2027-12-01", "AMOUNT_OUT_OF_LIMITS"],
  ...texts("decideLoanApplication", "reason"),
  ...texts("disburseLoan", "reason"),
  ["acceptLoanOffer", "walletAccountId", "", "INVALID_INPUT"],
  ["listLoanHistory", "page", 0, "INVALID_INPUT"],
  ["listLoanHistory", "size", 101, "INVALID_INPUT"],
  ["payoffLoan", "paymentMethod", "CASH", "INVALID_INPUT"],
  ["payoffLoan", "paymentMethod", "", "INVALID_INPUT"],
  ["payoffLoan", "loanApplicationId", "", "INVALID_INPUT"],
  ["payoffLoan", "payoffAmount", "1.001", "INVALID_INPUT"],
  ["payoffLoan", "payoffAmount", "1e3", "INVALID_INPUT"],
  ["payoffLoan", "payoffAmount", "-1", "INVALID_INPUT"],
  ["payoffLoan", "payoffAmount", "0", "AMOUNT_MISMATCH"],
  ["payoffLoan", "payoffAmount", "99999999999999999999", "AMOUNT_TOO_LARGE"],
  ["payoffLoan", "transactionPin", "1".repeat(65), "INVALID_INPUT"],
  ...texts("askRepaymentVerification", "reason"),
  ...texts("forceRepaymentOutcome", "reason"),
  ...texts("pauseDelinquency", "reason"),
  ["pauseDelinquency", "from", "2026-02-30", "INVALID_INPUT"],
  ["pauseDelinquency", "from", "2026-11-22", "INVALID_INPUT"],
  ...texts("chargeBackRepayment", "reason"),
  ...texts("writeOffLoan", "reason"),
  ...texts("recordRecovery", "reference"),
  ["recordRecovery", "amount", "", "INVALID_INPUT"],
  ["recordRecovery", "amount", "1.001", "INVALID_INPUT"],
  ["recordRecovery", "amount", "-1", "INVALID_INPUT"],
  ["recordRecovery", "amount", "0", "AMOUNT_NOT_POSITIVE"],
  ["recordRecovery", "receivedOn", "2026-11-22", "INVALID_INPUT"],
  ["recordRecovery", "receivedOn", "2026-11-20", "INVALID_INPUT"],
  ["recordRecovery", "receivedOn", "today", "INVALID_INPUT"],
  ...texts("rescheduleLoan", "reason"),
  ["rescheduleLoan", "instalments", 0, "INVALID_INPUT"],
  ["rescheduleLoan", "instalments", 601, "INVALID_INPUT"],
  ["rescheduleLoan", "firstDueOn", "", "INVALID_INPUT"],
  ["rescheduleLoan", "firstDueOn", "2026-11-21", "INVALID_INPUT"],
  ["rescheduleLoan", "firstDueOn", "2027-11-21", "INVALID_INPUT"],
  ["rescheduleLoan", "annualRate", "-1", "INVALID_INPUT"],
  ["rescheduleLoan", "annualRate", "1001", "INVALID_INPUT"],
  ["rescheduleLoan", "annualRate", "0.1234567", "INVALID_INPUT"],
  ["putHolidayCalendar", "calendar", undefined, "INVALID_INPUT"],
  ["putHolidayCalendar", "calendar", { weekend: [8], holidays: [] }, "INVALID_INPUT"],
  ["putHolidayCalendar", "calendar", { weekend: [1, 2, 3, 4, 5, 6, 7], holidays: [] }, "INVALID_INPUT"],
  ["putHolidayCalendar", "calendar", { weekend: [], holidays: ["2026-02-30"] }, "INVALID_INPUT"],
  ["importLoan", "customerId", "", "INVALID_INPUT"],
  ["importLoan", "amount", "0.001", "INVALID_INPUT"],
  ["importLoan", "instalments", 0, "AMOUNT_OUT_OF_LIMITS"],
  ["importLoan", "disbursedOn", "2026-11-22", "INVALID_INPUT"],
  ["importLoan", "disbursedOn", "", "INVALID_INPUT"],
  ["importLoan", "loanApplicationId", "x".repeat(129), "INVALID_INPUT"],
  ["importLoan", "repayments", [{ paidOn: "2026-10-31", amount: "1" }], "INVALID_INPUT"],
  ["importLoan", "repayments", [{ paidOn: "2026-11-02", amount: "" }], "INVALID_INPUT"],
])("%s names a bad %s: %j is %s", async (rpc, field, value, code) => {
  const name = field === "size" ? "pageSize" : field;
  const refused = await refusalOf(ask(rpc, { [name]: value }));
  expect([refused.code, refused.message.includes(field)]).toEqual([code, true]);
});

const keyed = [
  "decideLoanApplication",
  "acceptLoanOffer",
  "withdrawLoanApplication",
  "disburseLoan",
  "payoffLoan",
  "askRepaymentVerification",
  "forceRepaymentOutcome",
  "pauseDelinquency",
  "resumeDelinquency",
  "chargeBackRepayment",
  "writeOffLoan",
  "recordRecovery",
  "rescheduleLoan",
  "payBackOverpayment",
  "importLoan",
];
test.each(keyed)("%s wants a key for doing it once, of a length that can be kept", async (rpc) => {
  for (const idempotencyKey of ["", "k".repeat(300)]) {
    const { code, message } = await refusalOf(ask(rpc, { idempotencyKey }));
    expect([code, message.toLowerCase().includes("idempotency")]).toEqual(["INVALID_INPUT", true]);
  }
});

test.each([
  ["getLoan", "LOAN_NOT_FOUND"],
  ["getRepaymentInstructions", "LOAN_NOT_FOUND"],
  ["getPayoffQuote", "LOAN_NOT_FOUND"],
  ["payoffLoan", "LOAN_NOT_FOUND"],
  ["acceptLoanOffer", "NOT_FOUND"],
  ["withdrawLoanApplication", "NOT_FOUND"],
  ["listLoanHistory", "CUSTOMER_NOT_FOUND"],
  ["listRepaidTransactions", "CUSTOMER_NOT_FOUND"],
])("%s: another customer's is forbidden, another tenant's is %s", async (rpc, code) => {
  expect((await refusalOf(ask(rpc, {}, lending.person(at.tenantId)))).code).toBe("FORBIDDEN");
  expect((await refusalOf(ask(rpc, {}, lending.person()))).code).toBe(code);
});

test.each([
  ["decideLoanApplication", "NOT_FOUND"],
  ["disburseLoan", "NOT_FOUND"],
  ["askRepaymentVerification", "NOT_FOUND"],
  ["forceRepaymentOutcome", "NOT_FOUND"],
  ["chargeBackRepayment", "NOT_FOUND"],
  ["pauseDelinquency", "LOAN_NOT_FOUND"],
  ["resumeDelinquency", "LOAN_NOT_FOUND"],
  ["writeOffLoan", "LOAN_NOT_FOUND"],
  ["recordRecovery", "LOAN_NOT_FOUND"],
  ["rescheduleLoan", "LOAN_NOT_FOUND"],
  ["payBackOverpayment", "LOAN_NOT_FOUND"],
])("%s: staff of another tenant find nothing, %s, and customers may not", async (rpc, code) => {
  const stranger = lending.person(lending.person().tenantId, "MANAGER");
  expect((await refusalOf(ask(rpc, {}, stranger))).code).toBe(code);
  expect((await refusalOf(ask(rpc, {}, at.person))).code).toBe("FORBIDDEN");
});

test("nothing of all that was booked", async () => {
  const { person, ids, tenantId } = at;
  const loan = await lending.read(person, ids.loanApplication);
  expect([loan.status, loan.pendingMinor, loan.delinquencyPaused]).toEqual(["ACTIVE", 1_000n, false]);
  const { loans } = await lending.reconciled(tenantId);
  expect(loans).toBe(2n);
});

test.each(["INVALID_INPUT", "FORBIDDEN"] as const)(
  "nothing waits of what identity takes no question about, and a repeat is refused as well: %s",
  async (code) => {
    const { person, manager, tenantId, ids } = await scene();
    const accept = { idempotencyKey: randomUUID(), loanApplicationId: ids.application, walletAccountId: ids.wallet };
    await lending.gateway.acceptLoanOffer(accept, lending.calls(person));
    const repayments = [{ paidOn: "2026-11-05", amount: "1319.42" }];
    const overpaid = await lending.loan(person, { repayments });
    const by = lending.calls(manager);
    const both = () => ({ idempotencyKey: randomUUID(), reason: "as agreed" });
    const [off, verification, disbursement] = [both(), both(), both()];
    const back = { ...both(), accountId: overpaid.accountId, amount: "", walletAccountId: ids.wallet };
    const asks: Record<string, () => Promise<{ approvalId: string }>> = {
      writeOffLoan: () => lending.gateway.writeOffLoan({ ...off, accountId: ids.loan }, by),
      askRepaymentVerification: () =>
        lending.gateway.askRepaymentVerification({ ...verification, repaymentId: ids.repayment, verify: true }, by),
      disburseLoan: () => lending.gateway.disburseLoan({ ...disbursement, loanApplicationId: ids.application }, by),
      payBackOverpayment: () => lending.gateway.payBackOverpayment(back, by),
    };
    const status = async () => {
      const { application } = await lending.gateway.getLoanApplication({ loanApplicationId: ids.application }, by);
      const loans = [await lending.read(person, ids.loanApplication)];
      loans.push(await lending.read(person, overpaid.loanApplicationId));
      return { application, loans };
    };
    const before = await status();
    lending.state.takesNoQuestion = code;
    try {
      for (const [rpc, ask] of Object.entries(asks)) {
        for (let time = 0; time < 2; time += 1) expect([rpc, (await refusalOf(ask())).code]).toEqual([rpc, code]);
      }
    } finally {
      lending.state.takesNoQuestion = undefined;
    }
    expect(await status()).toEqual(before);
    expect(before.application?.disbursementStatus).toBe("NONE");
    const open = [...lending.approvals.values()].filter((one) => one.tenantId === tenantId);
    expect(open.map(({ approval }) => approval.askedBecause)).toEqual(["gone"]);
    // Nothing was begun under these keys: they are as good as new.
    for (const ask of Object.values(asks)) expect((await ask()).approvalId).not.toBe("");
  },
);
