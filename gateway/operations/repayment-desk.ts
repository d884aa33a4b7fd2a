import { z } from "zod";
import type { Repayment as WireRepayment } from "../../proto/gen/lending/v1/repayment.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, maybe } from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { date, idIn, keyed, keyRename, Loan, loanOf, reasonBody, staffBase } from "./loan-shapes.js";
import { manager, desk, key } from "./loan-servicing.js";
import { reasonIn } from "./cursor-pages.js";

const repaymentPath = z.object({ repaymentId: idIn });

const noRepayment = {
  as: "manager@demo.example",
  params: { repaymentId: "no-such-repayment" },
  headers: key,
  answers: 404,
};

const Repayment = z
  .object({
    id: z.string(),
    loanApplicationId: z.string(),
    accountId: z.string(),
    customerId: z.string(),
    customerName: z.string(),
    amount: decimalText,
    currency: z.string(),
    verificationStatus: z.string(),
    repaymentReference: z.string(),
    paymentMethod: z.string(),
    paymentDate: date,
    paymentNarration: z.string().optional(),
    reason: z.string().optional(),
    createdAt: instant,
  })
  .meta({ id: "LoanRepayment" });

function repaymentOf(repayment: WireRepayment | undefined): z.output<typeof Repayment> {
  const known = filled(repayment, "repayment");
  return {
    id: known.repaymentId,
    loanApplicationId: known.loanApplicationId,
    accountId: known.accountId,
    customerId: known.customerId,
    customerName: known.customerName,
    amount: moneyText(known.amount, "repayment.amount"),
    currency: filled(known.amount, "repayment.amount").currency,
    verificationStatus: known.status,
    repaymentReference: known.reference,
    paymentMethod: known.paymentMethod,
    paymentDate: known.paymentDate,
    paymentNarration: absentIfEmpty(known.narration),
    reason: absentIfEmpty(known.reason),
    createdAt: timeText(known.createdAt, "repayment.created_at"),
  };
}

export const listPendingRepayments = route({
  method: "get",
  path: `${staffBase}/repayments`,
  operationId: "listPendingRepayments",
  tag: "Loan servicing",
  summary: "List repayments that wait for verification, the oldest first",
  access: desk,
  scopes: ["loans:read"],
  query: z.object({ cursor: idIn.optional() }),
  answer: z.object({ repayments: z.array(Repayment), cursor: z.string().optional() }),
  message: "Repayments that wait",
  example: { as: "cashier@demo.example" },
  run: async ({ query, call, clients }) => {
    const page = await clients.lending.listPendingRepayments({ pageToken: query.cursor ?? "" }, outgoing(call));
    return { repayments: page.repayments.map(repaymentOf), cursor: absentIfEmpty(page.nextPageToken) };
  },
});

export const verifyRepayment = route({
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/verify`,
  operationId: "verifyRepayment",
  tag: "Loan servicing",
  summary: "Ask to verify or reject a repayment by hand, which a second person approves",
  access: desk,
  peopleOnly: "judgement",
  headers: keyed,
  params: repaymentPath,
  body: z
    .object({
      verify: z.boolean(),
      reason: reasonIn,
      creditId: maybe(idIn).meta({ description: "The bank credit in suspense that it is, where there is one." }),
    })
    .meta({ id: "VerifyRepaymentRequest" }),
  answer: Repayment.extend({ approvalId: z.string() }).meta({ id: "VerificationAsked" }),
  message: "Verification waits for approval",
  waits: true,
  renames: keyRename,
  example: { ...noRepayment, body: { verify: true, reason: "seen on the bank's statement" } },
  run: async ({ params, body, headers, call, clients }) => {
    const { creditId = "", ...rest } = body;
    const request = { ...params, ...rest, creditId, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const { repayment, approvalId } = await clients.lending.askRepaymentVerification(request, outgoing(call));
    call.markWaiting();
    return { ...repaymentOf(repayment), approvalId };
  },
});

export const forceRepaymentOutcome = route({
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/force`,
  operationId: "forceRepaymentOutcome",
  tag: "Loan servicing",
  summary: "Say in a sandbox how a repayment's verification ends",
  access: manager,
  scopes: ["sandbox:force"],
  headers: keyed,
  params: repaymentPath,
  body: z.object({ verify: z.boolean(), reason: reasonIn }).meta({ id: "ForceRepaymentOutcomeRequest" }),
  answer: Repayment,
  message: "Outcome forced",
  renames: keyRename,
  example: { ...noRepayment, sandbox: true, body: { verify: true, reason: "a test" } },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...params, ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    return repaymentOf((await clients.lending.forceRepaymentOutcome(request, options)).repayment);
  },
});

export const chargeBackRepayment = route({
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/chargeback`,
  operationId: "chargeBackRepayment",
  tag: "Loan servicing",
  summary: "Book that a bank took a verified repayment back: it is owed again",
  access: manager,
  peopleOnly: "judgement",
  headers: keyed,
  params: repaymentPath,
  body: reasonBody("ChargeBackRepaymentRequest"),
  answer: Loan,
  message: "Repayment charged back",
  renames: keyRename,
  example: { ...noRepayment, body: { reason: "recalled by the bank" } },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...params, ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    return loanOf(
      (await clients.lending.chargeBackRepayment(request, outgoing(call, { onReplayed: call.markReplayed }))).loan,
    );
  },
});
