import type { RecordCollection } from "../../../kernel/mongo/record-collection.js";
import type { BulkOperation, Filter, FindOptions } from "../../../kernel/mongo/tenant-collection.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { CaseTransaction } from "../../cases/domain/case-content.js";
import type { RecordedDecision, SealedParties } from "../domain/recorded-decision.js";
import type { ReservationState } from "../domain/reservation.js";
import type { PartyRole } from "../../screening/domain/summary.js";
import type { TransactionFacts } from "../domain/transaction.js";
import type { TransparencyFacts } from "../domain/transparency.js";
import type { Page, Session } from "../../common/store/collections.js";

/**
 * A decision as it is kept: its figures, of which a policy has dozens, are one text, "2500 1 0";
 * what each is of is in the version of the policy. A list with their names was three quarters of
 * the document.
 */
export type StoredDecision = Omit<RecordedDecision, "inputs"> & {
  inputs: Omit<RecordedDecision["inputs"], "figures"> & { figures: string };
};

function decisionToDocument({ parties, ...rest }: RecordedDecision): StoredDecision {
  // Nobody is compared any more for what is closed.
  const isStored = rest.isOpen && parties !== undefined;
  return { ...rest, ...(isStored && { parties }), inputs: { ...rest.inputs, figures: rest.inputs.figures.join(" ") } };
}

function decisionFromDocument({ inputs, ...stored }: StoredDecision): RecordedDecision {
  return { ...stored, inputs: { ...inputs, figures: figuresFrom(inputs.figures) } };
}

function figuresFrom(stored: string): bigint[] {
  return stored === "" ? [] : stored.split(" ").map(BigInt);
}

/** What waits for a person or a document: what a confirmed hit holds waits for its release. */
export const reviewable = { isOpen: true, isBlocked: { $ne: true }, isPayeeBlocked: { $ne: true } };

/** What waits because lists were not there. */
export const withoutLists = { isOpen: true, reasonCode: "SCREENING_UNAVAILABLE" as const };

/** Decisions with what they were made from. */
export function decisionStore(decisions: RecordCollection<StoredDecision>) {
  async function find(filter: Filter<StoredDecision>, options: FindOptions = {}): Promise<RecordedDecision[]> {
    return (await decisions.find(filter, options)).map(decisionFromDocument);
  }

  async function putDecisions(recorded: readonly RecordedDecision[], session: Session): Promise<void> {
    const puts = recorded.map((one) => {
      const { transactionId, ...content } = decisionToDocument(one);
      const absent = (["parties", "transparency"] as const).filter((name) => content[name] === undefined);
      const gone = absent.length > 0 ? { $unset: Object.fromEntries(absent.map((name) => [name, ""])) } : {};
      return { updateOne: { filter: { transactionId }, update: { $set: content, ...gone } } };
    });
    await decisions.bulkWrite(puts as BulkOperation<StoredDecision>[], { session });
  }

  return {
    async findDecision(transactionId: string, session?: Session): Promise<RecordedDecision | undefined> {
      const found = await decisions.findOne({ transactionId }, { session });
      return found && decisionFromDocument(found);
    },
    /** Those that there are. */
    findDecisions: (transactionIds: readonly string[], session?: Session): Promise<RecordedDecision[]> =>
      find({ transactionId: { $in: [...transactionIds] } }, { session }),
    /** What officers are shown of those that there are: without what they were decided from. */
    async describeDecisions(transactionIds: readonly string[]): Promise<CaseTransaction[]> {
      if (transactionIds.length === 0) return [];
      const found = await decisions.find(
        { transactionId: { $in: [...transactionIds] } },
        {
          projection: {
            _id: 0,
            transactionId: 1,
            decision: 1,
            reasonCode: 1,
            decidedBy: 1,
            decidedAt: 1,
            "inputs.facts": 1,
            "earlier.decidedAt": 1,
          },
        },
      );
      return found.map(({ transactionId, decision, reasonCode, decidedBy, decidedAt, inputs, earlier }) => {
        const requestedAt = earlier[0]?.decidedAt ?? decidedAt;
        return { transactionId, facts: inputs.facts, requestedAt, decision, reasonCode, decidedBy, decidedAt };
      });
    },
    insertDecisions: (made: readonly RecordedDecision[], session: Session) =>
      decisions.insertMany(made.map(decisionToDocument), { session }),
    putDecision: (recorded: RecordedDecision, session: Session) => putDecisions([recorded], session),
    putDecisions,
    /** What is known of recipients and orders by now. */
    async putTransparency(
      changed: readonly { transactionId: string; known: TransparencyFacts }[],
      session: Session,
    ): Promise<void> {
      if (changed.length === 0) return;
      const puts = changed.map(({ transactionId, known }) => ({
        updateOne: { filter: { transactionId }, update: { $set: { "inputs.facts.transparency": known } } },
      }));
      await decisions.bulkWrite(puts as BulkOperation<StoredDecision>[], { session });
    },
    /** Who is paid by what waits, in place of those who were named before. */
    async putParties(
      transactionId: string,
      parties: SealedParties,
      roles: readonly PartyRole[],
      session: Session,
    ): Promise<void> {
      const change = { $set: { parties, "inputs.screening.parties": [...roles] } };
      await decisions.updateOne({ transactionId, isOpen: true }, change as object, { session });
    },
    /** As which version of its transaction has named them, so that an older one is known. */
    async notePartiesVersion(transactionId: string, partiesVersion: number, session: Session): Promise<void> {
      await decisions.updateOne({ transactionId }, { $set: { partiesVersion } }, { session });
    },
    /** Whose decisions these are, of those that there are. */
    async customersOf(transactionIds: readonly string[]): Promise<Map<string, string>> {
      const found = await decisions.find(
        { transactionId: { $in: [...transactionIds] } },
        { projection: { _id: 0, transactionId: 1, "inputs.facts.customerId": 1 } },
      );
      return new Map(found.map(({ transactionId, inputs }) => [transactionId, inputs.facts.customerId]));
    },
    /** What becomes of reservations, the same of several; nobody decides on them any more. */
    async closeDecisions(
      transactionIds: readonly string[],
      reservation: ReservationState | undefined,
      session: Session,
    ): Promise<void> {
      const change = {
        $set: { isOpen: false, ...(reservation !== undefined && { reservation }) },
        $unset: { parties: "" },
      };
      await decisions.updateMany({ transactionId: { $in: [...transactionIds] } }, change as object, { session });
    },
    /** What waits, oldest first; of one customer, or of all. */
    listOpen: (
      { customerId, limit, after, reviewableOnly = false }: Page & { customerId?: string; reviewableOnly?: boolean },
      session?: Session,
    ): Promise<RecordedDecision[]> =>
      find(
        {
          ...(reviewableOnly ? reviewable : { isOpen: true }),
          ...(customerId !== undefined && { "inputs.facts.customerId": customerId }),
          ...(after !== undefined && { transactionId: { $gt: after } }),
        },
        { sort: { transactionId: 1 }, limit, session },
      ),
    /**
     * Notes which of what waits of a customer, or pays into their wallet, confirmed
     * hits hold now. Needs their lock.
     */
    async noteBlocked(customerId: string, held: "ALL" | readonly string[], session: Session): Promise<void> {
      const own = { isOpen: true, "inputs.facts.customerId": customerId };
      await decisions.updateMany({ ...own, isBlocked: true }, { $set: { isBlocked: false } }, { session });
      const toHeld = held === "ALL" ? own : { ...own, "inputs.facts.recipient": { $in: [...held] } };
      if (held.length > 0) await decisions.updateMany(toHeld, { $set: { isBlocked: true } }, { session });
      const into = { isOpen: true, "inputs.screening.walletOwner": customerId };
      await decisions.updateMany(into, { $set: { isPayeeBlocked: held === "ALL" } }, { session });
    },
    /** Remittances that wait and pay into a customer's wallet, whoever sends them; oldest first. */
    listOpenInto: (walletOwner: string, limit: number, session?: Session): Promise<RecordedDecision[]> =>
      find(
        { isOpen: true, "inputs.screening.walletOwner": walletOwner },
        { sort: { transactionId: 1 }, limit, session },
      ),
    /** What waits because lists were not there, by transaction, after the given one. */
    async listUnavailable({ after, limit }: Page): Promise<{ transactionId: string; customerId: string }[]> {
      const filter = { ...withoutLists, ...(after !== undefined && { transactionId: { $gt: after } }) };
      const found = await decisions.find(filter, {
        sort: { transactionId: 1 },
        limit,
        projection: { _id: 0, transactionId: 1, "inputs.facts.customerId": 1 },
      });
      return found.map(({ transactionId, inputs }) => ({ transactionId, customerId: inputs.facts.customerId }));
    },
    countUnavailable: (limit: number): Promise<number> => decisions.count(withoutLists, { limit }),
    /** Transactions of customers that count on these days: no more than their sums are made of. */
    async listCounted(
      customerIds: readonly string[],
      days: readonly string[],
      session: Session,
    ): Promise<{ day: string; facts: TransactionFacts }[]> {
      const found = await decisions.find(
        {
          "inputs.facts.customerId": { $in: [...customerIds] },
          "inputs.day": { $in: [...days] },
          reservation: { $in: ["HELD" as const, "CONFIRMED" as const] },
        },
        {
          sort: { decidedAt: 1, transactionId: 1 },
          projection: { _id: 0, "inputs.day": 1, "inputs.facts": 1 },
          session,
        },
      );
      return found.map(({ inputs: { day, facts } }) => ({ day, facts }));
    },
    /** Decisions of a stretch of time, oldest first. */
    async *streamDecisions(from: Date, to: Date, limit: number): AsyncIterable<RecordedDecision> {
      const options = { sort: { decidedAt: 1 }, limit } as const;
      for await (const one of decisions.stream({ decidedAt: { $gte: from, $lt: to } }, options))
        yield decisionFromDocument(one);
    },
  };
}

export function unknownTransaction(): Refusal {
  return new Refusal("TRANSACTION_NOT_FOUND", "no decision was made on this transaction");
}
