import { ceilingOf, type Ceilings } from "../../kernel/limits/amount-ceiling.js";
import type { Money } from "../../kernel/money.js";
import type { ChangedField, PreferencePatch } from "./preference-changes.js";
import type { Preference } from "./tenants.js";

type Weakens = (before: Preference, after: Preference, operator: Ceilings) => boolean;

type Flag = { [Name in keyof Preference]-?: Preference[Name] extends boolean ? Name : never }[keyof Preference];

const isOff =
  (name: Flag): Weakens =>
  (before, after) =>
    before[name] && !after[name];
const isOn =
  (name: Flag): Weakens =>
  (before, after) =>
    !before[name] && after[name];
const differs =
  (name: Flag | "timeZone"): Weakens =>
  (before, after) =>
    before[name] !== after[name];

/**
 * What a manager may change, and when a change of it weakens what guards accounts and money: how
 * people prove who they are, whose pages may ask in their name and be led to by messages, who acts
 * for whom, and how much may move in a day. Null where it guards nothing.
 */
const guards: Readonly<Record<keyof PreferencePatch, Weakens | null>> = {
  agentCounterSales: isOn("agentCounterSales"),
  agentScope: (before, after) => before.agentScope !== "TENANT" && after.agentScope === "TENANT",
  amountCeilings: isAnyRaised,
  blindTillCounts: isOff("blindTillCounts"),
  cashierWalletPayments: isOn("cashierWalletPayments"),
  corsOrigins: (before, after) => after.corsOrigins.some((origin) => !before.corsOrigins.includes(origin)),
  countries: null,
  currencies: null,
  // Either way it is somebody else who says that a contact is somebody's.
  doNotForwardEmailVerification: differs("doNotForwardEmailVerification"),
  doNotForwardPhoneVerification: differs("doNotForwardPhoneVerification"),
  locale: null,
  requiredDetails: isAnyRequirementGone,
  secondFactors: ({ secondFactors: before }, { secondFactors: after }) =>
    (before.otp && !after.otp) || (before.pin && !after.pin),
  selfRegistration: null,
  staffTotpRequired: isOff("staffTotpRequired"),
  // Another zone begins another day at once, and with it the limits of a day.
  timeZone: differs("timeZone"),
  transactionPasswordRequired: isOff("transactionPasswordRequired"),
};

/** Whether the change weakens a guard, or may: a second manager approves it then. */
export function weakensGuards(before: Preference, after: Preference, operator: Ceilings): boolean {
  return Object.values(guards).some((weakens) => weakens?.(before, after, operator) === true);
}

/** The guards among what was changed, in words; empty where there is none. */
export function changedGuards(fields: readonly ChangedField[]): string {
  return fields
    .filter(({ field }) => (guards as Readonly<Record<string, Weakens | null>>)[field])
    .map(({ field, before, after }) => `${field} from ${before || "nothing"} to ${after || "nothing"}`)
    .join("; ");
}

function isAnyRaised(before: Preference, after: Preference, operator: Ceilings): boolean {
  const [was, is] = [before, after].map(({ amountCeilings }) => minorByCurrency(amountCeilings));
  return [...was!.keys(), ...is!.keys()].some(
    (currency) => ceilingOf(operator, is!, currency) > ceilingOf(operator, was!, currency),
  );
}

/** What is required in another way counts as gone: whether that is less nobody can say plainly. */
function isAnyRequirementGone(before: Preference, after: Preference): boolean {
  const keysOf = ({ requiredDetails = [] }: Preference) => requiredDetails.map(({ detail, at }) => `${detail} ${at}`);
  const left = new Set(keysOf(after));
  return keysOf(before).some((key) => !left.has(key));
}

const minorByCurrency = (ceilings: readonly Money[]): Ceilings =>
  new Map(ceilings.map(({ minor, currency }) => [currency, minor]));
