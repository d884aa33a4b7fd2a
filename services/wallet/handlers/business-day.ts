import type { Call } from "../../kernel/grpc/context.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { WalletDeps } from "./deps.js";

/** A business day, today where none is named. Refuses INVALID_INPUT. */
export async function businessDayOf(
  { businessClock }: Pick<WalletDeps, "businessClock">,
  date: string,
  call: Call,
): Promise<Temporal.PlainDate> {
  if (date !== "") return dayFromWire(date);
  return (await businessClock.forTenant(call.tenantId, call.interactionId)).today();
}

function dayFromWire(date: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(date);
  } catch {
    throw invalidInput("date", "must be a date such as 2026-11-21");
  }
}
