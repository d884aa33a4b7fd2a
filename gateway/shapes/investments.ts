import { z } from "zod";
import * as wire from "../../proto/gen/investment/v1/investment.js";
import { Investment } from "../../services/platform/events/shapes/investment-shape.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import { beside, shape } from "../codec.js";
import { decimalText, instant, integer, moneyNumber, text, wholeNumberIn, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

// A JSON number carries no more units than these exactly.
const maxUnits = 999_999_999_999_999;

export const uuidIn = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a UUID");
export const unitsIn = wholeNumberIn(1, maxUnits);

/** Of deploy/seed/demo.yaml. */
export const demoProduct = "7f8a2c10-5b1e-4c7e-9a3d-2f6b8d4e1a01";

export const InvestmentApplicationRequest = z
  .object({
    investmentProductId: uuidIn,
    numberOfUnitsToPurchase: unitsIn,
    userWalletId: uuidIn.meta({ description: "accountId of a wallet account in the product's currency." }),
    customerId: uuidIn.meta({ description: "The caller's own." }),
    customerName: text(256).meta({ description: "The name on file; case, spaces, order and accents aside." }),
  })
  .meta({ id: "InvestmentApplicationRequest" });

export const InvestmentApplication = shape(
  wire.Application,
  z
    .object({
      investmentApplicationId: z.string(),
      investmentProductId: leaf.investmentProductId,
      productName: leaf.productName,
      customerId: leaf.customerId,
      customerName: leaf.name,
      userWalletId: leaf.accountId,
      numberOfUnitsToPurchase: shown(integer, 2),
      unitPrice: shown(decimalText, "10.00"),
      totalAmount: leaf.sendAmount,
      currency: z.string(),
      status: z.enum(["COMPLETED", "AWAITING_COMPLIANCE", "PENDING", "REFUSED", "WITHDRAWN", "EXPIRED"]).meta({
        description:
          "AWAITING_COMPLIANCE takes neither units nor money; it goes on or is refused by itself when compliance decides.",
      }),
      holdingId: z.string().optional(),
      maturityDate: date.optional(),
      expectedReturn: shown(decimalText, "1.02")
        .optional()
        .meta({ description: "Interest of the first term, before tax." }),
      createdAt: instant,
      compliance: z
        .object({ decision: z.enum(["PENDING", "REVIEW"]), outstandingRequirements: z.array(leaf.requirement) })
        .optional()
        .meta({ description: "What it waits for, or waited for." }),
      waitsUntil: date.optional().meta({ description: "The last day that it waits." }),
      refusal: z
        .object({
          code: shown(z.string(), "INSUFFICIENT_FUNDS"),
          message: shown(z.string(), "the wallet's balance is too low"),
        })
        .optional(),
    })
    .meta({ id: "InvestmentApplication" }),
  {
    investmentApplicationId: "applicationId",
    investmentProductId: "productId",
    userWalletId: "walletAccountId",
    numberOfUnitsToPurchase: "units",
    totalAmount: "total",
    currency: "total.currency",
    compliance: { group: { decision: "complianceDecision" } },
    refusal: { group: { code: "refusalCode", message: "refusalMessage" } },
  },
);

const fraction = decimalText.meta({ description: "A fraction: 0.05 is 5 %.", examples: ["0.052500"] });

export const InvestmentReturns = shape(
  wire.Returns,
  z
    .object({
      invested: leaf.sendAmount,
      currentValue: shown(decimalText, "20.03"),
      grossGain: leaf.accruedInterest,
      netGain: leaf.accruedInterest.meta({ description: "After penalties and taxes." }),
      timeWeightedInvestment: decimalText,
      grossReturn: fraction,
      netReturn: fraction,
      daysInvested: shown(z.int(), 30),
      moneyWeightedReturn: fraction.optional().meta({ description: "XIRR, a year." }),
    })
    .meta({ id: "InvestmentReturns" }),
  { moneyWeightedReturn: "xirr" },
);

export const InvestmentWithReturns = beside(
  wire.GetHoldingResponse,
  "holding",
  Investment,
  Investment.extend({ returns: InvestmentReturns }).meta({ id: "InvestmentWithReturns" }),
);

const ofPayment = { numberOfUnits: "units", paidAmount: "paid", currency: "paid.currency" } as const;

export const InvestmentMovement = shape(
  wire.Movement,
  z
    .object({
      movementId: z.string(),
      kind: z.enum(["PURCHASE", "PAYOUT", "REDEMPTION", "MATURITY", "ROLLOVER", "DIVIDEND"]),
      date: date,
      numberOfUnits: shown(integer, 2),
      principal: leaf.sendAmount,
      interest: decimalText.meta({ description: "Or dividend, before penalty and tax." }),
      penalty: leaf.zero,
      tax: leaf.tax,
      paidAmount: decimalText.meta({ description: "To the wallet; what left it is negative." }),
      currency: z.string(),
      unitsAfter: shown(integer, 2),
      principalAfter: leaf.sendAmount,
      bookedAt: instant,
    })
    .meta({ id: "InvestmentMovement" }),
  ofPayment,
);

export const InvestmentRedemption = shape(
  wire.Redemption,
  z
    .object({
      redemptionId: z.string(),
      holdingId: z.string(),
      numberOfUnits: shown(integer, 2),
      unitsLeft: leaf.unitsLeft,
      principal: decimalText,
      interest: decimalText,
      penalty: leaf.zero,
      tax: leaf.tax,
      paidAmount: decimalText,
      currency: z.string(),
      userWalletId: leaf.accountId,
      redeemedAt: instant,
    })
    .meta({ id: "InvestmentRedemption" }),
  { ...ofPayment, userWalletId: "walletAccountId" },
);

export const InvestmentTotals = shape(
  wire.GetTotalsResponse,
  z
    .object({
      totalInvestmentsResponseDto: z.object({ totalInvestments: shown(moneyNumber, 20) }),
      interestAccruedResponseDto: z.object({
        totalInvestments: shown(moneyNumber, 0).meta({
          description: "Interest that is counted and not paid, under this name.",
        }),
      }),
      currency: z.string().meta({ description: "The organisation's base currency." }),
      rates: z
        .array(
          z.object({
            fromCurrency: z.string(),
            toCurrency: z.string(),
            rate: decimalText,
            source: z.string(),
            validFrom: instant,
          }),
        )
        .meta({ description: "What other currencies were converted at." }),
    })
    .meta({ id: "InvestmentTotals" }),
  {
    totalInvestmentsResponseDto: { group: { totalInvestments: "invested" } },
    interestAccruedResponseDto: { group: { totalInvestments: "accruedInterest" } },
    currency: "invested.currency",
  },
);
