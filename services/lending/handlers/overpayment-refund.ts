import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { PayBackOverpaymentRequest, PayBackOverpaymentResponse } from "../../../proto/gen/lending/v1/servicing.js";
import { amountChangeOf, changeOf } from "../../platform/approvals/approval-changes.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, money } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { PayTo } from "../domain/application.js";
import { checkUnclaimed, viewOf } from "../domain/loan.js";
import { minorOf } from "../wire/parse.js";
import { loanToWire } from "../wire/loans.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { LendingDeps } from "./deps.js";

/** Asks to pay back what a customer paid above what was owed, which a second person approves. */
export function overpaymentHandlers({ store, runOnce, approvals, moneyOut, businessClock }: LendingDeps) {
  return {
    async payBackOverpayment(request, call) {
      const { accountId } = request;
      const reason = reasonFromWire(request.reason);
      const payTo = payToOf(request);
      const { tenantId, interactionId } = call;

      async function ask() {
        const loan = await store.forTenant(tenantId).findLoan(accountId);
        if (loan === undefined) throw new Refusal("LOAN_NOT_FOUND", "no such loan");
        const { customerId, currency, reference } = loan;
        const today = (await businessClock.forTenant(tenantId)).today().toString();
        const { overpaidMinor } = viewOf(loan, today).position;
        const amountMinor = request.amount === "" ? overpaidMinor : minorOf(request.amount, currency, "amount");
        if (amountMinor <= 0n || amountMinor > overpaidMinor) throw notOverpaid(overpaidMinor, currency);
        checkUnclaimed(loan);
        const refusal = await moneyOut.check({ tenantId, interactionId, customerId, currency, payTo });
        if (refusal !== undefined) throw refusal;
        const amount = money(amountMinor, currency);
        const { approvalId } = await approvals.ask(call, {
          idempotencyKey: `overpayment-refund:${accountId}:${request.idempotencyKey}`,
          kind: "REFUND",
          subject: `loan:${accountId}`,
          summary: `Pay back ${formatMoney(amount)} ${currency} that was overpaid on loan ${reference}`,
          amount,
          reason,
          payload: { accountId, amountMinor: `${amountMinor}`, payTo },
          changes: [
            ...amountChangeOf("overpaid", overpaidMinor, overpaidMinor - amountMinor, currency),
            ...changeOf(
              payTo.kind === "BANK" ? "bankAccountId" : "walletAccountId",
              undefined,
              payTo.kind === "BANK" ? payTo.bankAccountId : payTo.walletAccountId,
            ),
          ],
          customerId,
        });
        return { loan: loanToWire(loan, today), approvalId };
      }

      return runOnce({
        call,
        operation: "lending.v1.PayBackOverpayment",
        request,
        requestType: PayBackOverpaymentRequest,
        response: PayBackOverpaymentResponse,
        prepare: ask,
        work: async (_session, requested) => requested,
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}

function payToOf({ walletAccountId, bankAccountId }: PayBackOverpaymentRequest): PayTo {
  if ((walletAccountId === "") === (bankAccountId === "")) {
    throw invalidInput("walletAccountId", "this or bankAccountId is required, and not both");
  }
  return walletAccountId === ""
    ? { kind: "BANK", bankAccountId: textFromWire(bankAccountId, "bankAccountId") }
    : { kind: "WALLET", walletAccountId: textFromWire(walletAccountId, "walletAccountId") };
}

function notOverpaid(overpaidMinor: bigint, currency: string): Refusal {
  const overpaid = formatMoney(money(overpaidMinor, currency));
  return new Refusal("INVALID_AMOUNT", `amount must be above zero and at most ${overpaid} ${currency}`, {
    figures: { overpaid, currency },
  });
}
