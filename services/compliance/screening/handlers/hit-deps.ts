import type { ProcessedApprovals } from "../../../platform/approvals/approval-outcomes.js";
import { hitOf, type ReleaseWay } from "../domain/hit-decision.js";
import type { Screening } from "../domain/screening.js";
import type { HitConsequences } from "../../decisions/checks/hit-consequences.js";
import { auditSubjectOf, auditSubjectsOf } from "../../common/handlers/audit.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";
import type { ScreeningDeps } from "./screening-deps.js";

/** What decisions on hits work with. */
export interface HitDeps extends ScreeningDeps, Pick<ComplianceDeps, "people" | "approvals" | "contents"> {
  consequences: HitConsequences;
  /** Approvals of which identity has told. */
  processed: ProcessedApprovals;
}

/** What goes with an approval and comes back with its outcome. */
export interface HitPayload {
  screeningId: string;
  hitIds: string[];
  /** Of a release. */
  way?: ReleaseWay;
  /** Of a customer whom nobody has assessed yet. */
  country?: string;
  /** ISO 8601. */
  registeredAt?: string;
}

/** "hit 1 (UN 6908555)" or "hits 1 (UN 6908555), 2 (EU 13.2)": names nobody. */
export function hitsText(screening: Screening, hitIds: readonly string[]): string {
  return `${hitIds.length === 1 ? "hit" : "hits"} ${namesOfHits(screening, hitIds).join(", ")}`;
}

/** Each with the entry of the list that it is of. */
export function namesOfHits(screening: Screening, hitIds: readonly string[]): string[] {
  return hitIds.map((hitId) => {
    const { source, entry } = hitOf(screening, hitId);
    return `${hitId} (${source} ${entry.entryId})`;
  });
}

/** As a sentence begins. */
export function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the audit trail keeps of a decision on a hit. */
export function auditOf(
  action: string,
  { screeningId, subject, ...screening }: Screening,
  hitId: string,
  reason: string,
) {
  const { source, entry, approvalId = "", exemption } = hitOf(screening, hitId);
  return {
    action,
    subject: auditSubjectOf(subject),
    subjects: auditSubjectsOf(subject, `screening:${screeningId}`),
    reason,
    content: {
      screeningId,
      hitId,
      of: subject.id,
      source,
      entryId: entry.entryId,
      ...(approvalId !== "" && { approvalId }),
      ...(exemption && { exemptionId: exemption.exemptionId, exemptUntil: exemption.until.toISOString() }),
    },
  };
}
