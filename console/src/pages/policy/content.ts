import type { Language } from "../../lib/language";
import { grouped } from "../../lib/money";
import type { Content, GivenProfile } from "./types";

export const requirements = [
  "EMAIL",
  "PHONE_NUMBER",
  "IDENTITY_DOCUMENT",
  "PROOF_OF_ADDRESS",
  "SELFIE",
  "BVN",
  "SOURCE_OF_FUNDS",
] as const;

export function contentOf(content: Content): Content {
  const { knowYourCustomerRules, transactionRules, dailyLimits, riskModel, counter } = content;
  const transparencyProfiles = content.transparencyProfiles.map(givenOf);
  return {
    knowYourCustomerRules,
    transactionRules,
    dailyLimits,
    ...(riskModel && { riskModel }),
    ...(counter && { counter }),
    transparencyProfiles,
  };
}

function givenOf(profile: GivenProfile & { standardRows?: unknown }): GivenProfile {
  const { standardRows: _shown, ...given } = profile;
  return given;
}

export interface LineChange {
  path: string;
  before?: string;
  after?: string;
}

/**
 * Each value that differs, by its path; rules are told apart by their ids and not by their places.
 */
export function changesBetween(before: unknown, after: unknown, language: Language): LineChange[] {
  const [old, fresh] = [flat(before, language), flat(after, language)];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])];
  return paths
    .filter((path) => old.get(path) !== fresh.get(path))
    .map((path) => {
      const [was, is] = [old.get(path), fresh.get(path)];
      return { path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
    });
}

function flat(value: unknown, language: Language, path = "", into = new Map<string, string>()): Map<string, string> {
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  if (Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null)) {
    if (value.length > 0) into.set(path, value.join(", "));
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) flat(one, language, below(nameOf(one) ?? String(index + 1)), into);
  } else if (isAmount(value)) {
    into.set(path, amountText(value, language));
  } else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) flat(one, language, below(name), into);
  } else if (plainText(value) !== "") into.set(path, plainText(value));
  return into;
}

/** "10,000.00 USD" */
export function amountText({ amount, currency }: { amount: string; currency: string }, language: Language): string {
  return `${grouped(amount, language)} ${currency}`.trim();
}

const isAmount = (value: unknown): value is { amount: string; currency: string } =>
  typeof value === "object" && value !== null && "amount" in value && "currency" in value;

/** Text, a number or a yes or no as text; "" for all else. */
export function plainText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function nameOf(one: unknown): string | undefined {
  const { id, profile, originCountries, currency } = (one ?? {}) as Record<string, unknown>;
  if (typeof id === "string" && id !== "") return id;
  if (typeof profile === "string") return [profile, ...(originCountries as readonly string[])].join(" ");
  return typeof currency === "string" ? currency : undefined;
}

export type Faults = readonly { path: string; message: string }[];

/** "rules[0].name" and "body.rules.0.name" are the same place. */
export const dotted = (path: string): string => path.replace(/^body\./, "").replaceAll(/\[(\d+)\]/g, ".$1");
