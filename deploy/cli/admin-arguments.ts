import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { listCommandOf, listOptions, listUsage, type ListCommand } from "./admin-lists.js";

/**
 * What of a tenant is named on the command line; what is absent stays as it is, or is what new
 * tenants get.
 */
export interface TenantOptions {
  name?: string;
  hosts?: string[];
  baseCurrency?: string;
  currencies?: string[];
  countries?: string[];
  timeZone?: string;
  locale?: string;
  agentScope?: string;
  corsOrigins?: string[];
  selfRegistration?: boolean;
  staffTotpRequired?: boolean;
  cashierWalletPayments?: boolean;
  transactionPasswordRequired?: boolean;
  /** "REFUND=50.00 USD": below it one person is enough. */
  singlePersonLimits?: { kind: string; amount: string; currency: string }[];
  recordRetentionYears?: number;
}

export type AdminCommand =
  | { name: "tenant create"; tenant: string; options: TenantOptions }
  | { name: "tenant change"; tenant: string; options: TenantOptions }
  | { name: "tenant list" }
  | { name: "tenant show"; tenant: string }
  | { name: "manager create"; tenant: string; email: string; person: string; passwordFromInput: boolean }
  | { name: "keys list" }
  | { name: "keys rotate"; leadS: number }
  | { name: "master-key list" | "master-key rotate" }
  | { name: "master-key retire"; masterKeyId: string }
  | { name: "erase"; tenant: string; customerId: string; reason: string }
  | { name: "erasure show"; tenant: string; customerId: string }
  | { name: "retention apply"; days: number }
  | ListCommand;

export const adminUsage = `npm run admin -- tenant create ID --name NAME --host HOST --currency USD --country USA --time-zone Africa/Lagos
                                               makes a tenant and its sandbox
npm run admin -- tenant change ID [options]    changes what is named of it, in its sandbox too
npm run admin -- tenant list                   every tenant with its hosts
npm run admin -- tenant show ID                one tenant with its preference, as JSON
npm run admin -- manager create ID --email ADDRESS --name NAME [--password-from-input]
                                               its first people; prints a password, or reads one from standard input
npm run admin -- keys list                     keys of access tokens, refresh tokens and personal data, never the keys themselves
npm run admin -- keys rotate [--lead SECONDS]  makes new ones, used after the lead (60 s): nobody is logged out
npm run admin -- master-key list               versions of the master key, and how many keys of which service each wraps
npm run admin -- master-key rotate             wraps every key anew under the newest version; ended anywhere, it goes on
npm run admin -- master-key retire VERSION     nothing is wrapped by it again; refuses while it wraps a key
npm run admin -- erase CUSTOMER --tenant ID --why TEXT
                                               takes out who a customer was, in every service; ids stay for the books
npm run admin -- erasure show CUSTOMER --tenant ID
                                               what each service has erased of a customer, and what it keeps until when
npm run admin -- retention apply --days N      erases whoever was disabled more than N days ago, in all tenants
${listUsage}

  --host, --currency, --country, --cors-origin  may be named more than once; the first currency is the base currency
  --locale TAG     such as en-NG; en when absent
  --agent-scope    MANAGED or TENANT
  --single-person-limit KIND=AMOUNT CURRENCY    such as "REFUND=50.00 USD"; may be named more than once, "none" for none
  --record-retention-years N    how long records of transactions and of identification outlive a customer; 7 when absent
  --self-registration, --staff-totp, --cashier-payments, --transaction-password   on; --no-… off`;

const flags = {
  "self-registration": "selfRegistration",
  "staff-totp": "staffTotpRequired",
  "cashier-payments": "cashierWalletPayments",
  "transaction-password": "transactionPasswordRequired",
} as const;

/** Reads the command line. Throws an Error with a sentence for what it does not understand. */
export function readAdminArguments(args: readonly string[]): AdminCommand {
  const { values, positionals } = parse(args);
  const words = positionals.join(" ");
  const subject = positionals[2];
  switch (positionals.slice(0, 2).join(" ")) {
    case "tenant create": {
      const options = tenantOptions(values);
      assertWhole(options);
      return { name: "tenant create", tenant: named(subject, "name the tenant's id"), options };
    }
    case "tenant change":
      return { name: "tenant change", tenant: named(subject, "name the tenant's id"), options: tenantOptions(values) };
    case "tenant list":
      return { name: "tenant list" };
    case "tenant show":
      return { name: "tenant show", tenant: named(subject, "name the tenant's id") };
    case "manager create":
      return {
        name: "manager create",
        tenant: named(subject, "name the tenant's id"),
        email: named(values.email, "--email is the address that the manager logs in with"),
        person: named(values.name, "--name is the manager's name"),
        passwordFromInput: values["password-from-input"],
      };
    case "keys list":
      return { name: "keys list" };
    case "keys rotate":
      return { name: "keys rotate", leadS: wholeOf(values.lead, "--lead", 30, 86_400) };
    case "master-key list":
      return { name: "master-key list" };
    case "master-key rotate":
      return { name: "master-key rotate" };
    case "master-key retire":
      return { name: "master-key retire", masterKeyId: named(subject, "name the version: see `master-key list`") };
    case "erasure show":
      return {
        name: "erasure show",
        customerId: named(subject, "name the customer's id"),
        tenant: named(values.tenant, "--tenant names the customer's tenant"),
      };
    case "retention apply":
      return { name: "retention apply", days: wholeOf(named(values.days, "--days is required"), "--days", 1, 36_500) };
    default:
  }
  if (positionals[0] === "erase") {
    return {
      name: "erase",
      customerId: named(positionals[1], "name the customer's id"),
      tenant: named(values.tenant, "--tenant names the customer's tenant"),
      reason: named(values.why, "--why says why: it is kept"),
    };
  }
  const ofLists = listCommandOf(positionals, values, userInfo().username);
  if (ofLists !== undefined) return ofLists;
  throw new Error(words === "" ? "name a command" : `there is no command ${words}`);
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const many = { type: "string", multiple: true } as const;
  const flag = { type: "boolean" } as const;
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      name: text,
      host: many,
      currency: many,
      country: many,
      "cors-origin": many,
      "time-zone": text,
      locale: text,
      "agent-scope": text,
      "single-person-limit": many,
      "record-retention-years": text,
      "self-registration": flag,
      "staff-totp": flag,
      "cashier-payments": flag,
      "transaction-password": flag,
      email: text,
      "password-from-input": { type: "boolean", default: false },
      tenant: text,
      why: text,
      lead: { type: "string", default: "60" },
      days: text,
      ...listOptions,
    },
  });
}

function tenantOptions(values: ReturnType<typeof parse>["values"]): TenantOptions {
  const { name, host, currency, country, locale } = values;
  const [baseCurrency] = currency ?? [];
  const limits = values["single-person-limit"];
  const years = values["record-retention-years"];
  const options: TenantOptions = {
    ...(name !== undefined && { name }),
    ...(host && { hosts: host }),
    ...(currency && baseCurrency !== undefined && { baseCurrency, currencies: currency }),
    ...(country && { countries: country }),
    ...(values["time-zone"] !== undefined && { timeZone: values["time-zone"] }),
    ...(locale !== undefined && { locale }),
    ...(values["agent-scope"] !== undefined && { agentScope: values["agent-scope"] }),
    ...(values["cors-origin"] && { corsOrigins: values["cors-origin"] }),
    ...(limits && { singlePersonLimits: limits.filter((one) => one !== "none").map(limitOf) }),
    ...(years !== undefined && { recordRetentionYears: wholeOf(years, "--record-retention-years", 0, 100) }),
  };
  for (const [option, field] of Object.entries(flags) as [keyof typeof flags, (typeof flags)[keyof typeof flags]][]) {
    const value = values[option];
    if (value !== undefined) options[field] = value;
  }
  return options;
}

function assertWhole({ name, hosts, baseCurrency, countries, timeZone }: TenantOptions): void {
  const missing = Object.entries({
    "--name": name,
    "--host": hosts,
    "--currency": baseCurrency,
    "--country": countries,
    "--time-zone": timeZone,
  }).flatMap(([option, value]) => (value === undefined ? [option] : []));
  if (missing.length > 0) throw new Error(`a new tenant needs ${missing.join(", ")}`);
}

function limitOf(text: string) {
  const [, kind, amount, currency] = /^([A-Z_]+)=(\d+(?:\.\d+)?) ([A-Z]{3})$/.exec(text) ?? [];
  if (kind === undefined || amount === undefined || currency === undefined) {
    throw new Error('--single-person-limit is written like "REFUND=50.00 USD"');
  }
  return { kind, amount, currency };
}

function named(text: string | undefined, sentence: string): string {
  if (text === undefined || text.trim() === "") throw new Error(sentence);
  return text;
}

function wholeOf(text: string, option: string, least: number, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new Error(`${option} must be a whole number, ${least} to ${most}`);
  }
  return number;
}
