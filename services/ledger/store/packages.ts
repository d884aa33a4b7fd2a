import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { ClientSession, Connection } from "mongoose";
import { bytesOf } from "../../kernel/mongo/bytes.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { ownCodes, type ChartMapping, type OwnAccount } from "../domain/closing.js";
import { bookedAccount, type AccountSums, type BookedAccount, type PackageSums } from "../domain/package-sums.js";
import { collections, type ChartMappingDocument, type ClosingPartDocument } from "./collections.js";
import { documentId } from "./mapping.js";

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

export type PackageStore = ReturnType<typeof createPackageStore>;
export type TenantPackages = ReturnType<PackageStore["forTenant"]>;

/** Accounts in a part of the balances of a closing. */
export const accountsPerPart = 1_000;

/** What packages keep beside the journal, and versions of tenants' own charts. */
export function createPackageStore(db: Connection) {
  const parts = tenantCollection<ClosingPartDocument>(db, collections.closingParts);
  const mappings = tenantCollection<ChartMappingDocument>(db, collections.chartMappings);
  return {
    forTenant: (tenantId: string) => tenantPackages(tenantId, parts.forTenant(tenantId), mappings.forTenant(tenantId)),
  };
}

type Documents<T extends { tenantId: string }> = ReturnType<ReturnType<typeof tenantCollection<T>>["forTenant"]>;

function tenantPackages(
  tenantId: string,
  parts: Documents<ClosingPartDocument>,
  mappings: Documents<ChartMappingDocument>,
) {
  /** Over what an earlier try has put there: it is the same. */
  async function putPart(closing: number, what: string, part: number, text: string): Promise<void> {
    const _id = documentId(tenantId, `${closing}:${what}:${part}`);
    const content = await pack(text);
    await parts.updateOne({ _id }, { $set: { content }, $setOnInsert: { closing, what, part } }, { upsert: true });
  }

  async function findPart(closing: number, what: string, part: number): Promise<string | undefined> {
    const found = await parts.findOne({ _id: documentId(tenantId, `${closing}:${what}:${part}`) });
    return found === null ? undefined : (await unpack(bytesOf(found.content))).toString();
  }

  return {
    /** A file that is stored as it is. */
    putText: (closing: number, what: string, text: string) => putPart(closing, what, 0, text),
    findText: (closing: number, what: string) => findPart(closing, what, 0),

    putBalances: (closing: number, part: number, accounts: readonly AccountSums[]) =>
      putPart(closing, "balances", part, JSON.stringify(accounts.map(sumsToDocument))),

    /** Accounts by id; undefined after the last part. */
    async findBalances(closing: number | undefined, part: number): Promise<AccountSums[] | undefined> {
      const text = closing === undefined ? undefined : await findPart(closing, "balances", part);
      return text === undefined ? undefined : (JSON.parse(text) as StoredSums[]).map(sumsFromDocument);
    },

    putSums: (closing: number, sums: PackageSums) => putPart(closing, "sums", 0, JSON.stringify(sums, textOfBigint)),

    async findSums(closing: number): Promise<PackageSums> {
      const text = await findPart(closing, "sums", 0);
      if (text === undefined) throw new Error(`closing ${closing} has no sums`);
      return JSON.parse(text, bigintOfText) as PackageSums;
    },

    /** The newest mapping, or one version of it. Undefined for a version that there is not. */
    async findMapping(version?: number, session?: ClientSession): Promise<ChartMapping | undefined> {
      if (version === 0) return ownCodes;
      const filter = version === undefined ? {} : { version };
      const [found] = await mappings.find(filter, { sort: { version: -1 }, limit: 1, session });
      if (found === undefined) return version === undefined ? ownCodes : undefined;
      const codes = new Map(found.codes.map(({ code, account, name }) => [code, { account, name }]));
      return { version: found.version, codes, changedBy: found.changedBy, changedAt: found.changedAt };
    },

    async addMapping(
      codes: ReadonlyMap<string, OwnAccount>,
      by: { changedBy: string; changedAt: Date },
      session: ClientSession,
    ): Promise<ChartMapping> {
      const [newest] = await mappings.find({}, { sort: { version: -1 }, limit: 1, session });
      const version = (newest?.version ?? 0) + 1;
      const listed = [...codes].map(([code, own]) => ({ code, ...own }));
      await mappings.insertOne(
        { _id: documentId(tenantId, String(version)), version, codes: listed, ...by },
        { session },
      );
      return { version, codes, ...by };
    },
  };
}

type StoredDay = [day: number, debits: string, credits: string];
type StoredSums = [account: string[], debits: string, credits: string, later: StoredDay[]];

function sumsToDocument({ account, debits, credits, later }: AccountSums): StoredSums {
  const { accountId, code, type, currency, name, ownerId, service } = account;
  const days = [...later].map(([day, sums]): StoredDay => [day, `${sums.debits}`, `${sums.credits}`]);
  return [[accountId, code, type, currency, name, ownerId, service], `${debits}`, `${credits}`, days];
}

function sumsFromDocument([info, debits, credits, later]: StoredSums): AccountSums {
  const [accountId, code, type, currency, name, ownerId, service] = info;
  return {
    account: bookedAccount({ accountId, code, type, currency, name, ownerId, service } as BookedAccount),
    debits: BigInt(debits),
    credits: BigInt(credits),
    later: new Map(later.map(([day, d, c]) => [day, { debits: BigInt(d), credits: BigInt(c) }])),
  };
}

const textOfBigint = (_name: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
const sumNames = new Set(["debits", "credits", "balance"]);
const bigintOfText = (name: string, value: unknown) =>
  sumNames.has(name) ? BigInt(String(value).slice(0, -1)) : value;
