import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import { outgoing, type Client } from "../../shared/grpc/client.js";
import { leaveRow } from "../../shared/left-rows.js";
import type { Logger } from "../../shared/log.js";
import { workOff } from "../../shared/looking/work-off.js";
import { passesByItself } from "../../shared/outbox/patience.js";
import type { Installations } from "../../shared/plugins/installations.js";
import type { FileBanks } from "../clients/bank-files/index.js";
import { StatementFault, type PayoutConnector } from "../clients/payout-connector.js";
import { noteStatementFault, tellOfUnclear } from "./partner-alerts.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { againstRefusal } from "../domain/bank-reports.js";
import { hint, noteAgainstRefusal, type Hinted } from "../domain/accepted-payout-polling.js";
import { payoutOf } from "../domain/payout.js";
import type { BankReport } from "../domain/bank-files.js";
import type { StatementReader, WatchedInstallation } from "../domain/statement-reader.js";
import type { Transaction } from "../domain/transaction.js";
import type { RemittanceStore } from "../store/index.js";

export interface StatementReaderOptions {
  store: RemittanceStore;
  steps: PayoutSteps;
  connector: PayoutConnector;
  installations: Pick<Installations, "find">;
  plugins: Pick<Client<PluginServiceDefinition>, "releasePlugin">;
  fileBanks: Pick<FileBanks, "isOne" | "readInbox">;
  clock: Clock;
  log: Logger;
  /** How often each tenant's statement is read, ms. */
  everyMs?: number;
  /** How often it is looked which are due, ms. */
  lookMs?: number;
  /** How long a partner is seen to be on its way out before it is let go, ms. */
  releaseAfterMs?: number;
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
// Far longer than any replica goes by what it knew before, or takes to note whom it hands a payout to.
const defaultReleaseAfterMs = 30_000;

/**
 * Reads the partners' statements for payouts that came back, which may be weeks after they were
 * paid. A callback says so sooner; without one this finds it. Lets a tenant's own partner go that is
 * to be removed, once nothing is under way there. Any number of replicas may read.
 */
export function startStatementReaders(options: StatementReaderOptions) {
  const { store, clock, log, everyMs = 60_000 } = options;
  const { lookMs = Math.min(5_000, everyMs / 2) } = options;
  const known = new Set<string>();
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  const readStatement = statementReading(options, stopping.signal);
  const lookAfter = installationWatch(options, readStatement, stopping.signal);

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
          if (error instanceof StatementFault) noteStatementFault(tenantId);
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
      readDue(store.takeWatchedInstallation, lookAfter),
    ]);
  }

  const timer = setInterval(() => {
    running ??= readAll()
      .catch((error: unknown) => log.warn({ err: error }, "cannot look for statements to read"))
      .finally(() => (running = undefined));
  }, lookMs);

  return {
    /** Before the first payout of a tenant at a partner is settled: its statement is read from now on. */
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

/** Hints at what came back; gives the time of the last line that was read. One that never ends is read on later. */
function statementReading(
  { store, steps, connector, clock, log }: StatementReaderOptions,
  signal: AbortSignal,
): ReadStatement {
  return async ({ tenantId, installationId, readTo }) => {
    const tenant = store.forTenant(tenantId);
    let latest = readTo;
    let isLeft = false;
    const hintAt = async (reference: string): Promise<void> => {
      const transaction = await tenant.findTransaction(reference);
      if (transaction === undefined || hint(transaction, "RETURNED", clock.now()) === undefined) return;
      // A partner speaks of what it was handed alone.
      if (payoutOf(transaction).installationId !== installationId) return;
      const decide = (now: typeof transaction) => hint(now, "RETURNED", clock.now());
      await steps.make(tenantId, reference, decide, { actor: "payout partner" });
    };
    const range = { from: new Date(readTo.getTime() - overlapMs) };
    const isOver = AbortSignal.timeout(readForMs);
    const call = { tenantId, installationId, signal: AbortSignal.any([signal, isOver]) };
    for await (const line of connector.statement(range, call)) {
      if (signal.aborted) return readTo;
      if (isOver.aborted) return latest;
      // A line that was left is read again next time, and those behind it, which change nothing twice.
      if (line.at > latest && !isLeft) latest = line.at;
      if (line.kind !== "RETURN") continue;
      await hintAt(line.reference).catch((error: unknown) => {
        if (passesByItself(error)) throw error;
        isLeft = true;
        leaveRow(log, "payout statements", { tenantId, transactionId: line.reference }, error);
      });
    }
    return latest;
  };
}

/** A tenant's own partner: reads what it says, and lets it go when it is to go and nothing is under way there. */
function installationWatch(options: StatementReaderOptions, readStatement: ReadStatement, signal: AbortSignal) {
  const { store, installations, plugins, fileBanks, clock, releaseAfterMs = defaultReleaseAfterMs } = options;
  const hintAll = createHints(options);

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
    // Also where its statement cannot be read: whoever removes a partner may do so because it is away.
    if (found.status === "REMOVING") await release(watched);
    // Its first payout is not settled before the bank has said so by a file.
    if (fileBanks.isOne(found)) await hintAll(tenantId, await fileBanks.readInbox(tenantId, found, signal));
    if (!hasPayouts) return;
    const latest = await readStatement({ tenantId, installationId, readTo });
    if (latest > readTo) await tenant.setInstallationReadTo(installationId, latest);
  };
}

/** Has payouts driven on that a bank's files speak of; where that is cut off, they are asked about later. */
function createHints({ steps, clock, log }: StatementReaderOptions) {
  const onUnclear = tellOfUnclear(log);
  const by = { actor: "payout partner" };

  /** The money went back by a refusal that the bank takes back now. */
  async function noteAgainst(tenantId: string, report: BankReport): Promise<void> {
    const said = againstRefusal(report);
    if (said === undefined) return;
    const note = (now: Transaction) => noteAgainstRefusal(now, said, clock.now());
    const noted = await steps.make(tenantId, report.reference, note, by);
    if (noted !== undefined) onUnclear(tenantId, noted);
  }

  return async (tenantId: string, reports: readonly BankReport[]): Promise<void> => {
    const ends = new Map<string, Hinted>();
    for (const report of reports) {
      await noteAgainst(tenantId, report);
      const said = hintOf(report);
      if (said !== "ACCEPTED") ends.set(report.reference, said);
    }
    for (const [reference, status] of ends) {
      await steps.make(tenantId, reference, (now) => hint(now, status, clock.now()), by);
    }
  };
}

/** A refusal may be of a second copy, and a debit of another amount, both after it was paid: whoever asks then sees. */
function hintOf({ kind, status }: BankReport): Hinted {
  if (kind === "RETURN") return "RETURNED";
  if (kind === "DEBIT") return "UNCLEAR";
  if (status === "REFUSED" || status === "DUPLICATE") return "UNCLEAR";
  return status === "PAID" ? "PAID" : "ACCEPTED";
}
