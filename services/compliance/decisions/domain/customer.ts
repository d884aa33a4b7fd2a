import { isDeepStrictEqual } from "node:util";
import { confirmationOf } from "./confirmation.js";
import { isHeldByBlock } from "./customer-blocks.js";
import type { CounterFacts } from "./counter.js";
import type { DecisionKind } from "./decision.js";
import type { CustomerStatus } from "./moves.js";
import type { PolicyContent } from "./policy.js";
import { isMet, nextExpiry, refreshRequirements, type Requirement } from "./requirements.js";
import { riskProfile, riskScore, type RiskScore } from "./risk.js";
import { defaultRiskModel } from "./risk-model.js";
import type { RiskProfile } from "./conditions.js";
import type { KnownDetail } from "./personal-details.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import type { Block, SubjectHold } from "../../screening/domain/subject-hold.js";

/** Who a customer is, as identity knows it. */
export interface Person {
  customerId: string;
  userId: string;
  /** Alpha-3. */
  country: string;
  email: string;
  phoneNumber: string;
  /** ISO 639, or empty where they chose none. */
  language: string;
  /** User id of the AGENT who manages them, or empty. */
  agentId: string;
  registeredAt: Date;
  /** Which personal details identity has of them. */
  details: KnownDetail[];
  /** As they are compared with lists. */
  party: ScreenedParty;
  /** What staff did at the counter; absent where nothing. */
  counter?: CounterFacts;
}

/** What of a person their requirements and score are worked out from. */
export type AssessedPerson = Pick<Person, "country" | "registeredAt" | "counter">;

/**
 * Everything compliance holds of a customer: one document, so that what depends on it is decided at
 * one version.
 */
export interface CustomerRecord {
  customerId: string;
  /** Raised by every change; outbox rows of the customer run in its order. */
  version: number;
  status: CustomerStatus;
  /** Of the status: 1, 2, 3…; 0 before the first. */
  sequence: number;
  reason: string;
  decision: DecisionKind;
  requirements: Requirement[];
  /** When rules stopped a transaction; the last 20. */
  flagged: Date[];
  risk?: RiskScore & { sequence: number };
  /** The policy that this was worked out with; -1 when it must be worked out anew. */
  policyVersion: number;
  /** When something expires next. */
  nextExpiryAt?: Date;
  /** What the score was made from; absent before the first. */
  person?: AssessedPerson;
  /** The last change of the person that identity told of. */
  personRevision?: number;
  /** The last of those that changed their name or their details. */
  detailsRevision?: number;
  /** Of the last check of their identity that left it to staff: the same is not asked again. */
  identityAnswered?: string;
  /** Which personal details they have given; absent before identity was asked. */
  details?: KnownDetail[];
  /** Hits that keep money where it is: of the customer and of those they send to. */
  holds?: SubjectHold[];
  /** Confirmed hits by which they are BLOCKED; the first holds the status that they had. */
  blocks?: Block[];
  /** They were BLOCKED once: what is told of their status since would tell that they were. */
  wasBlocked?: true;
}

/** A change of a customer's status, as its history keeps it. */
export interface StatusChange {
  customerId: string;
  /** 1, 2, 3… per customer. */
  sequence: number;
  status: CustomerStatus;
  reason: string;
  at: Date;
  actor: string;
  interactionId: string;
}

export function newCustomer(customerId: string): CustomerRecord {
  return {
    customerId,
    version: 0,
    status: "PENDING",
    sequence: 0,
    reason: "",
    decision: "PENDING",
    requirements: [],
    flagged: [],
    policyVersion: -1,
  };
}

export interface Assessment {
  customer: CustomerRecord;
  /** Whether score, profile, factors or decision differ from the last. */
  isRescored: boolean;
  /** Whether the approval threshold has just confirmed the customer. */
  isConfirmed: boolean;
}

/**
 * Requirements, score and decision by a policy, now. Approval confirms a customer who was waiting
 * for it.
 */
export function assess(
  before: CustomerRecord,
  person: AssessedPerson,
  policy: (PolicyContent & { version: number }) | undefined,
  now: Date,
): Assessment {
  const model = policy?.riskModel ?? defaultRiskModel;
  const known = { country: person.country, registeredAt: person.registeredAt, flagged: before.flagged };
  const requirements = refreshRequirements(
    before.requirements,
    policy,
    { country: person.country, profile: riskProfile(model, known, now), counter: person.counter },
    now,
  );
  const scored = riskScore(model, { ...known, requirements }, now);
  const { sequence: last = 0, ...earlier } = before.risk ?? {};
  const isRescored = !isDeepStrictEqual(earlier, scored);
  const confirmation = confirmationOf(before.status, scored.decision);
  const { nextExpiryAt: _expiry, ...rest } = before;
  const next = nextExpiry(requirements);
  const customer: CustomerRecord = {
    ...rest,
    requirements,
    person: assessedOf(person),
    decision: scored.decision,
    risk: { ...scored, sequence: isRescored ? last + 1 : last },
    policyVersion: policy?.version ?? 0,
    ...(next && { nextExpiryAt: next }),
    ...confirmation,
    // Whatever else is decided on them, a confirmed hit ends by two people's word alone.
    ...(isHeldByBlock(before) && { status: "BLOCKED" }),
  };
  return { customer, isRescored, isConfirmed: confirmation !== undefined };
}

export function assessedOf({ country, registeredAt, counter }: AssessedPerson): AssessedPerson {
  return { country, registeredAt, ...(counter !== undefined && { counter }) };
}

/** Whether the record can be decided with as it is. */
export function isCurrent(
  customer: Pick<CustomerRecord, "policyVersion" | "nextExpiryAt">,
  policyVersion: number,
  now: Date,
): boolean {
  const isOver = customer.nextExpiryAt !== undefined && customer.nextExpiryAt <= now;
  return customer.policyVersion === policyVersion && !isOver;
}

/** What a decision on a transaction needs to know of the customer. */
export function statusFactsOf(customer: CustomerRecord, now: Date) {
  const { status, requirements, risk } = customer;
  return {
    customerStatus: status,
    profile: risk?.profile ?? ("LOW" as RiskProfile),
    unmet: requirements
      .filter((one) => one.mandatory && !isMet(one, now))
      .map(({ kind }) => kind)
      .toSorted(),
    met: requirements
      .filter((one) => isMet(one, now))
      .map(({ kind }) => kind)
      .toSorted(),
  };
}
