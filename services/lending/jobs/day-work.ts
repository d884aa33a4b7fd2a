// The thread that day-thread.ts starts.
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { createLogger } from "../../kernel/process/log.js";
import { connectMongo } from "../../kernel/mongo/connect.js";
import { createOutbox } from "../../kernel/outbox/index.js";
import { createRedis } from "../../kernel/process/redis.js";
import { createAccruals } from "./accrual.js";
import type { DayThreadRequest, DayThreadData, DayThreadMessage } from "./day-thread.js";
import { createLoanBook } from "../sagas/loan-book.js";
import { createPacing } from "./pacing.js";
import { createLendingStore } from "../store/index.js";

const data = workerData as DayThreadData;
const port = parentPort!;
const post = (message: DayThreadMessage): void => port.postMessage(message);

const niceness = 10;
const log = createLogger({ service: "lending", level: data.logLevel });
giveWay();
const mongo = await connectMongo({ uri: data.mongoUri, database: data.database, log });
const redis = createRedis({ url: data.redisUrl, log });
const store = createLendingStore(mongo.db);
const outbox = createOutbox({ db: mongo.db, clock: systemClock, log, service: "lending" });
const accruals = createAccruals({
  store,
  book: createLoanBook({ store, outbox }),
  outbox,
  // The service carries out what is left there.
  wake: () => post("work"),
  clock: systemClock,
  log,
  pacing: createPacing({ redis, atOnce: data.atOnce }),
  crashPoint,
  ...(data.leaseMs === undefined ? {} : { leaseMs: data.leaseMs }),
});

/**
 * Linux gives every thread a priority of its own; elsewhere it would be the whole service's.
 * Without it the work is done all the same.
 */
function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(niceness);
  } catch (error) {
    log.warn({ err: error }, "the daily work has the priority of the service: it could not be lowered");
  }
}

let isStopping = false;
let running: Promise<void> | undefined;

async function run(tenantId: string, date: string): Promise<void> {
  try {
    post({ isDone: await accruals.runDay(tenantId, date, () => isStopping) });
  } catch (error) {
    log.warn({ err: error, tenantId, date }, "a day cannot go on");
    post({ failed: error instanceof Error ? error.message : String(error) });
  }
}

port.on("message", (requested: DayThreadRequest) => {
  if (requested !== "stop") {
    running = run(requested.tenantId, requested.date);
  } else if (!isStopping) {
    isStopping = true;
    void end();
  }
});

async function end(): Promise<void> {
  await running;
  redis.disconnect();
  await mongo.close();
  port.close();
}
