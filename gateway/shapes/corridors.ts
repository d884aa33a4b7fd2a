import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { beside, shape, writerOf } from "../codec.js";
import {
  waiting,
  approvalField,
  maybeReasonIn,
  countryIn,
  currencyCode,
  decimalText,
  maybe,
  moneyTextOrNumberIn,
  text,
  wholeNumberIn,
  shown,
} from "../schema.js";
import { payeeCheckTime } from "./payee-checks.js";
import { csvLoadFields, faultyLines } from "./payout-points.js";
import { deliveryMethod } from "../../services/platform/events/shapes/transaction-shape.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const maxBps = 10_000;
const category = text(40).regex(/^[A-Z][A-Z0-9_]*$/, "must be capital letters, digits and _");
const feeFields = { types: "deliveryMethods", chargeCategory: "category" } as const;
const deliveryFields = {
  type: "method",
  minimumAmount: { minor: "minimumMinor" },
  maximumAmount: { minor: "maximumMinor" },
} as const;
const corridorFields = {
  types: "deliveryMethods",
  minimumAmount: { minor: "minimumMinor", currency: "sendCurrency" },
  maximumAmount: { minor: "maximumMinor", currency: "sendCurrency" },
  fees: { field: "fees", currency: "sendCurrency" },
  otherFees: { field: "otherFees", currency: "receivingCurrency" },
  deliveries: { field: "deliveries", currency: "sendCurrency" },
} as const;

const FeeTierIn = shape(
  wire.FeeTier,
  z.object({
    from: moneyTextOrNumberIn,
    fixed: maybe(moneyTextOrNumberIn),
    rateBps: maybe(wholeNumberIn(0, maxBps)),
  }),
);

const FeeIn = shape(
  wire.FeeRule,
  z.object({
    name: text(100),
    fixed: maybe(moneyTextOrNumberIn),
    rateBps: maybe(wholeNumberIn(0, maxBps)),
    minimum: maybe(moneyTextOrNumberIn),
    maximum: maybe(moneyTextOrNumberIn),
    taxBps: maybe(wholeNumberIn(0, maxBps)).meta({ description: "Tax on this fee, basis points." }),
    types: maybe(z.array(deliveryMethod).max(4)).meta({ description: "Empty or absent: every delivery method." }),
    tiers: maybe(z.array(FeeTierIn).max(20)).meta({
      description: "From these principals on, ascending, in the place of fixed and rateBps.",
    }),
    chargeCategory: maybe(category).meta({ description: "Taken in this category only." }),
  }),
  feeFields,
);

const otherFeeFields = { types: "deliveryMethods" } as const;

const OtherFeeIn = shape(
  wire.OtherFeeRule,
  z.object({
    name: text(100),
    amount: moneyTextOrNumberIn,
    types: maybe(z.array(deliveryMethod).max(4)).meta({ description: "Empty or absent: every delivery method." }),
  }),
  otherFeeFields,
);

const DeliveryIn = shape(
  wire.Delivery,
  z.object({
    type: deliveryMethod,
    partner: maybe(text(100, 0)),
    estimateMinutes: wholeNumberIn(1, 43_200),
    deliveryDays: maybe(wholeNumberIn(0, 30)).meta({
      description: "By when it is promised, in business days of the receiving country; by the estimate when absent.",
    }),
    minimumAmount: maybe(moneyTextOrNumberIn),
    maximumAmount: maybe(moneyTextOrNumberIn),
    payeeCheck: maybe(payeeCheckTime).meta({
      description: "When a partner is asked whether accounts are the recipients'; of ACCOUNTPAYMENT and MOBILE_MONEY.",
    }),
  }),
  deliveryFields,
);

const CorridorRequest = shape(
  wire.Corridor,
  z
    .object({
      originCountry: countryIn,
      sendCurrency: currencyCode,
      receivingCountry: countryIn,
      receivingCurrency: currencyCode,
      types: z.array(deliveryMethod).min(1).max(4),
      minimumAmount: moneyTextOrNumberIn.meta({ description: "Of what is exchanged, in sendCurrency." }),
      maximumAmount: moneyTextOrNumberIn,
      enabled: maybe(z.boolean()),
      fees: maybe(z.array(FeeIn).max(20)),
      deliveries: maybe(z.array(DeliveryIn).max(4)).meta({
        description: "Partner, estimate and narrower limits of a delivery method.",
      }),
      otherFees: maybe(z.array(OtherFeeIn).max(5)).meta({
        description: "What others on the way take off, in receivingCurrency: told to the sender, not priced.",
      }),
    })
    .meta({ id: "CorridorRequest" }),
  { ...corridorFields, enabled: { field: "enabled", absent: true } },
);

const FeeTier = shape(
  wire.FeeTier,
  z.object({ from: leaf.zero, fixed: shown(decimalText, "2.00"), rateBps: leaf.rateBps }),
);

const FeeRule = shape(
  wire.FeeRule,
  z.object({
    name: shown(z.string(), "Transfer fee"),
    fixed: shown(decimalText, "2.00"),
    rateBps: leaf.rateBps,
    minimum: shown(decimalText, "1.00").optional(),
    maximum: shown(decimalText, "25.00").optional(),
    taxBps: shown(z.int(), 750),
    types: z.array(deliveryMethod),
    tiers: z.array(FeeTier),
    chargeCategory: leaf.chargeCategory.optional(),
  }),
  feeFields,
);

const OtherFeeRule = shape(
  wire.OtherFeeRule,
  z.object({
    name: leaf.otherFeeName,
    amount: leaf.otherFee,
    types: z.array(deliveryMethod),
  }),
  otherFeeFields,
);

const Delivery = shape(
  wire.Delivery,
  z.object({
    type: deliveryMethod,
    partner: leaf.partner.optional(),
    estimateMinutes: leaf.deliveryEstimateMinutes,
    deliveryDays: leaf.deliveryDays.optional(),
    minimumAmount: shown(decimalText, "1.00").optional(),
    maximumAmount: leaf.maximumAmount.optional(),
    payeeCheck: payeeCheckTime.optional().meta({ description: "OFF where absent." }),
  }),
  deliveryFields,
);

export const Corridor = shape(
  wire.Corridor,
  z
    .object({
      originCountry: leaf.originCountry,
      sendCurrency: z.string(),
      receivingCountry: z.string(),
      receivingCurrency: leaf.receivingCurrency,
      types: z.array(deliveryMethod),
      minimumAmount: shown(decimalText, "1.00"),
      maximumAmount: leaf.maximumAmount,
      enabled: z.boolean(),
      fees: z.array(FeeRule),
      deliveries: z.array(Delivery),
      otherFees: z.array(OtherFeeRule),
      version: z.int(),
    })
    .meta({ id: "Corridor" }),
  corridorFields,
);

const reason = maybeReasonIn.meta({
  description: "Told to whoever approves a new corridor or a change of limits, partners or payee checks.",
});
const approval = waiting("what held holds (version 0: nothing)");

export const CorridorChangeRequest = CorridorRequest.extend({ reason }).meta({ id: "CorridorChangeRequest" });

export const corridorOf = writerOf(CorridorRequest);

export const ChangedCorridor = beside(
  wire.PutCorridorResponse,
  "corridor",
  Corridor,
  Corridor.extend({ approval }).meta({ id: "ChangedCorridor", description: "What holds now." }),
  approvalField,
);

export const CorridorLoad = z.object({ ...csvLoadFields, reason }).meta({ id: "CorridorLoad" });

export const CorridorLoadReport = z
  .object({
    lines: z.int(),
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    waiting: z.int().meta({ description: "Lines that change limits or partners: another manager approves them." }),
    faults: faultyLines,
    approval,
  })
  .meta({ id: "CorridorLoadReport" });
