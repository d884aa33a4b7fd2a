import type { Connection } from "mongoose";
import type { DataKeys, SealedField } from "../../kernel/keys/data-keys.js";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { BulkOperation, Filter } from "../../kernel/mongo/tenant-collection.js";
import { retainedAttempts, type Attempt, type Delivery, type DeliveryStatus } from "../domain/delivery.js";
import { collections, retentionMs, type Session } from "./collections.js";

type StoredAttempt = Omit<Attempt, "answer"> & { answer?: SealedField };
type StoredDelivery = Omit<Delivery, "attempts"> & {
  attempts: StoredAttempt[];
  /** Whom it is about was erased: what is answered from now on is not kept. */
  isErased?: true;
  /**
   * Of one that ended. One that is open stays: its line would lose its head, and with it its order.
   */
  expiresAt?: Date;
};

export interface DeliveryQuery {
  endpointId: string;
  status?: DeliveryStatus;
  eventId?: string;
  before?: number;
  limit: number;
}

/** What became of an attempt: when it is tried again, or how it ended. */
export type Outcome = { dueAt: Date } | { status: "DELIVERED" | "GIVEN_UP" };

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
export type TenantDeliveries = ReturnType<DeliveryStore["forTenant"]>;

const recordOf = (tenantId: string, deliveryId: string) => `${tenantId} webhook answer ${deliveryId}`;
const ended = { dueAt: true, leaseToken: true, isHead: true, isWaiting: true, line: true } as const;

/** Deliveries. What receivers answered lies sealed: it may repeat what they were told. */
export function createDeliveryStore(db: Connection, keys: DataKeys) {
  const all = recordCollection<StoredDelivery>(db, collections.deliveries);
  return {
    forTenant: perTenant((tenantId: string) => {
      const own = all.forTenant(tenantId);
      type Of = Filter<StoredDelivery>;

      async function seal({ answer, ...attempt }: Attempt, deliveryId: string): Promise<StoredAttempt> {
        if (answer === undefined || answer === "") return attempt;
        return { ...attempt, answer: await keys.seal(answer, recordOf(tenantId, deliveryId)) };
      }
      async function open(stored: StoredDelivery): Promise<Delivery> {
        const { expiresAt: _end, isErased: _erased, attempts, ...rest } = stored;
        const opened = attempts.map(async ({ answer, ...attempt }) => ({
          ...attempt,
          durationMs: Number(attempt.durationMs),
          ...(answer && { answer: await keys.open(answer, recordOf(tenantId, rest.deliveryId)) }),
        }));
        const [sequence, place] = [Number(rest.sequence), Number(rest.place)];
        return { ...rest, sequence, place, attempts: await Promise.all(opened) };
      }
      const endOf = ({ createdAt }: Pick<Delivery, "createdAt">) => new Date(createdAt.getTime() + retentionMs);

      /**
       * What became of an attempt, in two ways of which one applies: what is answered after the
       * erasure of whom it is about is not kept.
       */
      async function changesOf(delivery: Delivery, attempt: Attempt | undefined, outcome: Outcome) {
        const { deliveryId, leaseToken } = delivery;
        const { answer: _answer, ...silent } = attempt ?? {};
        return [
          {
            filter: { deliveryId, leaseToken, isErased: { $ne: true } } as Of,
            update: await changeOf(delivery, attempt, outcome),
          },
          {
            filter: { deliveryId, leaseToken, isErased: true } as Of,
            update: await changeOf(delivery, attempt && (silent as Attempt), outcome),
          },
        ];
      }

      async function changeOf({ deliveryId, createdAt }: Delivery, attempt: Attempt | undefined, outcome: Outcome) {
        const tried = attempt && {
          $push: { attempts: { $each: [await seal(attempt, deliveryId)], $slice: -retainedAttempts } },
          $inc: { attemptCount: 1 },
        };
        const change =
          "dueAt" in outcome
            ? { $set: { dueAt: outcome.dueAt }, $unset: { leaseToken: true } }
            : { $set: { status: outcome.status, expiresAt: endOf({ createdAt }) }, $unset: ended };
        return { ...tried, ...change } as object;
      }

      return {
        async insert(added: readonly Delivery[], session: Session): Promise<void> {
          await own.insertMany(
            added.map((delivery) => ({ ...delivery, attempts: [] })),
            { session },
          );
        },
        /** Those of these lines that have a head. */
        async headed(lines: readonly string[], session: Session): Promise<Set<string>> {
          if (lines.length === 0) return new Set();
          const heads: Of = { line: { $in: [...lines] }, isHead: true };
          const found = await own.find(heads, { session, projection: { line: 1 } });
          return new Set(found.map(({ line }) => line!));
        },

        /** Ids of an endpoint's deliveries that are due, the first one first. */
        async due(endpointId: string, now: Date, limit: number): Promise<string[]> {
          const due: Of = { endpointId, dueAt: { $lte: now } };
          const found = await own.find(due, { sort: { dueAt: 1 }, limit, projection: { deliveryId: 1 } });
          return found.map(({ deliveryId }) => deliveryId);
        },
        /**
         * Of an endpoint's open ones that come first behind that
         * place, those that were made by then.
         */
        async openSince(
          endpointId: string,
          then: Date,
          limit: number,
          after?: number,
        ): Promise<Pick<Delivery, "deliveryId" | "place">[]> {
          const behind = after === undefined ? {} : { place: { $gt: after } };
          const open = { endpointId, status: "PENDING", ...behind } as Of;
          const projection = { deliveryId: 1, createdAt: 1, place: 1 } as const;
          const found = await own.find(open, { sort: { place: 1 }, limit, projection });
          return found.filter(({ createdAt }) => createdAt <= then);
        },
        /** When the next one of an endpoint is due, or the lease of one that is under way ends. */
        async nextDue(endpointId: string): Promise<Date | undefined> {
          const open: Of = { endpointId, dueAt: { $exists: true } };
          return (await own.findOne(open, { sort: { dueAt: 1 }, projection: { dueAt: 1 } }))?.dueAt;
        },
        /** Takes those that are still due until `until`: they are due again then. */
        async lease(ids: readonly string[], token: string, now: Date, until: Date): Promise<Delivery[]> {
          const some: Of = { deliveryId: { $in: [...ids] } };
          await own.updateMany({ ...some, dueAt: { $lte: now } }, { $set: { leaseToken: token, dueAt: until } });
          const found = await own.find(
            { ...some, leaseToken: token },
            { projection: { _id: 0, tenantId: 0, attempts: 0 } },
          );
          return Promise.all(found.map((one) => open({ ...one, attempts: [] })));
        },
        /** Gives back what was leased and not tried. */
        async giveBack(ids: readonly string[], token: string, now: Date): Promise<void> {
          const mine: Of = { deliveryId: { $in: [...ids] }, leaseToken: token };
          await own.updateMany(mine, { $set: { dueAt: now }, $unset: { leaseToken: true } });
        },
        /**
         * Writes attempts of deliveries that stay heads, or have no line;
         * nothing where a lease was lost.
         */
        async record(
          results: readonly { delivery: Delivery; attempt: Attempt | undefined; outcome: Outcome }[],
        ): Promise<void> {
          const changes = await Promise.all(
            results.map(({ delivery, attempt, outcome }) => changesOf(delivery, attempt, outcome)),
          );
          const write = (chosen: 0 | 1) => {
            const operations = changes.map((of): BulkOperation<StoredDelivery> => ({ updateOne: of[chosen]! }));
            return own.bulkWrite(operations, { ordered: false });
          };
          const { matchedCount } = await write(0);
          // Few people are erased, and few leases lost: all others take one write each.
          if (matchedCount < results.length) await write(1);
        },
        /**
         * Ends a head, and makes the next of its line the head. LOST where another
         * process has it by now. ENDED where the line is empty: the caller sees to it
         * that nobody appends meanwhile.
         */
        async endHead(
          delivery: Delivery,
          attempt: Attempt | undefined,
          end: { status: "DELIVERED" | "GIVEN_UP"; givenUp: string | undefined; now: Date },
          session: Session,
        ): Promise<"ENDED" | "NEXT" | "LOST"> {
          const { line } = delivery;
          let isMine = false;
          for (const { filter, update } of await changesOf(delivery, attempt, { status: end.status })) {
            isMine ||= (await own.updateOne(filter, update, { session })).matchedCount === 1;
          }
          if (!isMine) return "LOST";
          const next = await own.findOneAndUpdate(
            { line, isWaiting: true } as Of,
            {
              $set: {
                isHead: true,
                dueAt: end.now,
                ...(end.givenUp !== undefined && { givenUp: end.givenUp }),
              },
              $unset: { isWaiting: true },
            },
            { session, sort: { place: 1 } },
          );
          return next === undefined ? "ENDED" : "NEXT";
        },

        async find(deliveryId: string, session?: Session): Promise<Delivery | undefined> {
          const found = await own.findOne({ deliveryId }, { session });
          return found && open(found);
        },
        async list({ endpointId, status, eventId, before, limit }: DeliveryQuery): Promise<Delivery[]> {
          const filter = {
            endpointId,
            ...(status !== undefined && { status }),
            ...(eventId !== undefined && { eventId }),
            ...(before !== undefined && { place: { $lt: before } }),
          } as Of;
          const found = await own.find(filter, {
            sort: { place: -1 },
            limit,
            projection: { _id: 0, tenantId: 0, "attempts.answer": 0 },
          });
          return Promise.all(found.map(open));
        },
        hasOpen: async (endpointId: string, session: Session): Promise<boolean> =>
          (await own.findOne({ endpointId, status: "PENDING" } as Of, { session, projection: { _id: 1 } })) !==
          undefined,
        /**
         * Starts one that ended anew, with a fresh schedule; `without` names what it does not keep.
         */
        async reopen(
          ids: readonly string[],
          place: object,
          session: Session,
          without: { givenUp?: true } = {},
        ): Promise<void> {
          const some: Of = { deliveryId: { $in: [...ids] }, status: { $ne: "PENDING" } };
          const fresh = {
            $set: { status: "PENDING" as const, attemptCount: 0, ...place },
            $unset: { leaseToken: true, expiresAt: true, ...without },
          };
          await own.updateMany(some, fresh as object, { session });
        },
        /** Deletes open ones of an endpoint that was removed; how many. */
        async removeOpen(endpointId: string, limit: number): Promise<number> {
          const open = { endpointId, status: "PENDING" } as Of;
          const found = await own.find(open, { limit, projection: { deliveryId: 1 } });
          const ids = found.map(({ deliveryId }) => deliveryId);
          return (await own.deleteMany({ deliveryId: { $in: ids } } as Of)).deletedCount;
        },
        /** Ids of events that an endpoint was sent, or is to be. */
        async eventsWith(endpointId: string, eventIds: readonly string[], session: Session): Promise<Set<string>> {
          const some = { endpointId, eventId: { $in: [...eventIds] } } as Of;
          const found = await own.find(some, { session, projection: { eventId: 1 } });
          return new Set(found.map(({ eventId }) => eventId));
        },
        /** Those of these events that were given up, in the events' order. */
        givenUpAmong: async (endpointId: string, eventIds: readonly string[], session: Session) => {
          const lost = { endpointId, eventId: { $in: [...eventIds] }, status: "GIVEN_UP" } as Of;
          return own.find(lost, { session, sort: { place: 1 }, projection: { deliveryId: 1, eventId: 1 } });
        },
      };
    }),
  };
}
