import type { BusinessClock } from "../../platform/preferences/business-clock.js";

/** The ledger counts what is posted for the business day on which it is, such as "2026-11-30". */
export async function bookedDay(
  businessClock: BusinessClock,
  tenantId: string,
  interactionId: string,
  postedAt: Date,
): Promise<string> {
  const { timeZone, aheadMs } = await businessClock.forTenant(tenantId, interactionId);
  const at = Temporal.Instant.fromEpochMilliseconds(postedAt.getTime() + aheadMs);
  return at.toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
