import type { Outbox } from "../../kernel/outbox/index.js";
import type { AccountChange, WalletAccount } from "../domain/account.js";
import type { WalletStore } from "../store/index.js";
import { freezeEventRow, type Cause } from "../wire/event-rows.js";

/**
 * Writes who keeps an account frozen; where it was not frozen before, that is told in the same
 * commit. False where somebody else was first.
 */
export async function setFreezers(
  { store, outbox }: { store: WalletStore; outbox: Pick<Outbox, "add" | "wakeSoon"> },
  cause: Cause,
  account: WalletAccount,
  freezers: readonly string[],
  change: AccountChange | undefined,
): Promise<boolean> {
  const wallet = store.forTenant(cause.tenantId);
  if (change?.to !== "FROZEN" || account.status === "FROZEN") {
    return (await wallet.setFreezers(account, freezers, change)) !== undefined;
  }
  const isSet = await store.transaction(
    async (session) => {
      const after = await wallet.setFreezers(account, freezers, change, session);
      if (after === undefined) return false;
      await outbox.add(freezeEventRow(cause, after, change.at), session);
      return true;
    },
    // Read again, it is frozen by whoever asks.
    async () => undefined,
  );
  if (isSet) outbox.wakeSoon();
  return isSet;
}
