import { divideRounded } from "../../kernel/decimal.js";

/**
 * What an organisation is long (above zero) or short of a currency, and what that cost in its base
 * currency, of the same sign: paid for what it is long of, received for what it is short of. Minor
 * units.
 */
export interface Position {
  readonly quantityMinor: bigint;
  readonly costMinor: bigint;
}

/** What came in (above zero) or went out of a currency, and what was received for it in base. */
export interface PositionMovement {
  readonly quantityMinor: bigint;
  /** Below zero where it was paid. */
  readonly receivedMinor: bigint;
}

export interface MovedPosition extends Position {
  /** Won, or below zero lost, minor units of base. */
  readonly realisedMinor: bigint;
}

export const noPosition: Position = { quantityMinor: 0n, costMinor: 0n };

/**
 * A position after a movement, at average cost. What goes towards zero realises base received at
 * average cost against base received now, half-even; what goes beyond zero opens the other side at
 * its own price, pro rata. Received less paid is always what was realised less the cost of what is
 * left. Method: P. Selinger, "Tutorial on multiple currency accounting": currency trading accounts.
 */
export function movePosition(position: Position, movement: PositionMovement): MovedPosition {
  const { quantityMinor: before, costMinor } = position;
  const { quantityMinor: moved, receivedMinor } = movement;
  // Base alone came or went: no currency carries it on.
  if (moved === 0n) return { ...position, realisedMinor: receivedMinor };
  if (before === 0n || before > 0n === moved > 0n) {
    return { quantityMinor: before + moved, costMinor: costMinor - receivedMinor, realisedMinor: 0n };
  }
  const after = before + moved;
  const isCrossing = after !== 0n && after > 0n === moved > 0n;
  // Of the movement, what ends the position; the rest opens the other side.
  const endedMinor = isCrossing ? -before : moved;
  const receivedForEnded = isCrossing ? shareOf(receivedMinor, endedMinor, moved) : receivedMinor;
  const endedCost = after === 0n || isCrossing ? costMinor : shareOf(costMinor, -moved, before);
  return {
    quantityMinor: after,
    costMinor: isCrossing ? receivedForEnded - receivedMinor : costMinor - endedCost,
    realisedMinor: receivedForEnded - endedCost,
  };
}

/** `part` of `whole` of an amount, half-even. */
function shareOf(minor: bigint, part: bigint, whole: bigint): bigint {
  const [numerator, denominator] = whole < 0n ? [-minor * part, -whole] : [minor * part, whole];
  return divideRounded(numerator, denominator, "half-even");
}

/** What revaluing a position wins, or below zero loses, against its cost. Minor units of base. */
export function unrealisedMinor({ costMinor }: Position, valueMinor: bigint): bigint {
  return valueMinor - costMinor;
}
