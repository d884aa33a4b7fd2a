import { z } from "zod";
import type { Movement as WireMovement, Returns as WireReturns } from "../../proto/gen/investment/v1/investment.js";
import { Investment, holdingFromWire } from "../../services/platform/events/shapes/investment-shape.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { route } from "../route.js";
import { decimalText, instant, integer } from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { v1User } from "./base.js";
import { cursorQuery, nextCursorOf, pageOf } from "./cursor-pages.js";
import { dateOut, uuidIn } from "./investment-shapes.js";

export const base = `${v1User}/investments`;

export const readerRoles: readonly Role[] = ["MANAGER", "AGENT", "CUSTOMER"];

const fraction = decimalText.meta({ description: "A fraction: 0.05 is 5 %.", examples: ["0.052500"] });

const InvestmentReturns = z
  .object({
    invested: decimalText,
    currentValue: decimalText,
    grossGain: decimalText,
    netGain: decimalText.meta({ description: "After penalties and taxes." }),
    timeWeightedInvestment: decimalText,
    grossReturn: fraction,
    netReturn: fraction,
    daysInvested: z.int(),
    moneyWeightedReturn: fraction.optional().meta({ description: "XIRR, a year." }),
  })
  .meta({ id: "InvestmentReturns" });

export const listInvestments = route({
  method: "get",
  path: base,
  operationId: "listInvestments",
  tag: "Investments",
  summary: "List one's own investments, newest first; staff name a customer, or ask for all that could not be paid",
  access: readerRoles,
  scopes: ["investments:read"],
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

export const holdingParams = z.object({ holdingId: uuidIn });

export const holdingExample = {
  as: "amina@demo.example",
  params: { holdingId: "0199d0c2-0000-7000-8000-000000000006" },
  from: { "params.holdingId": "applyForInvestment data.holdingId" },
};

export const readInvestment = route({
  method: "get",
  path: `${base}/:holdingId`,
  operationId: "readInvestment",
  tag: "Investments",
  summary: "Read an investment with what it has returned",
  access: readerRoles,
  scopes: ["investments:read"],
  params: holdingParams,
  answer: Investment.extend({ returns: InvestmentReturns }).meta({ id: "InvestmentWithReturns" }),
  message: "Investment",
  example: holdingExample,
  run: async ({ params, call, clients }) => {
    const { holding, returns } = await clients.investment.getHolding(params, outgoing(call));
    return { ...holdingFromWire(filled(holding, "holding")), returns: returnsFromWire(filled(returns, "returns")) };
  },
});

/** Ours */
export const setInvestmentWallet = route({
  method: "put",
  path: `${base}/:holdingId/wallet`,
  operationId: "setInvestmentWallet",
  tag: "Investments",
  summary: "Name another wallet of the customer that the investment is paid into; what could not be paid is paid there",
  access: ["MANAGER", "CUSTOMER"],
  scopes: ["investments:make"],
  inPerson: ["MANAGER"],
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

export const readInvestmentStatement = route({
  method: "get",
  path: `${base}/:holdingId/statement`,
  operationId: "readInvestmentStatement",
  tag: "Investments",
  summary: "Read what was paid for an investment and what it paid, oldest first",
  access: readerRoles,
  scopes: ["investments:read"],
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
