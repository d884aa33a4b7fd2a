import type { Connection } from "mongoose";
import { erasedDocuments, type RetainedRecords } from "../../../platform/erasure/erasure.js";
import { perTenant } from "../../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import type { Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { Exemption, ExemptionState } from "../domain/exemption.js";
import type { SubjectRef } from "../../common/domain/subject.js";
import { collections, type Page, type Session } from "../../common/store/collections.js";
import type { ScreeningCipher, SealedField } from "./screening-cipher.js";
import { notOf } from "./screenings.js";

/** As it lies: who it is about and why are sealed. */
type StoredExemption = Omit<Exemption, "name" | "reason" | "ended"> & {
  sealed: SealedField;
  ended?: { at: Date; by: string; sealed: SealedField };
};

type Named = Pick<Exemption, "name" | "reason">;

export interface ExemptionFilter {
  customerId?: string;
  state?: ExemptionState;
  /** What OVER goes by. */
  now: Date;
  /** The user who reads: what is about them is left out. */
  reader?: string;
}

export type ExemptionStore = ReturnType<typeof createExemptionStore>;
export type TenantExemptions = ReturnType<ExemptionStore["forTenant"]>;

const notEnded = { ended: { $exists: false } };
const notVoid = { voidAt: { $exists: false } };

/** Entries that are no hit for somebody. */
export function createExemptionStore(db: Connection, cipher: ScreeningCipher) {
  const all = recordCollection<StoredExemption>(db, collections.screeningExemptions);

  return {
    forTenant: perTenant((tenantId: string) => {
      const own = all.forTenant(tenantId);
      const recordOf = (exemptionId: string) => `${tenantId} exemption ${exemptionId}`;
      const endOf = (exemptionId: string) => `${recordOf(exemptionId)} end`;

      async function open({ sealed, ended, ...rest }: StoredExemption): Promise<Exemption> {
        const { exemptionId } = rest;
        const { name, reason } = await cipher.open<Named>(sealed, recordOf(exemptionId));
        if (ended === undefined) return { ...rest, name, reason };
        const { sealed: why, ...by } = ended;
        return { ...rest, name, reason, ended: { ...by, reason: await cipher.open<string>(why, endOf(exemptionId)) } };
      }

      return {
        async insert(exemption: Omit<Exemption, "ended" | "voidAt">, session: Session): Promise<void> {
          const { name, reason, ...rest } = exemption;
          const sealed = await cipher.seal({ name, reason } satisfies Named, recordOf(rest.exemptionId));
          await own.insertOne({ ...rest, sealed }, { session });
        },
        async find(exemptionId: string, session?: Session): Promise<Exemption | undefined> {
          const found = await own.findOne({ exemptionId }, { session });
          return found && open(found);
        },
        /** What was made of a hit. */
        async findOfHit({ screeningId, hitId }: Pick<Exemption, "screeningId" | "hitId">, session?: Session) {
          const found = await own.findOne({ screeningId, hitId }, { session });
          return found && open(found);
        },
        /** Of one subject, those that nobody has ended and that are neither void nor over. */
        async listOf(subject: Pick<SubjectRef, "kind" | "id">, now: Date, session?: Session): Promise<Exemption[]> {
          const valid = { ...ofSubject(subject), ...notEnded, ...notVoid, until: { $gt: now } };
          return openAll(await own.find(valid as Filter<StoredExemption>, { session }), open);
        },
        /**
         * Hits that exemptions of one subject came from, whatever became of
         * them: "<screeningId>.<hitId>".
         */
        async originsOf(subject: Pick<SubjectRef, "kind" | "id">, session?: Session): Promise<Set<string>> {
          const found = await own.find(ofSubject(subject) as Filter<StoredExemption>, { session });
          return new Set(found.map(({ screeningId, hitId }) => `${screeningId}.${hitId}`));
        },
        /** Newest first. The page before ended with the exemption of the id `after`. */
        async list({ customerId, state, now, reader }: ExemptionFilter, { limit, after }: Page): Promise<Exemption[]> {
          const filter = {
            ...(customerId !== undefined && { "subject.customerId": customerId }),
            ...(state !== undefined && inState(state, now)),
            ...(reader !== undefined && { $and: [notOf(reader)] }),
            ...(after !== undefined && { exemptionId: { $lt: after } }),
          } as Filter<StoredExemption>;
          return openAll(await own.find(filter, { sort: { exemptionId: -1 }, limit }), open);
        },
        /** False where it was ended before. */
        async end(exemptionId: string, ended: NonNullable<Exemption["ended"]>, session: Session): Promise<boolean> {
          const { reason, ...by } = ended;
          const change = { $set: { ended: { ...by, sealed: await cipher.seal(reason, endOf(exemptionId)) } } };
          const open = { exemptionId, ...notEnded } as Filter<StoredExemption>;
          return (await own.updateOne(open, change, { session })).matchedCount === 1;
        },
        /** Notes that these speak of somebody, or of an entry, as they are no more. */
        async void(exemptionIds: readonly string[], at: Date, session: Session): Promise<void> {
          if (exemptionIds.length === 0) return;
          const valid = { exemptionId: { $in: [...exemptionIds] }, ...notVoid } as Filter<StoredExemption>;
          await own.updateMany(valid, { $set: { voidAt: at } }, { session });
        },
        /**
         * The same of all of a subject that were made for another name or
         * date of birth. How many it was.
         */
        async voidOthersThan(
          subject: Pick<SubjectRef, "kind" | "id">,
          identityFingerprint: string,
          at: Date,
          session?: Session,
        ): Promise<number> {
          const others = { ...ofSubject(subject), ...notVoid, identityFingerprint: { $ne: identityFingerprint } };
          const made = await own.updateMany(
            others as Filter<StoredExemption>,
            { $set: { voidAt: at } },
            session === undefined ? {} : { session },
          );
          return made.matchedCount;
        },
      };
    }),
  };
}

/** Of a customer and of those they send to, once the time for keeping them is over. */
export function exemptionsOfPerson(db: Connection): RetainedRecords {
  return erasedDocuments(db, {
    kind: "screening-exemptions",
    collection: collections.screeningExemptions,
    which: ({ customerId }) => ({ "subject.customerId": customerId }),
  });
}

const ofSubject = ({ kind, id }: Pick<SubjectRef, "kind" | "id">) => ({ "subject.kind": kind, "subject.id": id });

/** What stateOf says of one whose subject's name and date of birth are not looked at. */
function inState(state: ExemptionState, now: Date): object {
  switch (state) {
    case "ENDED":
      return { ended: { $exists: true } };
    case "VOID":
      return { ...notEnded, voidAt: { $exists: true } };
    case "OVER":
      return { ...notEnded, ...notVoid, until: { $lte: now } };
    case "VALID":
      return { ...notEnded, ...notVoid, until: { $gt: now } };
  }
}

function openAll(
  found: readonly StoredExemption[],
  open: (one: StoredExemption) => Promise<Exemption>,
): Promise<Exemption[]> {
  return Promise.all(found.map(open));
}
