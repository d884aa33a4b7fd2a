import type { Clock } from "../../shared/clocks/clock.js";
import type { Logger } from "../../shared/log.js";
import type { PayoutConnector } from "../clients/payout-connector.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { hint } from "../domain/accepted-payout-polling.js";
import type { StatementReader } from "../domain/statement-reader.js";
import type { RemittanceStore } from "../store/index.js";

export interface StatementReaderOptions {
  store: RemittanceStore;
  steps: PayoutSteps;
  connector: PayoutConnector;
  clock: Clock;
  log: Logger;
  /** How often each tenant's statement is read, ms. */
  everyMs?: number;
  /** How often it is looked which are due, ms. */
  lookMs?: number;
}

export type StatementReaders = ReturnType<typeof startStatementReaders>;

const beginBeforeMs = 24 * 60 * 60_000;
// Lines are read again that came in at about the time of the last reading: what they say is applied
// once.
const overlapMs = 60_000;
const maxTenants = 10_000;

/**
 * Reads the partner's statements for payouts that came back, which may be weeks after they were
 * paid. A callback says so sooner; without one this finds it. Any number of replicas may read.
 */
export function startStatementReaders(options: StatementReaderOptions) {
  const { store, steps, connector, clock, log, everyMs = 60_000 } = options;
  const { lookMs = Math.min(5_000, everyMs / 2) } = options;
  const known = new Set<string>();
  let stopped = false;
  let running: Promise<void> | undefined;

  async function readOne({ tenantId, readTo }: StatementReader): Promise<void> {
    const tenant = store.forTenant(tenantId);
    let latest = readTo;
    for await (const line of connector.statement({ from: new Date(readTo.getTime() - overlapMs) }, { tenantId })) {
      if (stopped) return;
      if (line.at > latest) latest = line.at;
      if (line.kind !== "RETURN") continue;
      const transaction = await tenant.findTransaction(line.reference);
      if (transaction === undefined || hint(transaction, "RETURNED", clock.now()) === undefined) continue;
      const decide = (now: typeof transaction) => hint(now, "RETURNED", clock.now());
      await steps.make(tenantId, line.reference, decide, { actor: "payout partner" });
    }
    if (latest > readTo) await tenant.setReadTo(latest);
  }

  async function readDue(): Promise<void> {
    while (!stopped) {
      const now = clock.now();
      const reader = await store.takeStatementReader(now, new Date(now.getTime() + everyMs));
      if (reader === undefined) return;
      await readOne(reader).catch((error: unknown) =>
        log.warn(
          { err: error, tenantId: reader.tenantId },
          "a partner's statement could not be read, will be tried again",
        ),
      );
    }
  }

  const timer = setInterval(() => {
    running ??= readDue()
      .catch((error: unknown) => log.warn({ err: error }, "cannot look for statements to read"))
      .finally(() => (running = undefined));
  }, lookMs);

  return {
    /** Before a tenant's first payout is settled: its statement is read from now on. */
    async ensure(tenantId: string): Promise<void> {
      if (known.has(tenantId)) return;
      const now = clock.now().getTime();
      await store.forTenant(tenantId).insertReader(new Date(now - beginBeforeMs), new Date(now + everyMs));
      if (known.size >= maxTenants) known.clear();
      known.add(tenantId);
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
