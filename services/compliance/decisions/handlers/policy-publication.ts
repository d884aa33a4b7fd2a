import type { Clock } from "../../../kernel/time/clock.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { actorOf, type Call } from "../../../kernel/grpc/context.js";
import { contentOf, type Policy, type PolicyContent, type SavedDraft } from "../domain/policy.js";
import type { Session, TenantStore } from "../store/index.js";
import { policyRow } from "../../common/store/outbox-rows.js";
import { originOf } from "../../common/handlers/deps.js";
import { auditEntry } from "../../common/handlers/audit.js";

/**
 * Makes the next version of the policy, with its entry in the audit trail; what waits is decided
 * anew by it.
 */
export async function publish(
  { outbox, clock }: { outbox: Outbox; clock: Clock },
  tenant: TenantStore,
  content: PolicyContent,
  draft: SavedDraft | undefined,
  call: Call,
  session: Session,
): Promise<Policy> {
  const version = (await tenant.findPolicyVersion(session)) + 1;
  const publishedBy = actorOf(call);
  const policy: Policy = {
    ...contentOf(content),
    version,
    publishedAt: clock.now(),
    publishedBy,
    draftedBy: draft?.savedBy ?? publishedBy,
    ...(draft && { revision: draft.revision }),
  };
  await tenant.insertPolicy(policy, session);
  const decided = {
    action: "policy.publish",
    subject: "policy",
    content: { version, revision: draft?.revision ?? 0 },
  };
  await tenant.insertAudit(auditEntry(call, clock, decided), session);
  await outbox.add(policyRow(originOf(call), version), session);
  return policy;
}
