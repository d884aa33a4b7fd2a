import { createBoundedCache } from "../../shared/tokens/bounded-cache.js";
import type { PastParts } from "../domain/figures.js";
import type { CustomerRecord } from "../domain/customer.js";
import type { CustomerMarks, DayRecord } from "../store/index.js";

const maxCustomers = 2_000;
const maxRecipients = 200;
const maxNames = 5_000;

/** What a process remembers of a customer after it has decided on a transaction of theirs. */
export interface KnownPast {
  marks: CustomerMarks;
  customer: CustomerRecord;
  policyVersion: number;
  day: string;
  /** Of the days before `day`. */
  parts: PastParts;
  today: DayRecord;
  /** Some of those the customer has sent to. */
  recipients: ReadonlySet<string>;
}

/** What is to be read again. */
export type Freshness = "nothing" | "today" | "everything";

/**
 * What may be used again once the customer is locked. Nobody has come between where the lock is the next after ours; where others have
 * (another replica, too), the days before today still hold while nothing says that one of them changed.
 */
export function freshnessOf(
  known: KnownPast | undefined,
  now: { marks: CustomerMarks; version: number; policyVersion: number; day: string },
): Freshness {
  if (known === undefined || known.policyVersion !== now.policyVersion || known.day !== now.day) return "everything";
  if (known.customer.version === now.version && known.marks.checks + 1 === now.marks.checks) return "nothing";
  // Until something is decided on a day, a late decision on the one before goes unnoticed.
  const isPastSame = known.marks.pastChanges === now.marks.pastChanges && known.marks.lastDay === known.day;
  return isPastSame ? "today" : "everything";
}

export type KnownPasts = ReturnType<typeof createKnownPasts>;

/** Pasts of customers, those of the least recent leaving first. What is remembered is checked against the lock, so it is never wrong. */
export function createKnownPasts() {
  const kept = createBoundedCache<KnownPast>(maxCustomers);
  const keyOf = (tenantId: string, customerId: string) => `${tenantId} ${customerId}`;
  return {
    of: (tenantId: string, customerId: string) => kept.get(keyOf(tenantId, customerId)),
    remember(tenantId: string, customerId: string, known: KnownPast): void {
      const recipients = known.recipients.size > maxRecipients ? new Set<string>() : known.recipients;
      const names = [...known.parts.values()].reduce((sum, part) => sum + part.names.size, 0);
      if (names > maxNames) return kept.delete(keyOf(tenantId, customerId));
      kept.set(keyOf(tenantId, customerId), { ...known, recipients });
    },
    forget: (tenantId: string, customerId: string) => kept.delete(keyOf(tenantId, customerId)),
  };
}
