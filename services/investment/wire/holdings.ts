import type {
  Holding as WireHolding,
  Movement as WireMovement,
  Returns as WireReturns,
} from "../../../proto/gen/investment/v1/investment.js";
import { formatDecimal } from "../../kernel/decimal.js";
import type { Holding } from "../domain/holding.js";
import type { Movement } from "../domain/movement.js";
import type { Returns } from "../domain/returns.js";
import { amountToWire } from "./values.js";

export function holdingToWire(holding: Holding): WireHolding {
  const { currency } = holding;
  return {
    holdingId: holding.holdingId,
    applicationId: holding.applicationId,
    productId: holding.productId,
    productVersion: holding.productVersion,
    productName: holding.productName,
    customerId: holding.customerId,
    walletAccountId: holding.walletAccountId,
    status: holding.status,
    units: holding.units,
    unitPrice: amountToWire(holding.unitPriceMinor, currency),
    principal: amountToWire(holding.principalMinor, currency),
    accruedInterest: amountToWire(holding.accruedMinor, currency),
    ratePercent: formatDecimal(holding.ratePercent),
    purchasedOn: holding.purchasedOn.toString(),
    termStart: holding.termStart.toString(),
    maturityDate: holding.maturity?.toString() ?? "",
    lockedUntil: holding.lockedUntil.toString(),
    nextDueOn: holding.status === "ACTIVE" ? (holding.dueOn?.toString() ?? "") : "",
    interestThrough: holding.interest.through.toString(),
    unpaidSince: holding.unpaid?.since.toString() ?? "",
    unpaidCode: holding.unpaid?.code ?? "",
  };
}

// Six decimals are a ten-thousandth of a percent.
const fractionDigits = 6;

export function returnsToWire(returns: Returns, valueMinor: bigint, currency: string): WireReturns {
  return {
    invested: amountToWire(returns.investedMinor, currency),
    currentValue: amountToWire(valueMinor, currency),
    grossGain: amountToWire(returns.grossGainMinor, currency),
    netGain: amountToWire(returns.netGainMinor, currency),
    timeWeightedInvestment: amountToWire(BigInt(returns.timeWeightedInvestment.toFixed(0)), currency),
    grossReturn: returns.grossReturn.toFixed(fractionDigits),
    netReturn: returns.netReturn.toFixed(fractionDigits),
    daysInvested: returns.daysInvested,
    xirr: returns.xirr?.toFixed(fractionDigits) ?? "",
  };
}

export function movementToWire(movement: Movement, currency: string): WireMovement {
  return {
    movementId: movement.movementId,
    kind: movement.kind,
    date: movement.date.toString(),
    units: movement.units,
    principal: amountToWire(movement.principalMinor, currency),
    interest: amountToWire(movement.incomeMinor, currency),
    penalty: amountToWire(movement.penaltyMinor, currency),
    tax: amountToWire(movement.taxMinor, currency),
    paid: amountToWire(movement.paidMinor, currency),
    unitsAfter: movement.unitsAfter,
    principalAfter: amountToWire(movement.principalAfterMinor, currency),
    bookedAt: movement.bookedAt,
  };
}
