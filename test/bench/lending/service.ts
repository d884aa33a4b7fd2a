import { pino } from "pino";
import { createAccruals } from "../../../services/lending/accrual.js";
import { createLoanBook } from "../../../services/lending/loan-book.js";
import { migrations } from "../../../services/lending/migrations.js";
import { createPacing } from "../../../services/lending/pacing.js";
import { createLendingStore } from "../../../services/lending/store.js";
import { systemClock } from "../../../services/shared/clock.js";
import { connectMongo } from "../../../services/shared/mongo/connect.js";
import { runMigrations } from "../../../services/shared/mongo/migrations.js";
import { createOutbox } from "../../../services/shared/outbox/index.js";
import { createRedis, redisReady } from "../../../services/shared/redis.js";

export const tenantId = "bench";

/** What accrual needs of the service, on a database; postings wait in the outbox, whose relay is not what is measured. */
export async function openLending(uri: string, redisUrl: string) {
  const log = pino({ level: "silent" });
  const mongo = await connectMongo({ uri, database: "bench_lending", log });
  await runMigrations(mongo.db, migrations, log);
  const redis = createRedis({ url: redisUrl, log });
  await redisReady(redis);
  const store = createLendingStore(mongo.db);
  const outbox = createOutbox({ db: mongo.db, clock: systemClock, log, service: "lending" });
  const book = createLoanBook({ store, outbox });
  const businessClock = { forTenant: () => Promise.reject(new Error("the benchmark names its days")) };
  const crashPoint = (): void => {};
  const accruals = createAccruals({
    store,
    book,
    outbox,
    businessClock,
    clock: systemClock,
    log,
    pacing: createPacing({ redis, atOnce: 1 }),
    crashPoint,
    leaseMs: 2_000,
  });
  const close = async (): Promise<void> => {
    redis.disconnect();
    await mongo.close();
  };
  return { db: mongo.db, store, accruals, close };
}
