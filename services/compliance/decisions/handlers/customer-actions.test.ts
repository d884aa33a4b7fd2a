import {
  CustomerStatus,
  Decision,
  RuleAction,
  Visibility,
  type CheckCustomerActionRequest,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  usd,
  type ComplianceWorld,
  type PolicyRequest,
} from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("customer_actions");
});
afterAll(() => world.close());
beforeEach(() => world.reset());

let actions = 0;
const action = (part: Partial<CheckCustomerActionRequest> = {}) => {
  actions += 1;
  return { actionId: `a${actions}`, customerId: "c1", kind: "LOAN_APPLICATION", amount: usd(500_00n), ...part };
};
const ask = (tenantId: string, part: Partial<CheckCustomerActionRequest> = {}) =>
  world.lending.checkCustomerAction(action(part), on(tenantId));

const ruleOn = (operations: string[], part: object = {}) => ({
  name: `rule on ${operations.join()}`,
  action: RuleAction.RULE_ACTION_REVIEW,
  visibility: Visibility.VISIBILITY_STAFF,
  condition: { operations },
  ...part,
});
const rules = (...transactionRules: object[]): PolicyRequest => ({ transactionRules }) as PolicyRequest;
const emailRule = { name: "E-mail", requirement: "EMAIL", mandatory: true };

const approved = { decision: Decision.DECISION_APPROVED, reasonCode: "", outstandingRequirements: [] };
const setStatus = (tenantId: string, status: CustomerStatus) =>
  world.operator.setCustomerStatus({ customerId: "c1", status, reason: "seen" }, on(tenantId));

test("approves what a confirmed customer asks for and keeps the decision with its policy version", async () => {
  const tenantId = await world.openTenant(rules());
  const request = action();
  expect(await world.lending.checkCustomerAction(request, on(tenantId))).toMatchObject({
    ...approved,
    policyVersion: 1,
  });
  const stored = await world.store.forTenant(tenantId).findDecision(request.actionId);
  expect(stored).toMatchObject({
    decision: "APPROVED",
    policyVersion: 1,
    reservation: "NONE",
    inputs: { facts: { operation: "LOAN_APPLICATION", amount: { minor: 500_00n, currency: "USD" } } },
  });
});

test("refuses a blocked customer", async () => {
  const tenantId = await world.openTenant(rules());
  await setStatus(tenantId, CustomerStatus.CUSTOMER_STATUS_BLOCKED);
  expect(await ask(tenantId, { kind: "INVESTMENT" })).toMatchObject({
    decision: Decision.DECISION_REJECTED,
    reasonCode: "CUSTOMER_BLOCKED",
  });
});

test("an unconfirmed customer's waits with what they are to show, and goes on when they are confirmed", async () => {
  const tenantId = await world.openTenant({ knowYourCustomerRules: [emailRule] } as PolicyRequest, { confirm: false });
  const request = action();
  const again = () => world.lending.checkCustomerAction(request, on(tenantId));
  expect(await again()).toMatchObject({
    decision: Decision.DECISION_PENDING,
    reasonCode: "CUSTOMER_NOT_CONFIRMED",
    outstandingRequirements: ["EMAIL"],
  });
  await setStatus(tenantId, CustomerStatus.CUSTOMER_STATUS_CONFIRMED);
  await waitFor(async () => (await again()).decision === Decision.DECISION_APPROVED);
});

test("what waits is refused when the customer is blocked meanwhile", async () => {
  const tenantId = await world.openTenant({ knowYourCustomerRules: [emailRule] } as PolicyRequest, { confirm: false });
  const request = action();
  const again = () => world.lending.checkCustomerAction(request, on(tenantId));
  await again();
  await setStatus(tenantId, CustomerStatus.CUSTOMER_STATUS_BLOCKED);
  await waitFor(async () => (await again()).reasonCode === "CUSTOMER_BLOCKED");
});

test("without a policy a person looks at it", async () => {
  const tenantId = await world.openTenant(rules());
  await world.db.collection("policies").deleteMany({ tenantId });
  await world.db.collection("customer_statuses").updateMany({ tenantId }, { $set: { policyVersion: 0 } });
  expect(await ask(tenantId)).toMatchObject({ decision: Decision.DECISION_REVIEW, reasonCode: "NO_POLICY" });
});

describe("rules", () => {
  test("apply to the kinds that they name, and to no action where they name none", async () => {
    const tenantId = await world.openTenant(
      rules(
        ruleOn([], { action: RuleAction.RULE_ACTION_REJECT }),
        ruleOn(["REMITTANCE"], { action: RuleAction.RULE_ACTION_REJECT }),
        ruleOn(["INVESTMENT"]),
      ),
    );
    expect(await ask(tenantId)).toMatchObject(approved);
    expect(await ask(tenantId, { kind: "INVESTMENT" })).toMatchObject({ decision: Decision.DECISION_REVIEW });
    expect(await world.remittance.checkTransaction(question(), on(tenantId))).toMatchObject({
      decision: Decision.DECISION_REJECTED,
    });
  });

  test("compare the amount: at the threshold and one cent more", async () => {
    const condition = { operations: ["LOAN_APPLICATION"], amountAbove: usd(1_000_00n) };
    const tenantId = await world.openTenant(rules(ruleOn([], { condition, action: RuleAction.RULE_ACTION_REJECT })));
    expect(await ask(tenantId, { amount: usd(1_000_00n) })).toMatchObject(approved);
    expect(await ask(tenantId, { amount: usd(1_000_01n) })).toMatchObject({
      decision: Decision.DECISION_REJECTED,
      reasonCode: "RULE_REJECTED",
      message: "compliance refuses this application",
    });
  });

  test("see what was sent before, to which the amount asked for does not belong", async () => {
    const sent = (amountMinor: bigint) => ({
      operations: ["INVESTMENT"],
      aggregates: [{ measure: "MEASURE_SUM", days: 7, comparison: "COMPARISON_AT_LEAST", amount: usd(amountMinor) }],
    });
    const tenantId = await world.openTenant(
      rules(ruleOn([], { condition: sent(300_00n) }), ruleOn([], { name: "more", condition: sent(301_00n) })),
    );
    const kind = "INVESTMENT";
    expect(await ask(tenantId, { kind, amount: usd(9_000_00n) })).toMatchObject(approved);
    await world.remittance.checkTransaction(question({ amount: usd(300_00n) }), on(tenantId));
    const request = action({ kind, amount: usd(1n) });
    expect(await world.investment.checkCustomerAction(request, on(tenantId))).toMatchObject({
      decision: Decision.DECISION_REVIEW,
    });
    const stored = await world.store.forTenant(tenantId).findDecision(request.actionId);
    expect(stored!.matchedRules).toHaveLength(1);
  });

  test("may ask for documents, whose acceptance lets it go on", async () => {
    const tenantId = await world.openTenant(
      rules(
        ruleOn(["LOAN_APPLICATION"], {
          action: RuleAction.RULE_ACTION_REQUIRE_DOCUMENTS,
          requiredDocuments: ["SOURCE_OF_FUNDS"],
        }),
      ),
    );
    expect(await ask(tenantId)).toMatchObject({
      decision: Decision.DECISION_PENDING,
      reasonCode: "",
      outstandingRequirements: ["SOURCE_OF_FUNDS"],
    });
    const { customer } = await world.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, manager));
    expect(customer!.requirements).toMatchObject([{ kind: "SOURCE_OF_FUNDS" }]);
  });
});

test("takes no part of the daily limit and counts in no sum", async () => {
  const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(100_00n) }] });
  expect(await ask(tenantId, { amount: usd(5_000_00n) })).toMatchObject(approved);
  expect(await world.store.forTenant(tenantId).listDays("c1", "2026-05-01", "2026-05-01")).toEqual([]);
  expect(await world.remittance.checkTransaction(question({ amount: usd(100_00n) }), on(tenantId))).toMatchObject({
    decision: Decision.DECISION_APPROVED,
  });
});

test("a person decides what is in review; asking again gives their word", async () => {
  const tenantId = await world.openTenant(rules(ruleOn(["LOAN_APPLICATION"])));
  const request = action();
  const again = () => world.lending.checkCustomerAction(request, on(tenantId));
  expect(await again()).toMatchObject({ decision: Decision.DECISION_REVIEW });
  const { reviews } = await world.gateway.listReviews({}, on(tenantId, manager));
  expect(reviews).toMatchObject([{ transactionId: request.actionId, operation: "LOAN_APPLICATION" }]);
  const word = { transactionId: request.actionId, approve: true, reason: "payslip seen" };
  await world.gateway.decideReview(word, on(tenantId, manager));
  expect(await again()).toMatchObject(approved);
  expect((await world.store.forTenant(tenantId).findDecision(request.actionId))!.reservation).toBe("NONE");
});

test("one that is withdrawn while it waits is not decided on any more", async () => {
  const tenantId = await world.openTenant(rules(ruleOn(["LOAN_APPLICATION"])));
  const request = action();
  await world.lending.checkCustomerAction(request, on(tenantId));
  await world.lending.releaseReservation({ transactionId: request.actionId }, on(tenantId));
  expect((await world.gateway.listReviews({}, on(tenantId, manager))).reviews).toEqual([]);
});

test("asked several times at the same moment it is decided once; with other content it is refused", async () => {
  const tenantId = await world.openTenant(rules());
  const request = action();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => world.lending.checkCustomerAction(request, on(tenantId))),
  );
  expect(new Set(answers.map(({ decision }) => decision))).toEqual(new Set([Decision.DECISION_APPROVED]));
  const other = world.lending.checkCustomerAction({ ...request, amount: usd(1n) }, on(tenantId));
  expect((await refused(other)).code).toBe("KEY_REUSED");
  world.state.countries.set("c1", "KEN");
  expect(await world.lending.checkCustomerAction(request, on(tenantId))).toMatchObject(approved);
  world.state.countries.delete("c1");
});

test.each([
  ["kind", { kind: "GIFT" }],
  ["actionId", { actionId: "" }],
  ["amount.amountMinor", { amount: usd(0n) }],
])("400 INVALID_INPUT names %s", async (path, part) => {
  const tenantId = await world.openTenant(rules());
  const refusal = await refused(ask(tenantId, part));
  expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
});

test("404 for a customer of nobody's, 403 for callers that lend and invest nothing", async () => {
  const tenantId = await world.openTenant(rules());
  expect((await refused(ask(tenantId, { customerId: "x" }))).code).toBe("CUSTOMER_NOT_FOUND");
  const requested = world.wallet.checkCustomerAction(action(), on(tenantId));
  expect((await refused(requested)).code).toBe("CALLER_NOT_ALLOWED");
});
