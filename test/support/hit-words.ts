import type { ComplianceWorld } from "./compliance-fixture.js";
import { everybody, manager, on, question, secondManager } from "./compliance-fixture.js";
import type { Screening as WireScreening } from "../../proto/gen/compliance/v1/screening.js";

const [sender, recipient] = everybody as [(typeof everybody)[number], (typeof everybody)[number]];
/** Somebody whom one list alone has. */
const listed = { ...recipient, name: "Eliseo Fabricio Tarquesada Obregonte", countries: ["MEX"] };

let keys = 0;

/** What tests of decisions on hits say and read. */
export function hitWords(worldOf: () => ComplianceWorld) {
  const key = () => ({ idempotencyKey: `key-${(keys += 1)}` });
  const at = (replica = 0) => worldOf().screening[replica]!;

  function ofTenant(tenantId: string) {
    const { screenings, exemptions, subjects, screeningPolicies } = worldOf().replicas[0]!;
    return {
      screenings: screenings.forTenant(tenantId),
      exemptions: exemptions.forTenant(tenantId),
      subjects: subjects.forTenant(tenantId),
      policies: screeningPolicies.forTenant(tenantId),
    };
  }

  /** A transaction to somebody on a list, or from them, and what was found. */
  async function stopped(tenantId: string, parties = [sender, listed], part: object = {}) {
    const requested = question({ parties, ...part });
    const { transactionId } = requested;
    const answer = await worldOf().remittance.checkTransaction(requested, on(tenantId));
    const [found] = await ofTenant(tenantId).screenings.list({ transactionId }, { limit: 10 });
    return { asked: requested, answer, transactionId, screeningId: found!.screeningId, screening: found! };
  }

  const falsely = (screeningId: string, part: object = {}) => ({
    screeningId,
    hitId: "1",
    decision: "FALSE_POSITIVE",
    reason: "born in another year",
    ...key(),
    ...part,
  });
  const surely = (screeningId: string, part: object = {}) => falsely(screeningId, { decision: "CONFIRMED", ...part });

  return {
    sender,
    listed,
    key,
    at,
    ofTenant,
    stopped,
    falsely,
    surely,
    release: (screeningId: string) => ({
      screeningId,
      hitId: "1",
      transactions: "CONTINUE",
      reason: "the authority agreed",
    }),
    stateOf: ({ screening }: { screening?: WireScreening | undefined }) => screening!.hits[0]!.state,
    customerOf: async (tenantId: string) => (await worldOf().store.forTenant(tenantId).findCustomer("c1"))!,
    decisionOf: async (tenantId: string, transactionId: string) =>
      (await worldOf().store.forTenant(tenantId).findDecision(transactionId))!.decision,

    /** Asked for by one manager and agreed to by another. */
    async confirmed(tenantId: string, screeningId: string) {
      const { screening } = await at().decideHit(surely(screeningId), on(tenantId, manager));
      await worldOf().decideApproval(tenantId, screening!.hits[0]!.approvalId, secondManager.userId);
      return screening!.hits[0]!.approvalId;
    },
  };
}
