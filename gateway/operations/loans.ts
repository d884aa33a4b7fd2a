import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { Application, HistoryItem, Loan } from "../../services/platform/events/shapes/loan-shape.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn, shown, reasonIn, dateIn } from "../schema.js";
import {
  applicationPath,
  DisbursementAsked,
  cursorFields,
  idIn,
  keyed,
  nextCursorFields,
  staffBase,
  userBase,
} from "../shapes/loans.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const byBorrower = { tag: "Loans", access: ["CUSTOMER"], scopes: ["loans:apply"], headers: keyed } as const;

export const readerRoles = ["MANAGER", "AGENT", "CUSTOMER"] as const;

export const ownLoan = { "params.loanApplicationId": "loanHistory data.0.loanApplicationId" };

const Paged = z
  .object({
    status: z.literal("SUCCESS"),
    data: z.array(HistoryItem),
    message: shown(z.string(), "Loan history"),
    page: z.number().int(),
    size: shown(z.number().int(), 10),
    totalElements: shown(z.number().int(), 2),
    totalPages: z.number().int(),
  })
  .meta({ id: "LoanHistoryPage" });

const historyOf = readerOf(z.array(HistoryItem));

const wholeQuery = (most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, "must be a whole number")
    .refine((value) => Number(value) >= 1 && Number(value) <= most, `must be 1 to ${most}`)
    .optional()
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .meta({ override: { type: "integer", minimum: 1, maximum: most, default: fallback } });

/** §4.11 */
export const loanHistory = route({
  method: "get",
  path: `${userBase}/get-loan-history/:customerId`,
  aliases: [`${userBase}/loan-history/:customerId`],
  contract: true,
  tag: "Loans",
  summary: "List all loans of a customer, the newest first",
  access: readerRoles,
  scopes: ["loans:read"],
  sdk: { answer: "loans" },
  headers: { idempotencyKey: "optional" },
  params: z.object({ customerId: idIn }),
  query: z.object({ page: wholeQuery(1_000_000, 1), size: wholeQuery(100, 10) }),
  answer: Paged,
  bare: true,
  message: "Loan history",
  example: {
    as: "amina@demo.example",
    params: { customerId: leaf.ids.customerId },
    from: { "params.customerId": "readProfile data.customer.customerId" },
    answer: {
      data: [
        {
          loanApplicationId: leaf.ids.loanApplicationId,
          loanAmount: 600,
          accountId: "0199d0c2-dbe0-74e6-b2ca-2be8a9ddbede",
          outstandingBalance: "600.00",
          totalPayable: "621.16",
          nextDueDate: "2026-12-10",
          nextDueAmount: "103.53",
          disbursedAt: "2026-11-10",
          closedAt: undefined,
        },
        {
          loanApplicationId: leaf.ids.repaidLoanApplicationId,
          accountId: leaf.ids.repaidAccountId,
          loanAmount: 1200,
          outstandingBalance: "1105.38",
          totalPayable: "1172.80",
          nextDueDate: "2026-12-08",
          nextDueAmount: "106.62",
          disbursedAt: "2026-10-08",
          closedAt: undefined,
        },
      ].map((own) => ({
        loanProductName: "Personal loan",
        status: "ACTIVE",
        currency: "USD",
        overdueAmount: "0.00",
        daysPastDue: 0,
        delinquencyBucket: "CURRENT",
        thirdPartyCollection: false,
        ...own,
      })),
    },
  },
  run: async ({ params, query, call, clients }) => {
    const { page, size } = query;
    const { loans, total } = await clients.lending.listLoanHistory({ ...params, page, pageSize: size }, outgoing(call));
    const totalElements = Number(total);
    const counted = { page, size, totalElements, totalPages: Math.ceil(totalElements / size) };
    return { status: "SUCCESS" as const, data: historyOf(loans), message: "Loan history", ...counted };
  },
});

export const readLoan = operation({
  method: "get",
  path: `${userBase}/schedule/:loanApplicationId`,
  tag: "Loans",
  summary: "Read a loan with its schedule and what is owed by part",
  access: readerRoles,
  scopes: ["loans:read"],
  params: applicationPath,
  answer: Loan,
  message: "Loan",
  example: { as: "amina@demo.example", from: ownLoan },
  rpc: "lending.getLoan",
});

const applications = `${userBase}/loan-applications`;
const nothing = { as: "amina@demo.example", params: { loanApplicationId: "no-such-application" }, answers: 404 };
const nothingForStaff = {
  as: "manager@demo.example",
  params: { loanApplicationId: "no-such-application" },
  answers: 404,
};
const key = { "x-idempotency-key": "loan-2026-0042" };

export const applyForLoan = operation({
  ...byBorrower,
  method: "post",
  path: `${userBase}/apply`,
  summary: "Apply for a loan; compliance and what can be afforded decide",
  sdk: { name: "apply", answer: "application" },
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
  example: {
    as: "amina@demo.example",
    headers: key,
    body: { productId: "personal", amount: "600", instalments: 6, purpose: "a laptop", monthlyIncome: "1500" },
  },
  rpc: "lending.applyForLoan",
});

export const readLoanApplication = operation({
  method: "get",
  path: `${applications}/:loanApplicationId`,
  tag: "Loans",
  summary: "Read a loan application with its offer",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["loans:read", "loans:apply"],
  params: applicationPath,
  answer: Application,
  message: "Loan application",
  example: { as: "amina@demo.example", from: { "params.loanApplicationId": "applyForLoan data.loanApplicationId" } },
  rpc: "lending.getLoanApplication",
});

export const listLoanApplications = operation({
  method: "get",
  path: applications,
  tag: "Loans",
  summary: "List loan applications, the newest first",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["loans:read", "loans:apply"],
  query: z.object({
    status: z.enum(["SUBMITTED", "APPROVED", "REJECTED", "WITHDRAWN"]).optional(),
    customerId: idIn.optional(),
    cursor: idIn.optional(),
  }),
  answer: z.object({ applications: z.array(Application), cursor: leaf.nextCursor.optional() }),
  message: "Loan applications",
  example: { as: "manager@demo.example" },
  rpc: "lending.listLoanApplications",
  fields: cursorFields,
  answerFields: nextCursorFields,
});

export const acceptLoanOffer = operation({
  ...byBorrower,
  method: "post",
  path: `${applications}/:loanApplicationId/accept`,
  summary: "Accept an approved offer and say where the money is to go",
  params: applicationPath,
  body: z
    .object({ walletAccountId: maybe(idIn), bankAccountId: maybe(idIn) })
    .meta({ id: "AcceptLoanOfferRequest", description: "One of the two." }),
  answer: Application,
  message: "Offer accepted",
  example: { ...nothing, headers: key, body: { walletAccountId: "a wallet account in the loan's currency" } },
  rpc: "lending.acceptLoanOffer",
});

export const withdrawLoanApplication = operation({
  ...byBorrower,
  method: "post",
  path: `${applications}/:loanApplicationId/withdraw`,
  summary: "Withdraw a loan application until the money is on its way",
  params: applicationPath,
  answer: Application,
  message: "Application withdrawn",
  example: { ...nothing, headers: key },
  rpc: "lending.withdrawLoanApplication",
});

export const decideLoanApplication = operation({
  method: "post",
  path: `${staffBase}/loan-applications/:loanApplicationId/decide`,
  tag: "Loans",
  summary: "Approve or reject a loan application that compliance has not rejected",
  access: ["MANAGER", "AGENT"],
  peopleOnly: "judgement",
  headers: keyed,
  params: applicationPath,
  body: z.object({ approve: z.boolean(), reason: reasonIn }).meta({ id: "DecideLoanApplicationRequest" }),
  answer: Application,
  message: "Application decided",
  example: { ...nothingForStaff, headers: key, body: { approve: true, reason: "salary was checked" } },
  rpc: "lending.decideLoanApplication",
});

export const disburseLoan = operation({
  method: "post",
  path: `${staffBase}/loan-applications/:loanApplicationId/disburse`,
  tag: "Loans",
  summary: "Ask for the disbursement of an accepted offer, which a second person approves",
  access: ["MANAGER", "AGENT"],
  peopleOnly: "judgement",
  headers: keyed,
  params: applicationPath,
  body: z.object({ reason: reasonIn }).meta({ id: "DisburseLoanRequest" }),
  answer: DisbursementAsked,
  message: "Disbursement waits for approval",
  waits: true,
  example: { ...nothingForStaff, headers: key, body: { reason: "signed" } },
  rpc: "lending.disburseLoan",
  isWaiting: () => true,
});

/** In the order in which the documentation shows them. */
export const loanApplicationRoutes = {
  applyForLoan,
  listLoanApplications,
  readLoanApplication,
  acceptLoanOffer,
  withdrawLoanApplication,
  decideLoanApplication,
  disburseLoan,
};
