import type { BusinessClock } from "../../platform/preferences/business-clock.js";

/** The business day, such as "2026-11-30", of what moves nothing in the ledger. */
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
