import type { Outbox } from "../../../kernel/outbox/index.js";
import type { Outcome } from "../domain/decision.js";
import { heldDay, type DecisionBasis } from "../domain/decision-inputs.js";
import { revisedDecision, type RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import type { ComplianceStore, Session } from "../store/index.js";
import { decisionRow } from "../../common/store/outbox-rows.js";
import { reviewRows } from "../store/review-rows.js";
import { recordHeld } from "./decide.js";

export interface ReviseDeps {
  store: ComplianceStore;
  outbox: Outbox;
}

/** Another outcome of one that waited. */
export interface Revision {
  before: RecordedDecision;
  outcome: Outcome;
  basis: DecisionBasis;
}

/**
 * Puts another outcome in place of one that waited, holds its part of the limits, and has
 * remittance told.
 */
export async function revise(
  deps: ReviseDeps,
  origin: Origin,
  revision: Revision,
  decidedBy: string,
  session: Session,
): Promise<RecordedDecision> {
  const recorded = recordedBy(revision, decidedBy);
  await writeRevised(deps, origin, [{ recorded, basis: revision.basis }], session);
  return recorded;
}

export const recordedBy = ({ before, outcome, basis }: Revision, decidedBy: string): RecordedDecision =>
  revisedDecision(before, outcome, basis, decidedBy);

/**
 * Writes those of one customer that were revised together, in their order. What each holds is that
 * of its basis, which has what those before it hold.
 */
export async function writeRevised(
  { store, outbox }: ReviseDeps,
  origin: Origin,
  revised: readonly { recorded: RecordedDecision; basis: DecisionBasis }[],
  session: Session,
): Promise<void> {
  const tenant = store.forTenant(origin.tenantId);
  const holding = revised.filter(({ recorded }) => recorded.reservation === "HELD").map(({ basis }) => basis);
  const last = holding.at(-1);
  if (last !== undefined) {
    await tenant.putDays([heldDay(last)], session);
    await recordHeld(tenant, holding, session);
  }
  await tenant.putDecisions(
    revised.map(({ recorded }) => recorded),
    session,
  );
  const rows = revised.flatMap(({ recorded, basis }) => [
    ...reviewRows(origin, recorded, basis.policy),
    ...(recorded.inputs.facts.operation === "REMITTANCE" ? [decisionRow(origin, recorded)] : []),
  ]);
  if (rows.length > 0) await outbox.addAll(rows, session);
}
