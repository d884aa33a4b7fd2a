import type { Connection } from "mongoose";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { HolidayCalendar } from "../domain/calendar.js";
import type { Application } from "../domain/application.js";
import type { Credit } from "../domain/credit.js";
import type { Loan } from "../domain/loan.js";
import type { OverpaymentRefund } from "../domain/overpayment-refund.js";
import type { Payoff, PayoffQuote } from "../domain/payoff.js";
import type { Posting } from "../domain/postings.js";
import type { Product } from "../domain/product.js";
import type { Repayment } from "../domain/repayment.js";
import { createAccrualStore, type AccrualRangeRow } from "./accrual.js";
import { createApplicationStore } from "./applications.js";
import { collections } from "./collections.js";
import { createCreditStore } from "./credits.js";
import { createLoanStore } from "./loans.js";
import { createOverpaymentRefundStore } from "./overpayment-refunds.js";
import { createPayoffStore } from "./payoffs.js";
import { createPostingStore } from "./postings.js";
import { createProductStore } from "./products.js";
import { createRepaymentStore } from "./repayments.js";
import { entities, type Session } from "./rows.js";
import { createTenantStore, type TenantRow } from "./tenants.js";

export type { Session } from "./rows.js";

export type LendingStore = ReturnType<typeof createLendingStore>;
export type TenantStore = ReturnType<LendingStore["forTenant"]>;

/** The only place that knows how lending's database looks. */
export function createLendingStore(db: Connection) {
  const products = entities<Product>(db, collections.products);
  const calendars = entities<HolidayCalendar>(db, collections.calendars);
  const applications = entities<Application>(db, collections.applications);
  const loans = entities<Loan>(db, collections.loans);
  const repayments = entities<Repayment>(db, collections.repayments);
  const payoffs = entities<Payoff>(db, collections.payoffs);
  const quotes = entities<PayoffQuote>(db, collections.quotes);
  const overpaymentRefunds = entities<OverpaymentRefund>(db, collections.overpaymentRefunds);
  const credits = entities<Credit>(db, collections.credits);
  const postings = entities<Posting>(db, collections.postings);
  const tenants = tenantCollection<TenantRow>(db, collections.tenants);
  const ranges = tenantCollection<AccrualRangeRow>(db, collections.ranges);
  const everyTenant = acrossTenants<TenantRow>(db, collections.tenants, "tenants that have loans");
  const inReview = acrossTenants<Application & { tenantId: string }>(
    db,
    collections.applications,
    "applications in review",
  );
  const held = createHeldTenants(db, collections.applications);

  return {
    /**
     * One transaction; `readBack` tells what it had written when its commit is unknown. Refuses
     * UNAVAILABLE where others are in its way for too long.
     */
    transaction: <T>(
      work: (session: Session) => Promise<T>,
      readBack: () => Promise<T | undefined>,
      more: { deadlineMs?: number } = {},
    ): Promise<T> => inTransaction(db, work, { readBack, ...more }),

    /** Tenants that have had a loan. */
    listTenants: (): Promise<TenantRow[]> => everyTenant.find({}, { sort: { _id: 1 } }),

    /** Applications about which compliance is to be asked again by now; none of held tenants. */
    async listDueReviews(
      now: Date,
      limit: number,
    ): Promise<{ tenantId: string; loanApplicationId: string; askAgainAt: Date }[]> {
      const projection = { tenantId: 1, loanApplicationId: 1, askAgainAt: 1 };
      const due = await inReview.find(
        { ...(await held.otherTenants()), askAgainAt: { $lte: now } },
        { sort: { askAgainAt: 1 }, limit, projection },
      );
      return due.map(({ askAgainAt = now, ...one }) => ({ ...one, askAgainAt }));
    },

    forTenant: perTenant((tenantId: string) => ({
      ...createProductStore(tenantId, products.forTenant(tenantId), calendars.forTenant(tenantId)),
      ...createApplicationStore(applications.forTenant(tenantId)),
      ...createLoanStore(loans.forTenant(tenantId)),
      ...createRepaymentStore(repayments.forTenant(tenantId)),
      ...createPayoffStore(payoffs.forTenant(tenantId), quotes.forTenant(tenantId)),
      ...createOverpaymentRefundStore(overpaymentRefunds.forTenant(tenantId)),
      ...createCreditStore(tenantId, credits.forTenant(tenantId)),
      ...createAccrualStore(tenantId, ranges.forTenant(tenantId), loans.forTenant(tenantId)),
      ...createPostingStore(tenantId, postings.forTenant(tenantId)),
      ...createTenantStore(tenantId, tenants.forTenant(tenantId)),
    })),
  };
}
