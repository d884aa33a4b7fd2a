import { RedeemHoldingResponse } from "../../../proto/gen/investment/v1/investment.js";
import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import { paidMinor, type Settlement } from "../domain/settlement.js";
import { amountToWire } from "./values.js";

/**
 * The one answer to the key of a redemption, the same bytes whenever it is rendered. Undefined
 * while it is under way.
 */
export function settlementAnswer(settlement: Settlement): StoredAnswer | undefined {
  const { ending, figures, currency } = settlement;
  if (ending === undefined) return undefined;
  if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
  const redemption = {
    redemptionId: settlement.settlementId,
    holdingId: settlement.holdingId,
    units: figures.units,
    principal: amountToWire(figures.principalMinor, currency),
    interest: amountToWire(figures.interestMinor, currency),
    penalty: amountToWire(figures.principalPenaltyMinor + figures.interestPenaltyMinor, currency),
    tax: amountToWire(figures.taxMinor, currency),
    paid: amountToWire(paidMinor(figures), currency),
    unitsLeft: settlement.after.units,
    walletAccountId: settlement.walletAccountId,
    redeemedAt: ending.postedAt,
  };
  return { kind: "response", bytes: RedeemHoldingResponse.encode({ redemption }).finish() };
}
