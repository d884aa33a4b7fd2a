import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { Logger } from "../../kernel/process/log.js";
import { workOff } from "../../kernel/polling/work-off.js";
import type { Installations } from "../../platform/plugins/installations.js";
import type { FileBanks } from "../clients/bank-files/index.js";
import { StatementFault, type PayoutConnector } from "../clients/payout-connector.js";
import { recordStatementFault } from "./partner-alerts.js";
import { createFileHints, createPayoutHints } from "./payout-hints.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { StatementReader, WatchedInstallation } from "../domain/statement-reader.js";
import type { RemittanceStore } from "../store/index.js";

export interface StatementReaderOptions {
  store: RemittanceStore;
  steps: PayoutSteps;
  outbox: Outbox;
  connector: PayoutConnector;
  installations: Pick<Installations, "find">;
  plugins: Pick<Client<PluginServiceDefinition>, "releasePlugin">;
  fileBanks: Pick<FileBanks, "isOne" | "readInbox">;
  clock: Clock;
  log: Logger;
  /** How often each tenant's statement is read, ms. */
  everyMs?: number | undefined;
  /** How often it is looked which are due, ms. */
  pollMs?: number | undefined;
  /** How long a partner is seen to be on its way out before it is let go, ms. */
  releaseAfterMs?: number | undefined;
}

export type StatementReaders = ReturnType<typeof startStatementReaders>;

const beginBeforeMs = 24 * 60 * 60_000;
// Lines are read again that came in at about the time of the last reading: what they say is applied
// once.
const overlapMs = 60_000;
const maxKnown = 10_000;
// One that hangs must not keep the others' from being read.
const readAtOnce = 4;
// Nor one whose statement has no end.
const readForMs = 60_000;
// Far longer than any replica goes by what it knew before, or takes to
// note whom it hands a payout to.
const defaultReleaseAfterMs = 30_000;

/**
 * Reads the partners' statements for payouts that came back, which may be weeks after they were
 * paid. A callback says so sooner; without one this finds it. Lets a tenant's own partner go that
 * is to be removed, once nothing is under way there. Any number of replicas may read.
 */
export function startStatementReaders(options: StatementReaderOptions) {
  const { store, clock, log, everyMs = 60_000 } = options;
  const { pollMs = Math.min(5_000, everyMs / 2) } = options;
  const known = new Set<string>();
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  const readStatement = statementReading(options, stopping.signal);
  const watch = installationWatch(options, readStatement, stopping.signal);

  function readDue<Reader extends StatementReader>(
    take: (now: Date, nextAt: Date) => Promise<Reader | undefined>,
    read: (due: Reader) => Promise<void>,
  ): Promise<void> {
    return workOff({
      clock,
      takenForMs: everyMs,
      take,
      work: (due) =>
        read(due).catch((error: unknown) => {
          const { tenantId, installationId } = due;
          const place = { tenantId, installationId };
          if (error instanceof StatementFault) recordStatementFault(tenantId);
          log.warn({ err: error, ...place }, "a partner's statement could not be read, will be tried again");
        }),
      atOnce: readAtOnce,
      signal: stopping.signal,
    });
  }

  async function readAll(): Promise<void> {
    await Promise.all([
      readDue(store.takeStatementReader, async ({ tenantId, readTo }) => {
        const latest = await readStatement({ tenantId, readTo });
        if (latest > readTo) await store.forTenant(tenantId).setReadTo(latest);
      }),
      readDue(store.takeWatchedInstallation, watch),
    ]);
  }

  const timer = setInterval(() => {
    running ??= readAll()
      .catch((error: unknown) => log.warn({ err: error }, "cannot look for statements to read"))
      .finally(() => (running = undefined));
  }, pollMs);

  return {
    /**
     * Before the first payout of a tenant at a partner is settled: its
     * statement is read from now on.
     */
    async ensure(tenantId: string, installationId?: string): Promise<void> {
      const key = `${tenantId} ${installationId ?? ""}`;
      if (known.has(key)) return;
      const now = clock.now().getTime();
      const [readTo, dueAt] = [new Date(now - beginBeforeMs), new Date(now + everyMs)];
      const tenant = store.forTenant(tenantId);
      if (installationId === undefined) await tenant.insertReader(readTo, dueAt);
      else await tenant.watchInstallation(installationId, { hasPayouts: true, readTo, dueAt });
      if (known.size >= maxKnown) known.clear();
      known.add(key);
    },
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}

type ReadStatement = (reader: Pick<StatementReader, "tenantId" | "readTo" | "installationId">) => Promise<Date>;

/**
 * Hints at what came back; gives the time of the last line that was read. One
 * that never ends is read on later.
 */
function statementReading(options: StatementReaderOptions, signal: AbortSignal): ReadStatement {
  const { connector } = options;
  const hintAt = createPayoutHints(options);
  return async ({ tenantId, installationId, readTo }) => {
    let latest = readTo;
    const range = { from: new Date(readTo.getTime() - overlapMs) };
    const isOver = AbortSignal.timeout(readForMs);
    const call = { tenantId, installationId, signal: AbortSignal.any([signal, isOver]) };
    for await (const { kind, reference, at } of connector.statement(range, call)) {
      if (signal.aborted) return readTo;
      if (isOver.aborted) return latest;
      if (kind === "RETURN")
        await hintAt(tenantId, { transactionId: reference, status: "RETURNED", installationId }, at);
      if (at > latest) latest = at;
    }
    return latest;
  };
}

/**
 * A tenant's own partner: reads what it says, and lets it go when it is to go
 * and nothing is under way there.
 */
function installationWatch(options: StatementReaderOptions, readStatement: ReadStatement, signal: AbortSignal) {
  const { store, installations, plugins, fileBanks, clock, releaseAfterMs = defaultReleaseAfterMs } = options;
  const hintByFiles = createFileHints(options, signal);

  async function release({ tenantId, installationId, removingAt }: WatchedInstallation): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const now = clock.now();
    if (removingAt === undefined) return tenant.setRemovingAt(installationId, now);
    if (now.getTime() - removingAt.getTime() < releaseAfterMs || (await tenant.isUnderWayAt(installationId))) return;
    await plugins.releasePlugin({ installationId }, outgoing({ tenantId, interactionId: "release-plugin" }));
    crashPoint("remittance.plugin.released");
    await tenant.unwatchInstallation(installationId);
  }

  return async (watched: WatchedInstallation): Promise<void> => {
    const { tenantId, installationId, readTo, hasPayouts } = watched;
    const tenant = store.forTenant(tenantId);
    const found = await installations.find(installationId, { tenantId, interactionId: "statements" });
    if (found === undefined) return tenant.unwatchInstallation(installationId);
    // Also where its statement cannot be read: whoever removes a
    // partner may do so because it is away.
    if (found.status === "REMOVING") await release(watched);
    // Its first payout is not settled before the bank has said so by a file. What was read counts
    // also where the next file cannot be.
    if (fileBanks.isOne(found))
      await fileBanks.readInbox(tenantId, found, signal).finally(() => hintByFiles(tenantId, installationId));
    if (!hasPayouts) return;
    const latest = await readStatement({ tenantId, installationId, readTo });
    if (latest > readTo) await tenant.setInstallationReadTo(installationId, latest);
  };
}
