import { randomUUID } from "node:crypto";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { systemClock, type Clock } from "./clock.js";
import { outgoing, type Client } from "../grpc/client.js";
import { preferenceKeptForMs } from "../preferences.js";

const maxTenants = 10_000;

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
}

export interface BusinessClockDeps {
  identity: Pick<Client<IdentityServiceDefinition>, "getTenantClock">;
  /** Real time; tests move it. */
  clock?: Clock;
  /** How long an answer of identity is used, real time. Never longer than preferenceKeptForMs. */
  keepForMs?: number;
}

export type BusinessClock = ReturnType<typeof createBusinessClock>;

/** Business time of tenants as identity has it; a sandbox's is moved on there. */
export function createBusinessClock({
  identity,
  clock = systemClock,
  keepForMs = preferenceKeptForMs,
}: BusinessClockDeps) {
  const kept = new Map<string, { time: Promise<BusinessTime>; until: number }>();

  // The question is shared by all who come meanwhile, so nobody's signal or deadline ends it.
  async function ask(tenantId: string, interactionId: string): Promise<BusinessTime> {
    const answer = await identity.getTenantClock({}, outgoing({ tenantId, interactionId }));
    const { offsetMs = 0n, timeZone = "" } = answer.clock ?? {};
    return businessTime(clock, Number(offsetMs), timeZone || "UTC");
  }

  return {
    /**
     * Refuses what identity refuses, such as TENANT_NOT_FOUND, and UNAVAILABLE where it is away.
     */
    forTenant(tenantId: string, interactionId: string = randomUUID()): Promise<BusinessTime> {
      const askedAt = performance.now();
      const known = kept.get(tenantId);
      if (known !== undefined && askedAt < known.until) return known.time;
      if (kept.size >= maxTenants) kept.clear();
      const time = ask(tenantId, interactionId);
      const entry = { time, until: askedAt + keepForMs };
      kept.set(tenantId, entry);
      time.catch(() => {
        if (kept.get(tenantId) === entry) kept.delete(tenantId);
      });
      return time;
    },
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
  };
}
