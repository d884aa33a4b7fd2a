import { z } from "zod";
import type { Role } from "../../services/kernel/grpc/context.js";
import { Investment } from "../../services/platform/events/shapes/investment-shape.js";
import { operation } from "../operation.js";
import { maybe, cursorQuery } from "../schema.js";
import {
  demoProduct,
  InvestmentApplication,
  InvestmentApplicationRequest,
  InvestmentMovement,
  InvestmentRedemption,
  InvestmentTotals,
  InvestmentWithReturns,
  unitsIn,
  uuidIn,
} from "../shapes/investments.js";
import { v1User } from "../route.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v1User}/investments`;

const readerRoles: readonly Role[] = ["MANAGER", "AGENT", "CUSTOMER"];
const readable = { tag: "Investments", access: readerRoles, scopes: ["investments:read"] } as const;
const byInvestor = { tag: "Investments", access: ["CUSTOMER"], scopes: ["investments:make"] } as const;

export const listInvestments = operation({
  ...readable,
  method: "get",
  path: base,
  summary: "List one's own investments, newest first; staff name a customer, or ask for all that could not be paid",
  query: cursorQuery.extend({
    customerId: uuidIn.optional(),
    unpaid: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "true: those of all customers whose due payment could not be made; MANAGERs only." }),
  }),
  answer: z.object({ investments: z.array(Investment), nextCursor: leaf.nextCursor.optional() }),
  message: "Investments",
  example: { as: "amina@demo.example" },
  rpc: "investment.listHoldings",
  answerFields: { investments: "holdings" },
});

const holdingParams = z.object({ holdingId: uuidIn });

const holdingExample = {
  as: "amina@demo.example",
  params: { holdingId: "0199d0c2-0000-7000-8000-000000000006" },
  from: { "params.holdingId": "applyForInvestment data.holdingId" },
};

export const readInvestment = operation({
  ...readable,
  method: "get",
  path: `${base}/:holdingId`,
  summary: "Read an investment with what it has returned",
  params: holdingParams,
  answer: InvestmentWithReturns,
  message: "Investment",
  example: holdingExample,
  rpc: "investment.getHolding",
});

export const setInvestmentWallet = operation({
  method: "put",
  path: `${base}/:holdingId/wallet`,
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
  renames: { walletAccountId: "userWalletId" },
  example: {
    ...holdingExample,
    headers: { "x-idempotency-key": "wallet-2026-0042" },
    body: { userWalletId: "0199d0c2-0000-7000-8000-000000000003" },
    from: { ...holdingExample.from, "body.userWalletId": "listWalletAccounts data.4.accountId" },
  },
  rpc: "investment.setPayoutWallet",
  fields: { userWalletId: "walletAccountId" },
});

export const readInvestmentStatement = operation({
  ...readable,
  method: "get",
  path: `${base}/:holdingId/statement`,
  summary: "Read what was paid for an investment and what it paid, oldest first",
  params: holdingParams,
  query: cursorQuery,
  answer: z.object({ movements: z.array(InvestmentMovement), nextCursor: leaf.nextCursor.optional() }),
  message: "Statement",
  example: holdingExample,
  rpc: "investment.listMovements",
});

export const redeemInvestment = operation({
  ...byInvestor,
  method: "post",
  path: `${base}/:holdingId/redeem`,
  summary:
    "Have units of one's investment paid back into the wallet they were bought from, all of them when none are named",
  headers: { idempotencyKey: "required" },
  params: holdingParams,
  body: z.object({ numberOfUnits: maybe(unitsIn) }).meta({ id: "InvestmentRedemptionRequest" }),
  answer: InvestmentRedemption,
  message: "Investment redeemed",
  renames: { units: "numberOfUnits" },
  example: { ...holdingExample, headers: { "x-idempotency-key": "redeem-2026-0042" }, body: { numberOfUnits: 1 } },
  rpc: "investment.redeemHolding",
  fields: {
    numberOfUnits: {
      from: ({ units }) => (units === undefined ? undefined : Number(units)),
      to: (units) => ({ units: BigInt(units) }),
    },
  },
});

/** §4.7 */
export const getTotalInvestments = operation({
  ...readable,
  method: "get",
  path: `${v1User}/get-total/:userId`,
  contract: true,
  summary: "Read what a user has invested and earned, in the organisation's base currency",
  sdk: { name: "total" },
  headers: { idempotencyKey: "optional" },
  params: z.object({ userId: uuidIn }),
  answer: InvestmentTotals,
  message: "Total investments",
  example: {
    as: "amina@demo.example",
    params: { userId: leaf.ids.userId },
    from: { "params.userId": "readProfile data.user.userId" },
    answer: { rates: [] },
  },
  rpc: "investment.getTotals",
});

/** §4.6 */
export const applyForInvestment = operation({
  ...byInvestor,
  method: "post",
  path: `${v1User}/apply`,
  contract: true,
  summary:
    "Buy units of an investment product for money of one's wallet; what compliance looks at waits and goes on by itself",
  sdk: { name: "apply", answer: "investment" },
  headers: { idempotencyKey: "required" },
  body: InvestmentApplicationRequest,
  answer: InvestmentApplication,
  message: "Investment application received",
  renames: {
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
      userWalletId: leaf.ids.accountId,
      customerId: leaf.ids.customerId,
      customerName: "Amina Bello",
    },
    from: {
      "body.userWalletId": "listWalletAccounts data.4.accountId",
      "body.customerId": "readProfile data.customer.customerId",
    },
    answer: {
      compliance: undefined,
      waitsUntil: undefined,
      refusal: undefined,
      investmentApplicationId: "0199d0c2-46ea-74bb-86c4-a148e2448d42",
      holdingId: "0199d0c2-46ea-74bb-86c4-a148e2448d42",
      maturityDate: "2027-11-21",
    },
  },
  rpc: "investment.apply",
  fields: { investmentProductId: "productId", numberOfUnitsToPurchase: "units", userWalletId: "walletAccountId" },
});

const applicationsBase = `${v1User}/investment-applications`;
const applicationParams = z.object({ applicationId: uuidIn });
const applicationExample = {
  as: "amina@demo.example",
  params: { applicationId: "0199d0c2-0000-7000-8000-000000000006" },
  from: { "params.applicationId": "applyForInvestment data.investmentApplicationId" },
};

export const listInvestmentApplications = operation({
  method: "get",
  path: applicationsBase,
  tag: "Investments",
  summary: "List one's own applications, newest first; staff name a customer",
  access: readerRoles,
  scopes: ["investments:read", "investments:make"],
  query: cursorQuery.extend({ customerId: uuidIn.optional() }),
  answer: z.object({ applications: z.array(InvestmentApplication), nextCursor: leaf.nextCursor.optional() }),
  message: "Investment applications",
  example: { as: "amina@demo.example" },
  rpc: "investment.listApplications",
});

export const readInvestmentApplication = operation({
  method: "get",
  path: `${applicationsBase}/:applicationId`,
  tag: "Investments",
  summary: "Read an application as it is now",
  access: readerRoles,
  scopes: ["investments:read", "investments:make"],
  params: applicationParams,
  answer: InvestmentApplication,
  message: "Investment application",
  example: applicationExample,
  rpc: "investment.getApplication",
});

export const withdrawInvestmentApplication = operation({
  ...byInvestor,
  method: "post",
  path: `${applicationsBase}/:applicationId/withdraw`,
  summary: "Take back an application that waits for compliance",
  headers: { idempotencyKey: "required" },
  params: applicationParams,
  answer: InvestmentApplication,
  message: "Investment application withdrawn",
  example: { ...applicationExample, headers: { "x-idempotency-key": "withdraw-2026-0042" }, answers: 409 },
  rpc: "investment.withdrawApplication",
});
