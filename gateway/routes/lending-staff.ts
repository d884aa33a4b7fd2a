import { z } from "zod";
import type { Repayment as WireRepayment } from "../../proto/gen/lending/v1/repayment.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { route } from "../route.js";
import { decimalText, instant, maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import {
  date,
  dateIn,
  idIn,
  keyed,
  keyRename,
  Loan,
  loanOf,
  loanPath,
  reasonBody,
  staffBase,
} from "./lending-shapes.js";

const manager = ["MANAGER"] as const;
const desk = ["MANAGER", "AGENT", "CASHIER"] as const;
const repaymentPath = z.object({ repaymentId: idIn });
const key = { "x-idempotency-key": "desk-2026-0042" };
const noLoan = { as: "manager@demo.example", params: { accountId: "no-such-loan" }, headers: key, answers: 404 };
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

const listPendingRepayments = route({
  method: "get",
  path: `${staffBase}/repayments`,
  operationId: "listPendingRepayments",
  tag: "Loan servicing",
  summary: "List repayments that wait for verification, the oldest first",
  access: desk,
  query: z.object({ cursor: idIn.optional() }),
  answer: z.object({ repayments: z.array(Repayment), cursor: z.string().optional() }),
  message: "Repayments that wait",
  example: { as: "cashier@demo.example" },
  run: async ({ query, call, clients }) => {
    const page = await clients.lending.listPendingRepayments({ pageToken: query.cursor ?? "" }, outgoing(call));
    return { repayments: page.repayments.map(repaymentOf), cursor: absentIfEmpty(page.nextPageToken) };
  },
});

const verifyRepayment = route({
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/verify`,
  operationId: "verifyRepayment",
  tag: "Loan servicing",
  summary: "Ask to verify or reject a repayment by hand, which a second person approves",
  access: desk,
  headers: keyed,
  params: repaymentPath,
  body: z
    .object({
      verify: z.boolean(),
      reason: text(200),
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

const forceRepaymentOutcome = route({
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/force`,
  operationId: "forceRepaymentOutcome",
  tag: "Loan servicing",
  summary: "Say in a sandbox how a repayment's verification ends",
  access: manager,
  headers: keyed,
  params: repaymentPath,
  body: z.object({ verify: z.boolean(), reason: text(200) }).meta({ id: "ForceRepaymentOutcomeRequest" }),
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

const Credit = z
  .object({
    creditId: z.string(),
    reference: z.string(),
    amount: decimalText,
    currency: z.string(),
    senderName: z.string(),
    receivedAt: instant,
  })
  .meta({ id: "SuspenseCredit" });

const listLoanSuspense = route({
  method: "get",
  path: `${staffBase}/suspense`,
  operationId: "listLoanSuspense",
  tag: "Loan servicing",
  summary: "List bank credits for loans that matched nothing",
  access: desk,
  query: z.object({ cursor: idIn.optional() }),
  answer: z.object({ credits: z.array(Credit), cursor: z.string().optional() }),
  message: "Credits in suspense",
  example: { as: "cashier@demo.example" },
  run: async ({ query, call, clients }) => {
    const page = await clients.lending.listSuspense({ pageToken: query.cursor ?? "" }, outgoing(call));
    return {
      cursor: absentIfEmpty(page.nextPageToken),
      credits: page.credits.map(({ creditId, reference, amount, senderName, receivedAt }) => ({
        creditId,
        reference,
        amount: moneyText(amount, "credit.amount"),
        currency: filled(amount, "credit.amount").currency,
        senderName,
        receivedAt: timeText(receivedAt, "credit.received_at"),
      })),
    };
  },
});

const pauseDelinquency = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/pause`,
  operationId: "pauseDelinquency",
  tag: "Loan servicing",
  summary: "Let a debt grow no older from a day on",
  access: manager,
  headers: keyed,
  params: loanPath,
  body: z.object({ from: maybe(dateIn), reason: text(200) }).meta({ id: "PauseDelinquencyRequest" }),
  answer: Loan,
  message: "Delinquency paused",
  renames: keyRename,
  example: { ...noLoan, body: { reason: "flood" } },
  run: async ({ params, body, headers, call, clients }) => {
    const request = {
      ...params,
      from: body.from ?? "",
      reason: body.reason,
      idempotencyKey: headers["x-idempotency-key"] ?? "",
    };
    return loanOf(
      (await clients.lending.pauseDelinquency(request, outgoing(call, { onReplayed: call.markReplayed }))).loan,
    );
  },
});

const resumeDelinquency = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/resume`,
  operationId: "resumeDelinquency",
  tag: "Loan servicing",
  summary: "Let a paused debt grow older again from today",
  access: manager,
  headers: keyed,
  params: loanPath,
  answer: Loan,
  message: "Delinquency resumed",
  renames: keyRename,
  example: noLoan,
  run: async ({ params, headers, call, clients }) => {
    const request = { ...params, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    return loanOf(
      (await clients.lending.resumeDelinquency(request, outgoing(call, { onReplayed: call.markReplayed }))).loan,
    );
  },
});

const chargeBackRepayment = route({
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/chargeback`,
  operationId: "chargeBackRepayment",
  tag: "Loan servicing",
  summary: "Book that a bank took a verified repayment back: it is owed again",
  access: manager,
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

const writeOffLoan = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/write-off`,
  operationId: "writeOffLoan",
  tag: "Loan servicing",
  summary: "Ask to write a loan off, which a second person approves",
  access: manager,
  headers: keyed,
  params: loanPath,
  body: reasonBody("WriteOffLoanRequest"),
  answer: Loan.extend({ approvalId: z.string() }).meta({ id: "WriteOffAsked" }),
  message: "Write-off waits for approval",
  waits: true,
  renames: keyRename,
  example: { ...noLoan, body: { reason: "the customer cannot be found" } },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...params, ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const { loan, approvalId } = await clients.lending.writeOffLoan(request, outgoing(call));
    call.markWaiting();
    return { ...loanOf(loan), approvalId };
  },
});

const recordRecovery = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/recoveries`,
  operationId: "recordRecovery",
  tag: "Loan servicing",
  summary: "Book money that came in for a loan that is written off",
  access: manager,
  headers: keyed,
  params: loanPath,
  body: z
    .object({ amount: moneyTextOrNumberIn, reference: text(128), receivedOn: maybe(dateIn) })
    .meta({ id: "RecordRecoveryRequest" }),
  answer: Loan,
  message: "Recovery booked",
  renames: keyRename,
  example: { ...noLoan, body: { amount: "25", reference: "BANK-77" } },
  run: async ({ params, body, headers, call, clients }) => {
    const { receivedOn = "", ...rest } = body;
    const request = { ...params, ...rest, receivedOn, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    return loanOf(
      (await clients.lending.recordRecovery(request, outgoing(call, { onReplayed: call.markReplayed }))).loan,
    );
  },
});

const rescheduleLoan = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/reschedule`,
  operationId: "rescheduleLoan",
  tag: "Loan servicing",
  summary: "Let what is left of a loan be paid by a new schedule",
  access: manager,
  headers: keyed,
  params: loanPath,
  body: z
    .object({
      instalments: wholeNumberIn(1, 600),
      firstDueOn: dateIn,
      annualRate: maybe(moneyTextOrNumberIn),
      reason: text(200),
    })
    .meta({ id: "RescheduleLoanRequest" }),
  answer: Loan,
  message: "Loan rescheduled",
  renames: keyRename,
  example: { ...noLoan, body: { instalments: 6, firstDueOn: "2027-01-15", reason: "less income" } },
  run: async ({ params, body, headers, call, clients }) => {
    const { annualRate = "", ...rest } = body;
    const request = { ...params, ...rest, annualRate, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    return loanOf(
      (await clients.lending.rescheduleLoan(request, outgoing(call, { onReplayed: call.markReplayed }))).loan,
    );
  },
});

const payBackOverpayment = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/payback`,
  operationId: "payBackOverpayment",
  tag: "Loan servicing",
  summary: "Ask to pay back what was paid above what was owed, which a second person approves",
  access: ["MANAGER", "CASHIER"],
  headers: keyed,
  params: loanPath,
  body: z
    .object({
      amount: maybe(moneyTextOrNumberIn).meta({ description: "All that is overpaid when it is left out." }),
      walletAccountId: maybe(idIn),
      bankAccountId: maybe(idIn).meta({
        description: "One of the two: the customer's wallet or verified bank account.",
      }),
      reason: text(200),
    })
    .meta({ id: "PayBackOverpaymentRequest" }),
  answer: Loan.extend({ approvalId: z.string() }).meta({ id: "PaybackAsked" }),
  message: "Payback waits for approval",
  waits: true,
  renames: keyRename,
  example: { ...noLoan, body: { walletAccountId: "no-such-wallet", reason: "paid twice" } },
  run: async ({ params, body, headers, call, clients }) => {
    const { amount = "", walletAccountId = "", bankAccountId = "", reason } = body;
    const to = { amount, walletAccountId, bankAccountId, reason };
    const request = { ...params, ...to, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const { loan, approvalId } = await clients.lending.payBackOverpayment(request, options);
    call.markWaiting();
    return { ...loanOf(loan), approvalId };
  },
});

const Progress = z
  .object({
    date: date.optional(),
    loansDone: z.number().int(),
    rangesDone: z.number().int(),
    ranges: z.number().int(),
    startedAt: instant.optional(),
    finishedAt: instant.optional(),
  })
  .meta({ id: "AccrualProgress" });

const readAccrualProgress = route({
  method: "get",
  path: `${staffBase}/accrual`,
  operationId: "readAccrualProgress",
  tag: "Loan servicing",
  summary: "Read how far the latest day's accrual is",
  access: manager,
  answer: Progress,
  message: "Accrual",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const {
      date: day,
      loansDone,
      rangesDone,
      ranges,
      startedAt,
      finishedAt,
    } = await clients.lending.getAccrualProgress({}, outgoing(call));
    return {
      date: absentIfEmpty(day),
      loansDone: Number(loansDone),
      rangesDone,
      ranges,
      ...(startedAt && { startedAt: startedAt.toISOString() }),
      ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    };
  },
});

export const loanServicingRoutes = [
  listPendingRepayments,
  verifyRepayment,
  forceRepaymentOutcome,
  listLoanSuspense,
  pauseDelinquency,
  resumeDelinquency,
  chargeBackRepayment,
  writeOffLoan,
  recordRecovery,
  rescheduleLoan,
  payBackOverpayment,
  readAccrualProgress,
];
