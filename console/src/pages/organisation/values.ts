import { requiredDetails } from "../../generated/enums";
import { typedAmount } from "../../lib/money";
import type { Preference, PreferenceChange } from "./types";

export const flags = [
  "selfRegistration",
  "doNotForwardEmailVerification",
  "doNotForwardPhoneVerification",
  "transactionPasswordRequired",
  "cashierWalletPayments",
  "agentCounterSales",
  "blindTillCounts",
  "staffTotpRequired",
] as const;

/** The preference as it is typed. */
export interface PreferenceValues extends Record<(typeof flags)[number], boolean> {
  currencies: string;
  countries: string;
  timeZone: string;
  locale: string;
  agentScope: string;
  otp: boolean;
  pin: boolean;
  corsOrigins: string;
  ceilings: Record<string, string>;
  /** When each detail is asked for; empty for never. */
  required: Record<string, string>;
}

export function valuesOf(preference: Preference): PreferenceValues {
  const { currencies, countries, timeZone, locale, agentScope = "", corsOrigins, secondFactors } = preference;
  const ceilings = preference.amountCeilings.map(({ currency, amount }) => [currency, amount] as const);
  const required = requiredDetails.map((detail) => {
    const { at = "" } = preference.requiredDetails.find((one) => one.detail === detail) ?? {};
    return [detail, at] as const;
  });
  return {
    currencies: currencies.join(", "),
    countries: countries.join(", "),
    timeZone,
    locale,
    agentScope,
    otp: secondFactors.otp,
    pin: secondFactors.pin,
    corsOrigins: corsOrigins.join("\n"),
    ceilings: { ...Object.fromEntries(currencies.map((currency) => [currency, ""])), ...Object.fromEntries(ceilings) },
    required: Object.fromEntries(required),
    ...(Object.fromEntries(flags.map((flag) => [flag, preference[flag]])) as Record<(typeof flags)[number], boolean>),
  };
}

/** A preference's members as the API takes them. */
function membersOf(values: PreferenceValues): PreferenceChange {
  const codes = (text: string) =>
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean);
  const amountCeilings = Object.entries(values.ceilings).flatMap(([currency, typed]) => {
    const amount = typedAmount(typed);
    return amount === undefined ? [] : [{ currency, amount }];
  });
  const requested = requiredDetails.flatMap((detail) => {
    const at = values.required[detail] ?? "";
    return at === "" ? [] : [{ detail, at }];
  });
  return {
    currencies: codes(values.currencies),
    countries: codes(values.countries),
    timeZone: values.timeZone.trim(),
    locale: values.locale.trim(),
    ...(values.agentScope && { agentScope: values.agentScope }),
    secondFactors: { otp: values.otp, pin: values.pin },
    corsOrigins: values.corsOrigins.split(/\s+/).filter(Boolean),
    amountCeilings,
    requiredDetails: requested,
    ...Object.fromEntries(flags.map((flag) => [flag, values[flag]])),
  } as PreferenceChange;
}

export interface Difference {
  member: keyof PreferenceChange;
  before: string;
  after: string;
}

/** What saving the values would change, member by member; nothing else is sent. */
export function differenceOf(preference: Preference, values: PreferenceValues): Difference[] {
  const before = membersOf(valuesOf(preference));
  const after = membersOf(values);
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof PreferenceChange)[];
  return members
    .filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]))
    .map((member) => ({ member, before: inText(before[member]), after: inText(after[member]) }));
}

export function changeOf(preference: Preference, values: PreferenceValues): PreferenceChange {
  const after = membersOf(values);
  return Object.fromEntries(differenceOf(preference, values).map(({ member }) => [member, after[member]]));
}

function inText(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map(inText).join(", ");
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, member]) => (name === "otp" || name === "pin" ? `${name} ${String(member)}` : String(member)))
    .join(" ");
}
