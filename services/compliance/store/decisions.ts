import type { Filter, FindOptions, TenantCollection } from "../../shared/mongo/tenant-collection.js";
import { Refusal } from "../../shared/refusal.js";
import type { KeptDecision } from "../domain/kept-decision.js";
import type { Owned, Page, Session } from "./collections.js";

const projection = { _id: 0, tenantId: 0 };

/**
 * A decision as it is kept: its figures, of which a policy has dozens, are one text, "2500 1 0";
 * what each is of is in the version of the policy. A list with their names was three quarters of
 * the document.
 */
export type StoredDecision = Omit<KeptDecision, "inputs"> & {
  inputs: Omit<KeptDecision["inputs"], "figures"> & { figures: string };
};

function toStored(kept: KeptDecision): StoredDecision {
  return { ...kept, inputs: { ...kept.inputs, figures: kept.inputs.figures.join(" ") } };
}

function fromStored({ inputs, ...stored }: StoredDecision): KeptDecision {
  return { ...stored, inputs: { ...inputs, figures: figuresFrom(inputs.figures) } };
}

function figuresFrom(stored: string): bigint[] {
  return stored === "" ? [] : stored.split(" ").map(BigInt);
}

/** Decisions with what they were made from. */
export function decisionStore(decisions: TenantCollection<Owned<StoredDecision>>) {
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
  };
}

export function unknownTransaction(): Refusal {
  return new Refusal("TRANSACTION_NOT_FOUND", "no decision was made on this transaction");
}
