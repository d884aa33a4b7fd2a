import type { ClientSession, Connection } from "mongoose";
import { ErasureStage, PersonalDataServiceDefinition } from "../../../proto/gen/identity/v1/erasure.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import type { Idempotency } from "../../kernel/idempotency/index.js";
import { createIndexes } from "../../kernel/mongo/migrations.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { invalidInput } from "../../kernel/refusal.js";

/** What stands in the place of a name that was erased. */
export const erasedText = "erased";

export interface ErasedPerson {
  tenantId: string;
  customerId: string;
  userId: string;
}

/**
 * One kind of records that hold personal data. What is erased is not found again, so that repeating
 * it changes nothing.
 */
export interface PersonalRecords {
  /** As operators read it, such as "beneficiaries"; letters and hyphens. */
  kind: string;
  /** How many are erased in one transaction; 100 where absent. */
  batch?: number;
  /**
   * Erases up to so many; how many it was. It runs again after a transient error and does nothing
   * outside the transaction.
   */
  erase(person: ErasedPerson, limit: number, session: ClientSession): Promise<number>;
}

/** Records that have to be kept for a time. */
export interface RetainedRecords extends PersonalRecords {
  /** How many there are that are not erased, those still under way among them. */
  count(person: ErasedPerson): Promise<number>;
}

interface ErasedRow {
  tenantId: string;
  customerId: string;
  stage: string;
  /** By kind. */
  records: Record<string, bigint | number>;
}

const collection = "person_erasures";
const usualBatch = 100;
/** Well within the time that a call has. */
const maxCallMs = 4_000;

/** For the migrations of a service that keeps personal data. */
export async function createErasureIndexes(db: Connection): Promise<void> {
  await createIndexes(db, collection, [
    { key: { tenantId: 1, customerId: 1, stage: 1 }, name: "one_per_stage", unique: true },
  ]);
}

/** Who was erased here with what had to be kept, of those who are named. */
export function createErasedPeople(db: Connection) {
  const rows = tenantCollection<ErasedRow>(db, collection);
  return async function erasedOf(tenantId: string, customerIds: readonly string[]): Promise<Set<string>> {
    if (customerIds.length === 0) return new Set();
    const over = { customerId: { $in: [...customerIds] }, stage: "AFTER_RETENTION" };
    const found = await rows.forTenant(tenantId).find(over, { projection: { _id: 0, customerId: 1 } });
    return new Set(found.map(({ customerId }) => customerId));
  };
}

/** What one service keeps of a person. */
export interface SubjectRecords {
  db: Connection;
  /** What nobody has to keep. */
  atOnce: readonly PersonalRecords[];
  /**
   * What has to be kept until the retention ends; then what is found of the former is erased with
   * it.
   */
  afterRetention: readonly RetainedRecords[];
}

/** Erases in parts what was due at a stage; what it erased in all, and what it keeps. */
export function createPersonEraser({ db, atOnce, afterRetention }: SubjectRecords) {
  const rows = tenantCollection<ErasedRow>(db, collection);

  /** One batch, counted in its own transaction. */
  async function eraseBatch(person: ErasedPerson, stage: string, records: PersonalRecords): Promise<boolean> {
    const { kind, batch = usualBatch } = records;
    const { tenantId, customerId } = person;
    const erased = await inTransaction(
      db,
      async (session) => {
        const count = await records.erase(person, batch, session);
        if (count > 0) {
          const counted = { $inc: { [`records.${kind}`]: count } } as object;
          await rows.forTenant(tenantId).updateOne({ customerId, stage }, counted, { session, upsert: true });
        }
        return count;
      },
      // A commit that is unknown is repeated, and finds nothing left to erase.
      { readBack: async () => undefined },
    );
    crashPoint("shared.erasure.batch");
    return erased < batch;
  }

  return async function erase(person: ErasedPerson, stage: "AT_ONCE" | "AFTER_RETENTION") {
    const { tenantId, customerId } = person;
    const until = performance.now() + maxCallMs;
    let isDone = true;
    for (const records of stage === "AFTER_RETENTION" ? [...atOnce, ...afterRetention] : atOnce) {
      do isDone = await eraseBatch(person, stage, records);
      while (!isDone && performance.now() < until);
      if (!isDone) break;
    }
    const erased = (await rows.forTenant(tenantId).findOne({ customerId, stage }))?.records ?? {};
    const stored = await Promise.all(
      afterRetention.map(async ({ kind, count }) => ({ kind, records: BigInt(await count(person)) })),
    );
    return {
      erased: Object.entries(erased).map(([kind, records]) => ({ kind, records: BigInt(records) })),
      kept: stored.filter(({ records }) => records > 0n),
      more: !isDone,
    };
  };
}

/**
 * What identity asks of every service that keeps personal data (docs/decisions/0021), to be served
 * beside it.
 */
export function servePersonalData(stored: SubjectRecords): AnyServedService {
  const erase = createPersonEraser(stored);
  return alsoServe<PersonalDataServiceDefinition>({
    definition: PersonalDataServiceDefinition,
    access: { erasePerson: { callers: ["identity"] } },
    handlers: {
      async erasePerson({ customerId, userId, stage }, { tenantId }) {
        if (customerId === "") throw invalidInput("customerId", "is required");
        if (userId === "") throw invalidInput("userId", "is required");
        const person = { tenantId, customerId, userId };
        if (stage === ErasureStage.ERASURE_STAGE_AFTER_RETENTION) return erase(person, "AFTER_RETENTION");
        if (stage === ErasureStage.ERASURE_STAGE_AT_ONCE) return erase(person, "AT_ONCE");
        throw invalidInput("stage", "must be AT_ONCE or AFTER_RETENTION");
      },
    },
  });
}

export interface ErasedDocuments {
  kind: string;
  collection: string;
  /** Finds what is not erased yet; by `customerId` where absent. */
  which?: (person: ErasedPerson, session?: ClientSession) => object | Promise<object>;
  /** What of it may go now; all where absent. */
  settled?: object;
  /** What leaves it without the person; it is deleted where absent. */
  change?: object;
}

/** Documents of a collection that are deleted, or that lose what they say of the person. */
export function erasedDocuments(
  db: Connection,
  { kind, collection: name, which = ({ customerId }) => ({ customerId }), settled, change }: ErasedDocuments,
): RetainedRecords {
  const all = tenantCollection<{ _id: string; tenantId: string }>(db, name);
  return {
    kind,
    async erase(person, limit, session) {
      const own = all.forTenant(person.tenantId);
      const due = { ...(await which(person, session)), ...settled };
      const found = await own.find(due, { limit, session, projection: { _id: 1 } });
      const those = { _id: { $in: found.map(({ _id }) => _id) } };
      if (found.length === 0) return 0;
      await (change === undefined ? own.deleteMany(those, { session }) : own.updateMany(those, change, { session }));
      return found.length;
    },
    count: async (person) => all.forTenant(person.tenantId).count(await which(person)),
  };
}

/**
 * Answers that are kept for repeated requests of the person: they hold what the person had entered.
 */
export function storedResponses(idempotency: Idempotency): PersonalRecords {
  return {
    kind: "kept-answers",
    erase: ({ tenantId, userId }, limit, session) => idempotency.forgetAnswersOf(tenantId, userId, limit, session),
  };
}
