import type { BulkOperation, Filter, FindOptions, TenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { DayRecord, KeptDecision, Owned, Page, Session } from "./index.js";

const projection = { _id: 0, tenantId: 0 };

/**
 * A decision as it is kept: its figures, of which a policy has dozens, are one text, "2500 1 0", and what each is of is in the version of
 * the policy. As a list with their names they were three quarters of the document.
 */
export type StoredDecision = Omit<KeptDecision, "inputs"> & {
  inputs: Omit<KeptDecision["inputs"], "figures"> & { figures: string | { key: string; value: bigint }[] };
};

function toStored(kept: KeptDecision): StoredDecision {
  return { ...kept, inputs: { ...kept.inputs, figures: kept.inputs.figures.join(" ") } };
}

function fromStored({ inputs, ...stored }: StoredDecision): KeptDecision {
  return { ...stored, inputs: { ...inputs, figures: figuresFrom(inputs.figures) } };
}

/** Older decisions have them as a list, in the same order. */
function figuresFrom(kept: StoredDecision["inputs"]["figures"]): bigint[] {
  if (typeof kept !== "string") return kept.map(({ value }) => BigInt(value));
  return kept === "" ? [] : kept.split(" ").map(BigInt);
}

/** Decisions with what they were made from, and what was counted of them by day and recipient. */
export function decisionStore(
  decisions: TenantCollection<Owned<StoredDecision>>,
  days: TenantCollection<Owned<DayRecord>>,
  recipients: TenantCollection<Owned<{ customerId: string; recipient: string }>>,
) {
  async function find(filter: Filter<Owned<StoredDecision>>, options: FindOptions = {}): Promise<KeptDecision[]> {
    return (await decisions.find(filter, { ...options, projection })).map(fromStored);
  }

  return {
    async findDecision(transactionId: string, session?: Session): Promise<KeptDecision | undefined> {
      const found = await decisions.findOne({ transactionId }, { projection, session });
      return found === null ? undefined : fromStored(found);
    },
    /** Those that there are. */
    findDecisions: (transactionIds: readonly string[], session?: Session): Promise<KeptDecision[]> =>
      find({ transactionId: { $in: [...transactionIds] } }, { session }),
    insertDecisions: (made: readonly KeptDecision[], session: Session) =>
      decisions.insertMany(made.map(toStored), { session }),
    async putDecision(kept: KeptDecision, session: Session): Promise<void> {
      const { transactionId, ...content } = toStored(kept);
      await decisions.updateOne({ transactionId }, { $set: content }, { session });
    },
    /** What waits, oldest first; of one customer, or of all. */
    listOpen: (
      { customerId, limit, after }: Page & { customerId?: string },
      session?: Session,
    ): Promise<KeptDecision[]> =>
      find(
        {
          isOpen: true,
          ...(customerId !== undefined && { "inputs.facts.customerId": customerId }),
          ...(after !== undefined && { transactionId: { $gt: after } }),
        },
        { sort: { transactionId: 1 }, limit, session },
      ),
    /** A customer's decisions of a day whose transactions count. */
    listCounted: (customerId: string, day: string, session: Session): Promise<KeptDecision[]> =>
      find(
        {
          "inputs.facts.customerId": customerId,
          "inputs.day": day,
          reservation: { $in: ["HELD" as const, "CONFIRMED" as const] },
        },
        { sort: { decidedAt: 1, transactionId: 1 }, session },
      ),
    /** Decisions of a stretch of time, oldest first. */
    async *streamDecisions(from: Date, to: Date, limit: number): AsyncIterable<KeptDecision> {
      const options = { sort: { decidedAt: 1 }, limit, projection } as const;
      for await (const one of decisions.stream({ decidedAt: { $gte: from, $lt: to } }, options)) yield fromStored(one);
    },

    /** A customer's days from one to another, both included. */
    listDays: (customerId: string, from: string, to: string, session?: Session): Promise<DayRecord[]> =>
      days.find({ customerId, day: { $gte: from, $lte: to } } as Filter<Owned<DayRecord>>, { projection, session }),
    /** The same of several customers. */
    listDaysOf: (customerIds: readonly string[], from: string, to: string, session?: Session): Promise<DayRecord[]> =>
      days.find({ customerId: { $in: [...customerIds] }, day: { $gte: from, $lte: to } } as Filter<Owned<DayRecord>>, {
        projection,
        session,
      }),
    async putDays(records: readonly DayRecord[], session: Session): Promise<void> {
      const puts = records.map(({ customerId, day, ...content }) => ({
        updateOne: { filter: { customerId, day }, update: { $set: content }, upsert: true },
      }));
      await days.bulkWrite(puts as BulkOperation<Owned<DayRecord>>[], { session });
    },
    /** The same of a day that is kept of each of several customers. Throws where it is not. */
    async changeDay(day: string, records: readonly DayRecord[], session: Session): Promise<void> {
      const values = new Map(
        records.map(({ customerId, cells, sizes, recipients, usage }) => [
          customerId,
          { cells, sizes, recipients, usage },
        ]),
      );
      const { matchedCount } = await days.updateEach({ day }, { by: "customerId", values }, {}, { session });
      if (matchedCount !== records.length) throw new Error(`${day} is kept of ${matchedCount} of ${records.length}`);
    },

    /** "customer recipient" of those pairs that have been sent to before, and perhaps of others. */
    async knownRecipients(
      asked: readonly { customerId: string; recipient: string }[],
      session?: Session,
    ): Promise<Set<string>> {
      const filter = {
        customerId: { $in: [...new Set(asked.map(({ customerId }) => customerId))] },
        recipient: { $in: [...new Set(asked.map(({ recipient }) => recipient))] },
      };
      const found = await recipients.find(filter, { session, projection });
      return new Set(found.map(({ customerId, recipient }) => `${customerId} ${recipient}`));
    },
    insertRecipients: (used: readonly { customerId: string; recipient: string }[], session: Session) =>
      recipients.insertMany(
        used.map(({ customerId, recipient }) => ({ customerId, recipient })),
        { session },
      ),
  };
}
