import { v7 as uuidv7 } from "uuid";
import { money } from "../../kernel/money.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { TenantStore, WalletStore } from "../store/index.js";
import { plannedClosing } from "./till-counting.js";

/** Applies a manager's decision: the till is closed as it was counted, or is open again. */
export function tillClosingOutcome(store: WalletStore, movements: MovementSaga, clock: Clock): OutcomeHandler {
  return async (
    { approvalId, status, payload, askedBy: createdBy, decidedBecause, subject },
    session,
    call,
    effects,
  ) => {
    const wallet: TenantStore = store.forTenant(call.tenantId);
    const [tillId, closingId] = [String(payload["tillId"]), String(payload["closingId"])];
    const till = await wallet.findTill(tillId, session);
    if (till?.status !== "WAITING" || till.closing?.closingId !== closingId) {
      return effects.add({ kind: "NOTHING_DONE", subject });
    }
    if (status !== "APPROVED") {
      const refused = { ...till.closing, status: "REFUSED" as const, failure: decidedBecause || status };
      await wallet.moveClosing(tillId, refused, { status: "OPEN" }, session);
      return;
    }
    const { differenceMinor = 0n, currency, reason } = till;
    effects.add({ kind: "TILL_CLOSED", subject, amount: money(differenceMinor, currency) });
    const closing = { ...till.closing, approvalId, status: "APPROVED" as const };
    await wallet.moveClosing(tillId, closing, {}, session);
    const movement = {
      movementId: uuidv7(),
      ...plannedClosing(clock, { ...till, closing }, reason),
      createdAt: clock.now(),
      interactionId: call.interactionId,
      createdBy,
    };
    await movements.beginUnasked(call.tenantId, movement, session);
  };
}
