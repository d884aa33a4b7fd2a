import type { RiskProfile } from "./conditions.js";
import { isOptional, noCounterRules, type CounterFacts, type SeenDocument } from "./counter.js";
import { counterOf, type KnowYourCustomerRule, type PolicyContent } from "./policy.js";

export type RequirementState = "OUTSTANDING" | "FULFILLED" | "REJECTED" | "EXPIRED";

/** Something that a customer must show; one per customer and kind. */
export interface Requirement {
  requirementId: string;
  /** EMAIL, PHONE_NUMBER, IDENTITY_DOCUMENT… or a document that a transaction rule asks for. */
  kind: string;
  state: RequirementState;
  /** Demanded of the customer whatever they send; documents for a transaction are not. */
  mandatory: boolean;
  /** Rules of the current policy that ask for it, or that asked for it at a transaction. */
  ruleIds: string[];
  origin: "KYC" | "TRANSACTION";
  /** 1, then one more with each renewal. */
  cycle: number;
  validityDays?: number;
  createdAt: Date;
  fulfilledAt?: Date;
  /** Until when a fulfilled one counts; for good where absent. */
  expiresAt?: Date;
  reason: string;
  /** Who or what fulfilled or rejected it: a user's id, "link", "code" or "provider". */
  by?: string;
  /** When what fulfilled it is over by itself, such as a document. */
  notAfter?: Date;
  /** A document that was handed in and waits for its review. */
  documentId?: string;
}

const dayMs = 86_400_000;
const contactKinds: ReadonlySet<string> = new Set(["EMAIL", "PHONE_NUMBER"]);
// A document is renewed before it is over, so that nothing stops in between.
const renewableDays = 30;

/** Whether it counts now, also where no sweep has been by since it expired. */
export function isMet({ state, expiresAt }: Requirement, now: Date): boolean {
  return state === "FULFILLED" && (expiresAt === undefined || expiresAt > now);
}

/**
 * Whether a document is asked for it now: it is not met, or ends soon. A
 * contact is confirmed by other means.
 */
export function requiresDocument(one: Requirement, now: Date): boolean {
  if (contactKinds.has(one.kind)) return false;
  return !isMet(one, new Date(now.getTime() + renewableDays * dayMs));
}

/**
 * Requirements that the policy makes for a customer now: new ones are added, others follow their
 * rules, what is over expires.
 */
export function refreshRequirements(
  before: readonly Requirement[],
  policy: PolicyContent | undefined,
  { country, profile, counter }: { country: string; profile: RiskProfile; counter?: CounterFacts | undefined },
  now: Date,
): Requirement[] {
  const atCounter = policy === undefined ? noCounterRules : counterOf(policy);
  const rules = (policy?.knowYourCustomerRules ?? []).filter((rule) => applies(rule, country, profile));
  const kinds = [...new Set(rules.map((rule) => rule.requirement))];
  const followed = before.map((one) => follow(one, rules, now));
  const added = kinds
    .filter((kind) => !before.some((one) => one.kind === kind))
    .map((kind) => follow(newRequirement(kind, "KYC", [], now), rules, now));
  const requested = [...followed, ...added].map((one) =>
    isOptional(one.kind, atCounter, counter) ? { ...one, mandatory: false } : one,
  );
  return atCounter.seenDocuments && counter?.seen !== undefined ? withSeen(requested, counter.seen, now) : requested;
}

const shownByDocument = "IDENTITY_DOCUMENT";

/**
 * The rule about an identity document as fulfilled by one that staff saw, until that is over. What
 * was rejected, or waits for its review, is decided by whoever reviews.
 */
function withSeen(requirements: readonly Requirement[], { at, by, until }: SeenDocument, now: Date): Requirement[] {
  const found = requirements.find(({ kind }) => kind === shownByDocument);
  const open = found ?? newRequirement(shownByDocument, "TRANSACTION", [], now);
  if (isMet(open, now) || open.state === "REJECTED" || open.documentId !== undefined) return [...requirements];
  const reason = "a document was seen at the counter";
  const shown = { ...fulfil(open, by, reason, at), ...(until !== undefined && { notAfter: until }) };
  const fulfilled = { ...shown, ...expiry(at, shown.validityDays, until) };
  if (!isMet(fulfilled, now)) return [...requirements];
  return found === undefined
    ? [...requirements, fulfilled]
    : requirements.map((one) => (one === found ? fulfilled : one));
}

/** What transaction rules ask for, added or asked for anew. */
export function demandDocuments(
  before: readonly Requirement[],
  requested: readonly { kind: string; ruleId: string; validityDays?: number }[],
  now: Date,
): Requirement[] {
  const after = [...before];
  for (const { kind, ruleId, validityDays } of requested) {
    const index = after.findIndex((one) => one.kind === kind);
    const found = after[index] ?? newRequirement(kind, "TRANSACTION", [], now);
    const ruleIds = found.ruleIds.includes(ruleId) ? found.ruleIds : [...found.ruleIds, ruleId];
    const demanded = { ...(isMet(found, now) ? found : renew(found)), ruleIds, ...(validityDays && { validityDays }) };
    if (index < 0) after.push(demanded);
    else after[index] = demanded;
  }
  return after;
}

/** Asked for once more, where it was rejected or is over; as it is where it is open already. */
export function renew(one: Requirement): Requirement {
  if (one.state === "OUTSTANDING") return one;
  const { fulfilledAt: _at, expiresAt: _until, notAfter: _end, by: _by, documentId: _document, ...rest } = one;
  return { ...rest, state: "OUTSTANDING", cycle: one.cycle + 1, reason: "" };
}

/** What of a person identity tells of when it changes. */
export const personParts = ["EMAIL", "PHONE_NUMBER", "NAME", "DETAILS", "ADDRESS", "REGISTERED"] as const;
export type PersonPart = (typeof personParts)[number];

// These show who somebody is by their name, so a new name asks for them anew.
const shownBy: Partial<Record<PersonPart, readonly string[]>> = {
  NAME: ["IDENTITY_DOCUMENT", "PROOF_OF_ADDRESS", "BVN"],
  // Another address than the one that was proven.
  ADDRESS: ["PROOF_OF_ADDRESS"],
  DETAILS: [],
  REGISTERED: [],
};

/**
 * What was shown of a person before a part of them changed is outstanding again; a document in
 * review too, which names who they were.
 */
export function requireAnew(one: Requirement, changed: readonly PersonPart[]): Requirement {
  const isShown = changed.some((part) => (shownBy[part] ?? [part]).includes(one.kind));
  if (!isShown) return one;
  const { documentId: _document, ...rest } = renew(one);
  return rest;
}

export function fulfil(one: Requirement, by: string, reason: string, now: Date): Requirement {
  const { documentId: _document, expiresAt: _until, notAfter: _end, ...rest } = one;
  return { ...rest, state: "FULFILLED", fulfilledAt: now, by, reason, ...expiry(now, one.validityDays) };
}

export function reject(one: Requirement, by: string, reason: string): Requirement {
  const { documentId: _document, ...rest } = one;
  return { ...rest, state: "REJECTED", by, reason };
}

/** When the next fulfilled one is over. */
export function nextExpiry(requirements: readonly Requirement[]): Date | undefined {
  const ends = requirements.filter((one) => one.state === "FULFILLED").flatMap((one) => one.expiresAt ?? []);
  return ends.length === 0 ? undefined : new Date(Math.min(...ends.map((end) => end.getTime())));
}

function applies({ countries, riskProfiles }: KnowYourCustomerRule, country: string, profile: RiskProfile): boolean {
  const ofCountry = countries.length === 0 || countries.includes(country);
  return ofCountry && (riskProfiles.length === 0 || riskProfiles.includes(profile));
}

function follow(one: Requirement, rules: readonly KnowYourCustomerRule[], now: Date): Requirement {
  const asking = rules.filter((rule) => rule.requirement === one.kind);
  const isTransactions = one.origin === "TRANSACTION" && asking.length === 0;
  const days = asking.flatMap((rule) => rule.validityDays ?? []);
  const { validityDays: _days, expiresAt: _until, ...rest } = one;
  const validityDays = isTransactions ? one.validityDays : days.length === 0 ? undefined : Math.min(...days);
  const followed: Requirement = {
    ...rest,
    ...(validityDays !== undefined && { validityDays }),
    ...(one.fulfilledAt !== undefined && expiry(one.fulfilledAt, validityDays, one.notAfter)),
    mandatory: asking.some((rule) => rule.mandatory),
    ruleIds: isTransactions ? one.ruleIds : asking.map((rule) => rule.id),
  };
  if (followed.state !== "FULFILLED" || isMet(followed, now)) return followed;
  return { ...followed, state: "EXPIRED", reason: "its time is over" };
}

function newRequirement(kind: string, origin: Requirement["origin"], ruleIds: string[], now: Date): Requirement {
  return {
    requirementId: `${kind.toLowerCase().replaceAll("_", "-")}`,
    kind,
    state: "OUTSTANDING",
    mandatory: false,
    ruleIds,
    origin,
    cycle: 1,
    createdAt: now,
    reason: "",
  };
}

function expiry(from: Date, days: number | undefined, notAfter?: Date): { expiresAt?: Date } {
  const ends = [
    ...(days === undefined ? [] : [from.getTime() + days * dayMs]),
    ...(notAfter ? [notAfter.getTime()] : []),
  ];
  return ends.length === 0 ? {} : { expiresAt: new Date(Math.min(...ends)) };
}
