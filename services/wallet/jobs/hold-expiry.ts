import type { Outbox, RowHandler } from "../../shared/outbox/index.js";
import { giveBackToDay } from "../store/day-limit.js";
import { givenBackBy } from "../domain/hold.js";
import { paymentRows } from "../sagas/payment.js";
import type { WalletStore } from "../store/index.js";

/** Notes that a hold's time is over, which the ledger knows by itself, and gives the limit back that it took. */
export function holdExpiry(store: WalletStore, outbox: Pick<Outbox, "add">): RowHandler {
  return async (row, { complete }) => {
    const { tenantId, aggregate, seq, interactionId, actor, payload } = row;
    const holdId = String(payload["holdId"]);
    const wallet = store.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        const isExpired = await wallet.moveHold(holdId, "HELD", "EXPIRED", session);
        await complete(session);
        if (!isExpired) return true;
        const hold = await wallet.findHold(holdId);
        await giveBackToDay(wallet, hold && givenBackBy(hold), session);
        const kind = paymentRows.freeLimit;
        const next = { tenantId, aggregate, seq: seq + 1, kind, payload: { paymentId: holdId }, interactionId, actor };
        await outbox.add(next, session);
        return true;
      },
      async () => undefined,
    );
  };
}
