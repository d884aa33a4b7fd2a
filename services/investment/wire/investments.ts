import {
  ApplyResponse,
  RedeemHoldingResponse,
  type Application as WireApplication,
  type Dividend as WireDividend,
  type Holding as WireHolding,
  type Movement as WireMovement,
  type Product as WireProduct,
  type Returns as WireReturns,
} from "../../../proto/gen/investment/v1/investment.js";
import { assertCurrency } from "../../shared/currencies.js";
import { formatDecimal, parseDecimal } from "../../shared/decimal.js";
import type { StoredAnswer } from "../../shared/idempotency/index.js";
import { assertInt64 } from "../../shared/money.js";
import { invalidInput } from "../../shared/refusal.js";
import { unitsLeft, type Application } from "../domain/application.js";
import type { Dividend } from "../domain/dividend.js";
import type { Holding } from "../domain/holding.js";
import { compoundings } from "../domain/interest.js";
import type { Movement } from "../domain/movement.js";
import {
  checkProduct,
  penaltyKinds,
  productStatuses,
  reinvestments,
  type Penalty,
  type Product,
  type ProductContent,
} from "../domain/product.js";
import type { Returns } from "../domain/returns.js";
import { payoutIntervals } from "../domain/schedule.js";
import { paidMinor, type Settlement } from "../domain/settlement.js";
import { dayCountFromWire, dayCountToWire } from "./day-count.js";

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const maxMonths = 600;
const maxDays = 18_300;

/** A UUID, in lower case. Refuses INVALID_INPUT. */
export function uuidFromWire(text: string, path: string): string {
  const id = text.toLowerCase();
  if (!uuidForm.test(id)) throw invalidInput(path, id === "" ? "is required" : "must be a UUID");
  return id;
}

/** Text of `minimum` to `maximum` characters, without control characters. Refuses INVALID_INPUT. */
export function textFromWire(text: string, path: string, { minimum = 1, maximum = 128 } = {}): string {
  if (text.length < minimum) throw invalidInput(path, "is required");
  if (text.length > maximum) throw invalidInput(path, `must have at most ${maximum} characters`);
  if (/\p{Cc}/u.test(text)) throw invalidInput(path, "must not hold control characters");
  return text;
}

/** A number of units, 1 or more. Refuses INVALID_INPUT. */
export function unitsFromWire(units: bigint, path: string): bigint {
  if (units < 1n) throw invalidInput(path, "must be 1 or more");
  return assertInt64(units, path);
}

/** A day, YYYY-MM-DD. Refuses INVALID_INPUT. */
export function dateFromWire(text: string, path: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    // Such as 30 February.
  }
  throw invalidInput(path, "must be a date, YYYY-MM-DD");
}

/** Items of a page. Refuses INVALID_INPUT beyond 100. */
export function pageFromWire({ pageSize, cursor }: { pageSize: number; cursor: string }) {
  if (pageSize < 0 || pageSize > 100) throw invalidInput("pageSize", "must be 1 to 100");
  if (cursor.length > 200) throw invalidInput("cursor", "is not one");
  return { limit: pageSize === 0 ? 20 : pageSize, ...(cursor !== "" && { cursor }) };
}

function oneOf<T extends string>(text: string, known: readonly T[], path: string): T {
  const found = known.find((name) => name === text);
  if (found === undefined) throw invalidInput(path, `must be one of ${known.join(", ")}`);
  return found;
}

function wholeWithin(value: number, path: string, maximum: number): number {
  if (!Number.isInteger(value) || value < 0 || value > maximum) throw invalidInput(path, `must be 0 to ${maximum}`);
  return value;
}

/** A product's content; everything but its version and what is left. Refuses INVALID_INPUT, naming the field. */
export function productFromWire(wire: WireProduct | undefined): ProductContent {
  if (wire === undefined) throw invalidInput("product", "is required");
  const content: ProductContent = {
    productId: uuidFromWire(wire.productId, "productId"),
    name: textFromWire(wire.name.trim(), "name", { maximum: 120 }),
    description: textFromWire(wire.description.trim(), "description", { minimum: 0, maximum: 2_000 }),
    currency: assertCurrency(wire.currency, "currency"),
    unitPriceMinor: wire.unitPriceMinor,
    unitsOffered: wire.unitsOffered,
    minimumUnits: wire.minimumUnits,
    maximumUnitsPerCustomer: wire.maximumUnitsPerCustomer,
    tiers: wire.tiers.map(({ fromMinor, ratePercent }, index) => ({
      fromMinor,
      ratePercent: parseDecimal(ratePercent, `tiers[${index}].ratePercent`),
    })),
    compounding: oneOf(wire.compounding, compoundings, "compounding"),
    dayCount: dayCountFromWire(wire.dayCount, "dayCount"),
    term: {
      months: wholeWithin(wire.termMonths, "termMonths", maxMonths),
      days: wholeWithin(wire.termDays, "termDays", maxDays),
    },
    lockInDays: wholeWithin(wire.lockInDays, "lockInDays", maxDays),
    penalty: penaltyFromWire(wire.penalty),
    payout: oneOf(wire.payout, payoutIntervals, "payout"),
    reinvestment: oneOf(wire.reinvestment, reinvestments, "reinvestment"),
    withholdingTaxBps: wholeWithin(wire.withholdingTaxBps, "withholdingTaxBps", 10_000),
    status: oneOf(wire.status, productStatuses, "status"),
  };
  checkProduct(content);
  return content;
}

function penaltyFromWire(wire: WireProduct["penalty"]): Penalty {
  const { kind: given = "", bps = 0, percent = "" } = wire ?? {};
  const kind = given === "" ? "NONE" : oneOf(given, penaltyKinds, "penalty.kind");
  if (kind === "NONE") return { kind };
  if (kind === "RATE_REDUCTION") return { kind, percent: parseDecimal(percent, "penalty.percent") };
  return { kind, bps: wholeWithin(bps, "penalty.bps", 10_000) };
}

export function productToWire(product: Product): WireProduct {
  const { tiers, penalty, term, unitsTaken: _taken, ...same } = product;
  return {
    ...same,
    dayCount: dayCountToWire(product.dayCount),
    tiers: tiers.map(({ fromMinor, ratePercent }) => ({ fromMinor, ratePercent: formatDecimal(ratePercent) })),
    termMonths: term.months,
    termDays: term.days,
    penalty: {
      kind: penalty.kind,
      bps: "bps" in penalty ? penalty.bps : 0,
      percent: penalty.kind === "RATE_REDUCTION" ? formatDecimal(penalty.percent) : "",
    },
    unitsLeft: unitsLeft(product),
  };
}

const amount = (amountMinor: bigint, currency: string) => ({ amountMinor, currency });

/**
 * The one answer to the key of an application: its end, or that it waits, whatever it came to later. The same bytes whenever it is rendered.
 * Undefined while it is under way.
 */
export function applicationAnswer(application: Application): StoredAnswer | undefined {
  const { ending, waiting } = application;
  if (waiting === undefined && ending === undefined) return undefined;
  if (waiting === undefined && ending?.status === "REFUSED") return { kind: "refusal", ...ending.refusal };
  const { ending: _ending, ...unended } = application;
  const answered = waiting === undefined ? application : { ...unended, isWaiting: true };
  return { kind: "response", bytes: ApplyResponse.encode({ application: applicationToWire(answered) }).finish() };
}

/** An application as it is now, without the customer's name, which identity has. */
export function applicationToWire(application: Application): WireApplication {
  const { ending, waiting, isWaiting, total } = application;
  const bought = ending?.status === "COMPLETED" ? ending : undefined;
  const refusal = ending?.status === "REFUSED" ? ending.refusal : undefined;
  const expected = bought?.expectedReturnMinor;
  return {
    applicationId: application.applicationId,
    productId: application.productId,
    productName: application.productName,
    customerId: application.customerId,
    customerName: "",
    walletAccountId: application.walletAccountId,
    units: application.units,
    unitPrice: amount(application.unitPriceMinor, total.currency),
    total: amount(total.minor, total.currency),
    status: isWaiting ? "AWAITING_COMPLIANCE" : (ending?.status ?? "PENDING"),
    holdingId: bought?.holdingId ?? "",
    maturityDate: bought?.maturity?.toString() ?? "",
    expectedReturn: expected === undefined ? undefined : amount(expected, total.currency),
    createdAt: application.createdAt,
    complianceDecision: waiting?.decision ?? "",
    outstandingRequirements: [...(waiting?.outstandingRequirements ?? [])],
    waitsUntil: waiting?.until.toString() ?? "",
    refusalCode: refusal?.code ?? "",
    refusalMessage: refusal?.message ?? "",
  };
}

/** As applicationAnswer, of a redemption. */
export function settlementAnswer(settlement: Settlement): StoredAnswer | undefined {
  const { ending, figures, currency } = settlement;
  if (ending === undefined) return undefined;
  if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
  const redemption = {
    redemptionId: settlement.settlementId,
    holdingId: settlement.holdingId,
    units: figures.units,
    principal: amount(figures.principalMinor, currency),
    interest: amount(figures.interestMinor, currency),
    penalty: amount(figures.principalPenaltyMinor + figures.interestPenaltyMinor, currency),
    tax: amount(figures.taxMinor, currency),
    paid: amount(paidMinor(figures), currency),
    unitsLeft: settlement.after.units,
    walletAccountId: settlement.walletAccountId,
    redeemedAt: ending.postedAt,
  };
  return { kind: "response", bytes: RedeemHoldingResponse.encode({ redemption }).finish() };
}

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
    unitPrice: amount(holding.unitPriceMinor, currency),
    principal: amount(holding.principalMinor, currency),
    accruedInterest: amount(holding.accruedMinor, currency),
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
    invested: amount(returns.investedMinor, currency),
    currentValue: amount(valueMinor, currency),
    grossGain: amount(returns.grossGainMinor, currency),
    netGain: amount(returns.netGainMinor, currency),
    timeWeightedInvestment: amount(BigInt(returns.timeWeightedInvestment.toFixed(0)), currency),
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
    principal: amount(movement.principalMinor, currency),
    interest: amount(movement.incomeMinor, currency),
    penalty: amount(movement.penaltyMinor, currency),
    tax: amount(movement.taxMinor, currency),
    paid: amount(movement.paidMinor, currency),
    unitsAfter: movement.unitsAfter,
    principalAfter: amount(movement.principalAfterMinor, currency),
    bookedAt: movement.bookedAt,
  };
}

export function dividendToWire(dividend: Dividend, failedHoldingIds: readonly string[] = []): WireDividend {
  const { currency } = dividend.amount;
  return {
    dividendId: dividend.dividendId,
    productId: dividend.productId,
    from: dividend.from.toString(),
    to: dividend.to.toString(),
    amount: amount(dividend.amount.minor, currency),
    status: dividend.status,
    holdings: dividend.holdings,
    paid: amount(dividend.paidMinor, currency),
    tax: amount(dividend.taxMinor, currency),
    failed: amount(dividend.failedMinor, currency),
    declaredAt: dividend.declaredAt,
    failedHoldingIds: [...failedHoldingIds],
  };
}
