import { leftOfDay } from "./daily-limit.js";
import { decide, type DecisionInputs } from "./decision.js";
import { conditionMet, noCondition } from "./conditions.js";
import { checkPolicy, type PolicyDraft } from "./policy-check.js";
import { compilePolicy, type CompiledPolicy, type TransactionRule } from "./policy.js";
import type { TransactionFacts } from "./transaction.js";

const usd = (minor: bigint) => ({ minor, currency: "USD" });
const facts: TransactionFacts = {
  transactionId: "t1",
  customerId: "c1",
  amount: usd(100_00n),
  originCountry: "USA",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  remittancePurpose: "family support",
  sourceOfFunds: "salary",
  operation: "REMITTANCE",
  recipient: "B-1",
};
const context = { newBeneficiary: false, profile: "LOW", figures: () => [] } as const;
const inputs = (part: Partial<DecisionInputs> = {}): DecisionInputs => ({
  facts,
  customerStatus: "CONFIRMED",
  profile: "LOW",
  unmet: [],
  met: [],
  newBeneficiary: false,
  figures: [],
  day: "2026-05-01",
  timeZone: "Africa/Lagos",
  usage: { reservedMinor: 0n, usedMinor: 0n },
  ...part,
});
const rule = (action: TransactionRule["action"], part: object = {}): PolicyDraft["transactionRules"][number] => ({
  id: "",
  name: action,
  description: "",
  requiredDocuments: action === "REQUIRE_DOCUMENTS" ? ["SOURCE_OF_FUNDS"] : [],
  action,
  visibility: "PUBLIC",
  condition: noCondition,
  ...part,
});
const policyOf = (transactionRules: PolicyDraft["transactionRules"], dailyLimits = [usd(1_000_00n)]): CompiledPolicy =>
  compilePolicy({
    ...checkPolicy({ knowYourCustomerRules: [], transactionRules, dailyLimits }),
    version: 1,
    publishedAt: new Date(0),
    publishedBy: "operator",
    draftedBy: "operator",
  });

describe("conditionMet", () => {
  const anywhere = noCondition;

  it("compares amounts from the threshold on, in their own currency only", () => {
    const condition = { ...anywhere, amountAtLeast: usd(100_00n) };
    expect(conditionMet(condition, { ...facts, amount: usd(99_99n) }, context)).toBe(false);
    expect(conditionMet(condition, { ...facts, amount: usd(100_00n) }, context)).toBe(true);
    expect(conditionMet(condition, { ...facts, amount: { minor: 999_999_99n, currency: "NGN" } }, context)).toBe(false);
  });

  it("needs every part that is given", () => {
    expect(conditionMet(anywhere, facts, context)).toBe(true);
    expect(conditionMet({ ...anywhere, originCountries: ["GBR", "USA"] }, facts, context)).toBe(true);
    expect(conditionMet({ ...anywhere, originCountries: ["GBR"], receivingCountries: ["NGA"] }, facts, context)).toBe(
      false,
    );
    expect(conditionMet({ ...anywhere, originCountries: ["USA"], receivingCountries: ["KEN"] }, facts, context)).toBe(
      false,
    );
  });
});

describe("decide", () => {
  it("takes figures in the order of the rules' aggregates, and none of another policy", () => {
    const over = { comparison: "ABOVE", days: 30, receivingCountries: [], sourcesOfFunds: [] } as const;
    const average = { ...over, measure: "AVERAGE", amount: usd(10_00n) } as const;
    const count = { ...over, measure: "COUNT", count: 3n } as const;
    const asking = [average, count].map((one) => rule("REVIEW", { condition: { ...noCondition, aggregates: [one] } }));
    const policy = policyOf(asking);
    const [byAverage, byCount] = policy.transactionRules.map(({ id }) => id);
    // An average is a sum and a count in its currency.
    expect(decide(policy, inputs({ figures: [30_00n, 3n, 3n] })).matchedRules).toEqual([]);
    expect(decide(policy, inputs({ figures: [30_01n, 3n, 3n] })).matchedRules).toEqual([byAverage]);
    expect(decide(policy, inputs({ figures: [30_00n, 3n, 4n] })).matchedRules).toEqual([byCount]);
    expect(() => decide(policy, inputs())).toThrow("0 figures for 3 aggregates");
  });

  it("approves a confirmed customer within limit and rules", () => {
    expect(decide(policyOf([]), inputs())).toMatchObject({
      decision: "APPROVED",
      reasonCode: "",
      outstandingRequirements: [],
    });
  });

  it("refuses who is not confirmed, whatever the policy", () => {
    expect(decide(policyOf([]), inputs({ customerStatus: "PENDING" }))).toMatchObject({
      decision: "REJECTED",
      reasonCode: "CUSTOMER_NOT_CONFIRMED",
    });
    expect(decide(policyOf([]), inputs({ customerStatus: "BLOCKED" }))).toMatchObject({
      decision: "REJECTED",
      reasonCode: "CUSTOMER_BLOCKED",
    });
    expect(decide(undefined, inputs({ customerStatus: "PENDING" }))).toMatchObject({
      reasonCode: "CUSTOMER_NOT_CONFIRMED",
    });
  });

  it("leaves a transaction of a tenant without policy to a person", () => {
    expect(decide(undefined, inputs())).toMatchObject({ decision: "REVIEW", reasonCode: "NO_POLICY" });
  });

  it("refuses by rule before anything else is asked, and names no rule to the customer", () => {
    const outcome = decide(
      policyOf([rule("REQUIRE_DOCUMENTS"), rule("REJECT", { name: "Secret list" })], [usd(1n)]),
      inputs(),
    );
    expect(outcome).toMatchObject({ decision: "REJECTED", reasonCode: "RULE_REJECTED", outstandingRequirements: [] });
    expect(outcome.matchedRules).toEqual(["require-documents", "secret-list"]);
    expect(outcome.message).not.toMatch(/secret/i);
  });

  it("allows the last cent of a daily limit and not one more", () => {
    const usage = { reservedMinor: 400_00n, usedMinor: 500_00n };
    expect(decide(policyOf([]), inputs({ usage }))).toMatchObject({ decision: "APPROVED" });
    const oneMore = { ...facts, amount: usd(100_01n) };
    expect(decide(policyOf([]), inputs({ usage, facts: oneMore }))).toMatchObject({
      decision: "REJECTED",
      reasonCode: "DAILY_LIMIT_EXCEEDED",
      message: "the daily limit is 1000.00 USD, of which 100.00 USD is left today",
    });
  });

  it("shows nothing left, never less, when a lowered limit is overdrawn", () => {
    const usage = { reservedMinor: 0n, usedMinor: 5_000_00n };
    expect(leftOfDay(policyOf([]), inputs({ usage }))).toEqual(usd(0n));
  });

  it("does not limit a currency that has no limit", () => {
    const amount = { minor: 10n ** 15n, currency: "NGN" };
    expect(decide(policyOf([]), inputs({ facts: { ...facts, amount } }))).toMatchObject({ decision: "APPROVED" });
  });

  it("asks for each document once, before a person looks", () => {
    const rules = [
      rule("REQUIRE_DOCUMENTS", { requiredDocuments: ["SOURCE_OF_FUNDS", "INVOICE"] }),
      rule("REQUIRE_DOCUMENTS", { requiredDocuments: ["INVOICE"] }),
      rule("REVIEW"),
    ];
    expect(decide(policyOf(rules), inputs())).toMatchObject({
      decision: "PENDING",
      outstandingRequirements: ["INVOICE", "SOURCE_OF_FUNDS"],
    });
    expect(decide(policyOf([rule("REVIEW")]), inputs())).toMatchObject({
      decision: "REVIEW",
      outstandingRequirements: [],
    });
  });
});
