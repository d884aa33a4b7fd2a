import { identityQuestion, isNewIdentityQuestion } from "./identity-check.js";
import type { Requirement, RequirementState } from "./requirements.js";

const requested = (state: RequirementState, more: Partial<Requirement> = {}) => ({
  customerId: "c1",
  details: [{ detail: "DATE_OF_BIRTH" }, { detail: "IDENTITY_DOCUMENT" }],
  requirements: [
    {
      requirementId: "identity-document",
      kind: "IDENTITY_DOCUMENT",
      state,
      mandatory: true,
      ruleIds: ["rule"],
      origin: "KYC" as const,
      cycle: 1,
      createdAt: new Date(0),
      reason: "",
      ...more,
    },
  ],
});

test("a partner is asked for what is open, anew where it has expired, and not for what staff look at", () => {
  expect(identityQuestion(requested("OUTSTANDING"))).toBe("c1:identity-document:1");
  expect(identityQuestion(requested("EXPIRED"))).toBe("c1:identity-document:2");
  for (const state of ["FULFILLED", "REJECTED"] as const) {
    expect(identityQuestion(requested(state))).toBeUndefined();
  }
  expect(identityQuestion(requested("OUTSTANDING", { ruleIds: [] }))).toBeUndefined();
  expect(identityQuestion({ ...requested("OUTSTANDING"), details: [{ detail: "DATE_OF_BIRTH" }] })).toBeUndefined();
});

test("other details are another question", () => {
  const [before, after] = [1, 2].map((detailsRevision) => ({ ...requested("OUTSTANDING"), detailsRevision }));
  expect(isNewIdentityQuestion(before!, after!)).toBe(true);
  expect(isNewIdentityQuestion(after!, after!)).toBe(false);
});
