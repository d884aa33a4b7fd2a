import { formatDecimal, parseDecimal } from "../../kernel/decimal.js";
import type { Penalty, Product, ProductContent, ProductVersion } from "../domain/product.js";
import type { ProductRow, StoredContent, VersionRow } from "./collections.js";

export function contentToDocument(content: ProductContent): StoredContent {
  const { productId, name, description, currency, unitPriceMinor, unitsOffered, minimumUnits } = content;
  const { maximumUnitsPerCustomer, compounding, dayCount, term, lockInDays, payout, reinvestment } = content;
  const { withholdingTaxBps, status, penalty } = content;
  return {
    productId,
    name,
    description,
    currency,
    unitPriceMinor,
    unitsOffered,
    minimumUnits,
    maximumUnitsPerCustomer,
    compounding,
    dayCount,
    lockInDays,
    payout,
    reinvestment,
    withholdingTaxBps,
    status,
    term: { ...term },
    tiers: content.tiers.map(({ fromMinor, ratePercent }) => ({ fromMinor, ratePercent: formatDecimal(ratePercent) })),
    penalty: {
      kind: penalty.kind,
      bps: "bps" in penalty ? penalty.bps : 0,
      percent: penalty.kind === "RATE_REDUCTION" ? formatDecimal(penalty.percent) : "0",
    },
  };
}

function contentFromDocument(row: StoredContent): ProductContent {
  const { kind, bps, percent } = row.penalty;
  const penalty: Penalty =
    kind === "NONE" ? { kind } : kind === "RATE_REDUCTION" ? { kind, percent: parseDecimal(percent) } : { kind, bps };
  const tiers = row.tiers.map(({ fromMinor, ratePercent }) => ({ fromMinor, ratePercent: parseDecimal(ratePercent) }));
  return { ...contentToFields(row), penalty, tiers };
}

function contentToFields(row: StoredContent): Omit<ProductContent, "tiers" | "penalty"> {
  const { tiers: _tiers, penalty: _penalty, ...rest } = row;
  return rest;
}

export function productFromDocument(row: ProductRow): Product {
  const { _id, tenantId: _tenantId, version, unitsTaken, ...content } = row;
  return { ...contentFromDocument(content), version, unitsTaken };
}

export function versionFromDocument(row: VersionRow): ProductVersion {
  const { _id, tenantId: _tenantId, version, changedAt: _at, changedBy: _by, ...content } = row;
  return { ...contentFromDocument(content), version };
}
