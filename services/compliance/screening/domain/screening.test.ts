import { checkPolicy } from "../../decisions/domain/policy-check.js";
import { decide, type DecisionInputs } from "../../decisions/domain/decision.js";
import { compilePolicy } from "../../decisions/domain/policy.js";
import { stateOf, type Exemption } from "./exemption.js";
import { checkScreeningPolicy, contentOf, platformPolicy } from "./policy.js";
import { basisOf, statusOf, type HitState } from "./screening.js";
import { holdsOn, withHold } from "./subject-hold.js";
import { summaryOf, verdictOf, type ScreeningSummary } from "./summary.js";

const run = { state: "DONE", basis: "policy 0", parties: ["SENDER", "RECIPIENT"] } as const;
const open = [{ recipientKey: "B-1", status: "OPEN" }] as const;
const confirmed = [{ recipientKey: "", status: "CONFIRMED" }] as const;

const approving = compilePolicy({
  ...checkPolicy({ knowYourCustomerRules: [], transactionRules: [], dailyLimits: [] }),
  version: 1,
  publishedAt: new Date(0),
  publishedBy: "MA1",
  draftedBy: "MA1",
});
const decided = (screening: ScreeningSummary | undefined) => {
  const inputs: DecisionInputs = {
    facts: {
      transactionId: "t1",
      customerId: "c1",
      amount: { minor: 100n, currency: "USD" },
      originCountry: "USA",
      receivingCountry: "NGA",
      receivingCurrency: "NGN",
      remittancePurpose: "",
      sourceOfFunds: "",
      operation: "REMITTANCE",
      recipient: "B-1",
    },
    customerStatus: "CONFIRMED",
    profile: "LOW",
    unmet: [],
    met: [],
    newBeneficiary: false,
    figures: [],
    day: "2026-05-01",
    timeZone: "UTC",
    usage: { reservedMinor: 0n, usedMinor: 0n },
    ...(screening && { screening }),
  };
  return decide(approving, inputs);
};

test("a hit, open or confirmed, makes a review that says no more than every other; without one it goes on", () => {
  expect(decided(undefined).decision).toBe("APPROVED");
  expect(decided(summaryOf(run, [])).decision).toBe("APPROVED");
  for (const holds of [open, confirmed]) {
    const { decision, reasonCode, message, matchedRules } = decided(summaryOf(run, holds));
    expect([decision, reasonCode, message, matchedRules]).toEqual([
      "REVIEW",
      "",
      "the transaction is being looked at",
      [],
    ]);
  }
});

test("lists that cannot be asked make a review by their own code, and an unknown recipient one by none", () => {
  expect(decided(summaryOf({ ...run, state: "UNAVAILABLE" }, []))).toMatchObject({
    decision: "REVIEW",
    reasonCode: "SCREENING_UNAVAILABLE",
  });
  expect(decided(summaryOf({ ...run, state: "UNKNOWN" }, []))).toMatchObject({ decision: "REVIEW", reasonCode: "" });
});

test("a confirmed hit outweighs lists that are away: it is not named as their absence", () => {
  expect(verdictOf(summaryOf({ ...run, state: "UNAVAILABLE" }, confirmed))).toBe("CONFIRMED");
});

test("stops of other recipients do not hold up a transaction, those of the customer hold up all", () => {
  const holds = withHold(withHold([], "B-1", "OPEN"), "", "OPEN");
  expect(holdsOn(holds, "B-2").map(({ recipientKey: of }) => of)).toEqual([""]);
  expect(holdsOn(holds, "B-1").map(({ recipientKey: of }) => of)).toEqual(["", "B-1"]);
  expect(holdsOn(withHold([], "B-1/holder", "OPEN"), "B-1")).toHaveLength(1);
  expect(withHold(holds, "", undefined).map(({ recipientKey: of }) => of)).toEqual(["B-1"]);
});

test("a screening is as its gravest hit: one that was asked about is still open", () => {
  const status = (...states: HitState[]) => statusOf(states.map((state) => ({ state })));
  expect(status("FALSE_POSITIVE", "EXEMPT", "RELEASED")).toBe("NO_HIT");
  expect(status("FALSE_POSITIVE", "CONFIRMATION_ASKED")).toBe("IN_REVIEW");
  expect(status("OPEN", "CONFIRMED")).toBe("CONFIRMED_HIT");
});

test("the basis names the same lists alike in any order, and another policy otherwise", () => {
  const [eu, un] = [
    { source: "EU", listId: "l1", version: 1 },
    { source: "UN", listId: "l2", version: 1 },
  ] as const;
  expect(basisOf(0, [eu, un])).toBe(basisOf(0, [un, eu]));
  expect(basisOf(1, [eu, un])).not.toBe(basisOf(0, [eu, un]));
});

test("an exemption holds until its day, and not for another name, once ended or once void", () => {
  const exemption = { identityFingerprint: "a", until: new Date(2_000) } as Exemption;
  const now = new Date(1_000);
  expect(stateOf(exemption, now, "a")).toBe("VALID");
  expect(stateOf(exemption, new Date(2_000), "a")).toBe("OVER");
  expect(stateOf(exemption, now, "b")).toBe("VOID");
  expect(stateOf({ ...exemption, voidAt: now }, now, "a")).toBe("VOID");
  expect(stateOf({ ...exemption, ended: { at: now, by: "MA1", reason: "" } }, now, "a")).toBe("ENDED");
});

test("a policy that screens nobody, or names what there is not, is refused by path", () => {
  const content = contentOf(platformPolicy(800));
  expect(checkScreeningPolicy({ ...content, lists: ["UK", "EU"] }).lists).toEqual(["EU", "UK"]);
  const pathsOf = (requested: Parameters<typeof checkScreeningPolicy>[0]) => {
    try {
      checkScreeningPolicy(requested);
    } catch (error) {
      return (error as { details: { errors: { path: string }[] } }).details.errors.map(({ path }) => path);
    }
    return [];
  };
  expect(pathsOf({ ...content, lists: [] })).toEqual(["lists"]);
  expect(pathsOf({ ...content, lists: ["EU", "XX", "EU"], threshold: 1_001, otherYearOfBirth: "" })).toEqual([
    "lists.1",
    "lists.2",
    "threshold",
    "otherYearOfBirth",
  ]);
});
