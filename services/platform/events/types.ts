/** What an event can be about, as its subject says. */
export const subjectTypes = [
  "transaction",
  "payment",
  "wallet",
  "customer",
  "requirement",
  "loan",
  "investment",
  "approval",
  "settlement",
  "agent_settlement",
  "partner",
  "agent",
  "webhook_endpoint",
] as const;
export type SubjectType = (typeof subjectTypes)[number];

/**
 * Every type of event, in the order of the documentation. A type is its
 * subject's and what became of it.
 */
export const eventTypes = [
  "transaction.created",
  "transaction.approved",
  "transaction.paid",
  "transaction.processing",
  "transaction.ready_for_pickup",
  "transaction.completed",
  "transaction.failed",
  "transaction.returned",
  "transaction.refunded",
  "transaction.cancelled",
  "transaction.expired",
  "transaction.rejected",
  "transaction.amended",
  "payment.succeeded",
  "payment.failed",
  "payment.refunded",
  "wallet.credited",
  "wallet.debited",
  "wallet.frozen",
  "customer.registered",
  "customer.confirmed",
  "customer.blocked",
  "requirement.outstanding",
  "requirement.fulfilled",
  "requirement.expired",
  "loan.approved",
  "loan.disbursed",
  "loan.repayment_verified",
  "loan.repayment_rejected",
  "loan.repayment_overdue",
  "loan.paid_off",
  "investment.accepted",
  "investment.matured",
  "investment.redeemed",
  "investment.dividend_paid",
  "approval.asked",
  "approval.decided",
  "settlement.posted",
  "settlement.refused",
  "settlement.reversed",
  "agent_settlement.closed",
  "agent_settlement.approved",
  "agent_settlement.disputed",
  "agent_settlement.paid",
  "partner.balance_low",
  "partner.balance_restored",
  "agent.float_low",
  "webhook_endpoint.test",
] as const;
export type EventType = (typeof eventTypes)[number];

/** Sent on request to one endpoint; nobody subscribes to it. */
export const testEventType = "webhook_endpoint.test" satisfies EventType;

/**
 * Types that would tip off whom they are about: they reach nobody without the compliance
 * permission.
 */
const confidential: ReadonlySet<EventType> = new Set(["customer.blocked"] as const);

export function isEventType(text: string): text is EventType {
  return (eventTypes as readonly string[]).includes(text);
}

export function isSubjectType(text: string): text is SubjectType {
  return (subjectTypes as readonly string[]).includes(text);
}

/** The part before the full stop. */
export function subjectTypeOf(type: EventType): SubjectType {
  return type.slice(0, type.indexOf(".")) as SubjectType;
}

export function isConfidential(type: EventType): boolean {
  return confidential.has(type);
}
