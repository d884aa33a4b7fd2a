import type { CustomerMoves } from "../../platform/neighbours/customer-moves.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { Refusal, type RefusalCode } from "../../kernel/refusal.js";
import type { Posting } from "../clients/posting.js";
import { transferOfReleased, type NewlyHeld } from "../domain/held-arrival.js";
import type { Session } from "../store/collections.js";
import type { WalletStore } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

const firstPollMs = 1_000;
const maxPollPauseMs = 300_000;
const releaseDecisions: ReadonlySet<RefusalCode> = new Set(["PENDING_ALREADY_RESOLVED"] as const);

export type HeldArrivals = ReturnType<typeof createHeldArrivals>;

/** Holds money for customers who may not have it yet, until compliance lets them. */
export function createHeldArrivals(deps: {
  store: WalletStore;
  moves: CustomerMoves;
  posting: Posting;
  outbox: Pick<Outbox, "add">;
  clock: Clock;
  crashPoint: (name: string) => void;
}) {
  const { store, moves, posting, outbox, clock, crashPoint } = deps;

  /** Notes what is held, in the transaction that ends its arrival. */
  async function note(
    { tenantId, interactionId, actor }: { tenantId: string; interactionId: string; actor: string },
    held: NewlyHeld,
    session: Session,
  ): Promise<void> {
    const now = clock.now();
    await store.forTenant(tenantId).insertHeld({ ...held, status: "HELD", heldAt: now }, session);
    const row = {
      tenantId,
      aggregate: `held:${held.heldId}`,
      seq: 1,
      kind: rowKinds.releaseHeldArrival,
      interactionId,
      actor,
    };
    const dueAt = new Date(now.getTime() + firstPollMs);
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
      const dueAt = new Date(now.getTime() + Math.min(maxPollPauseMs, firstPollMs * 2 ** Math.min(tries, 16)));
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
    if (held.kind === "CASH_IN") await wallet.noteCashIn(held.accountId, now);
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
