import { setTimeout as sleep } from "node:timers/promises";

/**
 * How long the services of tests use an answer of identity about a tenant, in
 * ms, in place of the usual second.
 */
export const identityCacheMs = 100;

/** Until no service goes by what identity said of a tenant before. */
export const asksIdentityAnew = (): Promise<void> => outlast(identityCacheMs + 20);

/** A stand-in takes `ms` to answer. */
export const takes = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal === undefined ? {} : { signal });

/** What a test says must not happen has not happened `ms` later either. */
export const nothingFor = (ms: number): Promise<void> => sleep(ms);

/**
 * Until what ends by the clock alone, `ms` from now, has ended: a
 * lease, a token, what is remembered.
 */
export const outlast = (ms: number): Promise<void> => sleep(ms);

/** Lets something run for `ms` before it is killed, cut or sent the next call. */
export const runsFor = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });

/** Before the next call to somebody who said: not now. */
export const pause = (ms: number): Promise<void> => sleep(ms);
