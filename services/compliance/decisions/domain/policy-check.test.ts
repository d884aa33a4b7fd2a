import { Refusal } from "../../../kernel/refusal.js";
import { noCondition } from "./conditions.js";
import { checkPolicy, type PolicyDraft } from "./policy-check.js";

const usd = (minor: bigint) => ({ minor, currency: "USD" });
const kycRule = {
  id: "",
  name: "E-mail",
  description: "",
  requirement: "EMAIL",
  mandatory: true,
  riskProfiles: [],
  countries: [],
};
const transactionRule = {
  id: "",
  name: "Large transfers",
  description: "",
  requiredDocuments: [],
  action: "REVIEW",
  visibility: "PUBLIC",
  condition: noCondition,
};
const draft = (part: Partial<PolicyDraft>): PolicyDraft => ({
  knowYourCustomerRules: [],
  transactionRules: [],
  dailyLimits: [],
  ...part,
});

function faultsOf(part: Partial<PolicyDraft>): string[] {
  try {
    checkPolicy(draft(part));
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    const refusal = error as Refusal;
    expect(refusal.code).toBe("INVALID_INPUT");
    return refusal.details!.errors!.map((fault) => fault.path);
  }
  return [];
}

describe("checkPolicy", () => {
  it("makes ids from names, always the same, and keeps those that are given", () => {
    const rules = [
      transactionRule,
      transactionRule,
      { ...transactionRule, id: "mine", name: "Other" },
      { ...transactionRule, name: "Élan  №5!" },
    ];
    const ids = checkPolicy(draft({ transactionRules: rules })).transactionRules.map((rule) => rule.id);
    expect(ids).toEqual(["large-transfers", "large-transfers-2", "mine", "e-lan-no5"]);
  });

  it("does not give away an id that a later rule has", () => {
    const rules = [transactionRule, { ...transactionRule, id: "large-transfers", name: "Other" }];
    const ids = checkPolicy(draft({ transactionRules: rules })).transactionRules.map((rule) => rule.id);
    expect(ids).toEqual(["large-transfers-2", "large-transfers"]);
  });

  it("turns countries into alpha-3", () => {
    const condition = { ...noCondition, originCountries: ["us"], receivingCountries: ["NG", "KEN"] };
    const checked = checkPolicy(draft({ transactionRules: [{ ...transactionRule, condition }] }));
    expect(checked.transactionRules[0]!.condition).toEqual({
      ...noCondition,
      originCountries: ["USA"],
      receivingCountries: ["NGA", "KEN"],
    });
  });

  it("names the path of every fault at once", () => {
    const faults = faultsOf({
      knowYourCustomerRules: [
        { ...kycRule, id: "a b", requirement: "SHOE_SIZE", countries: ["NG", "Narnia"], validityDays: 0 },
        { ...kycRule, name: " ", riskProfiles: ["HIGH", "low"] },
      ],
      transactionRules: [
        { ...transactionRule, id: "same", action: "REQUIRE_DOCUMENTS" },
        {
          ...transactionRule,
          id: "same",
          action: "SHOUT",
          visibility: "",
          requiredDocuments: ["OK_ONE", "bad one"],
          condition: {
            ...noCondition,
            amountAtLeast: { minor: 0n, currency: "XXX" },
            originCountries: ["ZZ"],
            receivingCountries: ["QQQ"],
          },
        },
      ],
      dailyLimits: [usd(1n), undefined, usd(-5n)],
    });
    expect(faults.toSorted()).toEqual(
      [
        "knowYourCustomerRules[0].id",
        "knowYourCustomerRules[0].requirement",
        "knowYourCustomerRules[0].countries[1]",
        "knowYourCustomerRules[0].validityDays",
        "knowYourCustomerRules[1].name",
        "knowYourCustomerRules[1].riskProfiles[1]",
        "transactionRules[0].requiredDocuments",
        "transactionRules[1].id",
        "transactionRules[1].action",
        "transactionRules[1].visibility",
        "transactionRules[1].requiredDocuments[1]",
        "transactionRules[1].condition.amountAtLeast.currency",
        "transactionRules[1].condition.amountAtLeast.amountMinor",
        "transactionRules[1].condition.originCountries[0]",
        "transactionRules[1].condition.receivingCountries[0]",
        "dailyLimits[1].amount",
        "dailyLimits[2].amount.amountMinor",
        "dailyLimits[2].amount.currency",
      ].toSorted(),
    );
  });

  it("bounds texts and counts", () => {
    expect(
      faultsOf({ knowYourCustomerRules: [{ ...kycRule, name: "x".repeat(201), description: "x".repeat(2001) }] }),
    ).toEqual(["knowYourCustomerRules[0].name", "knowYourCustomerRules[0].description"]);
    expect(faultsOf({ transactionRules: Array.from({ length: 501 }, () => transactionRule) })).toEqual([
      "transactionRules",
    ]);
  });
});
