/** A call that would cross tenants or write what MongoDB cannot hold. It is a bug of this product, never a caller's fault. */
export class TenantGuardError extends Error {
  override readonly name = "TenantGuardError";
}

const int64Max = 9_223_372_036_854_775_807n;
const int64Min = -9_223_372_036_854_775_808n;
const scalars: ReadonlySet<string> = new Set([
  "ObjectId",
  "Binary",
  "Long",
  "Int32",
  "Double",
  "Decimal128",
  "Timestamp",
  "MinKey",
  "MaxKey",
]);
// Server-side JavaScript can reach anything and hides from every check.
const scripts: ReadonlySet<string> = new Set(["$where", "$function", "$accumulator"]);

export type Plain = Record<string, unknown>;
export type Visit = (key: string, value: unknown, holder: Plain) => void;

/** True for an object literal: no class, no Map, nothing that serialises itself. */
export function isPlain(value: unknown): value is Plain {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Jest and worker threads have an Object of their own, hence the second step up.
  return prototype === null || (Object.getPrototypeOf(prototype) === null && !("_bsontype" in value));
}

/** Demands an object literal. */
export function plain(value: unknown, what: string): Plain {
  if (!isPlain(value)) throw new TenantGuardError(`${what} must be a plain object`);
  return value;
}

/**
 * Walks everything that goes to MongoDB. Refuses integers outside int64 (the driver would wrap them), NaN and infinities,
 * functions, Maps, class instances and server-side JavaScript; calls `visit` for every key of every object.
 */
export function checkValue(value: unknown, what: string, visit?: Visit): void {
  switch (typeof value) {
    case "bigint":
      if (value > int64Max || value < int64Min) throw new RangeError(`${what}: ${value} is outside int64`);
      return;
    case "number":
      if (!Number.isFinite(value)) throw new RangeError(`${what}: ${value} is not a number`);
      return;
    case "function":
    case "symbol":
      throw new TenantGuardError(`${what} holds a ${typeof value}`);
    case "object":
      return checkObject(value, what, visit);
    default:
  }
}

function checkObject(value: object | null, what: string, visit: Visit | undefined): void {
  if (value === null) return;
  if (typeof (value as { toBSON?: unknown }).toBSON === "function") throw new TenantGuardError(`${what} has toBSON`);
  if (value instanceof RegExp || ArrayBuffer.isView(value)) return;
  if (Object.prototype.toString.call(value) === "[object Date]") return checkDate(value as Date, what);
  if (Array.isArray(value)) {
    for (const item of value) checkValue(item, what, visit);
    return;
  }
  const bsonType = (value as { _bsontype?: unknown })._bsontype;
  if (bsonType !== undefined) {
    if (!Object.hasOwn(value, "_bsontype") && typeof bsonType === "string" && scalars.has(bsonType)) return;
    throw new TenantGuardError(`${what} holds BSON that is not a plain value`);
  }
  for (const [key, item] of Object.entries(plain(value, what))) {
    if (scripts.has(key)) throw new TenantGuardError(`${what} uses ${key}`);
    visit?.(key, item, value as Plain);
    checkValue(item, `${what}.${key}`, visit);
  }
}

function checkDate(value: Date, what: string): void {
  if (Number.isNaN(value.getTime())) throw new RangeError(`${what} is not a date`);
}
