import type { Connection } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { killSessions, sessionId } from "../../kernel/mongo/sessions.js";
import type { Committed } from "./commit-stage.js";
import type { Calendars } from "./calendars.js";
import { createJournalStore, HeadMoved } from "../store/journal.js";
import type { LeaseStore } from "../store/leases.js";
import { createJournal, type Journal, type JournalLimits } from "./journal.js";

export interface TakeOverDeps {
  readonly db: Connection;
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly calendars: Calendars;
  readonly limits: JournalLimits;
  readonly log: Logger;
  /** Called after each commit. */
  readonly onCommitted?: ((tenantId: string, committed: Committed) => void) | undefined;
  /** Called once, when a journal may not be used any more. */
  readonly onLost: (tenantId: string, journal: Journal) => void;
}

/** A journal of this process, with the lease that names its session. */
export interface TakenOver {
  readonly journal: Journal;
  readonly epoch: bigint;
  readonly endSession: () => Promise<void>;
}

/**
 * Takes a tenant's lease and loads the journal. Undefined while another process holds it, or was
 * faster. Refuses UNAVAILABLE where nobody knows how the tenant counts days.
 */
export async function takeOver(deps: TakeOverDeps, tenantId: string): Promise<TakenOver | undefined> {
  const { db, leases, clock, calendars, limits, log, onCommitted, onLost } = deps;
  const calendar = await calendars.of(tenantId);
  const session = db.getClient().startSession();
  let isRetained = false;
  let acquired: bigint | undefined;
  try {
    const id = sessionId(session);
    const lease = await leases.acquire(tenantId, id);
    if (lease === undefined) return undefined;
    acquired = lease.epoch;
    // What a killed predecessor left open holds the head's lock for seconds, unless its sessions go
    // first.
    await killSessions(db, lease.oldSessionIds).catch((error: unknown) => {
      log.warn({ err: error, tenantId }, "the sessions of the journal's former owner could not be killed");
    });
    const { epoch } = lease;
    const store = createJournalStore(db, tenantId);
    const head = await store.raiseEpoch(epoch);
    await leases.settle(tenantId, epoch, id);
    const journal = createJournal({
      store,
      session,
      head,
      clock,
      calendar,
      limits,
      log: log.child({ tenantId, epoch: String(epoch) }),
      onCommitted: (committed) => onCommitted?.(tenantId, committed),
      onLost: () => {
        onLost(tenantId, journal);
        journal
          .close()
          .then(() => session.endSession())
          .catch(() => undefined);
      },
    });
    isRetained = true;
    log.info({ tenantId, epoch: String(epoch), seq: String(head.seq) }, "took over the journal");
    return { journal, epoch, endSession: () => session.endSession() };
  } catch (error) {
    if (error instanceof HeadMoved) return undefined;
    throw error;
  } finally {
    if (!isRetained) {
      // A lease without a journal would keep others off, and name one more session at each attempt.
      if (acquired !== undefined) await leases.release(tenantId, acquired).catch(() => undefined);
      await session.endSession();
    }
  }
}
