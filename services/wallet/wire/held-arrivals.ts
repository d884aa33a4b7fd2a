import type { HeldArrival as WireHeld } from "../../../proto/gen/wallet/v1/money_in.js";
import { moneyToWire } from "../../kernel/money.js";
import type { HeldArrival } from "../domain/held-arrival.js";

export function heldToWire(held: HeldArrival): WireHeld {
  return { ...held, amount: moneyToWire(held.amount), releasedAt: held.releasedAt };
}
