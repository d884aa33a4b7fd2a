import type { Connection } from "mongoose";
import type { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import type { LedgerConfig } from "../config.js";
import type { LedgerStore } from "../store/index.js";
import { createPackageStore } from "../store/packages.js";
import { createPeriodStore } from "../store/periods.js";
import { createTellingStore } from "../store/tellings.js";
import { createVerificationStore } from "../store/verifications.js";
import { createPackageBuilds } from "./packages.js";
import { startPartnerAlarms, type PartnerAlarmOptions } from "./partner-alarms.js";
import { startPositions, type PositionJob, type PositionJobOptions } from "./positions.js";
import { startTelling } from "./telling.js";
import { startVerifications } from "./verifications.js";

/** Verifications that managers ask for; one that is under way is left to another replica. */
export function openVerifications(
  { config, db, log, onDrain }: Opened<LedgerConfig>,
  store: LedgerStore,
  clock: Clock,
) {
  const verifications = createVerificationStore(db);
  const verificationJob = startVerifications({
    store,
    verifications,
    clock,
    log,
    everyMs: config.VERIFY_SWEEP_MS,
    leaseMs: config.VERIFY_LEASE_MS,
    pieceTransfers: config.VERIFY_PIECE_TRANSFERS,
  });
  onDrain(() => verificationJob.stop());
  return { verifications, verificationJob };
}

/** What counts and revalues positions behind what is posted. */
export function openPositions(
  { config, log, onDrain }: Opened<LedgerConfig>,
  parts: Omit<PositionJobOptions, "log" | "gatherMs" | "lookMs">,
): PositionJob {
  const { POSITION_GATHER_MS: gatherMs, POSITION_LOOK_MS: lookMs } = config;
  const job = startPositions({ ...parts, log, gatherMs, lookMs });
  onDrain(() => job.stop());
  return job;
}

/** Closings, their packages, and what builds these. */
export function openClosedBooks(db: Connection, store: LedgerStore) {
  const books = { periods: createPeriodStore(db), packages: createPackageStore(db) };
  return { ...books, buildPackage: createPackageBuilds({ db, store, ...books }) };
}

/** Nobody is told where nobody said where events are. It ends after the journals have. */
export function openTelling(
  { config, db, log, started, onClose }: Opened<LedgerConfig>,
  events: Client<EventsServiceDefinition> | undefined,
  store: LedgerStore,
  clock: Clock,
): ReturnType<typeof startTelling> | undefined {
  if (events === undefined) return undefined;
  const sweepMs = config.TELL_SWEEP_MS;
  const telling = started(startTelling({ store, tellings: createTellingStore(db), events, clock, sweepMs, log }));
  onClose(processMetrics.watchOutbox(async () => ({ oldestDueS: telling.oldestS(), parked: 0 })));
  return telling;
}

/** Tells where less is available at a partner than people want to know of. */
export function openPartnerAlarms(
  { config, db, log, onDrain }: Opened<LedgerConfig>,
  parts: Pick<PartnerAlarmOptions, "store" | "partners" | "outbox" | "clock">,
): ReturnType<typeof startPartnerAlarms> {
  const alarms = startPartnerAlarms({ ...parts, db, log, lookMs: config.ALARM_LOOK_MS });
  onDrain(() => alarms.stop());
  return alarms;
}
