import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Logger } from "../../kernel/process/log.js";
import { runFromBytes, runToBytes } from "../audit/kept-run.js";
import { storedJournal } from "../audit/stored-journal.js";
import { advanceRun, beginRun, type JournalSource, type VerificationRun } from "../audit/verify.js";
import { isStoreAway } from "../store/away.js";
import type { LedgerStore } from "../store/index.js";
import { VerificationLost, type LeasedVerification, type VerificationStore } from "../store/verifications.js";

export interface VerificationJobOptions {
  readonly store: Pick<LedgerStore, "forTenant">;
  readonly verifications: VerificationStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often it is looked for what waits, ms; what is begun here wakes it. */
  readonly everyMs?: number;
  /** How long nobody else goes on with a verification whose process was killed, ms. */
  readonly leaseMs?: number;
  /** Transfers after which it is kept how far it is. */
  readonly pieceTransfers?: number;
  /** Accounts whose books are in memory at a time. */
  readonly accountsPerPass?: number;
  /** How long one waits that could not be gone on with, ms. */
  readonly againMs?: number;
}

export type VerificationJob = ReturnType<typeof startVerifications>;

// Who has more to check lets others' verifications go first.
const piecesInTurn = 10;
// So few that nobody whose posting comes meanwhile waits for longer than some milliseconds.
const restEvery = 100;
const maxRestMs = 1_000;
const maxFailures = 5;

class Stopping extends Error {
  override readonly name = "Stopping";
}

/**
 * Works on verifications that were asked for, one at a time, in pieces: after each it is kept how
 * far it is, and whoever takes the lease goes on from there. It rests as long as it works, so that
 * postings have the store for themselves half of the time.
 */
export function startVerifications(options: VerificationJobOptions) {
  const { verifications, log, everyMs = 1_000, leaseMs = 30_000 } = options;
  const ending = new AbortController();
  let wakeUp = Promise.withResolvers<void>();

  async function runAll(): Promise<void> {
    while (!ending.signal.aborted) {
      const wasAny = await takeTurn().catch((err: unknown) => {
        log.warn({ err }, "verifications that wait could not be looked for");
        return false;
      });
      if (wasAny) continue;
      const pause = sleep(everyMs, undefined, { signal: ending.signal }).catch(() => undefined);
      await Promise.race([pause, wakeUp.promise]);
      wakeUp = Promise.withResolvers();
    }
  }

  /** Whether there was one to work on. */
  async function takeTurn(): Promise<boolean> {
    const taken = await verifications.take(leaseMs);
    if (taken === undefined) return false;
    const lease = keepLease(options, taken, leaseMs);
    const shouldStop = () => ending.signal.aborted || lease.isLost();
    const held: Held = { leased: taken };
    try {
      if (taken.failures > maxFailures)
        await endUnread(options, taken, "nobody who read on after this transfer came back");
      else await work(options, held, shouldStop);
    } catch (error) {
      await afterFailure(options, held.leased, error);
    } finally {
      await lease.stop();
    }
    return true;
  }

  const ended = runAll();
  return {
    /** There is something to verify. */
    wake: (): void => wakeUp.resolve(),
    async stop(): Promise<void> {
      ending.abort();
      await ended;
    },
  };
}

/** Renews the lease while somebody works. */
function keepLease({ verifications, log }: VerificationJobOptions, leased: LeasedVerification, leaseMs: number) {
  let isLost = false;
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = verifications.renew(leased, leaseMs).catch((err: unknown) => {
      // Another try follows before the lease is over.
      if (err instanceof VerificationLost) isLost = true;
      else log.warn({ err, tenantId: leased.tenantId }, "the lease of a verification could not be renewed");
    });
  }, leaseMs / 3);
  timer.unref();
  return {
    isLost: () => isLost,
    stop: (): Promise<void> => {
      clearInterval(timer);
      return renewing;
    },
  };
}

/** What is leased, as it was kept last. */
interface Held {
  leased: LeasedVerification;
}

/** Some pieces of a verification, or all to its end. */
async function work(options: VerificationJobOptions, held: Held, shouldStop: () => boolean): Promise<void> {
  const { store, verifications, clock, log, pieceTransfers = 20_000, accountsPerPass = 20_000 } = options;
  const { tenantId, verificationId } = held.leased;
  const keep = async (to: VerificationRun) => {
    held.leased = await verifications.save(held.leased, placeOf(to), runToBytes(to));
  };
  const source = paced(storedJournal(store.forTenant(tenantId), tenantId), shouldStop);
  const bytes = await verifications.readState(held.leased);
  let run = (bytes && runFromBytes(bytes)) ?? (await beginRun(source, { accountsPerPass }));
  for (let piece = 0; piece < piecesInTurn; piece += 1) {
    const next = await advanceRun(source, run, { accountsPerPass, maxTransfers: pieceTransfers });
    crashPoint("ledger.verification.advanced");
    if (next.outcome !== undefined) {
      const { faults } = next.outcome;
      await verifications.end(held.leased, { ...placeOf(next.run), faults: [...faults], endedAt: clock.now() });
      const logged = { tenantId, verificationId, transfers: String(next.outcome.transfers) };
      if (faults.length === 0) log.info(logged, "a journal was verified: all fits");
      else
        log.error(
          { ...logged, faults: faults.length, first: faults[0]?.what },
          "a journal was verified: it does not fit",
        );
      return;
    }
    run = next.run;
    await keep(run);
    crashPoint("ledger.verification.kept");
  }
  await verifications.giveBack(held.leased);
}

function placeOf({ pass: { number, last, end } }: VerificationRun) {
  return { pass: number, checkedSeq: last.seq, lastSeq: end.seq, headHash: end.hash };
}

/** Left to others, or ended where the journal cannot be read to its end by anybody. */
async function afterFailure(
  { verifications, clock, log, againMs = 2_000 }: VerificationJobOptions,
  leased: LeasedVerification,
  error: unknown,
): Promise<void> {
  const { tenantId, verificationId } = leased;
  // Whoever has the lease now goes on.
  if (error instanceof VerificationLost) return;
  const isStopping = error instanceof Stopping;
  if (!isStopping) log.warn({ err: error, tenantId, verificationId }, "a piece of a verification failed");
  try {
    const hasFailed = !isStopping && !isStoreAway(error);
    if (hasFailed && leased.failures >= maxFailures) {
      await endUnread({ verifications, clock, log }, leased, "the journal cannot be read after this transfer");
    } else {
      await verifications.giveBack(leased, { afterMs: isStopping ? 0 : againMs, hasFailed });
    }
  } catch (err) {
    // Its lease ends by itself.
    log.warn({ err, tenantId, verificationId }, "a verification could not be given back");
  }
}

/** Ends what cannot be read to its end, at the place that was reached. */
async function endUnread(
  { verifications, clock, log }: Pick<VerificationJobOptions, "verifications" | "clock" | "log">,
  leased: LeasedVerification,
  what: string,
): Promise<void> {
  const { tenantId, verificationId } = leased;
  const found = await verifications.forTenant(tenantId).find(verificationId);
  if (found === undefined) return;
  const { pass, checkedSeq, lastSeq } = found;
  const faults = [{ seq: checkedSeq, what }];
  await verifications.end(leased, { pass, checkedSeq, lastSeq, faults, endedAt: clock.now() });
  log.error({ tenantId, verificationId, seq: String(checkedSeq), what }, "a journal could not be verified");
}

/** The journal with rests between its pages; throws Stopping in one where nobody is to go on. */
function paced(source: JournalSource, shouldStop: () => boolean): JournalSource {
  return {
    ...source,
    async *transfersAfter(seq) {
      let count = 0;
      let startedAt = performance.now();
      for await (const transfer of source.transfersAfter(seq)) {
        yield transfer;
        count += 1;
        if (count % restEvery !== 0) continue;
        if (shouldStop()) throw new Stopping();
        await sleep(Math.min(maxRestMs, performance.now() - startedAt));
        startedAt = performance.now();
      }
    },
    async recordsAfter(number) {
      if (shouldStop()) throw new Stopping();
      return source.recordsAfter(number);
    },
    async accountsAfter(accountId, limit) {
      if (shouldStop()) throw new Stopping();
      return source.accountsAfter(accountId, limit);
    },
  };
}
