import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { dateIn, keyed, keyRename, Loan, loanOf, loanPath, reasonBody, staffBase } from "./loan-shapes.js";
import { reasonIn } from "./cursor-pages.js";

export const manager = ["MANAGER"] as const;

export const desk = ["MANAGER", "AGENT", "CASHIER"] as const;

export const key = { "x-idempotency-key": "desk-2026-0042" };

export const noLoan = { as: "manager@demo.example", params: { accountId: "no-such-loan" }, headers: key, answers: 404 };

export const pauseDelinquency = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/pause`,
  operationId: "pauseDelinquency",
  tag: "Loan servicing",
  summary: "Let a debt grow no older from a day on",
  access: manager,
  peopleOnly: "judgement",
  headers: keyed,
  params: loanPath,
  body: z.object({ from: maybe(dateIn), reason: reasonIn }).meta({ id: "PauseDelinquencyRequest" }),
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

export const resumeDelinquency = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/resume`,
  operationId: "resumeDelinquency",
  tag: "Loan servicing",
  summary: "Let a paused debt grow older again from today",
  access: manager,
  peopleOnly: "judgement",
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

export const writeOffLoan = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/write-off`,
  operationId: "writeOffLoan",
  tag: "Loan servicing",
  summary: "Ask to write a loan off, which a second person approves",
  access: manager,
  peopleOnly: "judgement",
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

export const recordRecovery = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/recoveries`,
  operationId: "recordRecovery",
  tag: "Loan servicing",
  summary: "Book money that came in for a loan that is written off",
  access: manager,
  peopleOnly: "judgement",
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

export const rescheduleLoan = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/reschedule`,
  operationId: "rescheduleLoan",
  tag: "Loan servicing",
  summary: "Let what is left of a loan be paid by a new schedule",
  access: manager,
  peopleOnly: "judgement",
  headers: keyed,
  params: loanPath,
  body: z
    .object({
      instalments: wholeNumberIn(1, 600),
      firstDueOn: dateIn,
      annualRate: maybe(moneyTextOrNumberIn),
      reason: reasonIn,
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
