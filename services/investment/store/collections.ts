import type { RefusalCode } from "../../kernel/refusal.js";
import type { Application } from "../domain/application.js";
import type { Dividend, DividendShare } from "../domain/dividend.js";
import type { Holding } from "../domain/holding.js";
import type { Movement } from "../domain/movement.js";
import type { Penalty, ProductContent } from "../domain/product.js";
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

export type StoredContent = Omit<ProductContent, "tiers" | "penalty" | "term"> & {
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
export type StoredInterest = {
  anchor: string;
  periods: number;
  capitalised: string;
  running: string;
};
export type StoredHoldingChange = Omit<Stored<HoldingChange>, "interest"> & {
  interest: StoredInterest;
  through: string;
};
export type HoldingRow = Tenanted &
  Omit<Stored<Omit<Holding, "interest" | "ratePercent" | "settlementId" | "unpaid">>, "holdingId"> & {
    ratePercent: string;
    interest: StoredInterest;
    /** Of the interest; apart, since accrual looks for it. */
    through: string;
    /** Holdings are shared out among replicas by it: all of a customer in one. */
    slice: number;
    settlementId: string | null;
    /** A day could not count it: it is counted apart, by a row of the outbox. */
    setAside?: true;
    unpaid?: { since: string; triedOn: string; code: RefusalCode };
    /** Wallets that it was paid into before, and who named another. */
    walletsBefore?: { walletAccountId: string; until: Date; changedBy: string }[];
    createdAt: Date;
  };
export type StoredSettlement = Stored<Omit<Settlement, "after" | "ending">> & {
  after: StoredHoldingChange;
  status: "PENDING" | "DONE" | "FAILED";
  ending?: NonNullable<Settlement["ending"]>;
};
export type StoredMovement = Stored<Movement>;
export type TotalsRow = Tenanted & {
  customerId: string;
  currency: string;
  principalMinor: bigint;
  interestMinor: bigint;
};
export type StoredDividend = Omit<Stored<Dividend>, "amount"> & { amountMinor: bigint; currency: string };
export type StoredShare = Omit<DividendShare, "amount"> & { amountMinor: bigint; currency: string };
export type SliceRow = Tenanted & { slice: number; doneOn: string; leasedUntil: Date; leaseToken: string };
export type TenantRow = Tenanted & { nextRunAt: Date };
export type RateRow = Tenanted & {
  from: string;
  to: string;
  rate: string;
  source: string;
  validFrom: Date;
  firstUsedAt: Date;
};

/** A date as it was stored. */
export const day = (text: string) => Temporal.PlainDate.from(text);
