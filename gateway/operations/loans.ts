import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { applicationPath, HistoryItem, historyItemOf, idIn, Loan, loanOf, userBase } from "./loan-shapes.js";
import { exampleIds } from "../example-ids.js";
import { loanHistoryAnswer } from "./loan-answers.js";

export const readerRoles = ["MANAGER", "AGENT", "CUSTOMER"] as const;

export const ownLoan = { "params.loanApplicationId": "loanHistory data.0.loanApplicationId" };

const Paged = z
  .object({
    status: z.literal("SUCCESS"),
    data: z.array(HistoryItem),
    message: z.string(),
    page: z.number().int(),
    size: z.number().int(),
    totalElements: z.number().int(),
    totalPages: z.number().int(),
  })
  .meta({ id: "LoanHistoryPage" });

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
  operationId: "loanHistory",
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
    params: { customerId: exampleIds.customerId },
    from: { "params.customerId": "readProfile data.customer.customerId" },
    answer: loanHistoryAnswer,
  },
  run: async ({ params, query, call, clients }) => {
    const { page, size } = query;
    const { loans, total } = await clients.lending.listLoanHistory({ ...params, page, pageSize: size }, outgoing(call));
    const totalElements = Number(total);
    const counted = { page, size, totalElements, totalPages: Math.ceil(totalElements / size) };
    return { status: "SUCCESS" as const, data: loans.map(historyItemOf), message: "Loan history", ...counted };
  },
});

export const readLoan = route({
  method: "get",
  path: `${userBase}/schedule/:loanApplicationId`,
  operationId: "readLoan",
  tag: "Loans",
  summary: "Read a loan with its schedule and what is owed by part",
  access: readerRoles,
  scopes: ["loans:read"],
  params: applicationPath,
  answer: Loan,
  message: "Loan",
  example: { as: "amina@demo.example", from: ownLoan },
  run: async ({ params, call, clients }) => loanOf((await clients.lending.getLoan(params, outgoing(call))).loan),
});
