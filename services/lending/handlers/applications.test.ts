import { randomUUID } from "node:crypto";
import { createLendingFixture, plainProduct, type LendingFixture } from "../../../test/support/lending-fixture.js";
import { declaredCrashPoints } from "../../../test/support/crash-points.js";
import { eventually, refusalOf } from "../../../test/support/wallet-fixture.js";
import type { RefusalDetails } from "../../kernel/refusal.js";

let lending: LendingFixture;
beforeAll(async () => {
  lending = await createLendingFixture("lend_apply");
});
afterAll(() => lending.close());
afterEach(() => {
  lending.state.decision = "DECISION_APPROVED";
});

async function scene(more: object = {}) {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId, { disbursementFee: "12", affordabilityPercent: "40", ...more });
  const manager = lending.person(tenantId, "MANAGER");
  return { person, tenantId, manager };
}
const key = () => ({ idempotencyKey: randomUUID() });
const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code;

type Scene = Awaited<ReturnType<typeof scene>>;
async function apply({ person }: Pick<Scene, "person">, more: object = {}) {
  const request = { ...key(), productId: "personal", amount: "1200", instalments: 12, monthlyIncome: "1000", ...more };
  const { application } = await lending.gateway.applyForLoan(request, lending.calls(person));
  if (application === undefined) throw new Error("no application");
  return application;
}

/** A quote of a product on a day: 30/360 and flat interest unless said otherwise. */
async function quote(startsOn: string, product: object, requested: object) {
  const person = lending.person();
  lending.setToday(person.tenantId, startsOn);
  await lending.product(person.tenantId, { interestMethod: "FLAT", ...product });
  const request = { productId: "personal", amount: "1000", ...requested };
  const { offer } = await lending.gateway.quoteLoan(request, lending.calls(person));
  if (offer === undefined) throw new Error("no offer");
  return offer;
}
const inOne = (periods: number) => ({
  minimumInstalments: periods,
  principalGrace: periods - 1,
  interestGrace: periods - 1,
});

describe("the APR of a quote", () => {
  // Rates and dates under which a product makes the payments of the examples.
  test.each([
    ["(1)(i) 24 of 230", "1978-01-10", { annualRate: "5.2" }, { amount: "5000", instalments: 24 }, ["230.00"], "9.69"],
    [
      "(1)(ii) 36 of 200, long first period",
      "1978-02-10",
      { annualRate: "6.53951" },
      { amount: "6000", instalments: 36, firstDueOn: "1978-04-01" },
      ["200.00"],
      "11.82",
    ],
    [
      "(1)(v) 30 of 17.60 a week, long first period",
      "1978-03-20",
      { frequency: "WEEK", annualRate: "8.697872", dayCount: "ACTUAL_365" },
      { amount: "500", instalments: 30, firstDueOn: "1978-04-21" },
      ["17.60"],
      "14.96",
    ],
    [
      "(5)(i) 1,080 after 255 days",
      "1978-01-05",
      { frequency: "DAY", annualRate: "11.45098", dayCount: "ACTUAL_365", ...inOne(255) },
      { instalments: 255 },
      ["1080.00"],
      "11.45",
    ],
    [
      "(5)(ii) 1,044 after 6 months",
      "1978-01-15",
      { annualRate: "8.8", ...inOne(6) },
      { instalments: 6 },
      ["1044.00"],
      "8.80",
    ],
    [
      "(5)(iii) 1,135.19 after a year and a half",
      "1978-01-15",
      { annualRate: "9.012667", ...inOne(18) },
      { instalments: 18 },
      ["1135.19"],
      "8.76",
    ],
    [
      "(5)(iv) 1,240 after 2 years",
      "1978-01-15",
      { annualRate: "12", ...inOne(24) },
      { instalments: 24 },
      ["1240.00"],
      "11.36",
    ],
  ] as const)("Regulation Z Appendix J (c)%s", async (_name, startsOn, product, requested, payments, apr) => {
    const offer = await quote(startsOn, product, requested);
    const paid = offer.instalments.map(
      ({ charged }) => (charged?.principalMinor ?? 0n) + (charged?.interestMinor ?? 0n),
    );
    const all = new Set(paid.filter((minor) => minor > 0n).map((minor) => (Number(minor) / 100).toFixed(2)));
    expect([[...all], offer.apr]).toEqual([payments, apr]);
  });

  test.each([
    [180, "20.95"],
    [30, "63.19"],
  ])("of one payment after %d days at 12 % and a fee of 4 % has the term as its unit-period", async (days, apr) => {
    const firstDueOn = Temporal.PlainDate.from("2026-11-22").add({ days }).toString();
    const product = { dayCount: "ACTUAL_365", disbursementFeePercent: "4" };
    expect((await quote("2026-11-22", product, { instalments: 1, firstDueOn })).apr).toBe(apr);
  });

  test.each([
    ["THIRTY_360", ["2026-12-22", "2027-05-22"]],
    ["ACTUAL_365", ["2026-12-22", "2027-01-11", "2027-05-22"]],
  ])("of one payment without fees is the annual rate, %s", async (dayCount, dates) => {
    for (const firstDueOn of dates) {
      expect((await quote("2026-11-22", { dayCount }, { instalments: 1, firstDueOn })).apr).toBe("12.00");
    }
  });
});

describe("a first period whose interest is more than the level payment", () => {
  const long = { annualRate: "60", interestMethod: "DECLINING", frequency: "WEEK", dayCount: "ACTUAL_365" };
  const requested = { amount: "1000", instalments: 104, firstDueOn: "2027-05-15" };
  const faultOf = async (promise: Promise<unknown>) => {
    const { code, details } = await refusalOf(promise);
    return [code, (details as RefusalDetails | undefined)?.errors];
  };

  test("is refused with the latest first due date that would do, and that one does", async () => {
    const fault = (latest: string) => {
      const message = `must be ${latest} or earlier: with a longer first period its interest is more than an instalment`;
      return ["AMOUNT_OUT_OF_LIMITS", [{ path: "firstDueOn", message }]];
    };
    expect(await faultOf(quote("2026-11-22", long, requested))).toEqual(fault("2026-12-02"));
    expect(await faultOf(apply(await scene(long), requested))).toEqual(fault("2026-12-01"));
    const { instalments } = await quote("2026-11-22", long, { ...requested, firstDueOn: "2026-12-02" });
    expect(instalments.every(({ charged }) => (charged?.principalMinor ?? 0n) > 0n)).toBe(true);
  });
  test("is refused with the most instalments where no first due date would do", async () => {
    const message = "must be at most 7: of more, some would repay nothing";
    const fault = ["AMOUNT_OUT_OF_LIMITS", [{ path: "instalments", message }]];
    const dear = { ...long, annualRate: "1000", frequency: "MONTH" };
    expect(await faultOf(quote("2026-11-22", dear, { instalments: 300 }))).toEqual(fault);
  });
});

describe("an application", () => {
  test("above the operator's ceiling, or the tenant's, is refused with the figure", async () => {
    const requested = await scene();
    const refusalAt = (amount: string) => apply(requested, { amount }).catch((error: unknown) => error);
    const code = "AMOUNT_ABOVE_CEILING";
    const operators = { figures: { ceiling: "100000000000.00", asked: "92233720368547758.07" } };
    expect(await refusalAt("92233720368547758.07")).toMatchObject({ code, details: operators });
    const other = await scene();
    lending.ceilings.set(other.person.tenantId, [{ amountMinor: 1_000_00n, currency: "USD" }]);
    await expect(apply(other, { amount: "1000.01" })).rejects.toMatchObject({
      code,
      details: { figures: { ceiling: "1000.00", asked: "1000.01" } },
    });
    await expect(apply(other, { amount: "1000" })).resolves.toMatchObject({ status: "APPROVED" });
  });

  test("is approved at once where compliance and the income allow it, and shows schedule and cost", async () => {
    const application = await apply(await scene());
    expect(application.status).toBe("APPROVED");
    expect(application.offer).toMatchObject({
      totalPayableMinor: 127_942n,
      disbursedMinor: 118_800n,
      annualRate: "12",
    });
    expect(Number(application.offer?.apr)).toBeGreaterThan(12);
    expect(application.offer?.instalments).toHaveLength(12);
  });
  test("is rejected where the instalment is more than the income allows", async () => {
    const application = await apply(await scene(), { monthlyIncome: "300", monthlyObligations: "50" });
    expect([application.status, application.reasonCode]).toEqual(["REJECTED", "AFFORDABILITY"]);
  });
  test("is rejected by compliance with a neutral word, and waits where compliance looks", async () => {
    const at = await scene();
    lending.state.decision = "DECISION_REJECTED";
    expect(await apply(at)).toMatchObject({
      status: "REJECTED",
      reasonCode: "COMPLIANCE",
      reason: "the application was not approved",
    });
    lending.state.decision = "DECISION_REVIEW";
    const waiting = await apply(at);
    expect([waiting.status, waiting.reasonCode]).toEqual(["SUBMITTED", "REVIEW"]);
    const decide = { ...key(), loanApplicationId: waiting.loanApplicationId, approve: true, reason: "looked at" };
    expect(await codeOf(lending.gateway.decideLoanApplication(decide, lending.calls(at.manager)))).toBe(
      "COMPLIANCE_REJECTED",
    );
    lending.state.decision = "DECISION_APPROVED";
    const { application } = await lending.gateway.decideLoanApplication(
      { ...decide, ...key() },
      lending.calls(at.manager),
    );
    expect(application?.status).toBe("APPROVED");
  });
  test("in review goes on by itself when compliance has decided: approved, left to staff, or refused", async () => {
    const status = async (at: Scene, loanApplicationId: string) => {
      const read = await lending.gateway.getLoanApplication({ loanApplicationId }, lending.calls(at.person));
      return [read.application?.status, read.application?.reasonCode];
    };
    const [approved, byStaff, refused] = [await scene(), await scene({ approvedAtOnce: false }), await scene()];
    lending.state.decision = "DECISION_PENDING";
    const ids = [await apply(approved), await apply(byStaff), await apply(refused)].map((one) => one.loanApplicationId);
    const ask = async (at: Scene, id = "") => lending.service.reviews.ask(at.tenantId, id);
    await ask(approved, ids[0]);
    expect(await status(approved, ids[0] ?? "")).toEqual(["SUBMITTED", "REVIEW"]);
    lending.state.decision = "DECISION_APPROVED";
    await Promise.all([ask(approved, ids[0]), ask(approved, ids[0]), ask(byStaff, ids[1])]);
    lending.state.decision = "DECISION_REJECTED";
    await ask(refused, ids[2]);
    await ask(approved, ids[0]);
    expect(await status(approved, ids[0] ?? "")).toEqual(["APPROVED", ""]);
    expect(await status(byStaff, ids[1] ?? "")).toEqual(["SUBMITTED", "REVIEW"]);
    expect(await status(refused, ids[2] ?? "")).toEqual(["REJECTED", "COMPLIANCE"]);
  });
  test("is withdrawn by its customer, after which nobody pays it out", async () => {
    const at = await scene();
    const { loanApplicationId } = await apply(at);
    const { application } = await lending.gateway.withdrawLoanApplication(
      { ...key(), loanApplicationId },
      lending.calls(at.person),
    );
    expect(application?.status).toBe("WITHDRAWN");
    expect(
      await codeOf(
        lending.gateway.acceptLoanOffer(
          { ...key(), loanApplicationId, walletAccountId: "x" },
          lending.calls(at.person),
        ),
      ),
    ).toBe("NOT_FOUND");
    const disburse = { ...key(), loanApplicationId, reason: "x" };
    expect(await codeOf(lending.gateway.disburseLoan(disburse, lending.calls(at.manager)))).toBe("STATE_CONFLICT");
  });
  test("is withdrawn with its loan, which nobody repays", async () => {
    const at = await scene();
    const { loanApplicationId } = await apply(at);
    const accept = { ...key(), loanApplicationId, bankAccountId: lending.bankAccount(at.person) };
    await lending.gateway.acceptLoanOffer(accept, lending.calls(at.person));
    const { accountId } = await lending.read(at.person, loanApplicationId);
    await lending.gateway.withdrawLoanApplication({ ...key(), loanApplicationId }, lending.calls(at.person));
    const { bankAccountId } = accept;
    expect(await codeOf(lending.repay(at.person, accountId, "10", { bankAccountId }))).toBe("LOAN_CLOSED");
    const back = { ...key(), accountId, amount: "", walletAccountId: "", bankAccountId, reason: "x" };
    expect(await codeOf(lending.gateway.payBackOverpayment(back, lending.calls(at.manager)))).toBe("INVALID_AMOUNT");
  });
  test("is its customer's and the staff's alone", async () => {
    const at = await scene();
    const { loanApplicationId } = await apply(at);
    const read = (person: typeof at.person) =>
      lending.gateway.getLoanApplication({ loanApplicationId }, lending.calls(person));
    expect(await codeOf(read(lending.person(at.tenantId)))).toBe("FORBIDDEN");
    expect(await codeOf(read(lending.person()))).toBe("NOT_FOUND");
    expect((await read(at.manager)).application?.loanApplicationId).toBe(loanApplicationId);
  });
  test.each([
    ["amount", { amount: "1.001" }, "INVALID_INPUT"],
    ["amount", { amount: "-1" }, "INVALID_INPUT"],
    ["amount", { amount: "" }, "INVALID_INPUT"],
    ["amount", { amount: "9" }, "AMOUNT_OUT_OF_LIMITS"],
    ["instalments", { instalments: 0 }, "AMOUNT_OUT_OF_LIMITS"],
    ["instalments", { instalments: 361 }, "AMOUNT_OUT_OF_LIMITS"],
    ["firstDueOn", { firstDueOn: "2026-13-01" }, "INVALID_INPUT"],
    ["firstDueOn", { firstDueOn: "2026-11-21" }, "AMOUNT_OUT_OF_LIMITS"],
    ["monthlyIncome", { monthlyIncome: "much" }, "INVALID_INPUT"],
    ["monthlyObligations", { monthlyObligations: "1e9" }, "INVALID_INPUT"],
    ["purpose", { purpose: "x".repeat(201) }, "INVALID_INPUT"],
  ])("bad %s: %j", async (path, more, code) => {
    const refused = await refusalOf(apply(await scene(), more));
    expect([refused.code, refused.message.startsWith(path)]).toEqual([code, true]);
  });
});

async function accepted(at: Scene, to: { walletAccountId?: string; bankAccountId?: string }, more: object = {}) {
  const { loanApplicationId } = await apply(at, more);
  await lending.gateway.acceptLoanOffer({ ...key(), loanApplicationId, ...to }, lending.calls(at.person));
  const requested = await lending.gateway.disburseLoan(
    { ...key(), loanApplicationId, reason: "signed" },
    lending.calls(at.manager),
  );
  expect(requested.application?.disbursementStatus).toBe("WAITING_FOR_APPROVAL");
  return { loanApplicationId, approvalId: requested.approvalId };
}

describe("a disbursement", () => {
  test("waits for a second person, then is in the wallet once, less the fee, and the loan begins that day", async () => {
    const at = await scene();
    const walletAccountId = await lending.wallet(at.person, "USD", 0n);
    const { loanApplicationId, approvalId } = await accepted(at, { walletAccountId });
    expect((await lending.read(at.person, loanApplicationId)).status).toBe("PENDING_DISBURSEMENT");
    const { accountId } = await lending.read(at.person, loanApplicationId);
    const repaid = lending.repay(at.person, accountId, "10", { bankAccountId: lending.bankAccount(at.person) });
    expect(await codeOf(repaid)).toBe("LOAN_NOT_FOUND");
    const { noted } = await lending.approve(approvalId);
    expect(noted).toEqual([
      expect.stringMatching(`^MONEY_PAID_OUT loan-application:${loanApplicationId} [0-9.]+ USD$`),
    ]);
    await lending.approve(approvalId);
    await eventually(
      "the loan to begin",
      async () => (await lending.read(at.person, loanApplicationId)).status === "ACTIVE",
    );
    const loan = await lending.read(at.person, loanApplicationId);
    expect([loan.disbursedOn, loan.nextDueOn]).toEqual(["2026-11-21", "2026-12-21"]);
    expect(await lending.balance(at.tenantId, walletAccountId)).toBe(-118_800n);
    expect(await lending.balance(at.tenantId, loan.accountId)).toBe(120_000n);
    expect(await lending.balance(at.tenantId, "loan_fee_income:USD")).toBe(-1_200n);
    await lending.reconciled(at.tenantId);
  });

  test("goes to a bank account, which the bank pays", async () => {
    const at = await scene();
    const { loanApplicationId, approvalId } = await accepted(at, { bankAccountId: lending.bankAccount(at.person) });
    await lending.approve(approvalId);
    await eventually(
      "the loan to begin",
      async () => (await lending.read(at.person, loanApplicationId)).status === "ACTIVE",
    );
    expect(await lending.balance(at.tenantId, "lending_bank_settlement:operator:USD")).toBe(-118_800n);
    await lending.reconciled(at.tenantId);
  });

  test("does not begin on its first due date: nothing is accepted, asked for or paid out from then on", async () => {
    const at = await scene();
    const walletAccountId = await lending.wallet(at.person, "USD", 0n);
    const dated = { firstDueOn: "2026-12-10" };
    const late = await apply(at, dated);
    const { loanApplicationId, approvalId } = await accepted(at, { walletAccountId }, dated);
    await lending.moveTo(at.tenantId, "2026-12-10");
    await lending.approve(approvalId);
    const read = async () =>
      (await lending.gateway.getLoanApplication({ loanApplicationId }, lending.calls(at.person))).application;
    await eventually("the end", async () => (await read())?.disbursementStatus === "FAILED");
    expect((await read())?.disbursementFailure).toContain("2026-12-10");
    const disburse = { ...key(), loanApplicationId, reason: "again" };
    expect(await codeOf(lending.gateway.disburseLoan(disburse, lending.calls(at.manager)))).toBe("STATE_CONFLICT");
    const accept = { ...key(), loanApplicationId: late.loanApplicationId, walletAccountId };
    expect(await codeOf(lending.gateway.acceptLoanOffer(accept, lending.calls(at.person)))).toBe("STATE_CONFLICT");
    expect(await lending.balance(at.tenantId, walletAccountId)).toBe(0n);
  });

  test.each([
    ["MOVE_VERDICT_REFUSE", "compliance refuses to pay this customer now"],
    ["MOVE_VERDICT_HOLD", "compliance refuses to pay this customer now"],
    ["MOVE_VERDICT_WAIT", "the customer is not confirmed yet"],
  ] as const)("to a customer whose status does not let it, %s, nothing moves", async (decision, failure) => {
    const at = await scene();
    const walletAccountId = await lending.wallet(at.person, "USD", 0n);
    const { loanApplicationId, approvalId } = await accepted(at, { walletAccountId });
    lending.state.moves = decision;
    try {
      await lending.approve(approvalId);
      const read = () => lending.gateway.getLoanApplication({ loanApplicationId }, lending.calls(at.person));
      await eventually("the refusal", async () => (await read()).application?.disbursementStatus === "FAILED");
      expect((await read()).application?.disbursementFailure).toBe(failure);
      expect(await lending.balance(at.tenantId, walletAccountId)).toBe(0n);
    } finally {
      lending.state.moves = "MOVE_VERDICT_PASS";
    }
  });

  test("refused by the second person, nothing moves and it can be asked for again", async () => {
    const at = await scene();
    const walletAccountId = await lending.wallet(at.person, "USD", 0n);
    const { loanApplicationId, approvalId } = await accepted(at, { walletAccountId });
    await lending.approve(approvalId, "REFUSED");
    const { application } = await lending.gateway.getLoanApplication({ loanApplicationId }, lending.calls(at.person));
    expect(application?.disbursementStatus).toBe("FAILED");
    expect(await lending.balance(at.tenantId, walletAccountId)).toBe(0n);
    const again = await lending.gateway.disburseLoan(
      { ...key(), loanApplicationId, reason: "signed anew" },
      lending.calls(at.manager),
    );
    await lending.approve(again.approvalId);
    await eventually(
      "the loan to begin",
      async () => (await lending.read(at.person, loanApplicationId)).status === "ACTIVE",
    );
    await lending.reconciled(at.tenantId);
  });

  test.each(declaredCrashPoints("lending").filter((point) => point.startsWith("lending.disbursement")))(
    "cut off at %s, the money is paid once",
    async (point) => {
      const at = await scene();
      const walletAccountId = await lending.wallet(at.person, "USD", 0n);
      const { loanApplicationId, approvalId } = await accepted(at, { walletAccountId });
      lending.crashAt(point);
      await lending.approve(approvalId);
      await eventually(
        "the loan to begin",
        async () => (await lending.read(at.person, loanApplicationId)).status === "ACTIVE",
      );
      await eventually("the crash", () => lending.crashedAt(point));
      expect(await lending.balance(at.tenantId, walletAccountId)).toBe(-118_800n);
      await lending.reconciled(at.tenantId);
    },
  );
});

describe("products", () => {
  test("are versioned: the same content makes none, a change makes the next, and loans keep their own", async () => {
    const at = await scene();
    const loan = await lending.loan(at.person);
    const put = async (more: object) =>
      (
        await lending.operator.putLoanProduct(
          { product: { ...plainProduct, disbursementFee: "12", affordabilityPercent: "40", ...more } as never },
          lending.calls(at),
        )
      ).product?.version;
    expect(await put({})).toBe(1);
    expect(await put({ annualRate: "24" })).toBe(2);
    expect((await lending.read(at.person, loan.loanApplicationId)).totalPayableMinor).toBe(loan.totalPayableMinor);
  });
  test.each([
    ["productId", { productId: "A" }],
    ["currency", { currency: "XXX" }],
    ["name", { name: "" }],
    ["minimumAmount", { minimumAmount: "0" }],
    ["maximumAmount", { maximumAmount: "1" }],
    ["minimumInstalments", { minimumInstalments: 0 }],
    ["maximumInstalments", { maximumInstalments: 601 }],
    ["frequency", { frequency: "YEAR" }],
    ["annualRate", { annualRate: "1001" }],
    ["annualRate", { annualRate: "0.1234567" }],
    ["interestMethod", { interestMethod: "COMPOUND" }],
    ["amortisation", { amortisation: "BULLET" }],
    ["dayCount", { dayCount: "30E/360" }],
    ["principalGrace", { principalGrace: 1 }],
    ["interestGrace", { interestGrace: -1 }],
    ["disbursementFee", { disbursementFee: "-1" }],
    ["disbursementFeePercent", { disbursementFeePercent: "51" }],
    ["instalmentFee", { instalmentFee: "0.001" }],
    ["penaltyGraceDays", { penaltyGraceDays: 366 }],
    ["penaltyPercent", { penaltyPercent: "101" }],
    ["businessDayRule", { businessDayRule: "NEXT" }],
    ["payoffInterest", { payoffInterest: "NEVER" }],
    ["payoffFeePercent", { payoffFeePercent: "x" }],
    ["allocationOrder", { allocationOrder: ["FEE", "FEE", "INTEREST", "PRINCIPAL"] }],
    ["bucketStarts", { bucketStarts: [31, 1] }],
    ["affordabilityPercent", { affordabilityPercent: "101" }],
  ])("bad %s names its field: %j", async (field, more) => {
    const product = { ...plainProduct, ...more } as never;
    const refused = await refusalOf(
      lending.operator.putLoanProduct({ product }, lending.calls({ tenantId: randomUUID() })),
    );
    expect([refused.code, refused.message.startsWith(`product.${field}`)]).toEqual(["INVALID_INPUT", true]);
  });
});
