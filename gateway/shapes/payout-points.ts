import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { deliveryMethod, PricedFee } from "../../services/platform/events/shapes/transaction-shape.js";
import { invalidInput } from "../../services/kernel/refusal.js";
import { beside, enumOf, shape, enumName } from "../codec.js";
import {
  countryIn,
  currencyCode,
  decimalText,
  maybe,
  moneyNumberIn,
  moneyTextOrNumberIn,
  text,
  shown,
} from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

/** Body of an operation that loads many from a file. */
export const csvLoadFields = {
  csv: text(200_000).meta({
    description:
      "Comma-separated, quotes as in RFC 4180, with a header line, in UTF-8. Lines may end with LF, CRLF or CR. A quote out of place is refused by its line.",
  }),
  dryRun: maybe(z.boolean()).meta({ description: "True: nothing is changed, only reported." }),
};

export const faultyLines = z
  .array(
    shape(
      wire.FaultyLine,
      z.object({
        line: z.int(),
        column: shown(z.string(), "rate").optional(),
        message: shown(z.string(), "must be a decimal number as text, such as 25.50"),
      }),
    ),
  )
  .meta({ description: "Line 1 is the header; without a column it is the line as a whole." });

const pointType = enumOf(wire.PayoutPointType);
const limits = { minimumAmount: { minor: "minimumMinor" }, maximumAmount: { minor: "maximumMinor" } } as const;

const pointFields = {
  id: shown(z.string(), "0199d0c2-0000-7000-8000-00122e0d476a"),
  name: leaf.bankName,
  type: pointType,
  code: shown(z.string(), "NG-FIRST"),
  country: z.string(),
  currency: leaf.receivingCurrency,
  address: leaf.streetLine.optional(),
  city: leaf.city.optional(),
  openingHours: leaf.openingHours.optional(),
  mobileOperator: leaf.mobileOperator.optional(),
  minimumAmount: shown(decimalText, "1.00").meta({ description: "Of what is paid out there, in currency." }),
  maximumAmount: shown(decimalText, "20000000.00"),
  allocatedTo: leaf.ofTenant.meta({ description: "TENANT or an agent's user id." }),
};

export const PayoutPoint = shape(
  wire.PayoutPoint,
  z
    .object({ ...pointFields, partner: leaf.partner.optional(), enabled: z.boolean(), version: z.int() })
    .meta({ id: "PayoutPoint" }),
  { id: "pointId", ...limits },
);

export const PayoutPointRequest = shape(
  wire.PayoutPoint,
  z
    .object({
      code: text(64),
      name: text(200),
      type: pointType,
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
    .meta({ id: "PayoutPointRequest" }),
  { ...limits, enabled: { field: "enabled", absent: true } },
);

export const PayoutPointLoad = z.object(csvLoadFields).meta({ id: "PayoutPointLoad" });

export const PayoutPointLoadReport = z
  .object({ lines: z.int(), created: z.int(), changed: z.int(), unchanged: z.int(), faults: faultyLines })
  .meta({ id: "PayoutPointLoadReport" });

const Pricing = shape(
  wire.PointPricing,
  z
    .object({
      principalAmount: shown(decimalText, "100.00"),
      principalAmountCurrency: z.string(),
      deriveAmount: shown(decimalText, "152575.00"),
      deriveAmountCurrency: leaf.receivingCurrency,
      exchangeRate: leaf.exchangeRate,
      fees: z.array(PricedFee),
      totalAmount: shown(decimalText, "102.69").meta({
        description: "What the sender pays, in principalAmountCurrency.",
      }),
      deliveryEstimateMinutes: leaf.deliveryEstimateMinutes,
    })
    .meta({ id: "PayoutPointPricing" }),
  {
    principalAmount: "principal",
    principalAmountCurrency: "principal.currency",
    deriveAmount: "derive",
    deriveAmountCurrency: "derive.currency",
    totalAmount: { field: "totalAmount", currency: "principal.currency" },
    deliveryEstimateMinutes: "deliveryMinutes",
  },
);

const Point = shape(wire.PayoutPoint, z.object(pointFields), { id: "pointId", ...limits });

const AllocatedPoint = beside(
  wire.PricedPayoutPoint,
  "point",
  Point,
  Point.extend({ pricing: Pricing.optional().meta({ description: "Absent where no amount was asked." }) }).meta({
    id: "AllocatedPayoutPoint",
  }),
);

export const AllocatedPayoutPoints = z
  .object({
    status: z.literal("SUCCESS"),
    data: z.array(AllocatedPoint),
    message: shown(z.string(), "Payout points"),
    nextCursor: z.string().optional().meta({ description: "Absent on the last page." }),
  })
  .meta({ id: "AllocatedPayoutPoints" });

const methodOfType = { BANK: "ACCOUNTPAYMENT", CASH: "CASH_PICKUP" } as const;
const paymentTypes = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET", "BANK", "CASH"] as const;

function methodOf(paymentType: (typeof paymentTypes)[number]): z.output<typeof deliveryMethod> {
  return paymentType === "BANK" || paymentType === "CASH" ? methodOfType[paymentType] : paymentType;
}

export const PointQuery = z
  .object({
    paymentType: maybe(z.enum(paymentTypes)).meta({ description: "A delivery method, or a type of payout points." }),
    chargeCategory: maybe(text(40, 0)).meta({ description: "Whose fees are taken; STANDARD when absent." }),
    principalAmount: maybe(moneyNumberIn).meta({ description: "Sending amount; fees come on top." }),
    principalAmountCurrency: maybe(currencyCode),
    deriveAmount: maybe(moneyNumberIn).meta({ description: "Receiving amount." }),
    deriveAmountCurrency: maybe(currencyCode),
    transactionType: maybe(z.object({ type: maybe(deliveryMethod) })).meta({
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

/** The contract carries the method twice. Refuses INVALID_INPUT where the two do not agree. */
export function assertOneMethod({ paymentType, transactionType }: z.output<typeof PointQuery>): void {
  const other = transactionType?.type;
  if (paymentType === undefined || other === undefined || methodOf(paymentType) === other) return;
  throw invalidInput("transactionType.type", `must be ${methodOf(paymentType)}, as paymentType says`);
}

const isNamed = ({ type }: wire.ListPayoutPointsRequest) => type !== "DELIVERY_METHOD_UNSPECIFIED";
const named = ({ type }: wire.ListPayoutPointsRequest) =>
  enumName(type, "DELIVERY_METHOD_") as z.output<typeof deliveryMethod>;

/** Where what is asked lies in the message, if not by the same name. */
export const pointQueryFields = {
  paymentType: {
    from: (asked: wire.ListPayoutPointsRequest) => (isNamed(asked) ? named(asked) : undefined),
    to: (type: (typeof paymentTypes)[number]) => ({ type: `DELIVERY_METHOD_${methodOf(type)}` as const }),
  },
  transactionType: {
    from: (asked: wire.ListPayoutPointsRequest) => (isNamed(asked) ? { type: named(asked) } : undefined),
    to: ({ type }: { type?: z.output<typeof deliveryMethod> | undefined }) =>
      type === undefined ? {} : { type: `DELIVERY_METHOD_${type}` as const },
  },
  conversion: {
    from: ({ withoutConversion }: wire.ListPayoutPointsRequest) => !withoutConversion,
    to: (conversion: boolean) => ({ withoutConversion: !conversion }),
  },
  principalAmountCurrency: "principalCurrency",
  deriveAmountCurrency: "deriveCurrency",
  inverseCalculation: "inverse",
  tradeOriginatingCountry: "originCountry",
  destinationCountry: "receivingCountry",
} as const;
