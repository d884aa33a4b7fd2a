import type { Hold as WireHold } from "../../../proto/gen/wallet/v1/holds.js";
import { moneyToWire } from "../../kernel/money.js";
import { statusOf, type Hold } from "../domain/hold.js";

export function holdToWire(hold: Hold, now: Date): WireHold {
  const { holdId, accountId, payeeAccountId, amount, description, createdAt, expiresAt } = hold;
  return {
    holdId,
    accountId,
    payeeAccountId,
    amount: moneyToWire(amount),
    status: statusOf(hold, now),
    confirmedMinor: hold.confirmedMinor ?? 0n,
    description,
    createdAt,
    expiresAt,
  };
}
