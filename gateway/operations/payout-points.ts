import { z } from "zod";
import type { PointPricing as WirePricing } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { invalidInput } from "../../services/kernel/refusal.js";
import { route } from "../route.js";
import { countryIn, currencyCode, decimalText, maybe, moneyNumberIn, text } from "../schema.js";
import { absentIfEmpty, filled, moneyText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { cursorQuery, pageOf } from "./cursor-pages.js";
import { pointFields, pointFromWire } from "./payout-point-shape.js";
import { deliveryMethods, feeFromWire, PricedFee } from "../../services/platform/events/shapes/transaction-shape.js";
import { payoutPointsAnswer } from "./contract-answers.js";

const base = `${v6}/branches`;
const methodOfType = {
  BANK: "ACCOUNTPAYMENT",
  MOBILE_MONEY: "MOBILE_MONEY",
  CASH: "CASH_PICKUP",
  WALLET: "WALLET",
} as const;
const paymentTypes = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET", "BANK", "CASH"] as const;

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
  contract: true,
  tag: "Payout points",
  summary: "List where a recipient can be paid, each with the price for an amount",
  access: everyRole,
  scopes: ["quotes:request", "transactions:create", "transactions:read"],
  sdk: { name: "listAllocated" },
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
    answer: payoutPointsAnswer,
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

export const payoutPointRoutes = [listAllocatedPayoutPoints];

/**
 * paymentType and transactionType.type must agree: the contract carries the method twice. Throws
 * INVALID_INPUT.
 */
function methodFrom({ paymentType, transactionType }: z.output<typeof PointQuery>) {
  const byType = paymentType && (paymentType in methodOfType ? methodOfType[paymentType as "BANK"] : paymentType);
  const method = byType as (typeof deliveryMethods)[number] | undefined;
  const other = transactionType?.type;
  if (method !== undefined && other !== undefined && method !== other) {
    throw invalidInput("transactionType.type", `must be ${method}, as paymentType says`);
  }
  return method ?? other;
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
