import { z } from "zod";
import type { Application } from "../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, integer, text } from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { exampleIds } from "../example-ids.js";
import { investmentAnswer } from "./contract-answers.js";
import { v1User } from "./base.js";
import { cursorQuery, nextCursorOf, pageOf } from "./cursor-pages.js";
import { demoProduct, dateOut, unitsIn, uuidIn } from "./investment-shapes.js";
import { readerRoles } from "./investments.js";

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
export const applyForInvestment = route({
  method: "post",
  path: `${v1User}/apply`,
  operationId: "applyForInvestment",
  contract: true,
  tag: "Investments",
  summary:
    "Buy units of an investment product for money of one's wallet; what compliance looks at waits and goes on by itself",
  access: ["CUSTOMER"],
  scopes: ["investments:make"],
  sdk: { name: "apply", answer: "investment" },
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
export const listInvestmentApplications = route({
  method: "get",
  path: applicationsBase,
  operationId: "listInvestmentApplications",
  tag: "Investments",
  summary: "List one's own applications, newest first; staff name a customer",
  access: readerRoles,
  scopes: ["investments:read", "investments:make"],
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
export const readInvestmentApplication = route({
  method: "get",
  path: `${applicationsBase}/:applicationId`,
  operationId: "readInvestmentApplication",
  tag: "Investments",
  summary: "Read an application as it is now",
  access: readerRoles,
  scopes: ["investments:read", "investments:make"],
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
export const withdrawInvestmentApplication = route({
  method: "post",
  path: `${applicationsBase}/:applicationId/withdraw`,
  operationId: "withdrawInvestmentApplication",
  tag: "Investments",
  summary: "Take back an application that waits for compliance",
  access: ["CUSTOMER"],
  scopes: ["investments:make"],
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
