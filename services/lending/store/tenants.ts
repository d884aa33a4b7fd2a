import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Session } from "./rows.js";

export interface TenantRow {
  _id: string;
  tenantId: string;
  /** Of the bank's list of credits. */
  creditCursor: string;
  /** Of the lists of the tenant's own banks, by installation id. */
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
    /** True when nobody moved it meanwhile. */
    async moveCreditCursor(at: OwnPartner | undefined, from: string, to: string): Promise<boolean> {
      const field = at === undefined ? "creditCursor" : cursorField(at);
      // An own bank's first page has no cursor yet.
      const seen = at !== undefined && from === "" ? { $in: ["", null] } : from;
      const filter = { _id: tenantId, [field]: seen } as never;
      return (await tenants.updateOne(filter, { $set: { [field]: to } } as never)).matchedCount === 1;
    },
    async noteAccrued(date: string): Promise<void> {
      await tenants.updateOne({ _id: tenantId }, { $set: { accruedThrough: date } });
    },
  };
}

/** How far a bank's list was read; that of the operator's bank where `at` is absent. */
export function cursorOf({ creditCursor, ownCreditCursors = {} }: TenantRow, at: OwnPartner | undefined): string {
  return at === undefined ? creditCursor : (ownCreditCursors[at.installationId] ?? "");
}

const cursorField = ({ installationId }: OwnPartner): string => `ownCreditCursors.${installationId}`;
