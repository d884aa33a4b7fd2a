import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { createBoundedCache } from "../../kernel/caching/bounded-cache.js";
import type { Corridor } from "../domain/corridor.js";
import { agentLimitOwner, tenantOwner, type Markup } from "../domain/markup.js";
import type { Promotion, PromotionUse } from "../domain/promotion.js";
import type { CurrencyPair, Rate } from "../domain/rate.js";
import { collections } from "./collections.js";
import type { RemittanceStore, TenantStore } from "./index.js";

/** What a tenant's prices are made from, as it is when it is asked for. */
export interface PriceBook {
  corridorsBetween(originCountry: string, receivingCountry: string): Promise<Corridor[]>;
  /** The rate that holds at a time; undefined where none does. */
  rateAt(pair: CurrencyPair, at: Date): Promise<Rate | undefined>;
  /** Those of the tenant, of its ceiling for agents, and of one agent where one is named. */
  markupsOf(agentId: string): Promise<Markup[]>;
  /** Never kept: uses are counted all the time. */
  promotion(code: string, customerId: string): Promise<[Promotion | undefined, PromotionUse]>;
}

/** A rate with the time in which it, or that there is none, is the answer. */
interface HeldRate {
  rate: Rate | undefined;
  from: Date;
  until: Date | undefined;
}

interface Cached {
  version: number;
  parts: Map<string, Promise<unknown>>;
}

const maxTenants = 1_000;
const maxParts = 2_000;

export type PriceBooks = ReturnType<typeof createPriceBooks>;

/**
 * Keeps the parts of tenants' price books while the tenant's price version holds. The version is
 * read for every book that is asked for, so a price is never older than its question.
 */
export function createPriceBooks(store: Pick<RemittanceStore, "forTenant">) {
  const cache = createBoundedCache<Cached>(maxTenants);
  const versionReads = new Map<string, () => Promise<number>>();

  async function partsOf(tenantId: string): Promise<Cached["parts"]> {
    let read = versionReads.get(tenantId);
    if (read === undefined) {
      if (versionReads.size >= maxTenants) versionReads.clear();
      versionReads.set(tenantId, (read = together(() => store.forTenant(tenantId).priceVersion())));
    }
    const version = await read();
    const known = cache.get(tenantId);
    if (known?.version === version) return known.parts;
    const fresh = { version, parts: new Map<string, Promise<unknown>>() };
    cache.set(tenantId, fresh);
    return fresh.parts;
  }

  return {
    async of(tenantId: string): Promise<PriceBook> {
      const parts = await partsOf(tenantId);
      return bookOf(store.forTenant(tenantId), (name, load, holds) => part(parts, name, load, holds));
    },
  };
}

function bookOf(
  tenant: TenantStore,
  keep: <T>(name: string, load: () => Promise<T>, holds?: (value: T) => boolean) => Promise<T>,
): PriceBook {
  return {
    corridorsBetween: (originCountry, receivingCountry) =>
      keep(`corridors ${originCountry} ${receivingCountry}`, () =>
        tenant.listCorridors({ originCountry, receivingCountry }),
      ),
    async rateAt(pair, at) {
      const name = `rate ${pair.sendCurrency} ${pair.receivingCurrency}`;
      const held = await keep(
        name,
        () => holdRate(tenant, pair, at),
        (value) => isIn(value, at),
      );
      return held.rate;
    },
    markupsOf: (agentId) =>
      keep(`markups ${agentId}`, () =>
        tenant.markups.list({ owner: { $in: [tenantOwner, agentLimitOwner, ...(agentId === "" ? [] : [agentId])] } }),
      ),
    promotion: (code, customerId) =>
      Promise.all([tenant.promotions.find({ code }), tenant.promotionUse(code, customerId)]),
  };
}

async function holdRate(tenant: TenantStore, pair: CurrencyPair, at: Date): Promise<HeldRate> {
  const [rate, next] = await Promise.all([tenant.findRate(pair, at), tenant.nextRateStart(pair, at)]);
  const ends = [rate?.validUntil, next].filter((end) => end !== undefined);
  const until = ends.toSorted((a, b) => a.getTime() - b.getTime())[0];
  return { rate, from: at, until };
}

function isIn({ from, until }: HeldRate, at: Date): boolean {
  return at >= from && (until === undefined || at < until);
}

/** A part as it is kept, or loaded; what fails is not kept. */
async function part<T>(
  parts: Cached["parts"],
  name: string,
  load: () => Promise<T>,
  holds: (value: T) => boolean = () => true,
): Promise<T> {
  const known = parts.get(name) as Promise<T> | undefined;
  if (known !== undefined) {
    const value = await known.catch(() => undefined);
    if (value !== undefined && holds(value)) return value;
  }
  if (parts.size >= maxParts) parts.clear();
  const loading = load();
  parts.set(name, loading);
  loading.catch(() => parts.delete(name));
  return loading;
}

/**
 * Joins those who ask while a read runs into the next one: no answer is older than its question,
 * and few are read.
 */
function together<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    next = undefined;
    const reading = read();
    const ended = reading.then(leave, leave);
    function leave(): void {
      if (running === ended) running = undefined;
    }
    running = ended;
    return reading;
  };
  return () => {
    if (running === undefined) return start();
    return (next ??= running.then(start));
  };
}

/**
 * A tenant's price version counts the changes of what its prices are made from: corridors, rates
 * and markups.
 */
export function createPriceVersionStore(db: Connection) {
  const versions = recordCollection<{ version: number }>(db, collections.priceVersions);
  const projection = { _id: 0, version: 1 };
  return {
    forTenant: (tenantId: string) => ({
      /** 0 before the first change that was counted. */
      async priceVersion(): Promise<number> {
        return Number((await versions.forTenant(tenantId).findOne({}, { projection }))?.version ?? 0);
      },

      /** Belongs into the transaction that makes the change. */
      async raisePriceVersion(session: ClientSession): Promise<void> {
        await versions.forTenant(tenantId).updateOne({}, { $inc: { version: 1 } }, { session, upsert: true });
      },
    }),
  };
}

export type PriceVersionStore = ReturnType<typeof createPriceVersionStore>;
