import { createKeyedMutex } from "../../kernel/batching/keyed-mutex.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { notOpen, tillShort, type Till } from "../domain/till.js";
import type { Session } from "../store/collections.js";
import type { TenantStore } from "../store/index.js";

/**
 * The till expects so much more, or less, from now on, and is not closed before it is booked or
 * taken back. Refuses TILL_NOT_OPEN, TILL_SHORT, AMOUNT_OUT_OF_LIMITS.
 */
export async function reserveTillCash(
  wallet: TenantStore,
  { tillId, cashierId, minor, maxMinor }: { tillId: string; cashierId: string; minor: bigint; maxMinor?: bigint },
  session: Session,
): Promise<void> {
  if (await wallet.beginCash(tillId, cashierId, minor, session, maxMinor)) return;
  const status = (await wallet.findTill(tillId, session))?.status;
  if (status !== "OPEN") throw notOpen(status);
  if (minor > 0n) throw new Refusal("AMOUNT_OUT_OF_LIMITS", "the till has no room for so much");
  throw tillShort();
}

/** Why a till is not closed that is not as it was when it was counted. */
export async function notAsCounted(
  wallet: TenantStore,
  { tillId, cashierId }: Pick<Till, "tillId" | "cashierId">,
  session: Session,
): Promise<Refusal> {
  const offered = await wallet.offeredOutOf(tillId, cashierId, session);
  const why =
    offered === undefined
      ? "cash is moving through the till; count it anew"
      : `cash of the till is offered in hand-over ${offered.handOverId}: it is accepted or ended first`;
  return passing("STATE_CONFLICT", why);
}

export type AtTill = ReturnType<typeof createTillTurns>;

/**
 * Commits that change one till take turns in this process: many at once would spend their time on
 * conflicts in its one document. Whose till is not said takes none.
 */
export function createTillTurns() {
  const mutex = createKeyedMutex();
  return <T>(tenantId: string, tillId: string | undefined, commit: () => Promise<T>): Promise<T> =>
    tillId === undefined ? commit() : mutex.runExclusive(`${tenantId} ${tillId}`, commit);
}
