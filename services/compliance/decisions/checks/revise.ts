import type { Outbox } from "../../../kernel/outbox/index.js";
import type { Outcome } from "../domain/decision.js";
import { heldDay, type DecisionBasis } from "../domain/decision-inputs.js";
import { revisedDecision, type RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import type { ComplianceStore, Session } from "../store/index.js";
import { decisionRow } from "../../common/store/outbox-rows.js";
import { reviewRows } from "../store/review-rows.js";
import { recordHeld } from "./decide.js";

/**
 * Puts another outcome in place of one that waited, holds its part of the limits, and has
 * remittance told.
 */
export async function revise(
  { store, outbox }: { store: ComplianceStore; outbox: Outbox },
  origin: Origin,
  before: RecordedDecision,
  outcome: Outcome,
  basis: DecisionBasis,
  decidedBy: string,
  session: Session,
): Promise<RecordedDecision> {
  const tenant = store.forTenant(origin.tenantId);
  const recorded = revisedDecision(before, outcome, basis, decidedBy);
  if (recorded.reservation === "HELD") {
    await tenant.putDays([heldDay(basis)], session);
    await recordHeld(tenant, [basis], session);
  }
  await tenant.putDecision(recorded, session);
  await outbox.addAll(reviewRows(origin, recorded, basis.policy), session);
  if (recorded.inputs.facts.operation === "REMITTANCE") await outbox.add(decisionRow(origin, recorded), session);
  return recorded;
}
