import { z } from "zod";
import { Loan } from "../../services/platform/events/shapes/loan-shape.js";
import { operation } from "../operation.js";
import { maybe, moneyTextOrNumberIn, text, wholeNumberIn, reasonIn, dateIn } from "../schema.js";
import {
  AccrualProgress,
  PaybackAsked,
  Repayment,
  SuspenseCredit,
  VerificationAsked,
  WriteOffAsked,
  idIn,
  keyed,
  loanPath,
  reasonBody,
  staffBase,
  cursorFields,
  nextCursorFields,
} from "../shapes/loans.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const manager = ["MANAGER"] as const;
const judged = { tag: "Loan servicing", access: manager, peopleOnly: "judgement", headers: keyed } as const;
const desk = ["MANAGER", "AGENT", "CASHIER"] as const;

const key = { "x-idempotency-key": "desk-2026-0042" };

const noLoan = { as: "manager@demo.example", params: { accountId: "no-such-loan" }, headers: key, answers: 404 };

const pauseDelinquency = operation({
  ...judged,
  method: "post",
  path: `${staffBase}/loans/:accountId/pause`,
  summary: "Let a debt grow no older from a day on",
  params: loanPath,
  body: z.object({ from: maybe(dateIn), reason: reasonIn }).meta({ id: "PauseDelinquencyRequest" }),
  answer: Loan,
  message: "Delinquency paused",
  example: { ...noLoan, body: { reason: "flood" } },
  rpc: "lending.pauseDelinquency",
});

const resumeDelinquency = operation({
  ...judged,
  method: "post",
  path: `${staffBase}/loans/:accountId/resume`,
  summary: "Let a paused debt grow older again from today",
  params: loanPath,
  answer: Loan,
  message: "Delinquency resumed",
  example: noLoan,
  rpc: "lending.resumeDelinquency",
});

const writeOffLoan = operation({
  ...judged,
  method: "post",
  path: `${staffBase}/loans/:accountId/write-off`,
  summary: "Ask to write a loan off, which a second person approves",
  params: loanPath,
  body: reasonBody("WriteOffLoanRequest"),
  answer: WriteOffAsked,
  message: "Write-off waits for approval",
  waits: true,
  example: { ...noLoan, body: { reason: "the customer cannot be found" } },
  rpc: "lending.writeOffLoan",
  isWaiting: () => true,
});

const recordRecovery = operation({
  ...judged,
  method: "post",
  path: `${staffBase}/loans/:accountId/recoveries`,
  summary: "Book money that came in for a loan that is written off",
  params: loanPath,
  body: z
    .object({ amount: moneyTextOrNumberIn, reference: text(128), receivedOn: maybe(dateIn) })
    .meta({ id: "RecordRecoveryRequest" }),
  answer: Loan,
  message: "Recovery booked",
  example: { ...noLoan, body: { amount: "25", reference: "BANK-77" } },
  rpc: "lending.recordRecovery",
});

const rescheduleLoan = operation({
  ...judged,
  method: "post",
  path: `${staffBase}/loans/:accountId/reschedule`,
  summary: "Let what is left of a loan be paid by a new schedule",
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
  example: { ...noLoan, body: { instalments: 6, firstDueOn: "2027-01-15", reason: "less income" } },
  rpc: "lending.rescheduleLoan",
});

const payBackOverpayment = operation({
  method: "post",
  path: `${staffBase}/loans/:accountId/payback`,
  tag: "Loan servicing",
  summary: "Ask to pay back what was paid above what was owed, which a second person approves",
  access: ["MANAGER", "CASHIER"],
  peopleOnly: "judgement",
  headers: keyed,
  params: loanPath,
  body: z
    .object({
      amount: maybe(moneyTextOrNumberIn).meta({ description: "All that is overpaid when it is left out." }),
      walletAccountId: maybe(idIn),
      bankAccountId: maybe(idIn).meta({
        description: "One of the two: the customer's wallet or verified bank account.",
      }),
      reason: reasonIn,
    })
    .meta({ id: "PayBackOverpaymentRequest" }),
  answer: PaybackAsked,
  message: "Payback waits for approval",
  waits: true,
  example: { ...noLoan, body: { walletAccountId: "no-such-wallet", reason: "paid twice" } },
  rpc: "lending.payBackOverpayment",
  isWaiting: () => true,
});

const repaymentPath = z.object({ repaymentId: idIn });

const noRepayment = {
  as: "manager@demo.example",
  params: { repaymentId: "no-such-repayment" },
  headers: key,
  answers: 404,
};

const listPendingRepayments = operation({
  method: "get",
  path: `${staffBase}/repayments`,
  tag: "Loan servicing",
  summary: "List repayments that wait for verification, the oldest first",
  access: desk,
  scopes: ["loans:read"],
  query: z.object({ cursor: idIn.optional() }),
  answer: z.object({ repayments: z.array(Repayment), cursor: leaf.nextCursor.optional() }),
  message: "Repayments that wait",
  example: { as: "cashier@demo.example" },
  rpc: "lending.listPendingRepayments",
  fields: cursorFields,
  answerFields: nextCursorFields,
});

const verifyRepayment = operation({
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/verify`,
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
  answer: VerificationAsked,
  message: "Verification waits for approval",
  waits: true,
  example: { ...noRepayment, body: { verify: true, reason: "seen on the bank's statement" } },
  rpc: "lending.askRepaymentVerification",
  isWaiting: () => true,
});

const forceRepaymentOutcome = operation({
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/force`,
  tag: "Loan servicing",
  summary: "Say in a sandbox how a repayment's verification ends",
  access: manager,
  scopes: ["sandbox:force"],
  headers: keyed,
  params: repaymentPath,
  body: z.object({ verify: z.boolean(), reason: reasonIn }).meta({ id: "ForceRepaymentOutcomeRequest" }),
  answer: Repayment,
  message: "Outcome forced",
  example: { ...noRepayment, sandbox: true, body: { verify: true, reason: "a test" } },
  rpc: "lending.forceRepaymentOutcome",
});

const chargeBackRepayment = operation({
  ...judged,
  method: "post",
  path: `${staffBase}/repayments/:repaymentId/chargeback`,
  summary: "Book that a bank took a verified repayment back: it is owed again",
  params: repaymentPath,
  body: reasonBody("ChargeBackRepaymentRequest"),
  answer: Loan,
  message: "Repayment charged back",
  example: { ...noRepayment, body: { reason: "recalled by the bank" } },
  rpc: "lending.chargeBackRepayment",
  gives: "loan",
});

const listLoanSuspense = operation({
  method: "get",
  path: `${staffBase}/suspense`,
  tag: "Loan servicing",
  summary: "List bank credits for loans that matched nothing",
  access: desk,
  scopes: ["loans:read"],
  query: z.object({ cursor: idIn.optional() }),
  answer: z.object({ credits: z.array(SuspenseCredit), cursor: leaf.nextCursor.optional() }),
  message: "Credits in suspense",
  example: { as: "cashier@demo.example" },
  rpc: "lending.listSuspense",
  fields: cursorFields,
  answerFields: nextCursorFields,
});

const readAccrualProgress = operation({
  method: "get",
  path: `${staffBase}/accrual`,
  tag: "Loan servicing",
  summary: "Read how far the latest day's accrual is",
  access: manager,
  scopes: ["loans:read"],
  answer: AccrualProgress,
  message: "Accrual",
  example: { as: "manager@demo.example" },
  rpc: "lending.getAccrualProgress",
});

/** In the order in which the documentation shows them. */
export const loanServicingRoutes = {
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
};
