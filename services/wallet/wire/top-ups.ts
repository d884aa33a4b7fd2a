import { TopUpByCardResponse, type TopUp as WireTopUp } from "../../../proto/gen/wallet/v1/money_in.js";
import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import { moneyToWire } from "../../kernel/money.js";
import type { TopUp } from "../domain/top-up.js";

export function topUpToWire({ topUpId, accountId, amount, createdAt, ending }: TopUp): WireTopUp {
  return {
    topUpId,
    accountId,
    amount: moneyToWire(amount),
    status: ending?.status ?? "PENDING",
    newBalanceMinor: ending?.status === "DONE" ? ending.newBalanceMinor : 0n,
    createdAt,
    reason: ending?.status === "FAILED" ? ending.refusal.message : "",
  };
}

/** Its one answer; undefined while it is PENDING. */
export function topUpAnswer(topUp: TopUp): StoredAnswer | undefined {
  const { ending } = topUp;
  if (ending === undefined) return undefined;
  if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
  return { kind: "response", bytes: TopUpByCardResponse.encode({ topUp: topUpToWire(topUp) }).finish() };
}
