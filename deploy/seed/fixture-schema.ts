import { z } from "zod";
import { compliance } from "./compliance-schema.js";
import {
  address,
  amount,
  basisPoints,
  country,
  currency,
  day,
  days,
  deliveryMethod,
  email,
  flag,
  maybe,
  money,
  password,
  rate,
  slug,
  text,
  units,
  whole,
} from "./fixture-parts.js";

const requiredDetail = z.strictObject({
  detail: z.enum(["DATE_OF_BIRTH", "PLACE_OF_BIRTH", "NATIONALITY", "ADDRESS", "IDENTITY_DOCUMENT"]),
  at: z.enum(["REGISTRATION", "FIRST_TRANSACTION"]),
});

const preference = z.strictObject({
  baseCurrency: currency,
  currencies: z.array(currency).min(1),
  countries: z.array(country).min(1),
  timeZone: text,
  locale: text,
  agentScope: maybe(z.enum(["MANAGED", "TENANT"])),
  selfRegistration: maybe(flag),
  requiredDetails: maybe(z.array(requiredDetail)).meta({
    description: "Which personal details customers give, and when",
  }),
  doNotForwardEmailVerification: maybe(flag),
  doNotForwardPhoneVerification: maybe(flag),
  transactionPasswordRequired: maybe(flag),
  cashierWalletPayments: maybe(flag),
  blindTillCounts: maybe(flag),
  agentCounterSales: maybe(flag),
});

const fee = z.strictObject({
  name: text,
  fixed: maybe(money),
  rateBps: maybe(basisPoints),
  minimum: maybe(money),
  maximum: maybe(money),
  taxBps: maybe(basisPoints),
  types: maybe(z.array(deliveryMethod)),
});

const corridor = z.strictObject({
  originCountry: country,
  sendCurrency: currency,
  receivingCountry: country,
  receivingCurrency: currency,
  types: z.array(deliveryMethod).min(1).meta({ uniqueItems: true }),
  minimumAmount: money,
  maximumAmount: money,
  enabled: maybe(flag),
  fees: maybe(z.array(fee)),
});

const rateEntry = z.strictObject({ sendCurrency: currency, receivingCurrency: currency, rate, source: maybe(text) });

const payoutPoint = z.strictObject({
  code: text,
  name: text,
  type: z.enum(["BANK", "MOBILE_MONEY", "CASH", "WALLET"]),
  country,
  currency,
  city: maybe(text),
  address: maybe(text),
  openingHours: maybe(text),
  mobileOperator: maybe(text),
  partner: maybe(text).meta({ description: "Absent for cash that the organisation's own cashiers hand out" }),
  minimumAmount: maybe(money),
  maximumAmount: money,
});

const investmentProduct = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .meta({ description: "UUID" }),
  name: text,
  description: maybe(z.string().max(2_000)),
  currency,
  unitPrice: money,
  unitsOffered: units,
  minimumUnits: maybe(units),
  maximumUnitsPerCustomer: maybe(units),
  tiers: z.array(z.strictObject({ from: money, ratePercent: rate })).min(1),
  compounding: maybe(z.enum(["NONE", "DAY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"])),
  dayCount: maybe(z.enum(["ACT_365", "ACT_360", "ACT_ACT", "THIRTY_360"])),
  termMonths: maybe(whole(0, 600)),
  termDays: maybe(whole(0, 18_300)),
  lockInDays: maybe(whole(0, 18_300)),
  penalty: maybe(
    z.strictObject({
      kind: z.enum(["NONE", "INTEREST_SHARE", "PRINCIPAL_SHARE", "RATE_REDUCTION"]),
      bps: maybe(basisPoints),
      percent: maybe(rate),
    }),
  ),
  payout: maybe(z.enum(["AT_MATURITY", "MONTH", "QUARTER", "HALF_YEAR", "YEAR"])),
  reinvestment: maybe(z.enum(["NONE", "PRINCIPAL", "ALL"])),
  withholdingTaxBps: maybe(basisPoints),
});

const loanProduct = z.strictObject({
  id: slug,
  name: text,
  currency,
  minimumAmount: money,
  maximumAmount: money,
  minimumInstalments: whole(1, 600),
  maximumInstalments: whole(1, 600),
  frequency: z.enum(["DAY", "WEEK", "TWO_WEEKS", "MONTH"]),
  annualRate: rate,
  interestMethod: z.enum(["FLAT", "DECLINING"]),
  amortisation: z.enum(["EQUAL_INSTALMENTS", "EQUAL_PRINCIPAL"]),
  dayCount: z.enum(["THIRTY_360", "ACTUAL_360", "ACTUAL_365", "ACTUAL_ACTUAL"]),
  principalGrace: maybe(whole(0, 599)),
  interestGrace: maybe(whole(0, 599)),
  disbursementFee: maybe(money),
  disbursementFeePercent: maybe(rate),
  instalmentFee: maybe(money),
  instalmentFeePercent: maybe(rate),
  penaltyGraceDays: maybe(whole(0, 365)),
  penalty: maybe(money),
  penaltyPercent: maybe(rate),
  businessDayRule: maybe(z.enum(["NONE", "FOLLOWING", "MODIFIED_FOLLOWING", "PRECEDING"])),
  payoffInterest: maybe(z.enum(["TO_DAY", "TO_NEXT_DUE_DATE"])),
  payoffFee: maybe(money),
  payoffFeePercent: maybe(rate),
  thirdPartyCollection: maybe(flag),
  affordabilityPercent: maybe(rate),
  approvedAtOnce: maybe(flag),
});

const loan = z
  .strictObject({
    key: text,
    product: text,
    amount: money,
    instalments: whole(1, 600),
    disbursedDaysAgo: days,
    withoutApplication: maybe(flag),
    repaid: maybe(z.array(z.strictObject({ daysAgo: days, amount: money }))),
  })
  .meta({ description: "A loan of a system before; its days are counted back from the day it is loaded" });

const staff = z.strictObject({ email, password, role: z.enum(["MANAGER", "AGENT", "CASHIER"]), name: text });

const beneficiary = z.strictObject({
  code: text,
  firstName: maybe(text),
  lastName: text,
  country,
  currency,
  deliveryMethods: z.array(deliveryMethod).min(1),
  creditParty: z.record(z.string(), z.string()).meta({
    description: "A walletaccountno that is the e-mail of a customer stands for their wallet in this currency",
  }),
  relationship: maybe(z.string()),
  kind: maybe(z.enum(["PERSON", "COMPANY"])).meta({ description: "The name of a COMPANY stands in lastName" }),
  dateOfBirth: maybe(day),
  nationality: maybe(country),
  address: maybe(address),
});

const identityDocument = z.strictObject({
  type: z.enum(["PASSPORT", "NATIONAL_ID", "DRIVING_LICENCE", "RESIDENCE_PERMIT", "TAX_ID"]),
  number: text,
  country,
  expiresAt: maybe(day),
});

const customer = z.strictObject({
  email,
  password,
  firstName: text,
  lastName: text,
  phoneNumber: maybe(z.string()),
  bvn: maybe(z.string().regex(/^\d{11}$/)).meta({
    description: "Bank verification number: put into the register where the tenant's bank is the sandbox partner",
  }),
  country,
  code: text,
  dateOfBirth: maybe(day),
  placeOfBirth: maybe(z.strictObject({ city: text, country })),
  nationality: maybe(country),
  address: maybe(address),
  identityDocuments: maybe(z.array(identityDocument).min(1).max(5)),
  agent: maybe(email).meta({ description: "E-mail of the AGENT of this fixture who manages the customer" }),
  status: maybe(z.enum(["PENDING", "CONFIRMED", "BLOCKED"])),
  wallets: maybe(z.array(z.strictObject({ currency, openingBalance: maybe(money) }))),
  bankAccounts: maybe(z.array(z.strictObject({ country, currency, bankCode: maybe(text), accountNumber: text }))),
  loans: maybe(z.array(loan)),
  beneficiaries: maybe(z.array(beneficiary)),
});

const tenant = z.strictObject({
  id: slug,
  name: text,
  hosts: z
    .array(z.string().regex(/^[a-z0-9.-]+$/))
    .min(1)
    .meta({ uniqueItems: true }),
  preference,
  compliance: maybe(compliance),
  corridors: maybe(z.array(corridor)),
  rates: maybe(z.array(rateEntry)),
  payoutPoints: maybe(z.array(payoutPoint)),
  investmentProducts: maybe(z.array(investmentProduct)),
  loanProducts: maybe(z.array(loanProduct)),
  staff: maybe(z.array(staff)),
  customers: maybe(z.array(customer)),
});

export const fixtureSchema = z.strictObject({ tenants: z.array(tenant).min(1) }).meta({
  title: "Manilla fixture",
  description:
    "What `npm run seed -- FILE` loads: tenants with their people, money and rules. Money and rates are decimal text in quotes, so that no YAML or JSON reader makes a float of them.",
});

export type Fixture = z.output<typeof fixtureSchema>;
export type FixtureTenant = z.output<typeof tenant>;
export type FixtureCustomer = z.output<typeof customer>;
export type FixtureBeneficiary = z.output<typeof beneficiary>;
export type FixtureLoan = z.output<typeof loan>;
export type FixtureLoanProduct = z.output<typeof loanProduct>;
export type FixtureInvestmentProduct = z.output<typeof investmentProduct>;
export type FixturePayoutPoint = z.output<typeof payoutPoint>;
export type FixtureCorridor = z.output<typeof corridor>;
export type DeliveryMethodName = z.output<typeof deliveryMethod>;
export type FixtureAmount = z.output<typeof amount>;
