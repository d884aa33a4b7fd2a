import type { Connection } from "mongoose";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import { emptyDay, withTransaction } from "../domain/figures.js";
import { countedFacts } from "../domain/decision.js";
import { collections, type DayRecord, type KeptDecision } from "./index.js";

/** The first version's guard of a day's limit: one per customer, currency and day. */
interface Guard {
  _id: unknown;
  tenantId: string;
  customerId: string;
  currency: string;
  day: string;
  reservedMinor?: bigint;
  usedMinor?: bigint;
}

const reason = "migration: guards of limits into days";

/**
 * Puts what the first version kept in `limit_guards` into the records of days, with the sums that rules read, and completes its
 * decisions, so that what was reserved then can be confirmed and released now. A guard goes in the transaction that counts it,
 * so running it again counts nothing twice.
 */
export async function moveGuards(db: Connection): Promise<void> {
  await completeDecisions(db);
  const guards = acrossTenants<Guard>(db, "limit_guards", reason);
  const days = acrossTenants<DayRecord & { tenantId: string }>(db, collections.days, reason);
  const decisions = acrossTenants<KeptDecision & { tenantId: string }>(db, collections.decisions, reason);
  for await (const { _id } of guards.stream({})) {
    await inTransaction(
      db,
      async (session) => {
        const guard = await guards.findOne({ _id } as object, { session });
        if (guard === null) return true;
        const { tenantId, customerId, day, currency, reservedMinor = 0n, usedMinor = 0n } = guard;
        const at = { tenantId, customerId, day };
        const known = await days.findOne(at, { session });
        const counted = await decisions.find(
          {
            tenantId,
            "inputs.facts.customerId": customerId,
            "inputs.day": day,
            reservation: { $in: ["HELD" as const, "CONFIRMED" as const] },
          } as object,
          { session },
        );
        const sums = counted.reduce(
          (sum, { inputs }) => withTransaction(sum, countedFacts(inputs.facts)),
          emptyDay(day),
        );
        const usage = known?.usage ?? [];
        const before = usage.find((one) => one.currency === currency) ?? { reservedMinor: 0n, usedMinor: 0n };
        const after = {
          currency,
          reservedMinor: before.reservedMinor + reservedMinor,
          usedMinor: before.usedMinor + usedMinor,
        };
        const content = { ...sums, usage: [...usage.filter((one) => one.currency !== currency), after] };
        await days.updateOne(at, { $set: content }, { session, upsert: true });
        await guards.deleteOne({ _id } as object, { session });
        return true;
      },
      { readBack: async () => undefined },
    );
  }
}

/** What the first version's decisions lack. Those that waited can be decided on by a person. */
async function completeDecisions(db: Connection): Promise<void> {
  const decisions = acrossTenants<KeptDecision & { tenantId: string }>(db, collections.decisions, reason);
  const first = { version: { $exists: false } } as object;
  const added = {
    version: 1,
    decidedBy: "rules",
    earlier: [],
    "inputs.profile": "LOW",
    "inputs.unmet": [],
    "inputs.met": [],
    "inputs.newBeneficiary": false,
    "inputs.figures": [],
    "inputs.facts.operation": "REMITTANCE",
    "inputs.facts.recipient": "",
  };
  const waiting = { ...first, decision: { $in: ["REVIEW", "PENDING"] }, reservation: "NONE" } as object;
  await decisions.updateMany(waiting, { $set: { ...added, isOpen: true } } as object);
  await decisions.updateMany(first, { $set: { ...added, isOpen: false } } as object);
}
