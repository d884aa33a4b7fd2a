import type { Connection } from "mongoose";

// DocumentValidationFailure.
const heldCode = 121;
const believedMs = 5_000;

/**
 * Whether MongoDB refused a write because its tenant is held (docs/decisions/0041): the services
 * have no validators of their own.
 */
export function isHeld(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith("Mongo") && "code" in error && error.code === heldCode;
}

/** Stands among held tenants for all of them at once. */
export const everyTenant = "*";

/** The validator that lets no document of these tenants be written; none where there is none. */
export function holdOf(tenantIds: readonly string[]): object {
  if (tenantIds.length === 0) return {};
  const named = { $nin: [...tenantIds] };
  return { tenantId: tenantIds.includes(everyTenant) ? { ...named, $exists: false } : named };
}

/** Tenants that a collection's validator names. */
export async function readHeld(db: Pick<Connection, "db">, collection: string): Promise<string[]> {
  if (!db.db) throw new Error("MongoDB is not connected");
  const [found] = await db.db.listCollections({ name: collection }).toArray();
  const options = found !== undefined && "options" in found ? found.options : undefined;
  const validator = options?.["validator"] as { tenantId?: { $nin?: string[] } } | undefined;
  return validator?.tenantId?.$nin ?? [];
}

export type HeldTenants = ReturnType<typeof createHeldTenants>;

/**
 * Keeps work across tenants going while some of them are held: one refused row would stop every
 * row behind it.
 */
export function createHeldTenants(db: Connection, collection: string) {
  let held: string[] = [];
  let readAt = -Infinity;

  async function read(): Promise<void> {
    held = await readHeld(db, collection);
    readAt = performance.now();
  }

  const isOld = () => performance.now() - readAt > believedMs;

  /** What a filter across tenants leaves out. */
  function others(): { tenantId?: { $nin: string[] } } {
    return held.length === 0 ? {} : { tenantId: { $nin: held } };
  }

  return {
    others,
    /**
     * Runs `work`, which filters by `others`, once more where a held tenant was among its rows.
     * Asks MongoDB who is held only after a refusal, and every 5 s from then until nobody is.
     */
    async past<T>(work: () => Promise<T>): Promise<T> {
      if (held.length > 0 && isOld()) await read();
      try {
        return await work();
      } catch (error) {
        if (!isHeld(error)) throw error;
        await read();
        return work();
      }
    },
    /**
     * The same as `others` for work that finds rows first and writes each by itself. Asks MongoDB
     * who is held, every 5 s at most.
     */
    async otherTenants(): Promise<{ tenantId?: { $nin: string[] } }> {
      if (isOld()) await read();
      return others();
    },
  };
}
