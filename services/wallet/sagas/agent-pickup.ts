import type { NewRow, Outbox, RowHandler } from "../../kernel/outbox/index.js";
import type { Remittance } from "../clients/neighbours.js";
import type { Posting } from "../clients/posting.js";
import { lineOfPayout } from "../domain/agent-payout.js";
import type { Movement } from "../domain/movement.js";
import { rowKinds } from "../row-kinds.js";
import type { WalletStore } from "../store/index.js";
import { noteAgentLines } from "./agent-lines.js";
import { askedToHandOut } from "./movements/pickup.js";
import { assertPresent } from "./movements/rules.js";

export interface AgentPickupDeps {
  store: WalletStore;
  remittance: Pick<Remittance, "handOutCash">;
  posting: Pick<Posting, "findPosted">;
  outbox: Pick<Outbox, "add">;
  crashPoint: (name: string) => void;
}

export type AgentPickups = ReturnType<typeof createAgentPickups>;

/** Follows an agent's hand-out that is done. */
export const agentPickupRow = ({ movementId }: Movement): Pick<NewRow, "aggregate" | "seq" | "kind" | "payload"> => ({
  aggregate: `agent-pickup:${movementId}`,
  seq: 1,
  kind: rowKinds.noteAgentPickup,
  payload: { movementId },
});

/**
 * Keeps the line of what an agent handed out once the ledger has it. Remittance books it behind the
 * hand-out, and the ledger says for which day: one that was closed meanwhile is not.
 */
export function createAgentPickups(deps: AgentPickupDeps) {
  const { store, posting, crashPoint } = deps;

  const note: RowHandler = async (row) => {
    const { tenantId, interactionId, actor } = row;
    const wallet = store.forTenant(tenantId);
    const movement = assertPresent(await wallet.findMovement(String(row.payload["movementId"])));
    const { refused, settlementKey } = await askedToHandOut(deps, tenantId, movement, {});
    if (refused !== undefined) throw new Error(`hand-out ${movement.movementId} is done and was refused`);
    const booked = await posting.findPosted(tenantId, movement, settlementKey, {});
    // Remittance books it in its own time, and asks until the ledger has it.
    if (booked === undefined) return "later";
    const { day, postedAt: bookedAt } = booked;
    const line = lineOfPayout(movement.movementId, assertPresent(movement.agentPayout), { day, bookedAt });
    await store.transaction(
      async (session) => {
        if (!(await wallet.removeUnbookedPickup(movement.movementId, session))) return;
        await noteAgentLines(deps, { tenantId, interactionId, actor }, [line], session);
      },
      // What was written is read again, and is then nothing new.
      async () => undefined,
    );
    crashPoint("wallet.agent-pickup.noted");
    return undefined;
  };

  return { note };
}
