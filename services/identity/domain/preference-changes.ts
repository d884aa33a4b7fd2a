import { isDeepStrictEqual } from "node:util";
import type { Ceilings } from "../../shared/amount-ceiling.js";
import { formatMoney } from "../../shared/money.js";
import { parsePreference, type Preference, type TenantDraft } from "./tenants.js";

/** Who changed a tenant's preference, and what. Added and read, never changed. */
export interface PreferenceChangeRecord {
  _id: string;
  tenantId: string;
  at: Date;
  /** User id, or "operator". */
  actor: string;
  reason: string;
  /** Values as JSON text; `before` is empty where there was none. */
  fields: { field: string; before: string; after: string }[];
  interactionId: string;
}

/** What is given of a preference; the rest stays as it is. */
export type PreferencePatch = Partial<Omit<TenantDraft["preference"], "baseCurrency" | "singlePersonLimits">>;

export interface ChangedField {
  field: string;
  /** JSON text; empty where there was none. */
  before: string;
  after: string;
}

/**
 * The preference with a patch, checked as a whole. Refuses INVALID_INPUT with every fault; paths
 * begin with "change.".
 */
export function patchedPreference(before: Preference, patch: PreferencePatch, operator: Ceilings): Preference {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return parsePreference({ ...before, ...given }, "", operator);
}

/** What differs, by field, in the order of names. */
export function changedFields(before: Preference | undefined, after: Preference): ChangedField[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after)] as (keyof Preference)[]);
  const texts = [...names].toSorted().map((field) => ({
    field,
    before: textOf(before?.[field]),
    after: textOf(after[field]),
  }));
  return texts.filter((one) => !isDeepStrictEqual(one.before, one.after));
}

/**
 * What guards accounts and money: how people prove who they are, whose pages may ask in their name and be led to by
 * messages, and how much may move.
 */
const guards: ReadonlySet<string> = new Set<keyof Preference>([
  "amountCeilings",
  "cashierWalletPayments",
  "corsOrigins",
  "doNotForwardEmailVerification",
  "doNotForwardPhoneVerification",
  "secondFactors",
  "staffTotpRequired",
  "transactionPasswordRequired",
]);

/** The guards among what was changed, in words; empty where there is none. */
export function changedGuards(fields: readonly ChangedField[]): string {
  return fields
    .filter(({ field }) => guards.has(field))
    .map(({ field, before, after }) => `${field} from ${before || "nothing"} to ${after || "nothing"}`)
    .join("; ");
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return JSON.stringify(value, (_key, part: unknown) =>
    isMoney(part) ? `${formatMoney(part)} ${part.currency}` : part,
  );
}

function isMoney(part: unknown): part is { minor: bigint; currency: string } {
  return typeof part === "object" && part !== null && "minor" in part && "currency" in part;
}
