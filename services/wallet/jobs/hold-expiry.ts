import type { Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { dayPartToRelease } from "../domain/hold.js";
import { releaseDayLimit } from "../sagas/wallet-daily-limit.js";
import { rowKinds } from "../row-kinds.js";
import type { WalletStore } from "../store/index.js";

/**
 * Marks a hold EXPIRED, whose money the ledger has freed by itself, and releases its part of the
 * day's limit.
 */
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
        await releaseDayLimit(wallet, hold && dayPartToRelease(hold), session);
        const kind = rowKinds.freeLimit;
        const next = { tenantId, aggregate, seq: seq + 1, kind, payload: { paymentId: holdId }, interactionId, actor };
        await outbox.add(next, session);
        return true;
      },
      async () => undefined,
      // Holds that are over at the same time end in one commit.
      `${tenantId} expire hold`,
    );
  };
}
