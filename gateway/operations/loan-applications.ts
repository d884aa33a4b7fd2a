import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { absentIfEmpty } from "../wire.js";
import {
  Application,
  applicationOf,
  applicationPath,
  dateIn,
  idIn,
  keyed,
  keyRename,
  staffBase,
  userBase,
} from "./loan-shapes.js";
import { reasonIn } from "./cursor-pages.js";

const applications = `${userBase}/loan-applications`;
const nothing = { as: "amina@demo.example", params: { loanApplicationId: "no-such-application" }, answers: 404 };
const nothingForStaff = {
  as: "manager@demo.example",
  params: { loanApplicationId: "no-such-application" },
  answers: 404,
};
const key = { "x-idempotency-key": "loan-2026-0042" };

export const applyForLoan = route({
  method: "post",
  path: `${userBase}/apply`,
  operationId: "applyForLoan",
  tag: "Loans",
  summary: "Apply for a loan; compliance and what can be afforded decide",
  access: ["CUSTOMER"],
  scopes: ["loans:apply"],
  sdk: { name: "apply", answer: "application" },
  headers: keyed,
  body: z
    .object({
      productId: text(40),
      amount: moneyTextOrNumberIn,
      instalments: wholeNumberIn(1, 600),
      firstDueOn: maybe(dateIn),
      purpose: maybe(text(200, 0)),
      monthlyIncome: maybe(moneyTextOrNumberIn),
      monthlyObligations: maybe(moneyTextOrNumberIn),
    })
    .meta({ id: "LoanApplicationRequest" }),
  answer: Application,
  message: "Loan application",
  renames: keyRename,
  example: {
    as: "amina@demo.example",
    headers: key,
    body: { productId: "personal", amount: "600", instalments: 6, purpose: "a laptop", monthlyIncome: "1500" },
  },
  run: async ({ body, headers, call, clients }) => {
    const { firstDueOn = "", purpose = "", monthlyIncome = "", monthlyObligations = "", ...rest } = body;
    const given = { ...rest, firstDueOn, purpose, monthlyIncome, monthlyObligations };
    const request = { idempotencyKey: headers["x-idempotency-key"] ?? "", ...given };
    const { application } = await clients.lending.applyForLoan(
      request,
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return applicationOf(application);
  },
});

export const readLoanApplication = route({
  method: "get",
  path: `${applications}/:loanApplicationId`,
  operationId: "readLoanApplication",
  tag: "Loans",
  summary: "Read a loan application with its offer",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["loans:read", "loans:apply"],
  params: applicationPath,
  answer: Application,
  message: "Loan application",
  example: { as: "amina@demo.example", from: { "params.loanApplicationId": "applyForLoan data.loanApplicationId" } },
  run: async ({ params, call, clients }) => {
    return applicationOf((await clients.lending.getLoanApplication(params, outgoing(call))).application);
  },
});

export const listLoanApplications = route({
  method: "get",
  path: applications,
  operationId: "listLoanApplications",
  tag: "Loans",
  summary: "List loan applications, the newest first",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["loans:read", "loans:apply"],
  query: z.object({
    status: z.enum(["SUBMITTED", "APPROVED", "REJECTED", "WITHDRAWN"]).optional(),
    customerId: idIn.optional(),
    cursor: idIn.optional(),
  }),
  answer: z.object({ applications: z.array(Application), cursor: z.string().optional() }),
  message: "Loan applications",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const { status = "", customerId = "", cursor: pageToken = "" } = query;
    const page = await clients.lending.listLoanApplications({ status, customerId, pageToken }, outgoing(call));
    return { applications: page.applications.map(applicationOf), cursor: absentIfEmpty(page.nextPageToken) };
  },
});

export const acceptLoanOffer = route({
  method: "post",
  path: `${applications}/:loanApplicationId/accept`,
  operationId: "acceptLoanOffer",
  tag: "Loans",
  summary: "Accept an approved offer and say where the money is to go",
  access: ["CUSTOMER"],
  scopes: ["loans:apply"],
  headers: keyed,
  params: applicationPath,
  body: z
    .object({ walletAccountId: maybe(idIn), bankAccountId: maybe(idIn) })
    .meta({ id: "AcceptLoanOfferRequest", description: "One of the two." }),
  answer: Application,
  message: "Offer accepted",
  renames: keyRename,
  example: { ...nothing, headers: key, body: { walletAccountId: "a wallet account in the loan's currency" } },
  run: async ({ params, body, headers, call, clients }) => {
    const { walletAccountId = "", bankAccountId = "" } = body;
    const request = { ...params, walletAccountId, bankAccountId, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const { application } = await clients.lending.acceptLoanOffer(
      request,
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return applicationOf(application);
  },
});

export const withdrawLoanApplication = route({
  method: "post",
  path: `${applications}/:loanApplicationId/withdraw`,
  operationId: "withdrawLoanApplication",
  tag: "Loans",
  summary: "Withdraw a loan application until the money is on its way",
  access: ["CUSTOMER"],
  scopes: ["loans:apply"],
  headers: keyed,
  params: applicationPath,
  answer: Application,
  message: "Application withdrawn",
  renames: keyRename,
  example: { ...nothing, headers: key },
  run: async ({ params, headers, call, clients }) => {
    const request = { ...params, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    return applicationOf((await clients.lending.withdrawLoanApplication(request, options)).application);
  },
});

export const decideLoanApplication = route({
  method: "post",
  path: `${staffBase}/loan-applications/:loanApplicationId/decide`,
  operationId: "decideLoanApplication",
  tag: "Loans",
  summary: "Approve or reject a loan application that compliance has not rejected",
  access: ["MANAGER", "AGENT"],
  peopleOnly: "judgement",
  headers: keyed,
  params: applicationPath,
  body: z.object({ approve: z.boolean(), reason: reasonIn }).meta({ id: "DecideLoanApplicationRequest" }),
  answer: Application,
  message: "Application decided",
  renames: keyRename,
  example: { ...nothingForStaff, headers: key, body: { approve: true, reason: "salary was checked" } },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...params, ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    return applicationOf((await clients.lending.decideLoanApplication(request, options)).application);
  },
});

export const disburseLoan = route({
  method: "post",
  path: `${staffBase}/loan-applications/:loanApplicationId/disburse`,
  operationId: "disburseLoan",
  tag: "Loans",
  summary: "Ask for the disbursement of an accepted offer, which a second person approves",
  access: ["MANAGER", "AGENT"],
  peopleOnly: "judgement",
  headers: keyed,
  params: applicationPath,
  body: z.object({ reason: reasonIn }).meta({ id: "DisburseLoanRequest" }),
  answer: Application.extend({ approvalId: z.string() }).meta({ id: "DisbursementAsked" }),
  message: "Disbursement waits for approval",
  waits: true,
  renames: keyRename,
  example: { ...nothingForStaff, headers: key, body: { reason: "signed" } },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...params, ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const { application, approvalId } = await clients.lending.disburseLoan(request, outgoing(call));
    call.markWaiting();
    return { ...applicationOf(application), approvalId };
  },
});

export const loanApplicationRoutes = [
  applyForLoan,
  listLoanApplications,
  readLoanApplication,
  acceptLoanOffer,
  withdrawLoanApplication,
  decideLoanApplication,
  disburseLoan,
];
