import { formatDecimal, parseDecimal } from "../../shared/decimal.js";
import type { RefusalCode } from "../../shared/refusal.js";
import type { Application } from "../domain/application.js";
import type { Dividend, DividendShare } from "../domain/dividend.js";
import type { Holding } from "../domain/holding.js";
import type { InterestState } from "../domain/interest.js";
import type { Movement } from "../domain/movement.js";
import type { Penalty, Product, ProductContent, ProductVersion } from "../domain/product.js";
import type { HoldingChange, Settlement } from "../domain/settlement.js";

export const collections = {
  products: "products",
  productVersions: "product_versions",
  positions: "positions",
  applications: "applications",
  holdings: "holdings",
  settlements: "settlements",
  movements: "movements",
  totals: "customer_totals",
  dividends: "dividends",
  shares: "dividend_shares",
  slices: "accrual_slices",
  tenants: "investing_tenants",
  rates: "rates_used",
} as const;

/** Dates are stored as YYYY-MM-DD, which sorts as they do; decimals and scaled interest as text. */
export type Stored<T> = T extends Temporal.PlainDate
  ? string
  : T extends Date | Uint8Array | bigint | string | number | boolean | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? Stored<Item>[]
      : { [Field in keyof T]: Stored<T[Field]> };

interface Tenanted {
  _id: string;
  tenantId: string;
}

type StoredContent = Omit<ProductContent, "tiers" | "penalty" | "term"> & {
  tiers: { fromMinor: bigint; ratePercent: string }[];
  penalty: { kind: Penalty["kind"]; bps: number; percent: string };
  term: { months: number; days: number };
};
export type ProductRow = Tenanted & StoredContent & { version: number; unitsTaken: bigint };
export type VersionRow = Tenanted & StoredContent & { version: number; changedAt: Date; changedBy: string };
export type PositionRow = Tenanted & { productId: string; customerId: string; units: bigint };
export type ApplicationRow = Tenanted &
  Omit<Stored<Application>, "applicationId" | "total" | "isWaiting" | "ending"> & {
    totalMinor: bigint;
    currency: string;
    status: "PENDING" | "WAITING" | NonNullable<Application["ending"]>["status"];
    ending?: Stored<NonNullable<Application["ending"]>>;
  };
type StoredInterest = {
  anchor: string;
  periods: number;
  periodStart: string;
  capitalised: string;
  running: string;
};
type StoredHoldingChange = Omit<Stored<HoldingChange>, "interest"> & { interest: StoredInterest; through: string };
export type HoldingRow = Tenanted &
  Omit<Stored<Omit<Holding, "interest" | "ratePercent" | "settlementId" | "unpaid">>, "holdingId"> & {
    ratePercent: string;
    interest: StoredInterest;
    /** Of the interest; apart, since accrual looks for it. */
    through: string;
    /** Holdings are shared out among replicas by it: all of a customer in one. */
    slice: number;
    settlementId: string | null;
    unpaid?: { since: string; triedOn: string; code: RefusalCode };
    /** Wallets that it was paid into before, and who named another. */
    walletsBefore?: { walletAccountId: string; until: Date; changedBy: string }[];
    createdAt: Date;
  };
export type SettlementRow = Tenanted &
  Omit<Stored<Omit<Settlement, "after" | "ending">>, "settlementId"> & {
    after: StoredHoldingChange;
    status: "PENDING" | "DONE" | "FAILED";
    ending?: NonNullable<Settlement["ending"]>;
  };
export type MovementRow = Tenanted & Omit<Stored<Movement>, "movementId">;
export type TotalsRow = Tenanted & {
  customerId: string;
  currency: string;
  principalMinor: bigint;
  interestMinor: bigint;
};
export type DividendRow = Tenanted &
  Omit<Stored<Dividend>, "dividendId" | "amount"> & { amountMinor: bigint; currency: string };
export type ShareRow = Tenanted & Omit<DividendShare, "shareId" | "amount"> & { amountMinor: bigint; currency: string };
export type SliceRow = Tenanted & { slice: number; doneOn: string; leasedUntil: Date; leaseToken: string };
export type TenantRow = Tenanted & { lookAt: Date };
export type RateRow = Tenanted & {
  from: string;
  to: string;
  rate: string;
  source: string;
  validFrom: Date;
  firstUsedAt: Date;
};

const day = (text: string) => Temporal.PlainDate.from(text);

export function contentToRow(content: ProductContent): StoredContent {
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

function contentOf(row: StoredContent): ProductContent {
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

export function productOf(row: ProductRow): Product {
  const { _id, tenantId: _tenantId, version, unitsTaken, ...content } = row;
  return { ...contentOf(content), version, unitsTaken };
}

export function versionOf(row: VersionRow): ProductVersion {
  const { _id, tenantId: _tenantId, version, changedAt: _at, changedBy: _by, ...content } = row;
  return { ...contentOf(content), version };
}

export function applicationToRow(application: Application): Omit<ApplicationRow, "tenantId"> {
  const { applicationId, total, appliedOn, isWaiting: _is, waiting: _waiting, ending: _ending, ...rest } = application;
  return {
    _id: applicationId,
    ...rest,
    appliedOn: appliedOn.toString(),
    totalMinor: total.minor,
    currency: total.currency,
    status: "PENDING",
  };
}

export function endingToRow(ending: NonNullable<Application["ending"]>): NonNullable<ApplicationRow["ending"]> {
  if (ending.status !== "COMPLETED") return ending as never;
  const { maturity, ...rest } = ending;
  return { ...rest, ...(maturity !== undefined && { maturity: maturity.toString() }) };
}

export function applicationOf(row: ApplicationRow): Application {
  const { _id, tenantId: _tenantId, status, totalMinor, currency, appliedOn, waiting, ending, ...rest } = row;
  return {
    ...rest,
    applicationId: _id,
    total: { minor: totalMinor, currency },
    appliedOn: day(appliedOn),
    isWaiting: status === "WAITING",
    ...(waiting !== undefined && { waiting: { ...waiting, until: day(waiting.until) } }),
    ...(ending !== undefined && { ending: endingOf(ending) }),
  };
}

function endingOf(ending: NonNullable<ApplicationRow["ending"]>): NonNullable<Application["ending"]> {
  if (ending.status !== "COMPLETED") return ending as never;
  const { maturity, ...rest } = ending as { status: "COMPLETED"; holdingId: string; maturity?: string };
  return { ...rest, ...(maturity !== undefined && { maturity: day(maturity) }) };
}

function interestToRow({ anchor, periods, periodStart, capitalised, running }: InterestState): StoredInterest {
  return {
    anchor: anchor.toString(),
    periods,
    periodStart: periodStart.toString(),
    capitalised: capitalised.toString(),
    running: running.toString(),
  };
}

function interestOf(row: StoredInterest, through: string): InterestState {
  return {
    anchor: day(row.anchor),
    through: day(through),
    periods: row.periods,
    periodStart: day(row.periodStart),
    capitalised: BigInt(row.capitalised),
    running: BigInt(row.running),
  };
}

/** The fields that accrual writes. */
export function accrualToRow(interest: InterestState): Pick<HoldingRow, "interest" | "through"> {
  return { interest: interestToRow(interest), through: interest.through.toString() };
}

export function changeToRow(change: HoldingChange): StoredHoldingChange {
  const { status, units, principalMinor, accruedMinor, termStart, maturity, dueOn, history, interest } = change;
  return {
    status,
    units,
    principalMinor,
    accruedMinor,
    termStart: termStart.toString(),
    ...(maturity !== undefined && { maturity: maturity.toString() }),
    ...(dueOn !== undefined && { dueOn: dueOn.toString() }),
    history: history.map(({ from, units: held }) => ({ from: from.toString(), units: held })),
    ...accrualToRow(interest),
  };
}

function changeOf(row: StoredHoldingChange): HoldingChange {
  const { status, units, principalMinor, accruedMinor, through, interest, termStart, maturity, dueOn, history } = row;
  return {
    status,
    units,
    principalMinor,
    accruedMinor,
    termStart: day(termStart),
    ...(maturity !== undefined && { maturity: day(maturity) }),
    ...(dueOn !== undefined && { dueOn: day(dueOn) }),
    history: history.map(({ from, units: held }) => ({ from: day(from), units: held })),
    interest: interestOf(interest, through),
  };
}

export function holdingToRow(holding: Holding, slice: number, createdAt: Date): Omit<HoldingRow, "tenantId"> {
  const { holdingId, ratePercent, purchasedOn, lockedUntil, settlementId, unpaid: _unpaid, ...rest } = holding;
  return {
    ...rest,
    ...changeToRow(holding),
    _id: holdingId,
    ratePercent: formatDecimal(ratePercent),
    purchasedOn: purchasedOn.toString(),
    lockedUntil: lockedUntil.toString(),
    settlementId: settlementId ?? null,
    slice,
    createdAt,
  } as Omit<HoldingRow, "tenantId">;
}

/** Field by field: it is read a hundred thousand times a day. */
export function holdingOf(row: HoldingRow): Holding {
  const { maturity, dueOn, settlementId, unpaid } = row;
  return {
    holdingId: row._id,
    applicationId: row.applicationId,
    productId: row.productId,
    productVersion: row.productVersion,
    productName: row.productName,
    customerId: row.customerId,
    walletAccountId: row.walletAccountId,
    currency: row.currency,
    status: row.status,
    units: row.units,
    unitPriceMinor: row.unitPriceMinor,
    principalMinor: row.principalMinor,
    ratePercent: parseDecimal(row.ratePercent),
    purchasedOn: day(row.purchasedOn),
    termStart: day(row.termStart),
    ...(maturity !== undefined && { maturity: day(maturity) }),
    lockedUntil: day(row.lockedUntil),
    ...(dueOn !== undefined && { dueOn: day(dueOn) }),
    interest: interestOf(row.interest, row.through),
    accruedMinor: row.accruedMinor,
    history: row.history.map(({ from, units }) => ({ from: day(from), units })),
    ...(settlementId !== null && { settlementId }),
    ...(unpaid !== undefined && {
      unpaid: { since: day(unpaid.since), triedOn: day(unpaid.triedOn), code: unpaid.code },
    }),
    version: row.version,
  };
}

export function settlementToRow(settlement: Settlement): Omit<SettlementRow, "tenantId"> {
  const { settlementId, figures, after, ending: _ending, ...rest } = settlement;
  return {
    ...rest,
    _id: settlementId,
    figures: { ...figures, date: figures.date.toString() },
    after: changeToRow(after),
    status: "PENDING",
  };
}

export function settlementOf(row: SettlementRow): Settlement {
  const { _id, tenantId: _tenantId, status: _status, figures, after, ...rest } = row;
  return { ...rest, settlementId: _id, figures: { ...figures, date: day(figures.date) }, after: changeOf(after) };
}

export function movementToRow({ movementId, date, ...rest }: Movement): Omit<MovementRow, "tenantId"> {
  return { ...rest, _id: movementId, date: date.toString() };
}

export function movementOfRow({ _id, tenantId: _tenantId, date, ...rest }: MovementRow): Movement {
  return { ...rest, movementId: _id, date: day(date) };
}

export function dividendToRow({ dividendId, amount, from, to, ...rest }: Dividend): Omit<DividendRow, "tenantId"> {
  const dates = { from: from.toString(), to: to.toString() };
  return { ...rest, ...dates, _id: dividendId, amountMinor: amount.minor, currency: amount.currency };
}

export function dividendOf(row: DividendRow): Dividend {
  const { _id, tenantId: _tenantId, amountMinor, currency, from, to, ...rest } = row;
  return { ...rest, dividendId: _id, from: day(from), to: day(to), amount: { minor: amountMinor, currency } };
}

export function shareToRow({ shareId, amount, ...rest }: DividendShare): Omit<ShareRow, "tenantId"> {
  return { ...rest, _id: shareId, amountMinor: amount.minor, currency: amount.currency };
}

export function shareOf({ _id, tenantId: _tenantId, amountMinor, currency, ...rest }: ShareRow): DividendShare {
  return { ...rest, shareId: _id, amount: { minor: amountMinor, currency } };
}
