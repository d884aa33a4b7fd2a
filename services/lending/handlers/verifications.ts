import {
  AskRepaymentVerificationRequest,
  AskRepaymentVerificationResponse,
  ForceRepaymentOutcomeRequest,
  ForceRepaymentOutcomeResponse,
} from "../../../proto/gen/lending/v1/repayment.js";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { changeOf } from "../../platform/approvals/approval-changes.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { Repayment } from "../domain/repayment.js";
import { repaymentToWire } from "../wire/loans.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { LendingDeps } from "./deps.js";

export function verificationHandlers(deps: LendingDeps) {
  const { store, book, runOnce, verification, approvals, banks, businessClock, clock } = deps;

  async function waiting(repaymentId: string, call: Call): Promise<Repayment> {
    const repayment = await store.forTenant(call.tenantId).findRepayment(repaymentId);
    if (repayment === undefined) throw new Refusal("NOT_FOUND", "no such repayment");
    return repayment;
  }

  async function ask(request: AskRepaymentVerificationRequest, reason: string, call: Call) {
    const { repaymentId, verify, creditId, idempotencyKey } = request;
    const repayment = await waiting(repaymentId, call);
    if (repayment.status !== "PENDING_VERIFICATION") {
      throw new Refusal("STATE_CONFLICT", `the repayment is ${repayment.status}`);
    }
    const { amountMinor, currency, customerId, reference } = repayment;
    const amount = money(amountMinor, currency);
    if (creditId !== "") {
      const credit = await store.forTenant(call.tenantId).findCredit(creditId);
      const isIt = credit?.state === "SUSPENSE" && credit.amountMinor === amountMinor && credit.currency === currency;
      if (!isIt) throw new Refusal("AMOUNT_MISMATCH", "no credit in suspense of this id and amount");
    }
    const { approvalId } = await approvals.ask(call, {
      idempotencyKey: `repayment:${repaymentId}:${idempotencyKey}`,
      kind: "REPAYMENT_VERIFICATION",
      subject: `repayment:${repaymentId}`,
      summary: `${verify ? "Verify" : "Reject"} the repayment of ${formatMoney(amount)} ${currency}, reference ${reference}`,
      amount,
      reason,
      payload: { repaymentId, verify, creditId, reason },
      changes: [
        ...changeOf("verificationStatus", repayment.status, verify ? "VERIFIED" : "REJECTED"),
        ...changeOf("creditId", undefined, creditId),
      ],
      customerId,
    });
    return { repayment: repaymentToWire(repayment), approvalId };
  }

  return {
    async askRepaymentVerification(request, call) {
      const reason = reasonFromWire(request.reason);
      return runOnce({
        call,
        operation: "lending.v1.AskRepaymentVerification",
        request,
        requestType: AskRepaymentVerificationRequest,
        response: AskRepaymentVerificationResponse,
        prepare: () => ask(request, reason, call),
        work: async (_session, requested) => requested,
      });
    },

    async forceRepaymentOutcome(request, call) {
      if (!isSandbox(call.tenantId)) throw new Refusal("FORBIDDEN", "outcomes are forced in a sandbox only");
      const reason = reasonFromWire(request.reason);
      const { repaymentId, verify } = request;
      return runOnce({
        call,
        operation: "lending.v1.ForceRepaymentOutcome",
        request,
        requestType: ForceRepaymentOutcomeRequest,
        response: ForceRepaymentOutcomeResponse,
        prepare: async () => ({
          today: (await businessClock.forTenant(call.tenantId)).today().toString(),
          partner: await banks.takerOf(call.tenantId, call.interactionId),
        }),
        async work(session, { today, partner }) {
          const { interactionId } = call;
          const by = { by: actorOf(call), reason, interactionId, isInSuspense: false, partner };
          const decision = { today, at: clock.now(), ...by };
          const decided = verify
            ? await verification.verify(call.tenantId, repaymentId, decision, session)
            : await verification.reject(call.tenantId, repaymentId, decision, session);
          return { repayment: repaymentToWire(decided) };
        },
        after: async ({ repayment }) => book.carryOut(call.tenantId, repayment?.accountId ?? ""),
      });
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}
