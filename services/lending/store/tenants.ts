import { readOnAt, type ListedPartner, type OwnPartner } from "../../platform/banks/own-partner.js";
import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Session } from "./rows.js";

export interface TenantRow {
  _id: string;
  tenantId: string;
  /** Of the bank's list of credits. */
  creditCursor: string;
  /** Of the lists of the tenant's own banks, by where each stands. */
  ownCreditCursors?: Record<string, string>;
  /** The last day whose accrual is done. */
  accruedThrough?: string;
}

export function createTenantStore(tenantId: string, tenants: TenantCollection<TenantRow>) {
  return {
    /** Written with a tenant's loans, so that the daily work knows where to look. */
    async noteTenant(session: Session): Promise<void> {
      const change = { $setOnInsert: { creditCursor: "" } };
      await tenants.updateOne({ _id: tenantId }, change, { upsert: true, session });
    },
    findTenant: (): Promise<TenantRow | null> => tenants.findOne({ _id: tenantId }),
    /** From now on one of the tenant's own banks is read there, from the beginning of its list. */
    async ensureCreditCursor(at: OwnPartner): Promise<void> {
      const field = cursorField(at);
      await tenants.updateOne(
        { _id: tenantId, [field]: { $exists: false } } as never,
        { $set: { [field]: "" } } as never,
      );
    },
    /** True when nobody moved it meanwhile. */
    async moveCreditCursor(at: OwnPartner | undefined, from: string, to: string): Promise<boolean> {
      const field = at === undefined ? "creditCursor" : cursorField(at);
      // A first page of an own bank from which nothing was taken has no cursor yet.
      const seen = at !== undefined && from === "" ? { $in: ["", null] } : from;
      const filter = { _id: tenantId, [field]: seen } as never;
      return (await tenants.updateOne(filter, { $set: { [field]: to } } as never)).matchedCount === 1;
    },
    async noteAccrued(date: string): Promise<void> {
      await tenants.updateOne({ _id: tenantId }, { $set: { accruedThrough: date } });
    },
  };
}

/** Where a bank's list is read on, and how far it was read there. */
export function readingOf(
  { creditCursor, ownCreditCursors = {} }: TenantRow,
  listed: ListedPartner | undefined,
): { at: OwnPartner | undefined; cursor: string } {
  if (listed === undefined) return { at: undefined, cursor: creditCursor };
  const ofIt = placeKey({ ...listed, place: "" });
  const placesRead = Object.keys(ownCreditCursors).flatMap((key) =>
    key.startsWith(ofIt) ? key.slice(ofIt.length) : [],
  );
  const at = readOnAt(listed, placesRead);
  return { at, cursor: ownCreditCursors[placeKey(at)] ?? "" };
}

const cursorField = (at: OwnPartner): string => `ownCreditCursors.${placeKey(at)}`;

const placeKey = ({ installationId, place }: OwnPartner): string => `${installationId}_${place}`;
