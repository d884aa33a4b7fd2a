import { noCondition } from "./conditions.js";
import { checkPolicy } from "./policy-check.js";
import { publicPart } from "./policy.js";

const usd = (minor: bigint) => ({ minor, currency: "USD" });
const transactionRule = {
  id: "",
  name: "Large transfers",
  description: "",
  requiredDocuments: [],
  action: "REVIEW",
  visibility: "PUBLIC",
  condition: noCondition,
};

describe("publicPart", () => {
  it("leaves out rules meant for staff, and what triggers the others", () => {
    const condition = { ...noCondition, amountAtLeast: usd(100n), originCountries: ["USA"], receivingCountries: [] };
    const rules = [
      { ...transactionRule, condition },
      { ...transactionRule, visibility: "STAFF" },
    ];
    const policy = {
      ...checkPolicy({ knowYourCustomerRules: [], transactionRules: rules, dailyLimits: [usd(5n)] }),
      version: 3,
      publishedAt: new Date(0),
      publishedBy: "operator",
      draftedBy: "operator",
    };
    const shown = publicPart(policy);
    expect(shown.transactionRules).toHaveLength(1);
    expect(shown.transactionRules[0]!.condition).toEqual(noCondition);
    expect(policy.transactionRules[0]!.condition.amountAtLeast).toEqual(usd(100n));
  });
});
