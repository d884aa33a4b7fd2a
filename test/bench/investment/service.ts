import { pino } from "pino";
import { businessTime } from "../../../services/platform/preferences/business-clock.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import { openDatabase } from "../../../services/kernel/mongo/open-database.js";
import { createOutbox } from "../../../services/kernel/outbox/index.js";
import { createAccrual } from "../../../services/investment/jobs/accrual.js";
import { startDays } from "../../../services/investment/jobs/days.js";
import { migrations } from "../../../services/investment/store/migrations.js";
import { createSagas } from "../../../services/kernel/sagas/index.js";
import { createInvestmentStore } from "../../../services/investment/store/index.js";
import { createProductVersions } from "../../../services/investment/store/product-versions.js";

export const tenantId = "bench";
const first = Date.parse("2025-01-01T12:00:00Z");
const dayMs = 86_400_000;

/**
 * The parts of the service that do a day's work, on a database that is there. `day` days have
 * passed since the first.
 */
export async function openInvestment(uri: string, day: () => number) {
  const log = pino({ level: "silent" });
  const { db, close } = await openDatabase({ MONGODB_URI: uri, MONGODB_DATABASE: "bench" }, { migrations, log });
  const store = createInvestmentStore(db);
  const outbox = createOutbox({ db, clock: systemClock, log, service: "investment" });
  const businessClock = {
    forTenant: async () => businessTime({ now: () => new Date(first + day() * dayMs) }, 0, "UTC"),
  };
  const sagas = createSagas({ store, idempotency: {} as never, outbox, clock: systemClock, recoverAfterMs: 3_000 });
  const crashPoint = () => undefined;
  const accrual = createAccrual({
    store,
    outbox,
    sagas,
    versions: createProductVersions(store),
    businessClock,
    log,
    crashPoint,
  });
  const unpaid = { retry: async () => undefined };
  const days = startDays({ store, accrual, unpaid, businessClock, log, everyMs: 3_600_000, crashPoint });
  return { db, store, days, close: () => days.stop().then(close) };
}
