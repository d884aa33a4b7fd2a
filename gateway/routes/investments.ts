import { z } from "zod";
import type {
  Application,
  Holding as WireHolding,
  Movement as WireMovement,
  Redemption,
  Returns as WireReturns,
} from "../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import type { Role } from "../../services/shared/grpc/context.js";
import { route } from "../route.js";
import { decimalText, instant, integer, maybe, moneyNumber, text } from "../schema.js";
import { absentIfEmpty, filled, moneyAsNumber, moneyOf, moneyText, timeText } from "../wire.js";
import { exampleIds } from "../example-ids.js";
import { investmentAnswer, totalsAnswer } from "./contract-answers.js";
import { v1User } from "./base.js";
import { cursorQuery, nextCursorOf, pageOf } from "./compliance-pages.js";
import { dateOut, unitsIn, uuidIn } from "./investment-products.js";

const base = `${v1User}/investments`;
const whoSees: readonly Role[] = ["MANAGER", "AGENT", "CUSTOMER"];
const demoProduct = "7f8a2c10-5b1e-4c7e-9a3d-2f6b8d4e1a01";
const fraction = decimalText.meta({ description: "A fraction: 0.05 is 5 %.", examples: ["0.052500"] });

const InvestmentApplicationRequest = z
  .object({
    investmentProductId: uuidIn,
    numberOfUnitsToPurchase: unitsIn,
    userWalletId: uuidIn.meta({ description: "accountId of a wallet account in the product's currency." }),
    customerId: uuidIn.meta({ description: "The caller's own." }),
    customerName: text(256).meta({ description: "The name on file; case, spaces, order and accents aside." }),
  })
  .meta({ id: "InvestmentApplicationRequest" });

const InvestmentApplication = z
  .object({
    investmentApplicationId: z.string(),
    investmentProductId: z.string(),
    productName: z.string(),
    customerId: z.string(),
    customerName: z.string(),
    userWalletId: z.string(),
    numberOfUnitsToPurchase: integer,
    unitPrice: decimalText,
    totalAmount: decimalText,
    currency: z.string(),
    status: z.enum(["COMPLETED", "AWAITING_COMPLIANCE", "PENDING", "REFUSED", "WITHDRAWN", "EXPIRED"]).meta({
      description:
        "AWAITING_COMPLIANCE takes neither units nor money; it goes on or is refused by itself when compliance decides.",
    }),
    holdingId: z.string().optional(),
    maturityDate: dateOut.optional(),
    expectedReturn: decimalText.optional().meta({ description: "Interest of the first term, before tax." }),
    createdAt: instant,
    compliance: z
      .object({ decision: z.enum(["PENDING", "REVIEW"]), outstandingRequirements: z.array(z.string()) })
      .optional()
      .meta({ description: "What it waits for, or waited for." }),
    waitsUntil: dateOut.optional().meta({ description: "The last day that it waits." }),
    refusal: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: "InvestmentApplication" });

/** §4.6 */
const applyForInvestment = route({
  method: "post",
  path: `${v1User}/apply`,
  operationId: "applyForInvestment",
  tag: "Investments",
  summary:
    "Buy units of an investment product for money of one's wallet; what compliance looks at waits and goes on by itself",
  access: ["CUSTOMER"],
  headers: { idempotencyKey: "required" },
  body: InvestmentApplicationRequest,
  answer: InvestmentApplication,
  message: "Investment application received",
  renames: {
    idempotencyKey: "headers.x-idempotency-key",
    productId: "investmentProductId",
    units: "numberOfUnitsToPurchase",
    walletAccountId: "userWalletId",
  },
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "invest-2026-0042" },
    body: {
      investmentProductId: demoProduct,
      numberOfUnitsToPurchase: 2,
      userWalletId: exampleIds.userWalletId,
      customerId: exampleIds.customerId,
      customerName: "Amina Bello",
    },
    from: {
      "body.userWalletId": "listWalletAccounts data.4.accountId",
      "body.customerId": "readProfile data.customer.customerId",
    },
    answer: investmentAnswer,
  },
  run: async ({ body, headers, call, clients }) => {
    const request = {
      idempotencyKey: headers["x-idempotency-key"] ?? "",
      productId: body.investmentProductId,
      units: BigInt(body.numberOfUnitsToPurchase),
      walletAccountId: body.userWalletId,
      customerId: body.customerId,
      customerName: body.customerName,
    };
    const answer = await clients.investment.apply(request, outgoing(call, { onReplayed: call.markReplayed }));
    return applicationFromWire(filled(answer.application, "application"));
  },
});

const applicationsBase = `${v1User}/investment-applications`;
const applicationParams = z.object({ applicationId: uuidIn });
const applicationExample = {
  as: "amina@demo.example",
  params: { applicationId: "0199d0c2-0000-7000-8000-000000000006" },
  from: { "params.applicationId": "applyForInvestment data.investmentApplicationId" },
};

/** Ours */
const listInvestmentApplications = route({
  method: "get",
  path: applicationsBase,
  operationId: "listInvestmentApplications",
  tag: "Investments",
  summary: "List one's own applications, newest first; staff name a customer",
  access: whoSees,
  query: cursorQuery.extend({ customerId: uuidIn.optional() }),
  answer: z.object({ applications: z.array(InvestmentApplication), nextCursor: z.string().optional() }),
  message: "Investment applications",
  example: { as: "amina@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { ...pageOf(query), customerId: query.customerId ?? "" };
    const page = await clients.investment.listApplications(request, outgoing(call));
    return { applications: page.applications.map(applicationFromWire), ...nextCursorOf(page) };
  },
});

/** Ours */
const readInvestmentApplication = route({
  method: "get",
  path: `${applicationsBase}/:applicationId`,
  operationId: "readInvestmentApplication",
  tag: "Investments",
  summary: "Read an application as it is now",
  access: whoSees,
  params: applicationParams,
  answer: InvestmentApplication,
  message: "Investment application",
  example: applicationExample,
  run: async ({ params, call, clients }) => {
    const { application } = await clients.investment.getApplication(params, outgoing(call));
    return applicationFromWire(filled(application, "application"));
  },
});

/** Ours */
const withdrawInvestmentApplication = route({
  method: "post",
  path: `${applicationsBase}/:applicationId/withdraw`,
  operationId: "withdrawInvestmentApplication",
  tag: "Investments",
  summary: "Take back an application that waits for compliance",
  access: ["CUSTOMER"],
  headers: { idempotencyKey: "required" },
  params: applicationParams,
  answer: InvestmentApplication,
  message: "Investment application withdrawn",
  renames: { idempotencyKey: "headers.x-idempotency-key" },
  example: { ...applicationExample, headers: { "x-idempotency-key": "withdraw-2026-0042" }, answers: 409 },
  run: async ({ params, headers, call, clients }) => {
    const request = { idempotencyKey: headers["x-idempotency-key"] ?? "", ...params };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const { application } = await clients.investment.withdrawApplication(request, options);
    return applicationFromWire(filled(application, "application"));
  },
});

const InvestmentTotals = z
  .object({
    totalInvestmentsResponseDto: z.object({ totalInvestments: moneyNumber }),
    interestAccruedResponseDto: z.object({
      totalInvestments: moneyNumber.meta({ description: "Interest that is counted and not paid, under this name." }),
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
  .meta({ id: "InvestmentTotals" });

/** §4.7 */
const getTotalInvestments = route({
  method: "get",
  path: `${v1User}/get-total/:userId`,
  operationId: "getTotalInvestments",
  tag: "Investments",
  summary: "Read what a user has invested and earned, in the organisation's base currency",
  access: whoSees,
  headers: { idempotencyKey: "optional" },
  params: z.object({ userId: uuidIn }),
  answer: InvestmentTotals,
  message: "Total investments",
  example: {
    as: "amina@demo.example",
    params: { userId: exampleIds.userId },
    from: { "params.userId": "readProfile data.user.userId" },
    answer: totalsAnswer,
  },
  run: async ({ params, call, clients }) => {
    const totals = await clients.investment.getTotals(params, outgoing(call));
    const [invested, interest] = [moneyOf(totals.invested, "invested"), moneyOf(totals.accruedInterest, "interest")];
    return {
      totalInvestmentsResponseDto: { totalInvestments: moneyAsNumber(invested.minor, invested.currency) },
      interestAccruedResponseDto: { totalInvestments: moneyAsNumber(interest.minor, interest.currency) },
      currency: invested.currency,
      rates: totals.rates.map((rate) => ({ ...rate, validFrom: timeText(rate.validFrom, "rate.valid_from") })),
    };
  },
});

const Investment = z
  .object({
    holdingId: z.string(),
    investmentApplicationId: z.string(),
    investmentProductId: z.string(),
    productName: z.string(),
    customerId: z.string(),
    userWalletId: z.string(),
    status: z.enum(["ACTIVE", "REDEEMED", "MATURED"]),
    numberOfUnits: integer,
    unitPrice: decimalText,
    principal: decimalText,
    accruedInterest: decimalText,
    currency: z.string(),
    ratePercent: decimalText,
    purchaseDate: dateOut,
    termStartDate: dateOut,
    maturityDate: dateOut.optional(),
    lockedUntil: dateOut,
    nextDueDate: dateOut.optional(),
    interestThrough: dateOut.meta({ description: "Interest is counted for all days before this one." }),
    unpaid: z
      .object({ dueDate: dateOut, code: z.string() })
      .optional()
      .meta({ description: "What was due and could not be paid, such as into a closed wallet; it stays owed." }),
  })
  .meta({ id: "Investment" });

const InvestmentReturns = z
  .object({
    invested: decimalText,
    currentValue: decimalText,
    grossGain: decimalText,
    netGain: decimalText.meta({ description: "After penalties and taxes." }),
    timeWeightedInvestment: decimalText,
    grossReturn: fraction,
    netReturn: fraction,
    daysInvested: z.number(),
    moneyWeightedReturn: fraction.optional().meta({ description: "XIRR, a year." }),
  })
  .meta({ id: "InvestmentReturns" });

const listInvestments = route({
  method: "get",
  path: base,
  operationId: "listInvestments",
  tag: "Investments",
  summary: "List one's own investments, newest first; staff name a customer, or ask for all that could not be paid",
  access: whoSees,
  query: cursorQuery.extend({
    customerId: uuidIn.optional(),
    unpaid: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "true: those of all customers whose due payment could not be made; MANAGERs only." }),
  }),
  answer: z.object({ investments: z.array(Investment), nextCursor: z.string().optional() }),
  message: "Investments",
  example: { as: "amina@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { ...pageOf(query), customerId: query.customerId ?? "", unpaid: query.unpaid === "true" };
    const page = await clients.investment.listHoldings(request, outgoing(call));
    return { investments: page.holdings.map(holdingFromWire), ...nextCursorOf(page) };
  },
});

const holdingParams = z.object({ holdingId: uuidIn });
const holdingExample = {
  as: "amina@demo.example",
  params: { holdingId: "0199d0c2-0000-7000-8000-000000000006" },
  from: { "params.holdingId": "applyForInvestment data.holdingId" },
};

const readInvestment = route({
  method: "get",
  path: `${base}/:holdingId`,
  operationId: "readInvestment",
  tag: "Investments",
  summary: "Read an investment with what it has returned",
  access: whoSees,
  params: holdingParams,
  answer: Investment.extend({ returns: InvestmentReturns }).meta({ id: "InvestmentWithReturns" }),
  message: "Investment",
  example: holdingExample,
  run: async ({ params, call, clients }) => {
    const { holding, returns } = await clients.investment.getHolding(params, outgoing(call));
    return { ...holdingFromWire(filled(holding, "holding")), returns: returnsFromWire(filled(returns, "returns")) };
  },
});

const InvestmentRedemption = z
  .object({
    redemptionId: z.string(),
    holdingId: z.string(),
    numberOfUnits: integer,
    unitsLeft: integer,
    principal: decimalText,
    interest: decimalText,
    penalty: decimalText,
    tax: decimalText,
    paidAmount: decimalText,
    currency: z.string(),
    userWalletId: z.string(),
    redeemedAt: instant,
  })
  .meta({ id: "InvestmentRedemption" });

const redeemInvestment = route({
  method: "post",
  path: `${base}/:holdingId/redeem`,
  operationId: "redeemInvestment",
  tag: "Investments",
  summary:
    "Have units of one's investment paid back into the wallet they were bought from, all of them when none are named",
  access: ["CUSTOMER"],
  headers: { idempotencyKey: "required" },
  params: holdingParams,
  body: z.object({ numberOfUnits: maybe(unitsIn) }).meta({ id: "InvestmentRedemptionRequest" }),
  answer: InvestmentRedemption,
  message: "Investment redeemed",
  renames: { idempotencyKey: "headers.x-idempotency-key", units: "numberOfUnits" },
  example: { ...holdingExample, headers: { "x-idempotency-key": "redeem-2026-0042" }, body: { numberOfUnits: 1 } },
  run: async ({ params, body, headers, call, clients }) => {
    const request = {
      idempotencyKey: headers["x-idempotency-key"] ?? "",
      holdingId: params.holdingId,
      ...(body.numberOfUnits !== undefined && { units: BigInt(body.numberOfUnits) }),
    };
    const answer = await clients.investment.redeemHolding(request, outgoing(call, { onReplayed: call.markReplayed }));
    return redemptionFromWire(filled(answer.redemption, "redemption"));
  },
});

/** Ours */
const setInvestmentWallet = route({
  method: "put",
  path: `${base}/:holdingId/wallet`,
  operationId: "setInvestmentWallet",
  tag: "Investments",
  summary: "Name another wallet of the customer that the investment is paid into; what could not be paid is paid there",
  access: ["MANAGER", "CUSTOMER"],
  headers: { idempotencyKey: "required" },
  params: holdingParams,
  body: z.object({ userWalletId: uuidIn }).meta({ id: "InvestmentWalletRequest" }),
  answer: Investment,
  message: "Wallet of the investment changed",
  renames: { idempotencyKey: "headers.x-idempotency-key", walletAccountId: "userWalletId" },
  example: {
    ...holdingExample,
    headers: { "x-idempotency-key": "wallet-2026-0042" },
    body: { userWalletId: "0199d0c2-0000-7000-8000-000000000003" },
    from: { ...holdingExample.from, "body.userWalletId": "listWalletAccounts data.4.accountId" },
  },
  run: async ({ params, body, headers, call, clients }) => {
    const request = {
      idempotencyKey: headers["x-idempotency-key"] ?? "",
      holdingId: params.holdingId,
      walletAccountId: body.userWalletId,
    };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const { holding } = await clients.investment.setPayoutWallet(request, options);
    return holdingFromWire(filled(holding, "holding"));
  },
});

const InvestmentMovement = z
  .object({
    movementId: z.string(),
    kind: z.enum(["PURCHASE", "PAYOUT", "REDEMPTION", "MATURITY", "ROLLOVER", "DIVIDEND"]),
    date: dateOut,
    numberOfUnits: integer,
    principal: decimalText,
    interest: decimalText.meta({ description: "Or dividend, before penalty and tax." }),
    penalty: decimalText,
    tax: decimalText,
    paidAmount: decimalText.meta({ description: "To the wallet; what left it is negative." }),
    currency: z.string(),
    unitsAfter: integer,
    principalAfter: decimalText,
    bookedAt: instant,
  })
  .meta({ id: "InvestmentMovement" });

const readInvestmentStatement = route({
  method: "get",
  path: `${base}/:holdingId/statement`,
  operationId: "readInvestmentStatement",
  tag: "Investments",
  summary: "Read what was paid for an investment and what it paid, oldest first",
  access: whoSees,
  params: holdingParams,
  query: cursorQuery,
  answer: z.object({ movements: z.array(InvestmentMovement), nextCursor: z.string().optional() }),
  message: "Statement",
  example: holdingExample,
  run: async ({ params, query, call, clients }) => {
    const request = { ...params, ...pageOf(query) };
    const page = await clients.investment.listMovements(request, outgoing(call));
    return { movements: page.movements.map(movementFromWire), ...nextCursorOf(page) };
  },
});

/** Applications, and what customers hold. */
export const investmentRoutes = [
  applyForInvestment,
  listInvestmentApplications,
  readInvestmentApplication,
  withdrawInvestmentApplication,
  getTotalInvestments,
  listInvestments,
  readInvestment,
  redeemInvestment,
  setInvestmentWallet,
  readInvestmentStatement,
];

function applicationFromWire(application: Application): z.output<typeof InvestmentApplication> {
  const { expectedReturn, complianceDecision, outstandingRequirements, refusalCode } = application;
  return {
    investmentApplicationId: application.applicationId,
    investmentProductId: application.productId,
    productName: application.productName,
    customerId: application.customerId,
    customerName: application.customerName,
    userWalletId: application.walletAccountId,
    numberOfUnitsToPurchase: application.units,
    unitPrice: moneyText(application.unitPrice, "unit_price"),
    totalAmount: moneyText(application.total, "total"),
    currency: filled(application.total, "total").currency,
    status: application.status as "COMPLETED",
    holdingId: absentIfEmpty(application.holdingId),
    maturityDate: absentIfEmpty(application.maturityDate),
    ...(expectedReturn !== undefined && { expectedReturn: moneyText(expectedReturn, "expected_return") }),
    createdAt: timeText(application.createdAt, "created_at"),
    ...(complianceDecision !== "" && {
      compliance: { decision: complianceDecision as "REVIEW", outstandingRequirements },
    }),
    waitsUntil: absentIfEmpty(application.waitsUntil),
    ...(refusalCode !== "" && { refusal: { code: refusalCode, message: application.refusalMessage } }),
  };
}

function holdingFromWire(holding: WireHolding): z.output<typeof Investment> {
  return {
    holdingId: holding.holdingId,
    investmentApplicationId: holding.applicationId,
    investmentProductId: holding.productId,
    productName: holding.productName,
    customerId: holding.customerId,
    userWalletId: holding.walletAccountId,
    status: holding.status as "ACTIVE",
    numberOfUnits: holding.units,
    unitPrice: moneyText(holding.unitPrice, "unit_price"),
    principal: moneyText(holding.principal, "principal"),
    accruedInterest: moneyText(holding.accruedInterest, "accrued_interest"),
    currency: filled(holding.principal, "principal").currency,
    ratePercent: holding.ratePercent,
    purchaseDate: holding.purchasedOn,
    termStartDate: holding.termStart,
    maturityDate: absentIfEmpty(holding.maturityDate),
    lockedUntil: holding.lockedUntil,
    nextDueDate: absentIfEmpty(holding.nextDueOn),
    interestThrough: holding.interestThrough,
    ...(holding.unpaidSince !== "" && { unpaid: { dueDate: holding.unpaidSince, code: holding.unpaidCode } }),
  };
}

function returnsFromWire(returns: WireReturns): z.output<typeof InvestmentReturns> {
  return {
    invested: moneyText(returns.invested, "invested"),
    currentValue: moneyText(returns.currentValue, "current_value"),
    grossGain: moneyText(returns.grossGain, "gross_gain"),
    netGain: moneyText(returns.netGain, "net_gain"),
    timeWeightedInvestment: moneyText(returns.timeWeightedInvestment, "time_weighted_investment"),
    grossReturn: returns.grossReturn,
    netReturn: returns.netReturn,
    daysInvested: returns.daysInvested,
    moneyWeightedReturn: absentIfEmpty(returns.xirr),
  };
}

function redemptionFromWire(redemption: Redemption): z.output<typeof InvestmentRedemption> {
  return {
    redemptionId: redemption.redemptionId,
    holdingId: redemption.holdingId,
    numberOfUnits: redemption.units,
    unitsLeft: redemption.unitsLeft,
    principal: moneyText(redemption.principal, "principal"),
    interest: moneyText(redemption.interest, "interest"),
    penalty: moneyText(redemption.penalty, "penalty"),
    tax: moneyText(redemption.tax, "tax"),
    paidAmount: moneyText(redemption.paid, "paid"),
    currency: filled(redemption.paid, "paid").currency,
    userWalletId: redemption.walletAccountId,
    redeemedAt: timeText(redemption.redeemedAt, "redeemed_at"),
  };
}

function movementFromWire(movement: WireMovement): z.output<typeof InvestmentMovement> {
  return {
    movementId: movement.movementId,
    kind: movement.kind as "PURCHASE",
    date: movement.date,
    numberOfUnits: movement.units,
    principal: moneyText(movement.principal, "principal"),
    interest: moneyText(movement.interest, "interest"),
    penalty: moneyText(movement.penalty, "penalty"),
    tax: moneyText(movement.tax, "tax"),
    paidAmount: moneyText(movement.paid, "paid"),
    currency: filled(movement.paid, "paid").currency,
    unitsAfter: movement.unitsAfter,
    principalAfter: moneyText(movement.principalAfter, "principal_after"),
    bookedAt: timeText(movement.bookedAt, "booked_at"),
  };
}
