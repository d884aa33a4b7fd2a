import { z } from "zod";
import type {
  Branch as WireBranch,
  PayoutPoint as WirePoint,
  PointPricing as WirePricing,
} from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { formatMoney, money, parseMoney } from "../../services/shared/money.js";
import { invalidInput } from "../../services/shared/refusal.js";
import { route } from "../route.js";
import { countryIn, currencyCode, decimalText, maybe, moneyNumberIn, moneyTextOrNumberIn, text } from "../schema.js";
import { absentIfEmpty, enumName, filled, moneyText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { cursorQuery, pageOf } from "./compliance-pages.js";
import { deliveryMethods, feeFromWire, PricedFee } from "./transaction-shape.js";

const base = `${v6}/branches`;
const pointTypes = ["BANK", "MOBILE_MONEY", "CASH", "WALLET"] as const;
const methodOfType = {
  BANK: "ACCOUNTPAYMENT",
  MOBILE_MONEY: "MOBILE_MONEY",
  CASH: "CASH_PICKUP",
  WALLET: "WALLET",
} as const;
const paymentTypes = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET", "BANK", "CASH"] as const;

const pointFields = {
  id: z.string(),
  name: z.string(),
  type: z.enum(pointTypes),
  code: z.string(),
  country: z.string(),
  currency: z.string(),
  address: z.string().optional(),
  city: z.string().optional(),
  openingHours: z.string().optional(),
  mobileOperator: z.string().optional(),
  minimumAmount: decimalText.meta({ description: "Of what is paid out there, in currency." }),
  maximumAmount: decimalText,
  allocatedTo: z.string().meta({ description: "TENANT or an agent's user id." }),
};

const Pricing = z
  .object({
    principalAmount: decimalText,
    principalAmountCurrency: z.string(),
    deriveAmount: decimalText,
    deriveAmountCurrency: z.string(),
    exchangeRate: decimalText,
    fees: z.array(PricedFee),
    totalAmount: decimalText.meta({ description: "What the sender pays, in principalAmountCurrency." }),
    deliveryEstimateMinutes: z.int(),
  })
  .meta({ id: "PayoutPointPricing" });

const AllocatedPoint = z
  .object({ ...pointFields, pricing: Pricing.optional().meta({ description: "Absent where no amount was asked." }) })
  .meta({ id: "AllocatedPayoutPoint" });

const PointQuery = z
  .object({
    paymentType: maybe(z.enum(paymentTypes)).meta({ description: "A delivery method, or a type of payout points." }),
    chargeCategory: maybe(text(40, 0)).meta({ description: "Whose fees are taken; STANDARD when absent." }),
    principalAmount: maybe(moneyNumberIn).meta({ description: "Sending amount; fees come on top." }),
    principalAmountCurrency: maybe(currencyCode),
    deriveAmount: maybe(moneyNumberIn).meta({ description: "Receiving amount." }),
    deriveAmountCurrency: maybe(currencyCode),
    transactionType: maybe(z.object({ type: maybe(z.enum(deliveryMethods)) })).meta({
      description: "type is a delivery method, as in create-transaction.",
    }),
    destinationCountry: countryIn,
    inverseCalculation: maybe(z.boolean()).meta({
      description: "True: deriveAmount governs and principalAmount follows.",
    }),
    tradeOriginatingCountry: maybe(countryIn).meta({ description: "A customer's own country when absent." }),
    conversion: maybe(z.boolean()).meta({ description: "False: only points that pay out in the sending currency." }),
    promoCode: maybe(text(32, 0)),
    mobileOperator: maybe(text(100, 0)),
  })
  .meta({ id: "PayoutPointQuery" });

/** §4.8. A tenant may have tens of thousands: the list goes on by cursor. */
export const listAllocatedPayoutPoints = route({
  method: "post",
  path: `${base}/listallocatedpayoutpoints`,
  operationId: "listAllocatedPayoutPoints",
  tag: "Payout points",
  summary: "List where a recipient can be paid, each with the price for an amount",
  access: everyRole,
  query: cursorQuery,
  body: PointQuery,
  bare: true,
  answer: z
    .object({
      status: z.literal("SUCCESS"),
      data: z.array(AllocatedPoint),
      message: z.string(),
      nextCursor: z.string().optional().meta({ description: "Absent on the last page." }),
    })
    .meta({ id: "AllocatedPayoutPoints" }),
  message: "Payout points",
  example: {
    as: "amina@demo.example",
    body: {
      paymentType: "ACCOUNTPAYMENT",
      principalAmount: 100,
      principalAmountCurrency: "USD",
      deriveAmountCurrency: "NGN",
      destinationCountry: "NGA",
      tradeOriginatingCountry: "USA",
      inverseCalculation: false,
      conversion: true,
    },
  },
  renames: {
    type: "paymentType",
    originCountry: "tradeOriginatingCountry",
    receivingCountry: "destinationCountry",
    sendAmount: "principalAmount",
    amount: "deriveAmount",
    sendCurrency: "principalAmountCurrency",
    receivingCurrency: "deriveAmountCurrency",
    deriveCurrency: "deriveAmountCurrency",
    principalCurrency: "principalAmountCurrency",
    pageSize: "query.size",
    cursor: "query.cursor",
  },
  run: async ({ body, query, call, clients }) => {
    const method = methodFrom(body);
    const { points, nextCursor } = await clients.remittance.listPayoutPoints(
      {
        type: method === undefined ? "DELIVERY_METHOD_UNSPECIFIED" : `DELIVERY_METHOD_${method}`,
        chargeCategory: body.chargeCategory ?? "",
        principalAmount: body.principalAmount ?? "",
        principalCurrency: body.principalAmountCurrency ?? "",
        deriveAmount: body.deriveAmount ?? "",
        deriveCurrency: body.deriveAmountCurrency ?? "",
        inverse: body.inverseCalculation ?? false,
        withoutConversion: body.conversion === false,
        originCountry: body.tradeOriginatingCountry ?? "",
        receivingCountry: body.destinationCountry,
        promoCode: body.promoCode ?? "",
        mobileOperator: body.mobileOperator ?? "",
        ...pageOf(query),
      },
      outgoing(call),
    );
    return {
      status: "SUCCESS" as const,
      data: points.map(({ point, pricing }) => ({
        ...pointFromWire(filled(point, "point")),
        pricing: pricing && pricingFromWire(pricing),
      })),
      message: "Payout points",
      nextCursor: absentIfEmpty(nextCursor),
    };
  },
});

const PointRequest = z
  .object({
    code: text(64),
    name: text(200),
    type: z.enum(pointTypes),
    country: countryIn,
    currency: currencyCode,
    address: maybe(text(300, 0)),
    city: maybe(text(100, 0)),
    openingHours: maybe(text(300, 0)),
    mobileOperator: maybe(text(100, 0)),
    minimumAmount: maybe(moneyTextOrNumberIn),
    maximumAmount: moneyTextOrNumberIn,
    allocatedTo: maybe(text(128)).meta({ description: "TENANT when absent, or an agent's user id." }),
    partner: maybe(text(100, 0)),
    enabled: maybe(z.boolean()),
  })
  .meta({ id: "PayoutPointRequest" });

const PayoutPoint = z
  .object({ ...pointFields, partner: z.string().optional(), enabled: z.boolean(), version: z.int() })
  .meta({ id: "PayoutPoint" });

export const putPayoutPoint = route({
  method: "put",
  path: `${base}/payout-points`,
  operationId: "putPayoutPoint",
  tag: "Payout points",
  summary: "Create a payout point or replace what holds of it; every version is kept",
  access: ["MANAGER"],
  body: PointRequest,
  answer: PayoutPoint,
  message: "Payout point",
  example: {
    as: "manager@demo.example",
    body: {
      code: "NG-GTB",
      name: "Guaranty Trust Bank",
      type: "BANK",
      country: "NGA",
      currency: "NGN",
      minimumAmount: "100.00",
      maximumAmount: "5000000.00",
    },
  },
  renames: { point: "body", minimumMinor: "minimumAmount", maximumMinor: "maximumAmount" },
  run: async ({ body, call, clients }) => {
    const minor = (amount: string, path: string) => parseMoney(amount, body.currency, path).minor;
    const point = {
      code: body.code,
      name: body.name,
      type: `PAYOUT_POINT_TYPE_${body.type}` as const,
      country: body.country,
      currency: body.currency,
      address: body.address ?? "",
      city: body.city ?? "",
      openingHours: body.openingHours ?? "",
      mobileOperator: body.mobileOperator ?? "",
      minimumMinor: minor(body.minimumAmount ?? "0", "minimumAmount"),
      maximumMinor: minor(body.maximumAmount, "maximumAmount"),
      allocatedTo: body.allocatedTo ?? "",
      partner: body.partner ?? "",
      enabled: body.enabled ?? true,
    };
    const put = filled((await clients.remittance.putPayoutPoint({ point }, outgoing(call))).point, "point");
    const { partner, enabled, version } = put;
    return { ...pointFromWire(put), partner: absentIfEmpty(partner), enabled, version };
  },
});

const LoadRequest = z
  .object({
    csv: text(200_000).meta({ description: "Comma-separated, quotes as in RFC 4180, with a header line." }),
    dryRun: maybe(z.boolean()).meta({ description: "True: nothing is changed, only reported." }),
  })
  .meta({ id: "PayoutPointLoad" });

export const loadPayoutPoints = route({
  method: "post",
  path: `${base}/payout-points/load`,
  operationId: "loadPayoutPoints",
  tag: "Payout points",
  summary: "Load payout points from CSV: what is right is put, every faulty line is reported",
  access: ["MANAGER"],
  body: LoadRequest,
  answer: z
    .object({
      lines: z.int(),
      created: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      faults: z.array(z.object({ line: z.int(), column: z.string().optional(), message: z.string() })),
    })
    .meta({ id: "PayoutPointLoadReport" }),
  message: "Payout points loaded",
  example: {
    as: "manager@demo.example",
    body: {
      csv: "code,name,type,country,currency,maximumAmount\nNG-UBA,United Bank for Africa,BANK,NGA,NGN,5000000.00\n",
    },
  },
  run: async ({ body, call, clients }) => {
    const request = { csv: body.csv, dryRun: body.dryRun ?? false };
    const { lines, created, changed, unchanged, faults } = await clients.remittance.loadPayoutPoints(
      request,
      outgoing(call),
    );
    const report = faults.map(({ line, column, message }) => ({ line, column: absentIfEmpty(column), message }));
    return { lines, created, changed, unchanged, faults: report };
  },
});

const BranchRequest = z
  .object({
    code: text(64),
    name: text(200),
    country: countryIn,
    city: maybe(text(100, 0)),
    address: maybe(text(300, 0)),
    phoneNumber: maybe(text(30, 0)),
    openingHours: maybe(text(300, 0)),
    allocatedTo: maybe(text(128)).meta({ description: "TENANT when absent, or an agent's user id." }),
    enabled: maybe(z.boolean()),
  })
  .meta({ id: "BranchRequest" });

const Branch = z
  .object({
    code: z.string(),
    name: z.string(),
    country: z.string(),
    city: z.string().optional(),
    address: z.string().optional(),
    phoneNumber: z.string().optional(),
    openingHours: z.string().optional(),
    allocatedTo: z.string(),
    enabled: z.boolean(),
    version: z.int(),
  })
  .meta({ id: "Branch" });

export const putBranch = route({
  method: "put",
  path: base,
  operationId: "putBranch",
  tag: "Branches",
  summary: "Create one of the organisation's branches or replace what holds of it; every version is kept",
  access: ["MANAGER"],
  body: BranchRequest,
  answer: Branch,
  message: "Branch",
  example: {
    as: "manager@demo.example",
    body: { code: "LAG-1", name: "Lagos Island", country: "NGA", city: "Lagos", openingHours: "Mon-Fri 09:00-17:00" },
  },
  renames: { branch: "body" },
  run: async ({ body, call, clients }) => {
    const branch = {
      code: body.code,
      name: body.name,
      country: body.country,
      city: body.city ?? "",
      address: body.address ?? "",
      phoneNumber: body.phoneNumber ?? "",
      openingHours: body.openingHours ?? "",
      allocatedTo: body.allocatedTo ?? "",
      enabled: body.enabled ?? true,
    };
    return branchFromWire(filled((await clients.remittance.putBranch({ branch }, outgoing(call))).branch, "branch"));
  },
});

export const listBranches = route({
  method: "get",
  path: base,
  operationId: "listBranches",
  tag: "Branches",
  summary: "List the organisation's branches: managers all, others what is open to them",
  access: everyRole,
  query: cursorQuery.extend({ country: countryIn.optional() }),
  answer: z.object({ branches: z.array(Branch), nextCursor: z.string().optional() }).meta({ id: "Branches" }),
  message: "Branches",
  example: { as: "amina@demo.example" },
  renames: { pageSize: "query.size", cursor: "query.cursor", country: "query.country" },
  run: async ({ query, call, clients }) => {
    const request = { country: query.country ?? "", ...pageOf(query) };
    const { branches, nextCursor } = await clients.remittance.listBranches(request, outgoing(call));
    return { branches: branches.map(branchFromWire), nextCursor: absentIfEmpty(nextCursor) };
  },
});

export const payoutPointRoutes = [listAllocatedPayoutPoints, putPayoutPoint, loadPayoutPoints, putBranch, listBranches];

/** paymentType and transactionType.type say the same thing twice. Refuses INVALID_INPUT where they do not agree. */
function methodFrom({ paymentType, transactionType }: z.output<typeof PointQuery>) {
  const byType = paymentType && (paymentType in methodOfType ? methodOfType[paymentType as "BANK"] : paymentType);
  const method = byType as (typeof deliveryMethods)[number] | undefined;
  const other = transactionType?.type;
  if (method !== undefined && other !== undefined && method !== other) {
    throw invalidInput("transactionType.type", `must be ${method}, as paymentType says`);
  }
  return method ?? other;
}

function pointFromWire(point: WirePoint) {
  const { code, name, country, currency, allocatedTo } = point;
  const amount = (minor: bigint) => formatMoney(money(minor, currency));
  return {
    id: point.pointId,
    name,
    type: enumName(point.type, "PAYOUT_POINT_TYPE_") as (typeof pointTypes)[number],
    code,
    country,
    currency,
    address: absentIfEmpty(point.address),
    city: absentIfEmpty(point.city),
    openingHours: absentIfEmpty(point.openingHours),
    mobileOperator: absentIfEmpty(point.mobileOperator),
    minimumAmount: amount(point.minimumMinor),
    maximumAmount: amount(point.maximumMinor),
    allocatedTo,
  };
}

function pricingFromWire(pricing: WirePricing): z.output<typeof Pricing> {
  const principal = filled(pricing.principal, "principal");
  const derive = filled(pricing.derive, "derive");
  return {
    principalAmount: moneyText(principal, "principal"),
    principalAmountCurrency: principal.currency,
    deriveAmount: moneyText(derive, "derive"),
    deriveAmountCurrency: derive.currency,
    exchangeRate: pricing.exchangeRate,
    fees: pricing.fees.map(feeFromWire),
    totalAmount: moneyText(pricing.totalAmount, "total_amount"),
    deliveryEstimateMinutes: pricing.deliveryMinutes,
  };
}

function branchFromWire(branch: WireBranch): z.output<typeof Branch> {
  const { code, name, country, allocatedTo, enabled, version } = branch;
  return {
    code,
    name,
    country,
    city: absentIfEmpty(branch.city),
    address: absentIfEmpty(branch.address),
    phoneNumber: absentIfEmpty(branch.phoneNumber),
    openingHours: absentIfEmpty(branch.openingHours),
    allocatedTo,
    enabled,
    version,
  };
}
