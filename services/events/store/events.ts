import type { Connection } from "mongoose";
import type { DataKeys, SealedField } from "../../kernel/keys/data-keys.js";
import type { SubjectType } from "../../platform/events/types.js";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { Filter } from "../../kernel/mongo/tenant-collection.js";
import type { RecordedEvent } from "../domain/event.js";
import { collections, retentionMs, type Session } from "./collections.js";

/** An event as it lies in the database: its body is sealed. */
interface StoredEvent extends Omit<RecordedEvent, "body"> {
  /** Type and id, as one. */
  subject: string;
  content?: SealedField;
  expiresAt: Date;
}

export interface EventQuery {
  subjectType?: SubjectType;
  subjectId?: string;
  /** Exact, or such as `transaction.*`. */
  type?: string;
  /** Kept since then. */
  from?: Date;
  after?: number;
  /** Up to this place, included. */
  until?: number;
  isConfidentialShown: boolean;
  limit: number;
}

export type EventStore = ReturnType<typeof createEventStore>;
export type TenantEvents = ReturnType<EventStore["forTenant"]>;

/** What an event's body is bound to. */
const recordOf = (tenantId: string, eventId: string) => `${tenantId} event ${eventId}`;

/** Events, the order of a tenant's, and the last number of each subject. */
export function createEventStore(db: Connection, keys: DataKeys) {
  const allEvents = recordCollection<StoredEvent>(db, collections.events);
  const allPlaces = recordCollection<{ last: number }>(db, collections.places);
  const allSubjects = recordCollection<{ subject: string; last: number }>(db, collections.subjects);

  const allErased = recordCollection<{ customerId: string; erasedAt: Date }>(db, collections.erased);

  return {
    forTenant: perTenant((tenantId: string) => {
      const erased = allErased.forTenant(tenantId);
      const events = allEvents.forTenant(tenantId);
      const subjects = allSubjects.forTenant(tenantId);

      async function seal({ body, ...event }: RecordedEvent): Promise<StoredEvent> {
        const { subjectType, subjectId, recordedAt, eventId } = event;
        return {
          ...event,
          subject: `${subjectType}:${subjectId}`,
          ...(body !== undefined && { content: await keys.seal(body, recordOf(tenantId, eventId)) }),
          expiresAt: new Date(recordedAt.getTime() + retentionMs),
        };
      }
      async function open({
        content,
        subject: _subject,
        expiresAt: _end,
        ...event
      }: StoredEvent): Promise<RecordedEvent> {
        const [sequence, place] = [Number(event.sequence), Number(event.place)];
        const body = content && (await keys.open(content, recordOf(tenantId, event.eventId)));
        return { ...event, sequence, place, ...(body !== undefined && { body }) };
      }

      /**
       * One that comes before all that were kept since a time: who numbers takes turns, by a clock
       * that is off by less than a minute.
       */
      async function placeBefore(from: Date): Promise<number> {
        const earlier = { recordedAt: { $lt: new Date(from.getTime() - 60_000) } };
        const last = await events.findOne(earlier, { sort: { recordedAt: -1, place: -1 }, projection: { place: 1 } });
        return Number(last?.place ?? 0);
      }

      return {
        /**
         * Takes the tenant's turn until the session's transaction ends, and `count` places; the
         * last of them. What is decided between is decided by one at a time.
         */
        async takePlaces(count: number, session: Session): Promise<number> {
          const options = { session, upsert: true, returnDocument: "after" } as const;
          const row = await allPlaces
            .forTenant(tenantId)
            .findOneAndUpdate({}, { $inc: { last: count } } as object, options);
          return Number(row!.last);
        },
        /** Of the last event that is there, or 0. */
        async lastPlace(): Promise<number> {
          const row = await allPlaces.forTenant(tenantId).findOne({}, { projection: { last: 1 } });
          return Number(row?.last ?? 0);
        },
        /** Sequences of those that are kept already, by their ids. */
        async sequencesOf(eventIds: readonly string[], session?: Session): Promise<Map<string, number>> {
          const known = { eventId: { $in: [...eventIds] } };
          const found = await events.find(known, { session, projection: { eventId: 1, sequence: 1 } });
          return new Map(found.map(({ eventId, sequence }) => [eventId, Number(sequence)]));
        },
        /** The last sequence of each subject that has one. */
        async lastSequences(keysOf: readonly string[], session: Session): Promise<Map<string, number>> {
          const found = await subjects.find({ subject: { $in: [...keysOf] } }, { session });
          return new Map(found.map(({ subject, last }) => [subject, Number(last)]));
        },
        /**
         * `known` are the subjects of which something was told before. Most have a first event
         * now: to insert them costs far less than to look for each. The turn must have been taken,
         * or another may insert one too.
         */
        async putLastSequences(
          last: ReadonlyMap<string, number>,
          known: { has(subject: string): boolean },
          session: Session,
        ): Promise<void> {
          const fresh = [...last].filter(([subject]) => !known.has(subject));
          const published = [...last].filter(([subject]) => known.has(subject));
          const added = fresh.map(([subject, value]) => ({ subject, last: value }));
          if (added.length > 0) await subjects.insertMany(added, { session });
          const operations = published.map(([subject, value]) => ({
            updateOne: { filter: { subject }, update: { $set: { last: value } } },
          }));
          if (operations.length > 0) await subjects.bulkWrite(operations, { session });
        },
        /** Writes them, so that nobody else does in a transaction of the same time. */
        async touchSubjects(keysOf: readonly string[], session: Session): Promise<void> {
          if (keysOf.length === 0) return;
          await subjects.updateMany({ subject: { $in: [...keysOf] } }, { $inc: { touched: 1 } } as object, { session });
        },
        /** Which of these people were erased. */
        async erasedAmong(customerIds: readonly string[], session: Session): Promise<Set<string>> {
          if (customerIds.length === 0) return new Set();
          const found = await erased.find({ customerId: { $in: [...customerIds] } }, { session });
          return new Set(found.map(({ customerId }) => customerId));
        },
        /**
         * Of what is told about them from now on, nothing but numbers is kept.
         * The turn must have been taken.
         */
        async noteErased(customerId: string, erasedAt: Date, session: Session): Promise<void> {
          await erased.updateOne({ customerId }, { $setOnInsert: { erasedAt } } as object, { session, upsert: true });
        },
        async insert(added: readonly RecordedEvent[], session: Session): Promise<void> {
          await events.insertMany(await Promise.all(added.map(seal)), { session });
        },

        async find(eventId: string, session?: Session): Promise<RecordedEvent | undefined> {
          const found = await events.findOne({ eventId }, { session });
          return found && open(found);
        },
        async findMany(eventIds: readonly string[]): Promise<Map<string, RecordedEvent>> {
          const found = await events.find({ eventId: { $in: [...eventIds] } });
          const opened = await Promise.all(found.map(open));
          return new Map(opened.map((event) => [event.eventId, event]));
        },
        /** In the order of their places. */
        async list(query: EventQuery): Promise<RecordedEvent[]> {
          const { from, after = 0, limit } = query;
          const first = from === undefined ? after : Math.max(after, await placeBefore(from));
          const which = filterOf({ ...query, after: first });
          const found = await events.find(which, { sort: { place: 1 }, limit });
          return Promise.all(found.map(open));
        },
      };
    }),
  };
}

function filterOf(query: EventQuery): Filter<StoredEvent> {
  const { subjectType, subjectId, type, from, after = 0, until, isConfidentialShown } = query;
  const place = { $gt: after, ...(until !== undefined && { $lte: until }) };
  return {
    place,
    ...(subjectType !== undefined && { subject: `${subjectType}:${subjectId}` }),
    ...(type !== undefined && { type: type.endsWith(".*") ? prefixOf(type) : type }),
    ...(from !== undefined && { recordedAt: { $gte: from } }),
    ...(!isConfidentialShown && { isConfidential: false }),
  } as Filter<StoredEvent>;
}

/** `transaction.*` as a range: from its first name to before the one that follows all of them. */
function prefixOf(pattern: string): { $gte: string; $lt: string } {
  const prefix = pattern.slice(0, -1);
  return { $gte: prefix, $lt: `${prefix.slice(0, -1)}/` };
}
