import type { MoveKind as WireKind } from "../../../proto/gen/compliance/v1/compliance.js";
import { batchMoveChecks } from "../../shared/clients/compliance-batches.js";
import { outgoing } from "../../shared/grpc/client.js";
import { Refusal } from "../../shared/refusal.js";
import type { MoveKind } from "../domain/held.js";
import type { Compliance } from "./neighbours.js";

export type Moves = ReturnType<typeof createMoves>;

/** Whom a move is about, and what it is for them. */
export interface Move {
  readonly customerId: string;
  readonly kind: MoveKind;
}

export interface MoveAllowed {
  /** What is to be told where nothing may move; it names no block. */
  readonly refusal?: Refusal;
  /** It arrives, and is kept out of the customer's reach. */
  readonly isHeld: boolean;
}

/** What compliance's table says of the moves that its other questions do not decide on. */
export function createMoves({ compliance }: { compliance: Pick<Compliance, "checkMoves"> }) {
  const check = batchMoveChecks(compliance);
  return {
    /** Throws while compliance is away: nothing begins then. */
    async ask(
      { customerId, kind }: Move,
      { tenantId, interactionId }: { tenantId: string; interactionId: string },
    ): Promise<MoveAllowed> {
      const wire: WireKind = `MOVE_KIND_${kind}`;
      const { verdict, reasonCode } = await check({ customerId, kind: wire }, outgoing({ tenantId, interactionId }));
      if (verdict === "MOVE_VERDICT_PASS") return { isHeld: false };
      if (verdict === "MOVE_VERDICT_HOLD") return { isHeld: true };
      const refusal =
        // An application may wait for its customer; its money does not move meanwhile.
        reasonCode === "CUSTOMER_NOT_CONFIRMED" || verdict === "MOVE_VERDICT_WAIT"
          ? new Refusal("CUSTOMER_NOT_CONFIRMED", "the customer is not confirmed yet")
          : refusedNeutrally();
      return { refusal, isHeld: false };
    },
  };
}

/** For who must not learn why, and for whom it is about somebody else. */
export function refusedNeutrally(): Refusal {
  return new Refusal("COMPLIANCE_REJECTED", "compliance refuses this payment");
}
