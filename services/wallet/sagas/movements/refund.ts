import { refusedNeutrally, type CustomerMoves } from "../../../platform/neighbours/customer-moves.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { isFromWallet } from "../../domain/payment.js";
import type { WalletStore } from "../../store/index.js";
import { paymentEventRow } from "../../wire/event-rows.js";
import { assertPresent, isDone, statusAfter, type RulesOf } from "./rules.js";

/** Money of a payment on its way back, once a second person has approved it. */
export function refundRules({
  store,
  moves,
  outbox,
}: {
  store: WalletStore;
  moves: CustomerMoves;
  outbox: Pick<Outbox, "add">;
}): RulesOf<"REFUND"> {
  return {
    REFUND: {
      // Begun by an approval: no request waits for an answer.
      operation: "",
      answer: () => new Uint8Array(),
      async checkBeforePosting(tenantId, { movementId, decision, subjectId = "", interactionId }) {
        const wallet = store.forTenant(tenantId);
        const refund = assertPresent(await wallet.findRefund(subjectId));
        const payment = assertPresent(await wallet.findPayment(refund.paymentId));
        if (!isFromWallet(payment) || decision === "PASS") return undefined;
        const { payeeCustomerId: customerId } = assertPresent(payment.plan);
        const { refusal } = await moves.ask({ customerId, kind: "REFUND_GIVEN" }, { tenantId, interactionId });
        // Stored before it is posted: every driver goes by the first decision, whoever was blocked
        // since.
        const decided = await wallet.decideMovement(movementId, refusal === undefined ? "PASS" : "REFUSE");
        return decided === "REFUSE" ? (refusal ?? refusedNeutrally()) : undefined;
      },
      async onEnd(tenantId, { subjectId = "", subjectMinor = 0n, interactionId, createdBy: actor }, ending, session) {
        const wallet = store.forTenant(tenantId);
        const refund = assertPresent(await wallet.findRefund(subjectId, session));
        await wallet.moveRefund(subjectId, "POSTING", statusAfter(ending), session);
        const payment = await wallet.endRefund(refund.paymentId, subjectMinor, ending.status, session);
        if (!isDone(ending)) return;
        const cause = { tenantId, interactionId, actor };
        await outbox.add(paymentEventRow(cause, "payment.refunded", payment, ending.postedAt), session);
      },
    },
  };
}
