import { paidTransaction } from "../../../test/support/transactions.js";
import type { ComplianceOutcome } from "../domain/compliance-outcome.js";
import type { Transaction } from "../domain/transaction.js";
import type { TransparencyFacts } from "../domain/transparency.js";
import { askAtClaim, type AskAtClaimDeps } from "./claim-transparency.js";
import { createTransparencyProfiles } from "./transparency-profiles.js";

const call = { tenantId: "t", interactionId: "i" };
const outcome: ComplianceOutcome = {
  decision: "APPROVED",
  reasonCode: "",
  message: "",
  outstandingRequirements: [],
  policyVersion: 4,
};

test("a claim goes by no older policy than has decided on the order, however long profiles are kept", async () => {
  const own = { profile: "OWN", originCountries: ["USA"], currency: "USD", linkedHours: 24, rows: [] };
  let published = 3;
  let asked = 0;
  const profiles = createTransparencyProfiles({
    compliance: {
      getTransparencyProfiles: async () => {
        asked += 1;
        return {
          policyVersion: published,
          profiles: published === 3 ? [] : [{ ...own, onMissing: "", standardRows: [] }],
        };
      },
    },
    keepForMs: 600_000,
  });
  const seen: string[] = [];
  const facts: TransparencyFacts = { policyVersion: 4, profile: "OWN", knownMembers: [] };
  const deps: AskAtClaimDeps = {
    profiles,
    transparencyFacts: async () => facts,
    compliance: {
      checkTransparency: async ({ transactionId = "" }) => {
        seen.push(transactionId);
        return { missingMembers: ["NATIONALITY"], members: ["NATIONALITY"], policyVersion: 4, isOutdated: false };
      },
    },
  };
  expect((await profiles.of(call)).policyVersion).toBe(3);
  published = 4;
  const order = {
    ...paidTransaction("AWAITING_PAYMENT"),
    compliance: outcome,
    transferInformation: { originCountry: "USA" },
  } as Transaction;
  await expect(askAtClaim(deps, order, "WALLET", call)).resolves.toMatchObject({ missing: ["NATIONALITY"] });
  // One that the older policy decided on is claimed by it for a moment: nothing told of another.
  const older = { ...order, compliance: { ...outcome, policyVersion: 3 } };
  await askAtClaim(deps, older, "WALLET", call);
  expect([seen.length, asked]).toEqual([2, 2]);
});
