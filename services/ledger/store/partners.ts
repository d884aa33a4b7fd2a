import type { ClientSession, Connection } from "mongoose";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import type { Day } from "../domain/days.js";
import type { Account, DaySums } from "../domain/model.js";
import type { PartnerAlarm, PartnerCode } from "../domain/partner-balance.js";
import { createAccountStore } from "./accounts.js";
import { collections } from "./collections.js";
import { readSnapshot } from "./snapshot.js";
import { createSumsStore } from "./sums.js";

export type PartnerStore = ReturnType<typeof createPartnerStore>;

/** An account of a partner, with what it moved on some days and whether somebody is told. */
export interface PartnerAccount {
  readonly account: Account;
  readonly days: readonly DaySums[];
  readonly alarm: PartnerAlarm | undefined;
}

export interface PartnerPage {
  readonly codes: readonly PartnerCode[];
  readonly afterId: string;
  readonly limit: number;
  /** Days that are read, both included. */
  readonly from: Day;
  readonly to: Day;
}

/** What partners hold, and the alarms of it. */
export function createPartnerStore(db: Connection) {
  const alarmsOf = recordCollection<PartnerAlarm>(db, collections.partnerAlarms);
  const everyAlarm = acrossTenants<PartnerAlarm & { tenantId: string }>(db, collections.partnerAlarms, "alarms");
  const held = createHeldTenants(db, collections.partnerAlarms);

  return {
    /** The next tenant, by its id, that has alarms; none of held ones. */
    async nextWithAlarms(after: string): Promise<string | undefined> {
      const { tenantId } = await held.otherTenants();
      const filter = { tenantId: { ...tenantId, $gt: after } };
      const found = await everyAlarm.findOne(filter as never, { sort: { tenantId: 1 }, hint: "account" });
      return found?.tenantId;
    },

    forTenant(tenantId: string) {
      const alarms = alarmsOf.forTenant(tenantId);
      const accounts = createAccountStore(db, tenantId);
      const sums = createSumsStore(db, tenantId);
      return {
        /** By account id, from one after `afterId`, as of one moment. */
        page: ({ codes, afterId, limit, from, to }: PartnerPage): Promise<PartnerAccount[]> =>
          readSnapshot(db, async (session) => {
            const found = await accounts.accountsOfCodes(codes, afterId, limit, session);
            const ids = found.map(({ info }) => info.accountId);
            if (ids.length === 0) return [];
            const days = await sums.daysBetween(ids, from, to, session);
            const known = await alarms.find({ accountId: { $in: ids } }, { session });
            return found.map((account): PartnerAccount => {
              const { info, openDay } = account;
              const own = days.filter(({ accountId }) => accountId === info.accountId);
              const isIn = openDay !== undefined && openDay.day >= from && openDay.day <= to;
              return {
                account,
                days: isIn ? [...own, openDay] : own,
                alarm: known.find(({ accountId }) => accountId === info.accountId),
              };
            });
          }),

        findAlarm: (accountId: string, session?: ClientSession): Promise<PartnerAlarm | undefined> =>
          alarms.findOne({ accountId }, { session }),

        /** Those that tell somebody, by account id, from one after `afterId`. */
        alarmsAfter: (afterId: string, limit: number): Promise<PartnerAlarm[]> =>
          alarms.find({ accountId: { $gt: afterId }, belowMinor: { $exists: true } } as never, {
            sort: { accountId: 1 },
            limit,
          }),

        /** Sets or ends it; what was told last stays known. */
        async putAlarm(
          { accountId, currency, belowMinor, changedBy, changedAt }: Omit<PartnerAlarm, "isLow" | "since" | "version">,
          session: ClientSession,
        ): Promise<PartnerAlarm> {
          const isOver = belowMinor === undefined;
          const set = { currency, changedBy, changedAt, ...(isOver ? { isLow: false } : { belowMinor }) };
          const update = {
            $set: set,
            ...(isOver && { $unset: { belowMinor: "" as const, since: "" as const } }),
            $setOnInsert: { version: 0, ...(!isOver && { isLow: false }) },
          };
          const after = { upsert: true, returnDocument: "after", session } as const;
          return (await alarms.findOneAndUpdate({ accountId }, update as never, after))!;
        },

        /** False where another run was first, or it was put anew. */
        async turn(
          { accountId, version, changedAt }: PartnerAlarm,
          isLow: boolean,
          since: Date,
          session: ClientSession,
        ) {
          const change = { $set: { isLow, since, version: version + 1 } };
          const { matchedCount } = await alarms.updateOne({ accountId, version, changedAt }, change, { session });
          return matchedCount === 1;
        },
      };
    },
  };
}
