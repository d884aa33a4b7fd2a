import { isMovement } from "../domain/conditions.js";
import type { CustomerRecord } from "../domain/customer.js";
import type { Outcome } from "../domain/decision.js";
import type { DecisionBasis } from "../domain/decision-inputs.js";
import type { Origin } from "../../common/domain/origin.js";
import { documentsRequiredBy } from "../domain/policy.js";
import { demandDocuments } from "../domain/requirements.js";
import { verifiedBy } from "../domain/transparency.js";
import type { ComplianceStore, Session } from "../store/index.js";
import type { Customers } from "./customers.js";

const maxFlags = 20;

/** The document of a sender whom a transparency profile asks to be verified. */
export const verificationRequired = { kind: verifiedBy, ruleId: "transparency" };

function isVerificationMissing({ decision, outstandingRequirements, transparency }: Outcome): boolean {
  const isAsked = transparency?.members.includes(verifiedBy) === true;
  return decision === "PENDING" && isAsked && outstandingRequirements.includes(verifiedBy);
}

export type NoteOnCustomer = ReturnType<typeof createNoteOnCustomer>;

/** Notes on the customer that rules stopped a transaction, and the documents that it needs. */
export function createNoteOnCustomer({ store, customers }: { store: ComplianceStore; customers: Customers }) {
  /**
   * Inside the transaction that decides, and needs its lock. The customer after it; undefined where
   * nothing is noted.
   */
  return async function noteOnCustomer(
    origin: Origin,
    basis: DecisionBasis,
    outcome: Outcome,
    session: Session,
  ): Promise<CustomerRecord | undefined> {
    const { customer, policy, now, inputs } = basis;
    if (customer.person === undefined) return undefined;
    const tenant = store.forTenant(origin.tenantId);
    const isStopped = outcome.reasonCode === "RULE_REJECTED" || (outcome.decision === "REVIEW" && policy !== undefined);
    const isFlagged = isStopped && isMovement(inputs.facts.operation);
    const requested = outcome.decision === "PENDING" ? documentsRequiredBy(policy, outcome) : [];
    if (isVerificationMissing(outcome)) requested.push(verificationRequired);
    const isNew = requested.some(({ kind }) => !inputs.met.includes(kind));
    if (!isFlagged && !isNew) return undefined;
    const worked = {
      ...customer,
      requirements: demandDocuments(customer.requirements, requested, now),
      flagged: isFlagged ? [...customer.flagged, now].slice(-maxFlags) : customer.flagged,
    };
    const cause = `transaction ${inputs.facts.transactionId}`;
    return customers.keep(origin, customer, worked, customer.person, cause, { now, policy, session, tenant });
  };
}
