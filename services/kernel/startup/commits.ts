import { systemClock, type Clock } from "../time/clock.js";
import { createIdempotency, createRunOnce, type AnswerCipher } from "../idempotency/index.js";
import { createOutbox, type RowCipher, type RowKind } from "../outbox/index.js";
import type { Opened, ServiceConfig } from "./start-service.js";

export interface CommitsOptions {
  /** The table of the service's outbox rows. */
  kinds: Readonly<Record<string, RowKind>>;
  /** Of the outbox: business time where a row's day is the tenant's; real time when absent. */
  clock?: Clock;
  /** How long keys of requests are kept; see createIdempotency. */
  keepForMs?: "for ever";
  /** Seals answers that are marked secret. */
  answerCipher?: AnswerCipher;
  /** Seals what rows say of people. */
  rowCipher?: RowCipher;
  /** How long rows and keys that a killed process held stay out of reach, in ms. */
  leaseMs?: number | undefined;
}

/** What a service commits by: the outbox of what follows, and requests that run once. */
export function createCommits(
  { name, db, redis, wakeUps, log }: Pick<Opened<ServiceConfig>, "name" | "db" | "redis" | "wakeUps" | "log">,
  { clock = systemClock, keepForMs, answerCipher, rowCipher, leaseMs, kinds }: CommitsOptions,
) {
  const outbox = createOutbox({ db, clock, log, service: name, kinds, wakeUps, leaseMs, cipher: rowCipher });
  const requests = { keepForMs, lockMs: leaseMs, cipher: answerCipher };
  const idempotency = createIdempotency({ db, redis, clock: systemClock, log, ...requests });
  return { db, outbox, idempotency, runOnce: createRunOnce({ db, idempotency }) };
}
