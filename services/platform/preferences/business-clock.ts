import { randomUUID } from "node:crypto";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { systemClock, type Clock } from "../../kernel/time/clock.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import { cachePerTenant } from "../../kernel/caching/cache-per-tenant.js";
import { preferenceCacheMs } from "./preferences.js";

/**
 * A tenant's time: what contracts, days and due dates go by. Leases, lifetimes of tokens and of
 * keys go by real time.
 */
export interface BusinessTime {
  now(): Date;
  /** The day of `now` in the tenant's time zone. */
  today(): Temporal.PlainDate;
  /** IANA name. */
  timeZone: string;
  /** By how much it is ahead of real time. */
  aheadMs: number;
}

export interface BusinessClockDeps {
  identity: Pick<Client<IdentityServiceDefinition>, "getTenantClock">;
  /** Real time; tests move it. */
  clock?: Clock;
  /** How long an answer of identity is used, real time. Never longer than preferenceKeptForMs. */
  keepForMs?: number | undefined;
}

export type BusinessClock = ReturnType<typeof createBusinessClock>;

/** Business time of tenants as identity has it; a sandbox's is moved on there. */
export function createBusinessClock({
  identity,
  clock = systemClock,
  keepForMs = preferenceCacheMs,
}: BusinessClockDeps) {
  const cached = cachePerTenant(async (tenantId, interactionId) => {
    const answer = await identity.getTenantClock({}, outgoing({ tenantId, interactionId }));
    const { offsetMs = 0n, timeZone = "" } = answer.clock ?? {};
    return businessTime(clock, Number(offsetMs), timeZone || "UTC");
  }, keepForMs);
  return {
    /**
     * Refuses what identity refuses, such as TENANT_NOT_FOUND, and UNAVAILABLE where it is away.
     */
    forTenant: (tenantId: string, interactionId: string = randomUUID()): Promise<BusinessTime> =>
      cached(tenantId, interactionId),
  };
}

/**
 * Real time moved on by so many milliseconds, with its day in a time zone. Throws RangeError for an
 * unknown zone.
 */
export function businessTime(clock: Clock, offsetMs: number, timeZone: string): BusinessTime {
  const now = () => new Date(clock.now().getTime() + offsetMs);
  return {
    now,
    today: () => Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(timeZone).toPlainDate(),
    timeZone,
    aheadMs: offsetMs,
  };
}
