import type { Connection } from "mongoose";
import { perTenant } from "../../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import type { Filter, FindOptions } from "../../../kernel/mongo/tenant-collection.js";
import { Refusal } from "../../../kernel/refusal.js";
import {
  isOffList,
  isOpen,
  type Hit,
  type Screening,
  type ScreeningStatus,
  type Trigger,
  type Word,
} from "../domain/screening.js";
import type { SubjectRef } from "../../common/domain/subject.js";
import { collections, type Page, type Session } from "../../common/store/collections.js";
import type { ScreeningCipher, SealedField } from "./screening-cipher.js";

/** Who was screened and what was found lie sealed. */
export type StoredScreening = Omit<Screening, "name" | "hits"> & {
  sealed: SealedField;
  hasOpenHits: boolean;
  hasOffList: boolean;
};

export interface ScreeningFilter {
  customerId?: string;
  /** IN_REVIEW finds all with open hits, also beside a confirmed one. */
  status?: ScreeningStatus;
  trigger?: Trigger;
  transactionId?: string;
  /** With hits that stop somebody by an entry that its list has not any more. */
  isOffList?: boolean;
  /** The user who reads: what is about them is left out. */
  reader?: string;
}

export interface ScreeningsAbout {
  transactionIds: readonly string[];
  subjects: readonly Pick<SubjectRef, "kind" | "id">[];
}

export interface HoldingScreenings {
  readable: Screening[];
  unreadable: { screeningId: string; error: unknown }[];
  /** The last one's id, read or not; undefined after all of them. */
  last: string | undefined;
}

export type ScreeningStore = ReturnType<typeof createScreeningStore>;
export type TenantScreenings = ReturnType<ScreeningStore["forTenant"]>;

const newestFirst = { screeningId: -1 } as const;

/**
 * Screenings that found something or were asked for, with their hits. Ids rise with time (UUIDv7).
 */
export function createScreeningStore(db: Connection, cipher: ScreeningCipher) {
  const all = recordCollection<StoredScreening>(db, collections.screenings);

  return {
    forTenant: perTenant((tenantId: string) => {
      const screenings = all.forTenant(tenantId);
      const recordOf = (screeningId: string) => `${tenantId} screening ${screeningId}`;

      async function seal({ name, hits, ...rest }: Screening) {
        const field = await cipher.seal({ name, hits }, recordOf(rest.screeningId));
        return { ...rest, hasOpenHits: hits.some(isOpen), hasOffList: hits.some(isOffList), sealed: field };
      }
      async function open({
        sealed: field,
        hasOpenHits: _open,
        hasOffList: _off,
        ...rest
      }: StoredScreening): Promise<Screening> {
        const { name, hits } = await cipher.open<Pick<Screening, "name" | "hits">>(field, recordOf(rest.screeningId));
        return { ...rest, name, hits: hits.map(withDates) };
      }
      async function find(filter: object, options: FindOptions): Promise<Screening[]> {
        const found = await screenings.find(filter as Filter<StoredScreening>, { ...options });
        return Promise.all(found.map(open));
      }

      return {
        async insert(screening: Screening, session: Session): Promise<void> {
          await screenings.insertOne(await seal(screening), { session });
        },

        async find(screeningId: string, session?: Session): Promise<Screening | undefined> {
          const found = await screenings.findOne({ screeningId }, { session });
          return found && open(found);
        },

        /** Those that there are. */
        findMany: (screeningIds: readonly string[], session?: Session): Promise<Screening[]> =>
          screeningIds.length === 0
            ? Promise.resolve([])
            : find({ screeningId: { $in: [...screeningIds] } }, { session }),

        /**
         * Puts a screening in place of the version before it. Refuses STATE_CONFLICT where
         * somebody else has changed it since.
         */
        async update(screening: Screening, session: Session): Promise<void> {
          const { screeningId, ...content } = await seal(screening);
          const before = { screeningId, version: screening.version - 1 };
          const { matchedCount } = await screenings.updateOne(before, { $set: content }, { session });
          if (matchedCount !== 1) throw new Refusal("STATE_CONFLICT", "this screening has changed since it was read");
        },

        /** Newest first; the cursor is the last one's id. */
        list(
          { customerId, transactionId, reader, status, trigger, isOffList: isOff }: ScreeningFilter,
          { limit, after }: Page,
        ): Promise<Screening[]> {
          const filter = {
            ...(trigger !== undefined && { trigger }),
            ...(status !== undefined && { status }),
            ...(status === "IN_REVIEW" && { status: { $in: ["IN_REVIEW", "CONFIRMED_HIT"] }, hasOpenHits: true }),
            ...(isOff === true && { hasOffList: true }),
            ...(reader !== undefined && notOf(reader)),
            ...(customerId !== undefined && { "subject.customerId": customerId }),
            ...(transactionId !== undefined && { transactionIds: transactionId }),
            ...(after !== undefined && { screeningId: { $lt: after } }),
          };
          return find(filter, { sort: newestFirst, limit });
        },

        /**
         * The subject's screenings with hits that stop something: undecided
         * or confirmed ones. Newest first.
         */
        findOpenOf: ({ kind, id }: Pick<SubjectRef, "kind" | "id">, session?: Session): Promise<Screening[]> =>
          find(
            { "subject.kind": kind, "subject.id": id, status: { $in: ["IN_REVIEW", "CONFIRMED_HIT"] } },
            { sort: newestFirst, session },
          ),

        /**
         * All that have hits which stop something, in the order of their ids;
         * apart, those that cannot be opened.
         */
        async listStopping(after: string, limit: number): Promise<HoldingScreenings> {
          const stopping = { screeningId: { $gt: after }, status: { $in: ["IN_REVIEW", "CONFIRMED_HIT"] } };
          const options = { sort: { screeningId: 1 }, limit } as const;
          const found = await screenings.find(stopping as Filter<StoredScreening>, options);
          const all = await Promise.allSettled(found.map(open));
          return {
            readable: all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
            unreadable: all.flatMap((one, at) => {
              const { screeningId } = found[at]!;
              return one.status === "fulfilled" ? [] : [{ screeningId, error: one.reason as unknown }];
            }),
            last: found.at(-1)?.screeningId,
          };
        },

        /**
         * What has these transactions, or stops one of these subjects; in one read, newest first.
         */
        findAbout({ transactionIds, subjects }: ScreeningsAbout): Promise<Screening[]> {
          const ids = [...new Set(subjects.map(({ id }) => id))];
          const kinds = [...new Set(subjects.map(({ kind }) => kind))];
          const stopping = { status: { $in: ["IN_REVIEW", "CONFIRMED_HIT"] } };
          const about = [
            ...(transactionIds.length > 0 ? [{ transactionIds: { $in: [...transactionIds] } }] : []),
            ...(ids.length > 0 ? [{ "subject.kind": { $in: kinds }, "subject.id": { $in: ids }, ...stopping }] : []),
          ];
          return about.length === 0 ? Promise.resolve([]) : find({ $or: about }, { sort: newestFirst });
        },

        /** The subject's last screenings, whatever became of them. Newest first. */
        findLastOf: (
          { kind, id }: Pick<SubjectRef, "kind" | "id">,
          limit: number,
          session?: Session,
        ): Promise<Screening[]> =>
          find({ "subject.kind": kind, "subject.id": id }, { sort: newestFirst, limit, session }),
      };
    }),
  };
}

/** Without what is about a member of staff. */
export function notOf(userId: string): object {
  return { $nor: [{ "subject.kind": "STAFF", "subject.id": userId }] };
}

/** JSON has no dates. */
function withDates({ decidedAt, agreed, release, exemption, ...hit }: Hit): Hit {
  return {
    ...hit,
    ...(decidedAt !== undefined && { decidedAt: new Date(decidedAt) }),
    ...(agreed !== undefined && { agreed: dated(agreed) }),
    ...(release !== undefined && {
      release: {
        ...release,
        asked: dated(release.asked),
        ...(release.agreed !== undefined && { agreed: dated(release.agreed) }),
      },
    }),
    ...(exemption !== undefined && { exemption: { ...exemption, until: new Date(exemption.until) } }),
  };
}

function dated({ at, ...word }: Word): Word {
  return { ...word, at: new Date(at) };
}
