import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { askAmended, type AskAtClaimDeps } from "../clients/claim-transparency.js";
import {
  applyAmendment,
  assertApplicable,
  isAskedToAmend,
  keptAmendments,
  refuseAmendment,
  type Amendment,
} from "../domain/amendment.js";
import type { Transaction } from "../domain/transaction.js";
import { transparencyIncomplete } from "../domain/transparency.js";
import { createAmendmentScreening } from "../sagas/amendment-screening.js";
import { transactionOf } from "../sagas/outbox-rows.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { RemittanceStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

/**
 * Puts right what a second person has approved, or notes why that is too late; and tells compliance
 * of names that were put right.
 */
export function approvedAmendments(
  deps: { store: RemittanceStore; steps: PayoutSteps; clock: Clock } & AskAtClaimDeps &
    Parameters<typeof createAmendmentScreening>[0],
): Record<string, RowHandler> {
  const { store, steps, clock } = deps;
  const screening = createAmendmentScreening(deps);

  return {
    async [rowKinds.tellNames](row, { signal }) {
      const { tenantId, interactionId } = row;
      const transaction = await store.forTenant(tenantId).findTransaction(transactionOf(row));
      if (transaction !== undefined) await screening.tell(transaction, { tenantId, interactionId, signal });
    },

    async [rowKinds.applyAmendment](row, { signal }) {
      const { tenantId, interactionId } = row;
      const transactionId = transactionOf(row);
      const amendmentId = String(row.payload["amendmentId"]);
      const transaction = await store.forTenant(tenantId).findTransaction(transactionId);
      const amendment = transaction && approvedOf(transaction, amendmentId);
      if (transaction === undefined || amendment === undefined) return;
      const by = { actor: amendment.decidedBy ?? "remittance", interactionId };
      try {
        assertApplicable(transaction, amendment);
        const call = { tenantId, interactionId, signal };
        const asked = isAskedToAmend(transaction)
          ? await askAmended(deps, transaction, amendment.after, call)
          : undefined;
        if (asked !== undefined && asked.missing.length > 0) throw transparencyIncomplete(asked.missing);
        await screening.screen(transaction, amendment.after, call);
        const apply = (now: Transaction) => {
          const approved = approvedOf(now, amendmentId);
          return approved && applyAmendment(now, approved, clock.now(), asked);
        };
        await steps.make(tenantId, transactionId, apply, by);
      } catch (error) {
        // A payment that holds the transaction is over in moments.
        if (!(error instanceof Refusal) || !endsIt.includes(error.code) || error.details?.retryAfterS) throw error;
        await steps.make(tenantId, transactionId, (now) => refuseAmendment(now, amendmentId, error.code), by);
      }
      crashPoint("remittance.amendment.applied");
    },
  };
}

const endsIt: readonly string[] = ["STATE_CONFLICT", "TRANSPARENCY_INCOMPLETE"];

function approvedOf(transaction: Transaction, amendmentId: string): Amendment | undefined {
  const amendment = keptAmendments.find(transaction, amendmentId);
  return amendment?.status === "APPROVED" ? amendment : undefined;
}
