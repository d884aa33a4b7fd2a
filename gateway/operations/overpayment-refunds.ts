import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { maybe, moneyTextOrNumberIn } from "../schema.js";
import { idIn, keyed, keyRename, Loan, loanOf, loanPath, staffBase } from "./loan-shapes.js";
import { noLoan } from "./loan-servicing.js";
import { reasonIn } from "./cursor-pages.js";

export const payBackOverpayment = route({
  method: "post",
  path: `${staffBase}/loans/:accountId/payback`,
  operationId: "payBackOverpayment",
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
