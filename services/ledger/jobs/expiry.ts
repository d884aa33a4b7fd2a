import type { Clock } from "../../kernel/time/clock.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import { keepPace } from "../../kernel/polling/pace.js";
import { JournalLost } from "../journal/lost.js";
import type { LinkedGroup } from "../domain/model.js";
import type { Ownership } from "../journal/ownership.js";
import type { LedgerStore } from "../store/index.js";

/** Of a look, of which a sweep has some. */
const maxPerPoll = 1_000;
const maxPolls = 20;

/**
 * Releases pending transfers past their timeout, also those that fell due while no process ran. It
 * looks every `intervalMs`, and more rarely where nothing was posted for a while.
 */
export function startExpirySweep(options: {
  store: LedgerStore;
  ownership: Ownership;
  clock: Clock;
  intervalMs: number;
  log: Logger;
  perPoll?: number;
}) {
  const { intervalMs, log } = options;
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const poll = (): void => {
    if (isBusy) return;
    isBusy = true;
    running = sweep(options)
      .catch((error: unknown) => log.warn({ err: error }, "pending transfers past their timeout could not be released"))
      .finally(() => {
        isBusy = false;
      });
  };
  const pace = keepPace({ poll, quickMs: intervalMs });
  return {
    /** Something was posted. */
    pollFast: pace.pollFast,
    stop: (): Promise<void> => {
      pace.stop();
      return running;
    },
  };
}

type SweepOptions = Parameters<typeof startExpirySweep>[0];
type Due = Awaited<ReturnType<LedgerStore["findDue"]>>;

/**
 * A tenant of whom more is due than a look holds, or whose journal another replica
 * owns, keeps back nobody else's.
 */
async function sweep(options: SweepOptions): Promise<void> {
  const { store, clock, log, perPoll = maxPerPoll } = options;
  const swept = new Set<string>();
  for (let polls = 0; polls < maxPolls; polls += 1) {
    const due = await store.findDue(clock.now(), perPoll, [...swept]);
    for (const [tenantId, rows] of Map.groupBy(due, (row) => row.tenantId)) {
      swept.add(tenantId);
      // One tenant's fault, or its hold, does not keep those after it.
      await sweepTenant(options, tenantId, rows).catch((error: unknown) =>
        log.warn({ err: error, tenantId }, "pending transfers past their timeout could not be released"),
      );
    }
    if (due.length < perPoll) return;
  }
}

async function sweepTenant({ ownership, log }: SweepOptions, tenantId: string, rows: Due): Promise<void> {
  const owner = await ownership.find(tenantId);
  // Another replica owns this journal, and sweeps it.
  if (owner?.kind !== "self") return;
  const decisions = await Promise.allSettled(rows.map(({ key }) => owner.journal.post(expiryOf(key))));
  let released = 0;
  for (const [index, decision] of decisions.entries()) {
    if (decision.status === "fulfilled") released += 1;
    else if (!(decision.reason instanceof JournalLost)) {
      leaveRow(log, "expiry", { tenantId, key: rows[index]!.key }, decision.reason);
    }
  }
  log.info({ tenantId, transfers: released }, "released pending transfers past their timeout");
}

/** "#" stands in no caller's key, so the ledger's own release never meets one. */
function expiryOf(pendingKey: string): LinkedGroup {
  const transfer = {
    key: `${pendingKey}#expired`,
    mode: "EXPIRE_PENDING",
    debitAccountId: "",
    creditAccountId: "",
    kind: "expiry",
    refersTo: pendingKey,
    description: "",
    metadata: [],
  } as const;
  return { transfers: [transfer], createdBy: "ledger", interactionId: `expiry:${pendingKey}`, service: "ledger" };
}
