import { approvalKinds } from "../../platform/approvals/approval-kinds.js";
import type { ApprovalChange } from "../../platform/approvals/approval-changes.js";
import type { ApprovalEffect, KnownEffects } from "../../platform/approvals/approval-effects.js";
import { compareMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Role } from "./roles.js";

export const approvalStatuses = ["PENDING", "APPROVED", "REFUSED", "EXPIRED"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export interface ApprovalRecord {
  approvalId: string;
  kind: ApprovalKind;
  service: string;
  subject: string;
  summary: string;
  /** Whom it is about, where whoever asked has said so. */
  customerId?: string;
  amount?: { minor: bigint; currency: string };
  payloadJson: string;
  status: ApprovalStatus;
  askedBy: string;
  /** The user whom it is about, where it is about one. */
  concernedUserId?: string;
  askedBecause: string;
  /** What differs once it is approved, as it was when it was asked for. */
  changes?: readonly ApprovalChange[];
  /** How many more there are than these. */
  moreChanges?: number;
  askedAt: Date;
  expiresAt: Date;
  decidedBy?: string;
  decidedBecause?: string;
  decidedAt?: Date;
  /** Of identity's own: when its outcome was carried out, so that this is once. */
  carriedOutAt?: Date;
  /** What was approved, as whoever decided was shown it; absent where one person was enough. */
  agreed?: Foreseen;
  /** What was carried out beyond that. */
  joined?: KnownEffects;
}

/**
 * What carrying an approval out does, as its service tells it: the first thousand
 * effects, and a digest over all.
 */
export interface Foreseen {
  digest: string;
  effects: readonly ApprovalEffect[];
  count: number;
  /** Of the rest. */
  prints?: string;
}

export { approvalKinds };
export type ApprovalKind = (typeof approvalKinds)[number];

/** An amount below which the one who asks is enough. */
export interface SinglePersonLimit {
  kind: ApprovalKind;
  below: Money;
}

const cashierAsks: readonly ApprovalKind[] = [
  "REPAYMENT_VERIFICATION",
  "REFUND",
  "CASH_IN",
  "TILL_CLOSING",
  "CASH_ORDER",
];
const agentAsks: readonly ApprovalKind[] = ["CORRIDOR_CHANGE", "TILL_CLOSING"];
/** What a service asks by itself, and no person does. */
const servicesAsk: Partial<Record<ApprovalKind, string>> = { RATE_CHANGE: "remittance" };

/** Whether a service may ask without a person. Refuses UNAUTHENTICATED where a person must. */
export function assertServiceMayRequest(service: string, kind: ApprovalKind): void {
  if (servicesAsk[kind] !== service) throw new Refusal("UNAUTHENTICATED", "a user's access token is required");
}

/**
 * Who may ask: MANAGERs; CASHIERs for repayments, refunds, cash-ins, their tills and cash of
 * their branch; AGENTs for
 * customers they manage, for corridors and their tills; nobody for what services ask. Refuses
 * FORBIDDEN.
 */
export function assertMayRequest(role: Role, kind: ApprovalKind, managesCustomer: boolean): void {
  const may =
    (role === "MANAGER" && servicesAsk[kind] === undefined) ||
    (role === "CASHIER" && cashierAsks.includes(kind)) ||
    (role === "AGENT" && (agentAsks.includes(kind) || (managesCustomer && servicesAsk[kind] === undefined)));
  if (!may) throw new Refusal("FORBIDDEN", `this ${role} may not ask for it`);
}

/** Who may decide: a MANAGER who is not the one who asked. Refuses FORBIDDEN. */
export function assertMayDecide(user: { userId: string; role: Role }, requestedBy: string): void {
  if (user.role !== "MANAGER") throw new Refusal("FORBIDDEN", "only a MANAGER decides");
  if (user.userId === requestedBy)
    throw new Refusal("FORBIDDEN", "nobody decides about what they asked for themselves");
}

/** Whether it is about the user themself, who neither reads nor decides it. */
export function concerns(
  { concernedUserId }: Pick<ApprovalRecord, "concernedUserId">,
  userId: string | undefined,
): boolean {
  return concernedUserId !== undefined && concernedUserId === userId;
}

/**
 * Kinds that tell of screening: why something waits is for people, and API
 * tokens that may read compliance.
 */
export const screeningKinds: readonly ApprovalKind[] = ["SCREENING_CONFIRMATION", "SCREENING_RELEASE"];

/**
 * Kinds that a caller must not learn of. `scopes` are those of an API token;
 * people who logged in have none.
 */
export function hiddenKinds(scopes: readonly string[] | undefined): readonly ApprovalKind[] {
  return scopes === undefined || scopes.includes("compliance:read") ? [] : screeningKinds;
}

/**
 * What of a list a user may read: nothing that concerns them, or that is hidden from their token.
 */
export function visibleTo({ userId, scopes }: { userId: string; scopes?: readonly string[] }) {
  return { hidden: hiddenKinds(scopes), reader: userId };
}

/**
 * Decided by people alone: what is found of somebody, who sends codes, pays out or says who
 * passes, and what guards accounts.
 */
const peopleDecide: readonly ApprovalKind[] = [...screeningKinds, "PARTNER_CHANGE", "SETTING_CHANGE"];

/** Refuses FORBIDDEN for an API token where people alone decide. */
export function assertPersonDecides(kind: ApprovalKind, scopes: readonly string[] | undefined): void {
  if (scopes !== undefined && peopleDecide.includes(kind)) {
    throw new Refusal("FORBIDDEN", "an API token cannot decide this: a person who has logged in must");
  }
}

/**
 * Whether the tenant lets one person be enough: only for an amount, and only below its limit in
 * that currency.
 */
export function isOneEnough(
  kind: ApprovalKind,
  amount: Money | undefined,
  limits: readonly SinglePersonLimit[],
): boolean {
  return (
    amount !== undefined &&
    limits.some(
      (limit) =>
        limit.kind === kind && limit.below.currency === amount.currency && compareMoney(amount, limit.below) < 0,
    )
  );
}
