import { z } from "zod";
import { currencies, isCurrency } from "../services/kernel/codes/currencies.js";
import { isCountry, toAlpha3 } from "../services/kernel/codes/countries.js";
import { asUtc } from "../services/kernel/time/iso-time.js";
import { JsonNumber } from "../services/kernel/json.js";
import { shown } from "../services/platform/events/shapes/schema.js";
import { isReadable, storedReason, maxReasonLength } from "../services/kernel/text/reason.js";

export { decimalText, instant, integer, moneyNumber, shown } from "../services/platform/events/shapes/schema.js";

// Amounts beyond any int64 pass, so that a service can say what is too large; more would be costly.
const plainDecimal = /^(0|[1-9]\d{0,39})(\.\d{1,20})?$/;

function isMoneyNumber(value: unknown): boolean {
  return value instanceof JsonNumber && plainDecimal.test(value.text);
}

function explainMoney(input: unknown, expected: string): string {
  if (input === undefined) return "is required";
  const text = input instanceof JsonNumber ? input.text : input;
  if (typeof text === "string" && text.startsWith("-")) return "must not be negative";
  if (typeof text === "string" && /^\d.*e/i.test(text)) return "must be written without an exponent";
  return `must be ${expected}, such as 25 or 25.00, without sign and exponent`;
}

/**
 * "25.00" and "25" are one amount: written one way, a retry that prints zeros stays the same
 * request.
 */
function canonicalDecimal(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

const moneyNumberSent = z
  .custom<JsonNumber>(isMoneyNumber, { error: ({ input }) => explainMoney(input, "a JSON number") })
  .meta({ override: { type: "number", minimum: 0, examples: [25.5] } });

/**
 * A money field that the contract types as a JSON number, on the way in: canonical decimal text,
 * exact.
 */
export const moneyNumberIn = moneyNumberSent.transform((number) => canonicalDecimal(number.text));

const moneyTextOrNumber = z
  .custom<JsonNumber | string>(
    (value) => isMoneyNumber(value) || (typeof value === "string" && plainDecimal.test(value)),
    { error: ({ input }) => explainMoney(input, "a decimal string or a number") },
  )
  .meta({ override: { type: ["string", "number"], pattern: plainDecimal.source, minimum: 0, examples: ["25.50"] } });

/** "string (number accepted in use)" on the way in: canonical decimal text, exact. */
export const moneyTextOrNumberIn = moneyTextOrNumber.transform((value) =>
  canonicalDecimal(typeof value === "string" ? value : value.text),
);

/** A whole number of the body, `minimum` to `maximum`. */
export function wholeNumberIn(minimum: number, maximum: number) {
  const isOne = (value: unknown): boolean => {
    if (!(value instanceof JsonNumber) || !/^-?\d{1,15}(\.0{1,20})?$/.test(value.text)) return false;
    return Number(value.text) >= minimum && Number(value.text) <= maximum;
  };
  return z
    .custom<JsonNumber>(isOne, {
      error: ({ input }) => (input === undefined ? "is required" : `must be a whole number, ${minimum} to ${maximum}`),
    })
    .meta({ override: { type: "integer", minimum, maximum } })
    .transform((number) => Number(number.text));
}

/** An instant of a request, ISO 8601; UTC where it names no offset. */
export const instantIn = z.iso
  .datetime({ offset: true, local: true, error: "must be an ISO 8601 date-time, such as 2026-11-21T10:15:00Z" })
  .meta({ override: { type: "string", format: "date-time" } })
  .transform(asUtc);

/** Text of the body; that it is well-formed is parseJson's care. */
export function text(maxLength: number, minLength = 1) {
  return z.string().min(minLength).max(maxLength);
}

/** A field that may be left out or null. */
export function maybe<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value): z.output<S> | undefined => value ?? undefined);
}

export const currencyCode = z
  .string()
  .refine(isCurrency, "must be an ISO 4217 currency code, such as USD")
  .meta({ id: "CurrencyCode", description: "ISO 4217", enum: currencies.map(({ code }) => code) });

/** Alpha-2 or alpha-3, made alpha-3. */
export const countryIn = z
  .string()
  .refine(isCountry, "must be an ISO 3166-1 country code, such as NG or NGA")
  .meta({ id: "CountryCode", description: "ISO 3166-1 alpha-2 or alpha-3", pattern: "^[A-Z]{2,3}$", examples: ["NGA"] })
  .transform((value) => toAlpha3(value, "country"));

export interface Fault {
  path: string;
  message: string;
}

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? "must not be empty"
        : sizeText("least", issue.origin, issue.minimum);
    case "too_big":
      return sizeText("most", issue.origin, issue.maximum);
    default:
      return undefined;
  }
}

/** "at most 8 entries", "at least 1": what is counted depends on what it is. */
function sizeText(bound: "least" | "most", origin: string, size: number | bigint): string {
  const isOne = Number(size) === 1;
  if (origin === "string") return `must have at ${bound} ${size} ${isOne ? "character" : "characters"}`;
  if (origin === "array" || origin === "set") return `must have at ${bound} ${size} ${isOne ? "entry" : "entries"}`;
  return `must be at ${bound} ${size}`;
}

/** Parses by a schema; faults name paths and never repeat what was sent. */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { ok: true; value: z.output<S> } | { ok: false; faults: Fault[] } {
  const result = schema.safeParse(value, { error: describe, reportInput: false });
  if (result.success) return { ok: true, value: result.data };
  const wrongType = new Set(
    result.error.issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path.join(".")),
  );
  // zod measures whatever has a length: of a list where a text belongs, only the type is worth
  // saying.
  const issues = result.error.issues.filter(
    ({ code, path }) => code === "invalid_type" || !wrongType.has(path.join(".")),
  );
  return {
    ok: false,
    faults: distinct(issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }))),
  };
}

/**
 * Two rules of one field may say the same: an empty text is too short, and has nothing to be seen.
 */
function distinct(faults: readonly Fault[]): Fault[] {
  return faults.filter(
    ({ path, message }, at) => faults.findIndex((one) => one.path === path && one.message === message) === at,
  );
}

/** How long a page is to be. */
export function sizeOf(usual: number) {
  return z
    .string()
    .regex(/^([1-9]\d?|100)$/, "must be 1 to 100")
    .optional()
    .meta({
      description: `1 to 100; ${usual} when absent.`,
      override: { type: "integer", minimum: 1, maximum: 100 },
    });
}

/** Lists that can grow without bound are read by cursor. */
export const cursorQuery = z.object({
  size: sizeOf(20),
  cursor: text(128).optional().meta({ description: "nextCursor of the page before." }),
});

export function pageOf({ size, cursor }: z.output<typeof cursorQuery>) {
  return { pageSize: size === undefined ? 0 : Number(size), cursor: cursor ?? "" };
}

/** Absent on the last page. */
export function nextCursorOf({ nextCursor }: { nextCursor: string }): { nextCursor?: string } {
  return nextCursor === "" ? {} : { nextCursor };
}

/** From a time until another, as services have it. */
export function timesOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return {
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { until: new Date(to) }),
  };
}

export const idIn = z.string().regex(/^[\w.:-]{1,128}$/, "is not an id");

const reasonText = (minLength: number) =>
  z
    .string()
    .overwrite(storedReason)
    .min(minLength)
    .max(maxReasonLength)
    .refine(isReadable, "must not hold control characters or invisible ones");

/** Why, as the services read it. */
export const reasonIn = reasonText(1).regex(/\S/, "must not be empty");

/** The same, which may be left out or empty. */
export const maybeReasonIn = maybe(reasonText(0));

/** What a change waits for; `until` says what holds meanwhile. */
export const waiting = (until: string) =>
  z
    .object({ approvalId: z.string(), status: shown(z.string(), "PENDING") })
    .optional()
    .meta({ description: `Where a change waits for another manager: until then ${until}.` });

interface Waiting {
  approvalId: string;
  approvalStatus: string;
}

/** Where `approval` lies in a response. */
export const approvalField = {
  approval: {
    from: ({ approvalId, approvalStatus: status }: Waiting) => (approvalId === "" ? undefined : { approvalId, status }),
    to: ({ approvalId, status }: { approvalId: string; status: string }) => ({ approvalId, approvalStatus: status }),
  },
};

/** Whether an answer waits for a second person. */
export const isToApprove = ({ approval }: { approval?: unknown }) => approval !== undefined;

/** The same of an answer that is about its approval. */
export const isPending = ({ approvalStatus }: { approvalStatus?: string | undefined }) => approvalStatus === "PENDING";

/** Nothing is done yet: a second person is asked. */
export const approvalAsked = z.object({ approvalId: z.string(), approvalStatus: shown(z.string(), "PENDING") });

/** A day of the calendar that there is. */
export const dateIn = z.iso
  .date({ error: ({ input }) => (input === undefined ? "is required" : "must be a date such as 2026-11-30") })
  .meta({ override: { type: "string", format: "date" } });
