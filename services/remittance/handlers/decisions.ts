import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { outcomeFromWire } from "../wire/compliance.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { decidedWhileBlocked } from "../domain/block.js";
import { approvedTooLate } from "../domain/cancellation.js";
import { afterCompliance } from "../domain/compliance-outcome.js";
import type { RemittanceDeps } from "./deps.js";

/** What compliance tells of transactions that waited for it. */
export function decisionHandlers({ store, clock, creation, steps }: RemittanceDeps) {
  return {
    async decideTransaction(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const outcome = outcomeFromWire(request);
      const tenant = store.forTenant(call.tenantId);
      for (;;) {
        const before = await tenant.findTransaction(transactionId);
        // Decided before the first decision has been stored here: the creation's own step comes
        // first.
        if (before === undefined || before.compliance === undefined) {
          throw new Refusal("UNAVAILABLE", "the transaction is still being created");
        }
        const stopped = decidedWhileBlocked(before, outcome);
        // Names were amended to ones that a person has to look at, before anybody paid.
        const isReopened = before.status === "AWAITING_PAYMENT" && outcome.decision === "REVIEW";
        // Whether its payment ends or it is payable again is known in a moment.
        if (before.status === "PAYING" && outcome.decision === "REVIEW") {
          throw new Refusal("UNAVAILABLE", "the transaction is being paid at this moment");
        }
        if (before.status !== "AWAITING_COMPLIANCE" && stopped === undefined && !isReopened) {
          if (outcome.decision !== "APPROVED") return {};
          const { interactionId } = call;
          await steps.make(call.tenantId, transactionId, approvedTooLate, { actor: "compliance", interactionId });
          return {};
        }
        const now = clock.now();
        // What is blocked goes on by it later.
        const step = stopped?.change ?? afterCompliance(outcome, now, creation.payableForMs);
        if (isReopened) step.status = "AWAITING_COMPLIANCE";
        const stamp = { at: now, actor: "compliance" };
        const after = await steps.change(call.tenantId, before, step, stamp, before.interactionId);
        if (after !== undefined) break;
        call.signal.throwIfAborted();
      }
      crashPoint("remittance.decision.stored");
      return {};
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
