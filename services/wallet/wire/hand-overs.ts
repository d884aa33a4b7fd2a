import type { HandOver as WireHandOver } from "../../../proto/gen/wallet/v1/tills.js";
import { moneyToWire } from "../../kernel/money.js";
import type { HandOver } from "../domain/hand-over.js";
import { denominationsToWire } from "./tills.js";

export function handOverToWire(handOver: HandOver): WireHandOver {
  const { handOverId, fromTillId, giverId, receiverId, currency, amountMinor, status, offeredAt } = handOver;
  return {
    handOverId,
    fromTillId,
    giverId,
    receiverId,
    amount: moneyToWire({ minor: amountMinor, currency }),
    denominations: denominationsToWire(handOver.denominations, currency),
    status,
    offeredAt,
    endedAt: handOver.endedAt,
    endedBy: handOver.endedBy ?? "",
    toTillId: handOver.toTillId ?? "",
  };
}
