/**
 * A call that would cross tenants or write what MongoDB cannot hold. It is a bug of this product,
 * never a caller's fault.
 */
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
 * Walks everything that goes to MongoDB. Refuses integers outside int64 (the driver would wrap
 * them), NaN and infinities, functions, Maps, class instances and server-side JavaScript; calls
 * `visit` for every key of every object.
 */
export function checkValue(value: unknown, what: string, visit?: Visit): void {
  if (isHarmless(value)) return;
  switch (typeof value) {
    case "bigint":
      throw new RangeError(`${what}: ${value} is outside int64`);
    case "number":
      throw new RangeError(`${what}: ${value} is not a number`);
    case "object":
      return checkObject(value!, what, visit);
    default:
      throw new TenantGuardError(`${what} holds a ${typeof value}`);
  }
}

/** Most of what is written: its path need not be put together. */
function isHarmless(value: unknown): boolean {
  switch (typeof value) {
    case "bigint":
      return value <= int64Max && value >= int64Min;
    case "number":
      return Number.isFinite(value);
    case "function":
    case "symbol":
      return false;
    case "object":
      return value === null;
    default:
      return true;
  }
}

function checkObject(value: object, what: string, visit: Visit | undefined): void {
  if (typeof (value as { toBSON?: unknown }).toBSON === "function") throw new TenantGuardError(`${what} has toBSON`);
  if (Array.isArray(value)) {
    for (const item of value) checkValue(item, what, visit);
    return;
  }
  if (value instanceof RegExp || ArrayBuffer.isView(value)) return;
  if (Object.prototype.toString.call(value) === "[object Date]") return checkDate(value as Date, what);
  const bsonType = (value as { _bsontype?: unknown })._bsontype;
  if (bsonType !== undefined) {
    if (!Object.hasOwn(value, "_bsontype") && typeof bsonType === "string" && scalars.has(bsonType)) return;
    throw new TenantGuardError(`${what} holds BSON that is not a plain value`);
  }
  const holder = plain(value, what);
  for (const key of Object.keys(holder)) {
    const item = holder[key];
    if (scripts.has(key)) throw new TenantGuardError(`${what} uses ${key}`);
    visit?.(key, item, holder);
    if (!isHarmless(item)) checkValue(item, `${what}.${key}`, visit);
  }
}

function checkDate(value: Date, what: string): void {
  if (Number.isNaN(value.getTime())) throw new RangeError(`${what} is not a date`);
}
