import type { Product as WireProduct } from "../../../proto/gen/investment/v1/investment.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { formatDecimal, parseDecimal } from "../../kernel/decimal.js";
import { invalidInput } from "../../kernel/refusal.js";
import { unitsLeft } from "../domain/application.js";
import { compoundings } from "../domain/interest.js";
import {
  checkProduct,
  penaltyKinds,
  productStatuses,
  reinvestments,
  type Penalty,
  type Product,
  type ProductContent,
} from "../domain/product.js";
import { payoutIntervals } from "../domain/schedule.js";
import { dayCountFromWire, dayCountToWire } from "./day-count.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { oneOf, uuidFromWire, wholeWithin } from "./values.js";

const maxMonths = 600;
const maxDays = 18_300;

/**
 * A product's content; everything but its version and what is left. Refuses INVALID_INPUT, naming
 * the field.
 */
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
