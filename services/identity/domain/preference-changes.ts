import { isDeepStrictEqual } from "node:util";
import type { Ceilings } from "../../kernel/limits/amount-ceiling.js";
import { amountChangeOf, changeOf, type ApprovalChange } from "../../platform/approvals/approval-changes.js";
import { formatMoney, type Money } from "../../kernel/money.js";
import type { RequiredDetail } from "./required-details.js";
import { parsePreference, type Preference, type TenantDraft } from "./tenants.js";

/** Who changed a tenant's preference, and what. Added and read, never changed. */
export interface PreferenceChangeRecord {
  changeId: string;
  at: Date;
  /** User id, or "operator"; who asked for it, where a second manager approved it. */
  actor: string;
  /** Who approved it; absent where one was enough. */
  approvedBy?: string;
  reason: string;
  /** Values as JSON text; `before` is empty where there was none. */
  fields: { field: string; before: string; after: string }[];
  interactionId: string;
}

/** What is given of a preference; the rest stays as it is. */
export type PreferencePatch = Partial<
  Omit<TenantDraft["preference"], "baseCurrency" | "singlePersonLimits" | "recordRetentionYears">
>;

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

/** What differs, for whoever approves it: of lists what joins and what goes, one by one. */
export function preferenceChanges(before: Preference, after: Preference): ApprovalChange[] {
  const plain = [...new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Preference)[])].filter(
    (name) => typeof (before[name] ?? after[name]) !== "object",
  );
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return [
    ...plain.toSorted().flatMap((name) => changeOf(name, text(before[name]), text(after[name]))),
    ...(["otp", "pin"] as const).flatMap((factor) =>
      changeOf(`secondFactors.${factor}`, String(before.secondFactors[factor]), String(after.secondFactors[factor])),
    ),
    ...(["currencies", "countries", "corsOrigins"] as const).flatMap((name) =>
      listChanges(name, before[name], after[name]),
    ),
    ...moneyChanges("amountCeilings", before.amountCeilings, after.amountCeilings),
    ...detailChanges(before.requiredDetails ?? [], after.requiredDetails ?? []),
  ];
}

function listChanges(name: string, before: readonly string[], after: readonly string[]): ApprovalChange[] {
  return [
    ...before.filter((one) => !after.includes(one)).flatMap((one) => changeOf(name, one, undefined)),
    ...after.filter((one) => !before.includes(one)).flatMap((one) => changeOf(name, undefined, one)),
  ];
}

function moneyChanges(name: string, before: readonly Money[], after: readonly Money[]): ApprovalChange[] {
  const minorOf = (of: readonly Money[], currency: string) => of.find((one) => one.currency === currency)?.minor;
  return [...new Set([...before, ...after].map(({ currency }) => currency))].flatMap((currency) =>
    amountChangeOf(name, minorOf(before, currency), minorOf(after, currency), currency),
  );
}

function detailChanges(before: readonly RequiredDetail[], after: readonly RequiredDetail[]): ApprovalChange[] {
  const details = [...new Set([...before, ...after].map(({ detail }) => detail))];
  return details.flatMap((detail) => {
    const moments = (of: readonly RequiredDetail[]) => of.filter((one) => one.detail === detail).map(({ at }) => at);
    return listChanges(`requiredDetails.${detail}`, moments(before), moments(after));
  });
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
