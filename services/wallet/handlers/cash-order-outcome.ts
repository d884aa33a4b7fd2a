import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../kernel/time/clock.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { WalletStore } from "../store/index.js";
import { plannedEnding } from "./cash-order-counting.js";

/** Applies a manager's decision: the order ends as it was counted, or is SENT as before. */
export function cashOrderOutcome(store: WalletStore, movements: MovementSaga, clock: Clock): OutcomeHandler {
  return async ({ approvalId, status, payload, decidedBecause, subject }, session, call, effects) => {
    const wallet = store.forTenant(call.tenantId);
    const [orderId, endingId] = [String(payload["orderId"]), String(payload["endingId"])];
    const order = await wallet.findCashOrder(orderId, session);
    const counted = order?.ending;
    if (order?.status !== "WAITING" || counted?.endingId !== endingId) {
      return effects.add({ kind: "NOTHING_DONE", subject });
    }
    if (status !== "APPROVED") {
      const refused = { status: "REFUSED" as const, failure: decidedBecause || status };
      await wallet.moveCashOrderEnding(orderId, endingId, refused, { status: "SENT" }, session);
      return;
    }
    const approved = { status: "APPROVED" as const, approvalId };
    const ending = { ...counted, ...approved };
    await wallet.moveCashOrderEnding(orderId, endingId, approved, {}, session);
    const movementId = uuidv7();
    const planned = plannedEnding({ ...order, ending }, movementId);
    for (const { debitAccountId, creditAccountId, amount } of planned.transfers) {
      effects.add(
        { kind: "ACCOUNT_DEBITED", subject: `account:${debitAccountId}`, amount },
        { kind: "ACCOUNT_CREDITED", subject: `account:${creditAccountId}`, amount },
      );
    }
    const movement = {
      movementId,
      ...planned,
      createdAt: clock.now(),
      interactionId: call.interactionId,
      createdBy: counted.countedBy,
    };
    await movements.beginUnasked(call.tenantId, movement, session);
  };
}
