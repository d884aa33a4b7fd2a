import type { ClientSession, Connection } from "mongoose";
import { acrossTenants, tenantCollection } from "../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../shared/mongo/transaction.js";
import { Refusal } from "../shared/refusal.js";
import type { Beneficiary } from "./beneficiary.js";
import type { Corridor, CorridorKey } from "./corridor.js";
import { changed, type Change, type StatusChange, type Transaction } from "./transaction.js";

export type Session = ClientSession;

/** A rate as it was put; the newest of a pair of currencies holds. */
export interface Rate {
  rateId: string;
  sendCurrency: string;
  receivingCurrency: string;
  /** 1, 2, 3… per pair. */
  sequence: number;
  /** Decimal text. */
  rate: string;
  source: string;
  createdAt: Date;
  createdBy: string;
}

/** A version of a corridor as history keeps it. */
export type CorridorVersion = Corridor & { changedAt: Date; changedBy: string };

type Owned<T> = T & { tenantId: string };

export const collections = {
  corridors: "corridors",
  corridorVersions: "corridor_versions",
  rates: "rates",
  beneficiaries: "beneficiaries",
  transactions: "transactions",
} as const;

const maxAttempts = 5;
const projection = { _id: 0, tenantId: 0 };

export type RemittanceStore = ReturnType<typeof createRemittanceStore>;
export type TenantStore = ReturnType<RemittanceStore["forTenant"]>;

/** The only place that knows how remittance's database looks. */
export function createRemittanceStore(db: Connection) {
  const corridors = tenantCollection<Owned<Corridor>>(db, collections.corridors);
  const corridorVersions = tenantCollection<Owned<CorridorVersion>>(db, collections.corridorVersions);
  const rates = tenantCollection<Owned<Rate>>(db, collections.rates);
  const beneficiaries = tenantCollection<Owned<Beneficiary>>(db, collections.beneficiaries);
  const transactions = tenantCollection<Owned<Transaction>>(db, collections.transactions);
  const unpaid = acrossTenants<Owned<Transaction>>(db, collections.transactions, "expiry of unpaid transactions");

  return {
    /** Runs `work` in one transaction, again where somebody else inserted the same document first. */
    async transaction<T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(db, work, { readBack });
        } catch (error) {
          if (!isDuplicateKey(error) || attempt === maxAttempts) throw error;
        }
      }
    },

    /** Transactions of all tenants whose time to be paid is over, oldest first. */
    findOverdue: (now: Date, limit: number): Promise<{ tenantId: string; transactionId: string }[]> =>
      unpaid.find(
        { status: "AWAITING_PAYMENT", expiresAt: { $lte: now } },
        { sort: { expiresAt: 1 }, limit, projection: { _id: 0, tenantId: 1, transactionId: 1 } },
      ),

    forTenant: (tenantId: string) => ({
      async findCorridor(key: CorridorKey, session?: Session): Promise<Corridor | undefined> {
        return (await corridors.forTenant(tenantId).findOne({ ...key }, { projection, session })) ?? undefined;
      },

      /** Corridors between two countries, or all. */
      listCorridors: (part: Partial<CorridorKey> = {}): Promise<Corridor[]> =>
        corridors.forTenant(tenantId).find(part, { projection, sort: corridorOrder }),

      /** Replaces what holds and adds to the history. */
      async putCorridor(version: CorridorVersion, session: Session): Promise<void> {
        const { changedAt: _at, changedBy: _by, ...corridor } = version;
        const { originCountry, sendCurrency, receivingCountry, receivingCurrency, ...content } = corridor;
        const key = { originCountry, sendCurrency, receivingCountry, receivingCurrency };
        await corridors.forTenant(tenantId).updateOne(key, { $set: content }, { session, upsert: true });
        await corridorVersions.forTenant(tenantId).insertOne(version, { session });
      },

      async findRate(sendCurrency: string, receivingCurrency: string, session?: Session): Promise<Rate | undefined> {
        const options = { sort: { sequence: -1 }, projection, session } as const;
        return (await rates.forTenant(tenantId).findOne({ sendCurrency, receivingCurrency }, options)) ?? undefined;
      },

      insertRate: (rate: Rate, session: Session) => rates.forTenant(tenantId).insertOne(rate, { session }),

      async findBeneficiary(by: { code: string; customerId?: string }, session?: Session) {
        return (await beneficiaries.forTenant(tenantId).findOne({ ...by }, { projection, session })) ?? undefined;
      },

      /** Of one or more customers, or of the whole tenant; oldest first. */
      listBeneficiaries: (customerIds?: readonly string[]): Promise<Beneficiary[]> =>
        beneficiaries
          .forTenant(tenantId)
          .find(customerIds === undefined ? {} : { customerId: { $in: [...customerIds] } }, {
            projection,
            sort: { createdAt: 1, beneficiaryId: 1 },
          }),

      /** Refuses ALREADY_EXISTS where another beneficiary of the tenant has the code. */
      async insertBeneficiary(beneficiary: Beneficiary, session: Session): Promise<void> {
        try {
          await beneficiaries.forTenant(tenantId).insertOne(beneficiary, { session });
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          throw new Refusal("ALREADY_EXISTS", `beneficiary code ${beneficiary.code} is taken`);
        }
      },

      async findTransaction(transactionId: string, session?: Session): Promise<Transaction | undefined> {
        return (
          (await transactions.forTenant(tenantId).findOne({ transactionId }, { projection, session })) ?? undefined
        );
      },

      insertTransaction: (transaction: Transaction, session: Session) =>
        transactions.forTenant(tenantId).insertOne(transaction, { session }),

      /** Writes a change onto the version it was decided on; undefined when somebody else changed the transaction first. */
      async change(
        before: Transaction,
        change: Change,
        by: Pick<StatusChange, "at" | "actor">,
        session?: Session,
      ): Promise<Transaction | undefined> {
        const after = changed(before, change, by);
        const entry = after.timeline.slice(before.timeline.length);
        const { version, status } = after;
        const result = await transactions.forTenant(tenantId).updateOne(
          { transactionId: before.transactionId, version: before.version },
          {
            $set: { ...change.set, version, status },
            ...((entry.length > 0 || change.released !== undefined) && {
              $push: {
                ...(entry.length > 0 && { timeline: { $each: entry } }),
                ...(change.released !== undefined && { releasedPayments: change.released }),
              },
            }),
          },
          { session },
        );
        return result.matchedCount === 1 ? after : undefined;
      },
    }),
  };
}

const corridorOrder = { originCountry: 1, sendCurrency: 1, receivingCountry: 1, receivingCurrency: 1 } as const;
