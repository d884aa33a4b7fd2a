import type { ClientSession, Connection } from "mongoose";
import { inTransaction, retryDuplicates } from "../../services/kernel/mongo/transaction.js";
import { dayText, type Day } from "../../services/ledger/domain/days.js";
import { createPeriodStore } from "../../services/ledger/store/periods.js";

/** When the tests' closings were done, where that makes no difference. */
const noted = new Date("2026-11-30T12:00:00Z");

/**
 * Closes the days of a tenant through one, as people's closing of a month writes it, with whatever
 * stood in the way of that decided a moment before. Gives through when they are closed then.
 */
export const closeDays = (db: Connection, tenantId: string, through: Day, closedAt = noted): Promise<Day> =>
  moveDays(
    db,
    tenantId,
    (closed) => closed >= through,
    async (periods, closed, session) => {
      const first = closed === -Infinity ? through : closed + 1;
      const period = { name: `${dayText(first)}/${dayText(through)}`, kind: "MONTH" as const, first, last: through };
      await periods.close(period, { closedBy: "manager-1", closedAt, mappingVersion: 0 }, session);
    },
  );

/** Opens the days from one on again; gives through when they are closed then. */
export const reopenDays = (db: Connection, tenantId: string, from: Day, supersededAt = noted): Promise<Day> =>
  moveDays(
    db,
    tenantId,
    (closed) => closed < from,
    (periods, _closed, session) => periods.reopen(from, { supersededBy: "approval-1", supersededAt }, session),
  );

type Periods = ReturnType<ReturnType<typeof createPeriodStore>["forTenant"]>;

async function moveDays(
  db: Connection,
  tenantId: string,
  isDone: (closedThrough: Day) => boolean,
  move: (periods: Periods, closedThrough: Day, session: ClientSession) => Promise<void>,
): Promise<Day> {
  const periods = createPeriodStore(db).forTenant(tenantId);
  const closedThrough = async (session?: ClientSession) =>
    (await periods.closedSoFar([], session)).closedThrough ?? -Infinity;
  await retryDuplicates(() =>
    inTransaction(
      db,
      async (session) => {
        await periods.holdJournal(session);
        const before = await closedThrough(session);
        if (!isDone(before)) await move(periods, before, session);
        return true;
      },
      { readBack: async () => isDone(await closedThrough()) || undefined },
    ),
  );
  return closedThrough();
}
