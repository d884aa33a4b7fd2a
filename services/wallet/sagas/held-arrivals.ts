import type { Clock } from "../../shared/clocks/clock.js";
import type { Outbox, RowHandler } from "../../shared/outbox/index.js";
import { Refusal, type RefusalCode } from "../../shared/refusal.js";
import { transferOfReleased, type NewlyHeld } from "../domain/held.js";
import type { Moves } from "../clients/moves.js";
import type { Posting } from "../clients/posting.js";
import type { Session, WalletStore } from "../store/index.js";

/** Kind of the outbox row that looks whether an arrival may be had now. */
export const releaseHeld = "release-held-arrival";

const firstLookMs = 1_000;
const lookAtMostEveryMs = 300_000;
const releaseDecisions: ReadonlySet<RefusalCode> = new Set(["PENDING_ALREADY_RESOLVED"] as const);

export type HeldArrivals = ReturnType<typeof createHeldArrivals>;

/** Money that is held for customers who may not have it yet, until compliance says that they may. */
export function createHeldArrivals(deps: {
  store: WalletStore;
  moves: Moves;
  posting: Posting;
  outbox: Pick<Outbox, "add">;
  clock: Clock;
  crashPoint: (name: string) => void;
}) {
  const { store, moves, posting, outbox, clock, crashPoint } = deps;

  /** In the transaction that says that it has arrived. */
  async function note(
    { tenantId, interactionId, actor }: { tenantId: string; interactionId: string; actor: string },
    held: NewlyHeld,
    session: Session,
  ): Promise<void> {
    const now = clock.now();
    await store.forTenant(tenantId).insertHeld({ ...held, status: "HELD", heldAt: now }, session);
    const row = { tenantId, aggregate: `held:${held.heldId}`, seq: 1, kind: releaseHeld, interactionId, actor };
    const dueAt = new Date(now.getTime() + firstLookMs);
    await outbox.add({ ...row, payload: { heldId: held.heldId, tries: 0 }, dueAt }, session);
  }

  const release: RowHandler = async (row, { complete }) => {
    const { tenantId, aggregate, seq, kind, interactionId, actor, payload } = row;
    const wallet = store.forTenant(tenantId);
    const held = await wallet.findHeld(String(payload["heldId"]));
    if (held?.status !== "HELD") return;
    const { refusal, isHeld } = await moves.ask(held, { tenantId, interactionId });
    const now = clock.now();
    if (isHeld || refusal !== undefined) {
      const tries = Number(payload["tries"] ?? 0) + 1;
      const dueAt = new Date(now.getTime() + Math.min(lookAtMostEveryMs, firstLookMs * 2 ** Math.min(tries, 16)));
      const next = { tenantId, aggregate, seq: seq + 1, kind, interactionId, actor, dueAt };
      await store.transaction(
        async (session) => {
          await complete(session);
          await outbox.add({ ...next, payload: { heldId: held.heldId, tries } }, session);
          return true;
        },
        async () => undefined,
      );
      return;
    }
    const origin = { caller: "wallet", idempotencyKey: "", interactionId, createdBy: "wallet" };
    const posted = await posting.post(tenantId, origin, [transferOfReleased(held)], {}, releaseDecisions);
    if (posted instanceof Refusal) throw new Error(`${held.heldId} is held and cannot be released: ${posted.code}`);
    crashPoint("wallet.held.released");
    await store.transaction(
      async (session) => {
        await complete(session);
        await wallet.releaseHeld(held.heldId, now, session);
        return true;
      },
      async () => undefined,
    );
  };

  return { note, release };
}
