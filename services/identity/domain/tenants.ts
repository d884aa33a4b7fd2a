import { operatorCeiling, type Ceilings } from "../../kernel/limits/amount-ceiling.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { isCurrency } from "../../kernel/codes/currencies.js";
import { formatMoney, type Money } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { approvalKinds, type SinglePersonLimit } from "./approvals.js";
import { createFaults, type Faults } from "../../kernel/text/faults.js";
import { parseName } from "../../kernel/text/one-line.js";
import { parseRequiredDetails, type RequiredDetail, type RequiredDetailDraft } from "./required-details.js";

export interface TenantRecord {
  tenantId: string;
  name: string;
  hosts: string[];
  preference: Preference;
  /** Of a sandbox: the live tenant. */
  sandboxOf?: string;
  /** How far a sandbox's business time is ahead of real time, ms; 0 where absent. */
  businessAheadMs?: number;
  /** Raised by whoever installs a plugin, so that they do it one after the other. */
  pluginTurn?: number;
  createdAt: Date;
  updatedAt: Date;
  /** Changes with every write, so that a commit of unknown outcome can be recognised. */
  revision: string;
}

/** Not sharded: a host is unique over all tenants. */
export interface HostRecord {
  /** The host. */
  host: string;
}

export const agentScopes = ["MANAGED", "TENANT"] as const;
export type AgentScope = (typeof agentScopes)[number];

export interface Preference {
  baseCurrency: string;
  currencies: string[];
  /** Alpha-3. */
  countries: string[];
  timeZone: string;
  locale: string;
  /**
   * MANAGED: agents see and act for the customers they manage. TENANT: for all of the tenant. Where
   * absent they see every transaction and act for the customers they manage.
   */
  agentScope?: AgentScope | undefined;
  selfRegistration: boolean;
  doNotForwardEmailVerification: boolean;
  doNotForwardPhoneVerification: boolean;
  secondFactors: { otp: boolean; pin: boolean };
  transactionPasswordRequired: boolean;
  cashierWalletPayments: boolean;
  /** Agents sell for cash at the counter. */
  agentCounterSales: boolean;
  /** Whoever holds a till counts it before they see what should be in it. */
  blindTillCounts: boolean;
  /** Web origins whose pages may call the API. */
  corsOrigins: string[];
  staffTotpRequired: boolean;
  singlePersonLimits: SinglePersonLimit[];
  /**
   * Of records of transactions and of identification, from the end of the customer's relationship;
   * `usualRetentionYears` where absent.
   */
  recordRetentionYears?: number | undefined;
  /**
   * The most that one movement of money may be, one per currency; the operator's where there is
   * none.
   */
  amountCeilings: Money[];
  /** Which personal details customers give, and when; absent where none are required. */
  requiredDetails?: RequiredDetail[];
}

/**
 * Five years are asked for against money laundering (FATF, recommendation 11), six or more by most
 * tax laws.
 */
export const usualRetentionYears = 7;

export interface TenantInput {
  tenantId: string;
  name: string;
  hosts: string[];
  preference: Preference;
}

/** Fields that have a default where none were given. */
type DefaultedField =
  | "corsOrigins"
  | "staffTotpRequired"
  | "singlePersonLimits"
  | "amountCeilings"
  | "blindTillCounts"
  | "agentCounterSales";

/** What an operator gave for a tenant, before it is checked. */
export interface TenantDraft {
  tenantId: string;
  name: string;
  hosts: readonly string[];
  preference: Omit<Preference, "agentScope" | "requiredDetails" | DefaultedField> & {
    [Field in DefaultedField]?: Preference[Field] | undefined;
  } & {
    agentScope?: string | undefined;
    requiredDetails?: readonly RequiredDetailDraft[];
  };
}

/**
 * How far business time is ahead, ms, once it is moved on by so many days of the
 * calendar of its zone: the time of day stays, also where clocks are changed in between,
 * so that each move is to another date.
 */
export function movedOnMs(now: Date, timeZone: string, aheadMs: number, days: number): number {
  const before = Temporal.Instant.fromEpochMilliseconds(now.getTime() + aheadMs).toZonedDateTimeISO(timeZone);
  return before.add({ days }).epochMilliseconds - now.getTime();
}

/**
 * Business time: real time, and in a sandbox as far ahead as it was moved. The date is
 * that of the tenant's time zone.
 */
export function businessClock(now: Date, timeZone: string, offsetMs: number) {
  const businessTime = new Date(now.getTime() + offsetMs);
  // Swedish writes dates as ISO 8601 does.
  const businessDate = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(businessTime);
  return { businessTime, businessDate, offsetMs };
}

/** A host as tenants are looked up by it: lower case, without port and final dot. */
export function canonicalHost(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/:\d{1,5}$/, "")
    .replace(/\.$/, "");
}

/** Checks a tenant as a whole; refuses INVALID_INPUT with every fault. */
export function parseTenant(draft: TenantDraft, operator: Ceilings): TenantInput {
  const faults = createFaults();
  if (!/^[a-z0-9][a-z0-9-]{1,39}$/.test(draft.tenantId)) {
    faults.add("tenantId", 'must be 2 to 40 lowercase letters, digits and "-"');
  }
  if (isSandbox(draft.tenantId)) {
    faults.add("tenantId", "is a sandbox's: a sandbox is made and changed with its live tenant");
  }
  const name = faults.of(() => parseName(draft.name, "name"));
  const hosts = draft.hosts.map((host, index) => faults.of(() => parseHost(host, `hosts[${index}]`)));
  if (new Set(hosts).size !== hosts.length) faults.add("hosts", "must not name a host twice");
  const preference = faults.of(() => parsePreference(draft.preference, "preference.", operator));
  faults.refuseIfAny();
  return { tenantId: draft.tenantId, name: name!, hosts: hosts as string[], preference: preference! };
}

function parseHost(text: string, path: string): string {
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
  if (text.length > 253 || !text.split(".").every((part) => label.test(part))) {
    throw invalidInput(path, "must be a host name in lower case, without port");
  }
  return text;
}

/**
 * Checks a preference below the operator's ceilings; paths of faults begin with `at`. Refuses
 * INVALID_INPUT with every fault.
 */
export function parsePreference(draft: TenantDraft["preference"], at: string, operator: Ceilings): Preference {
  const faults = createFaults();
  if (!isCurrency(draft.baseCurrency)) faults.add(`${at}baseCurrency`, "must be an ISO 4217 code");
  draft.currencies.forEach((code, index) => {
    if (!isCurrency(code)) faults.add(`${at}currencies[${index}]`, "must be an ISO 4217 code");
  });
  if (!draft.currencies.includes(draft.baseCurrency)) {
    faults.add(`${at}currencies`, "must contain the base currency");
  }
  const countries = draft.countries.map((country, index) =>
    faults.of(() => toAlpha3(country, `${at}countries[${index}]`)),
  );
  if (!isTimeZone(draft.timeZone)) faults.add(`${at}timeZone`, "must be an IANA name such as Africa/Lagos");
  const locale = canonicalLocale(draft.locale);
  if (locale === undefined) faults.add(`${at}locale`, "must be a BCP 47 tag such as en-NG");
  const corsOrigins = draft.corsOrigins ?? [];
  corsOrigins.forEach((origin, index) => {
    const path = `${at}corsOrigins[${index}]`;
    if (!isWebOrigin(origin)) faults.add(path, "must be a web origin such as https://app.example");
  });
  const agentScope = agentScopes.find((scope) => scope === draft.agentScope);
  if (agentScope === undefined && draft.agentScope) faults.add(`${at}agentScope`, "must be MANAGED or TENANT");
  const limits = (draft.singlePersonLimits ?? []).map((limit) => ({ ...limit }));
  limits.forEach(({ kind, below }, index) => {
    const path = `${at}singlePersonLimits[${index}]`;
    if (!approvalKinds.includes(kind)) faults.add(`${path}.kind`, `must be one of ${approvalKinds.join(", ")}`);
    if (below.minor <= 0n) faults.add(`${path}.below`, "must be above zero");
  });
  const ceilings = (draft.amountCeilings ?? []).map((ceiling) => ({ ...ceiling }));
  checkCeilings(ceilings, `${at}amountCeilings`, operator, faults);
  const required = parseRequiredDetails(draft.requiredDetails ?? [], `${at}requiredDetails`, faults);
  const { recordRetentionYears: years, agentScope: _scope, requiredDetails: _required, ...plain } = draft;
  if (years !== undefined && !(Number.isInteger(years) && years >= 0 && years <= 100)) {
    faults.add(`${at}recordRetentionYears`, "must be 0 to 100");
  }
  faults.refuseIfAny();
  return {
    ...plain,
    ...(years !== undefined && { recordRetentionYears: years }),
    currencies: [...new Set(draft.currencies)],
    countries: [...new Set(countries as string[])],
    locale: locale!,
    ...(agentScope !== undefined && { agentScope }),
    secondFactors: { otp: draft.secondFactors.otp, pin: draft.secondFactors.pin },
    corsOrigins: [...new Set(corsOrigins)],
    staffTotpRequired: draft.staffTotpRequired ?? false,
    blindTillCounts: draft.blindTillCounts ?? true,
    agentCounterSales: draft.agentCounterSales ?? false,
    singlePersonLimits: limits,
    amountCeilings: ceilings,
    ...(required.length > 0 && { requiredDetails: required }),
  };
}

function checkCeilings(ceilings: readonly Money[], at: string, operator: Ceilings, faults: Faults): void {
  for (const [index, { minor, currency }] of ceilings.entries()) {
    const path = `${at}[${index}]`;
    const most = operatorCeiling(operator, currency);
    if (minor <= 0n) faults.add(`${path}.amount`, "must be above zero");
    if (minor > most) {
      faults.add(`${path}.amount`, `must be at most the operator's ceiling, ${formatMoney({ minor: most, currency })}`);
    }
    if (ceilings.findIndex((one) => one.currency === currency) < index) {
      faults.add(`${path}.currency`, "must not be named twice");
    }
  }
}

/** As a browser writes it: scheme and host in lower case, no path. */
function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isTimeZone(name: string): boolean {
  // Offsets such as "+01:00" are accepted by Intl, but know no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
