import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { FixtureCompliance } from "./compliance.js";
import { fixtureContent } from "./fixture-text.js";

/** One thing wrong with a fixture: where (JSON pointer) and what. */
export interface Fault {
  path: string;
  message: string;
}

/** A fixture that cannot be loaded, with every fault found in it. */
export class FixtureFaults extends Error {
  readonly faults: readonly Fault[];

  constructor(source: string, faults: readonly Fault[]) {
    super(`${source}: ${faults.length} fault${faults.length === 1 ? "" : "s"}`);
    this.faults = faults;
  }
}

export type DeliveryMethodName = "ACCOUNTPAYMENT" | "MOBILE_MONEY" | "CASH_PICKUP" | "WALLET";

/** Decimal text and its currency. */
export interface FixtureAmount {
  amount: string;
  currency: string;
}

export interface FixturePreference {
  baseCurrency: string;
  currencies: string[];
  countries: string[];
  timeZone: string;
  locale: string;
  agentScope?: "MANAGED" | "TENANT";
  selfRegistration?: boolean;
  doNotForwardEmailVerification?: boolean;
  doNotForwardPhoneVerification?: boolean;
  transactionPasswordRequired?: boolean;
  cashierWalletPayments?: boolean;
  requiredDetails?: { detail: string; at: string; amount?: FixtureAmount }[];
}

export interface FixtureCorridor {
  originCountry: string;
  sendCurrency: string;
  receivingCountry: string;
  receivingCurrency: string;
  types: DeliveryMethodName[];
  minimumAmount: string;
  maximumAmount: string;
  enabled?: boolean;
  fees?: {
    name: string;
    fixed?: string;
    rateBps?: number;
    minimum?: string;
    maximum?: string;
    taxBps?: number;
    types?: DeliveryMethodName[];
  }[];
}

export interface FixtureRate {
  sendCurrency: string;
  receivingCurrency: string;
  rate: string;
  source?: string;
}

export interface FixturePayoutPoint {
  code: string;
  name: string;
  type: "BANK" | "MOBILE_MONEY" | "CASH" | "WALLET";
  country: string;
  currency: string;
  city?: string;
  address?: string;
  openingHours?: string;
  mobileOperator?: string;
  /** Absent for cash that the organisation's own cashiers hand out. */
  partner?: string;
  minimumAmount?: string;
  maximumAmount: string;
}

export interface FixtureStaff {
  email: string;
  password: string;
  role: "MANAGER" | "AGENT" | "CASHIER";
  name: string;
}

export interface FixtureBeneficiary {
  code: string;
  firstName?: string;
  lastName: string;
  country: string;
  currency: string;
  deliveryMethods: DeliveryMethodName[];
  /**
   * A walletaccountno that is the e-mail of a customer stands for their wallet in this currency.
   */
  creditParty: Record<string, string>;
  relationship?: string;
  kind?: "PERSON" | "COMPANY";
  dateOfBirth?: string;
  nationality?: string;
  address?: FixtureAddress;
}

export interface FixtureBankAccount {
  country: string;
  currency: string;
  bankCode?: string;
  accountNumber: string;
}

/** Terms as the rpc has them: amounts and percentages are decimal text. */
export interface FixtureLoanProduct {
  id: string;
  name: string;
  currency: string;
  [term: string]: string | number | boolean;
}

/** A loan that is taken over; its days are counted back from the day it is loaded. */
export interface FixtureLoan {
  key: string;
  product: string;
  amount: string;
  instalments: number;
  disbursedDaysAgo: number;
  withoutApplication?: boolean;
  repaid?: { daysAgo: number; amount: string }[];
}

export interface FixtureAddress {
  lines: string[];
  city: string;
  region?: string;
  postalCode?: string;
  country: string;
}

/** What is known of a customer beside name and contacts. */
export interface FixtureDetails {
  dateOfBirth?: string;
  placeOfBirth?: string;
  nationality?: string;
  address?: FixtureAddress;
  identityDocuments?: { type: string; number: string; country: string; expiresAt?: string; gender?: string }[];
}

export interface FixtureCustomer extends FixtureDetails {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  phoneNumber?: string;
  bvn?: string;
  country: string;
  code: string;
  agent?: string;
  status?: "PENDING" | "CONFIRMED" | "BLOCKED";
  wallets?: { currency: string; openingBalance?: string }[];
  beneficiaries?: FixtureBeneficiary[];
  bankAccounts?: FixtureBankAccount[];
  loans?: FixtureLoan[];
}

export interface FixtureInvestmentProduct {
  id: string;
  name: string;
  description?: string;
  currency: string;
  unitPrice: string;
  unitsOffered: number;
  minimumUnits?: number;
  maximumUnitsPerCustomer?: number;
  tiers: { from: string; ratePercent: string }[];
  compounding?: string;
  dayCount?: string;
  termMonths?: number;
  termDays?: number;
  lockInDays?: number;
  penalty?: { kind: string; bps?: number; percent?: string };
  payout?: string;
  reinvestment?: string;
  withholdingTaxBps?: number;
}

export interface FixtureTenant {
  id: string;
  name: string;
  hosts: string[];
  preference: FixturePreference;
  compliance?: FixtureCompliance;
  corridors?: FixtureCorridor[];
  rates?: FixtureRate[];
  payoutPoints?: FixturePayoutPoint[];
  investmentProducts?: FixtureInvestmentProduct[];
  loanProducts?: FixtureLoanProduct[];
  staff?: FixtureStaff[];
  customers?: FixtureCustomer[];
}

export interface Fixture {
  tenants: FixtureTenant[];
}

/** Fixtures of the repository; the npm scripts and the image both run at the project's root. */
export const fixtureFolder = join("deploy", "seed");

/**
 * Reads a YAML or JSON fixture and checks it; throws FixtureFaults that names every fault by its
 * path.
 */
export async function readFixture(file: string): Promise<Fixture> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new FixtureFaults(file, [{ path: "/", message: `cannot be read: ${error.code ?? error.message}` }]);
  });
  const schema: unknown = JSON.parse(await readFile(join(fixtureFolder, "fixture.schema.json"), "utf8"));
  const fault = (message: string) => new FixtureFaults(file, [{ path: "/", message }]);
  return checkFixture(file, fixtureContent(text, fault), schema as object);
}

/** Checks parsed content against the JSON Schema and the references inside it. */
export function checkFixture(source: string, content: unknown, schema: object): Fixture {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  const validate = ajv.compile<Fixture>(schema);
  if (!validate(content)) throw new FixtureFaults(source, (validate.errors ?? []).map(faultOf));
  const faults = referenceFaults(content);
  if (faults.length > 0) throw new FixtureFaults(source, faults);
  return content;
}

function faultOf(error: ErrorObject): Fault {
  const params = error.params as { additionalProperty?: string; allowedValues?: unknown[] };
  const detail = params.additionalProperty ?? params.allowedValues?.join(", ");
  return { path: error.instancePath || "/", message: `${error.message ?? "invalid"}${detail ? ` (${detail})` : ""}` };
}

/** Recipients' wallets that are named by their owners. */
function walletFaults(faults: Fault[], path: string, { beneficiaries = [] }: FixtureCustomer, tenant: FixtureTenant) {
  for (const [index, { creditParty, currency }] of beneficiaries.entries()) {
    const { walletaccountno = "" } = creditParty;
    if (!walletaccountno.includes("@")) continue;
    const owner = (tenant.customers ?? []).find(({ email }) => email === walletaccountno);
    if (owner?.wallets?.some((wallet) => wallet.currency === currency)) continue;
    const message = `is not the e-mail of a customer with a wallet in ${currency}`;
    faults.push({ path: `${path}/${index}/creditParty/walletaccountno`, message });
  }
}

/** What a schema cannot say: unique keys, agents and wallets that exist. */
function referenceFaults(fixture: Fixture): Fault[] {
  const faults: Fault[] = [];
  unique(faults, "/tenants", "id", fixture.tenants);
  for (const [index, tenant] of fixture.tenants.entries()) {
    const at = `/tenants/${index}`;
    const people = [...(tenant.staff ?? []), ...(tenant.customers ?? [])];
    unique(faults, `${at} (staff and customers)`, "email", people);
    unique(faults, `${at}/customers`, "code", tenant.customers ?? []);
    unique(faults, `${at}/investmentProducts`, "id", tenant.investmentProducts ?? []);
    unique(faults, `${at}/loanProducts`, "id", tenant.loanProducts ?? []);
    const agents = new Set((tenant.staff ?? []).filter((user) => user.role === "AGENT").map((user) => user.email));
    for (const [position, customer] of (tenant.customers ?? []).entries()) {
      const where = `${at}/customers/${position}`;
      unique(faults, `${where}/wallets`, "currency", customer.wallets ?? []);
      unique(faults, `${where}/loans`, "key", customer.loans ?? []);
      walletFaults(faults, `${where}/beneficiaries`, customer, tenant);
      if (customer.agent !== undefined && !agents.has(customer.agent)) {
        faults.push({ path: `${where}/agent`, message: "is not the e-mail of an AGENT of this tenant's staff" });
      }
    }
  }
  return faults;
}

function unique<K extends string>(faults: Fault[], path: string, key: K, items: readonly Record<K, string>[]): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (seen.has(item[key]))
      faults.push({ path: `${path}/${index}/${key}`, message: `"${item[key]}" stands there twice` });
    seen.add(item[key]);
  }
}
