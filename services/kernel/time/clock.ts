/** Business time. Leases, TTLs and tokens use real time instead. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
