import type { Call } from "../../kernel/grpc/context.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { WalletDeps } from "./deps.js";

/**
 * A business day, today where none is named, with what time it took by the clock that movements are
 * dated by: only a sandbox's business time runs ahead of it. Refuses INVALID_INPUT.
 */
export async function businessDayOf(
  { businessClock, clock }: Pick<WalletDeps, "businessClock" | "clock">,
  date: string,
  call: Call,
): Promise<{ day: Temporal.PlainDate; from: Date; to: Date }> {
  const time = await businessClock.forTenant(call.tenantId, call.interactionId);
  const day = date === "" ? time.today() : dayFromWire(date);
  const aheadMs = time.now().getTime() - clock.now().getTime();
  const startOf = (one: Temporal.PlainDate) => new Date(one.toZonedDateTime(time.timeZone).epochMilliseconds - aheadMs);
  return { day, from: startOf(day), to: startOf(day.add({ days: 1 })) };
}

function dayFromWire(date: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(date);
  } catch {
    throw invalidInput("date", "must be a date such as 2026-11-21");
  }
}
