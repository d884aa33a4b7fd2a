import type { Queue } from "./types";

export const groups = ["decide", "money", "stuck"] as const;
export type Group = (typeof groups)[number];

interface Shown {
  group: Group;
  /** The page that has what is counted. */
  to?: string;
  /** Of this kind one is already too many. */
  isAlarm?: true;
}

// APPROVALS_PENDING is left out: what oneself asked for is not for oneself to decide.
const shown = {
  APPROVALS_TO_DECIDE: { group: "decide", to: "/approvals" },
  REFUNDS_TO_DECIDE: { group: "decide", to: "/approvals" },
  REVIEWS_WAITING: { group: "decide", to: "/reviews" },
  SCREENING_HITS_IN_REVIEW: { group: "decide", to: "/screenings?status=IN_REVIEW" },
  DOCUMENTS_TO_REVIEW: { group: "decide", to: "/reviews?show=documents" },
  CASES_MINE: { group: "decide", to: "/cases?queue=MINE" },
  CASES_OVERDUE: { group: "decide", to: "/cases?queue=OVERDUE", isAlarm: true },
  CASES_UNASSIGNED: { group: "decide", to: "/cases?queue=UNASSIGNED" },
  CASES_OPEN: { group: "decide", to: "/cases" },
  LOAN_APPLICATIONS_TO_DECIDE: { group: "decide", to: "/loans?status=SUBMITTED" },
  REPAYMENTS_TO_VERIFY: { group: "decide", to: "/loan-repayments" },
  PAYOUTS_FAILED: { group: "money", to: "/transactions?status=FAILED", isAlarm: true },
  PAYOUTS_UNCLEAR: { group: "money", to: "/transactions?unclear=true", isAlarm: true },
  PAYOUTS_WITHOUT_CARRIER: { group: "money", to: "/transactions?status=PAID", isAlarm: true },
  PAYOUTS_HELD: { group: "money", to: "/transactions?held=true" },
  PAYOUTS_PROCESSING: { group: "money", to: "/transactions?status=PROCESSING" },
  TRANSACTIONS_AWAITING_COMPLIANCE: { group: "money", to: "/transactions?status=AWAITING_COMPLIANCE" },
  CREDITS_UNMATCHED: { group: "money", to: "/money" },
  ARRIVALS_HELD: { group: "money", to: "/money?show=held" },
  LOAN_CREDITS_IN_SUSPENSE: { group: "money", to: "/loan-repayments?show=suspense" },
  WEBHOOK_ENDPOINTS_DISABLED: { group: "stuck", to: "/webhooks", isAlarm: true },
  WEBHOOK_ENDPOINTS_FAILING: { group: "stuck", to: "/webhooks", isAlarm: true },
  IDENTITY_ROWS_PARKED: { group: "stuck", isAlarm: true },
  COMPLIANCE_ROWS_PARKED: { group: "stuck", isAlarm: true },
  REMITTANCE_ROWS_PARKED: { group: "stuck", isAlarm: true },
  WALLET_ROWS_PARKED: { group: "stuck", isAlarm: true },
  LENDING_ROWS_PARKED: { group: "stuck", isAlarm: true },
  INVESTMENT_ROWS_PARKED: { group: "stuck", isAlarm: true },
  LEDGER_ROWS_PARKED: { group: "stuck", isAlarm: true },
  EVENTS_ROWS_PARKED: { group: "stuck", isAlarm: true },
} satisfies Record<string, Shown>;

export interface ShownQueue extends Shown {
  name: keyof typeof shown;
  count: Queue["count"];
  atLeast?: boolean | undefined;
  oldestAt?: string | undefined;
}

/** What waits, in the order above; empty queues are no line. */
export function waitingIn(group: Group, queues: readonly Queue[]): readonly ShownQueue[] {
  const counted = new Map<string, Queue>(queues.map((queue) => [queue.queue, queue]));
  return (Object.entries(shown) as [keyof typeof shown, Shown][]).flatMap(([name, how]) => {
    const queue = counted.get(name);
    if (how.group !== group || queue === undefined || queue.count === 0) return [];
    return [{ ...how, name, count: queue.count, atLeast: queue.atLeast, oldestAt: queue.oldestAt }];
  });
}

const services: Readonly<Record<string, string>> = {
  APPROVALS: "identity",
  REFUNDS: "identity",
  IDENTITY: "identity",
  CASES: "compliance",
  REVIEWS: "compliance",
  SCREENING: "compliance",
  DOCUMENTS: "compliance",
  COMPLIANCE: "compliance",
  TRANSACTIONS: "remittance",
  PAYOUTS: "remittance",
  REMITTANCE: "remittance",
  CREDITS: "wallet",
  ARRIVALS: "wallet",
  WALLET: "wallet",
  REPAYMENTS: "lending",
  LOAN: "lending",
  LENDING: "lending",
  INVESTMENT: "investment",
  LEDGER: "ledger",
  WEBHOOK: "events",
  EVENTS: "events",
};

/** Services that are away, by the queues that nobody answered for. */
export function awayOf(unavailable: readonly string[]): readonly string[] {
  return [...new Set(unavailable.map((name) => services[name.split("_")[0] ?? ""] ?? name))];
}
