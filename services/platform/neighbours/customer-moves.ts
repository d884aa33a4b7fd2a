import type { ComplianceServiceDefinition, MoveKind as WireKind } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import { batchMoveChecks } from "./compliance-batches.js";

type KindOf<Wire> = Wire extends `MOVE_KIND_${infer Kind}` ? Exclude<Kind, "UNSPECIFIED"> : never;
export type MoveKind = KindOf<WireKind>;

/** Whom a move is about, and what it is for them. */
export interface Move {
  readonly customerId: string;
  readonly kind: MoveKind;
}

export interface MoveAllowed {
  /**
   * What is to be told where nothing may move: CUSTOMER_NOT_CONFIRMED, or COMPLIANCE_REJECTED in
   * neutral words.
   */
  readonly refusal?: Refusal;
  /** It arrives, and is kept out of the customer's reach. */
  readonly isHeld: boolean;
}

export type CustomerMoves = ReturnType<typeof createCustomerMoves>;

/**
 * Compliance's table of what a customer's status lets move (docs/decisions/0027), asked for several
 * at once.
 */
export function createCustomerMoves({
  compliance,
}: {
  compliance: Pick<Client<ComplianceServiceDefinition>, "checkMoves">;
}) {
  const check = batchMoveChecks(compliance);

  /** Throws while compliance is away: nothing begins then. */
  async function ask({ customerId, kind }: Move, call: OutgoingContext): Promise<MoveAllowed> {
    const answer = await check({ customerId, kind: `MOVE_KIND_${kind}` }, outgoingUnnamed(call));
    switch (answer.verdict) {
      case "MOVE_VERDICT_PASS":
        return { isHeld: false };
      case "MOVE_VERDICT_HOLD":
        return { isHeld: true };
      // An application may wait for its customer; its money does not move meanwhile.
      case "MOVE_VERDICT_WAIT":
        return { isHeld: false, refusal: notConfirmed() };
      default:
        return {
          isHeld: false,
          refusal: answer.reasonCode === "CUSTOMER_NOT_CONFIRMED" ? notConfirmed() : refusedNeutrally(),
        };
    }
  }

  /** For money that cannot be held: refuses CUSTOMER_NOT_CONFIRMED and COMPLIANCE_REJECTED. */
  async function assertPasses(move: Move, call: OutgoingContext): Promise<void> {
    const { refusal, isHeld } = await ask(move, call);
    if (refusal !== undefined) throw refusal;
    if (isHeld) throw refusedNeutrally();
  }

  return { ask, assertPasses };
}

function notConfirmed(): Refusal {
  return new Refusal("CUSTOMER_NOT_CONFIRMED", "the customer is not confirmed yet");
}

/** For who must not learn why, and for whom it is about somebody else. */
export function refusedNeutrally(): Refusal {
  return new Refusal("COMPLIANCE_REJECTED", "compliance refuses this payment");
}
