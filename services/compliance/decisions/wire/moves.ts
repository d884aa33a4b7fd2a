import { MoveKind as WireKind, MoveVerdict as WireDecision } from "../../../../proto/gen/compliance/v1/compliance.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { moveKinds, type MoveKind, type MoveDecision } from "../domain/moves.js";

/** Refuses INVALID_INPUT for a kind that is not named. */
export function moveFromWire(wire: WireKind, path: string): MoveKind {
  const kind = moveKinds.find((one) => WireKind[`MOVE_KIND_${one}`] === wire);
  if (kind === undefined) throw invalidInput(path, "is no kind of move");
  return kind;
}

export function moveDecisionToWire(decision: MoveDecision): WireDecision {
  return WireDecision[`MOVE_VERDICT_${decision}`];
}
