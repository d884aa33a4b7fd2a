import type { Connection } from "mongoose";
import { perTenant } from "../../shared/mongo/per-tenant.js";
import { acrossTenants, tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Application } from "../domain/application.js";
import type { HolidayCalendar } from "../domain/calendar.js";
import type { Loan } from "../domain/loan.js";
import type { Posting } from "../domain/postings.js";
import type { Product } from "../domain/product.js";
import type { Repayment } from "../domain/repayment.js";
import { createAccrualStore, type AccrualRangeRow } from "./accrual.js";
import { createCreditStore, type CreditRow } from "./credits.js";
import { createOverpaymentRefundStore, type OverpaymentRefundRow } from "./overpayment-refunds.js";
import { createPayoffStore, type PayoffRow, type QuoteRow } from "./payoffs.js";
import { entities, type EntityRow, type Session } from "./rows.js";

export type { Session } from "./rows.js";

export const collections = {
  products: "loan_products",
  calendars: "holiday_calendars",
  applications: "loan_applications",
  loans: "loans",
  repayments: "repayments",
  payoffs: "payoffs",
  quotes: "payoff_quotes",
  overpaymentRefunds: "overpayment_refunds",
  credits: "bank_credits",
  postings: "postings",
  tenants: "lending_tenants",
  ranges: "accrual_ranges",
} as const;

export interface TenantRow {
  _id: string;
  tenantId: string;
  /** Of the bank's list of credits. */
  creditCursor: string;
  /** The last day whose accrual is done. */
  accruedThrough?: string;
}

type ProductRow = EntityRow<Product>;
type CalendarRow = HolidayCalendar & { _id: string; tenantId: string };

export type LendingStore = ReturnType<typeof createLendingStore>;
export type TenantStore = ReturnType<LendingStore["forTenant"]>;

/** The only place that knows how lending's database looks. */
export function createLendingStore(db: Connection) {
  const products = tenantCollection<ProductRow>(db, collections.products);
  const calendars = tenantCollection<CalendarRow>(db, collections.calendars);
  const applications = tenantCollection<EntityRow<Application>>(db, collections.applications);
  const loans = tenantCollection<EntityRow<Loan>>(db, collections.loans);
  const repayments = tenantCollection<EntityRow<Repayment>>(db, collections.repayments);
  const payoffs = tenantCollection<PayoffRow>(db, collections.payoffs);
  const quotes = tenantCollection<QuoteRow>(db, collections.quotes);
  const overpaymentRefunds = tenantCollection<OverpaymentRefundRow>(db, collections.overpaymentRefunds);
  const credits = tenantCollection<CreditRow>(db, collections.credits);
  const postings = tenantCollection<EntityRow<Posting>>(db, collections.postings);
  const tenants = tenantCollection<TenantRow>(db, collections.tenants);
  const ranges = tenantCollection<AccrualRangeRow>(db, collections.ranges);
  const everyTenant = acrossTenants<TenantRow>(db, collections.tenants, "tenants that have loans");

  const inReview = acrossTenants<EntityRow<Application>>(db, collections.applications, "applications in review");

  return {
    /** One transaction; `readBack` tells what it had written when its commit is unknown. Refuses UNAVAILABLE where others are in its way for too long. */
    transaction: <T>(
      work: (session: Session) => Promise<T>,
      readBack: () => Promise<T | undefined>,
      more: { deadlineMs?: number } = {},
    ): Promise<T> => inTransaction(db, work, { readBack, ...more }),
    /** Tenants that have had a loan. */
    listTenants: (): Promise<TenantRow[]> => everyTenant.find({}, { sort: { _id: 1 } }),

    /** Applications about which compliance is to be asked again by now. */
    listDueReviews(
      now: Date,
      limit: number,
    ): Promise<Pick<EntityRow<Application>, "tenantId" | "loanApplicationId">[]> {
      const projection = { tenantId: 1, loanApplicationId: 1 };
      return inReview.find({ askAgainAt: { $lte: now } }, { sort: { askAgainAt: 1 }, limit, projection });
    },

    forTenant: perTenant((tenantId: string) => {
      const ofTenant = tenants.forTenant(tenantId);
      return {
        ...productStore(tenantId, products.forTenant(tenantId), calendars.forTenant(tenantId)),
        ...applicationStore(applications.forTenant(tenantId)),
        ...loanStore(loans.forTenant(tenantId)),
        ...repaymentStore(repayments.forTenant(tenantId)),
        ...createPayoffStore(payoffs.forTenant(tenantId), quotes.forTenant(tenantId)),
        ...createOverpaymentRefundStore(overpaymentRefunds.forTenant(tenantId)),
        ...createCreditStore(tenantId, credits.forTenant(tenantId)),
        ...createAccrualStore(tenantId, ranges.forTenant(tenantId), loans.forTenant(tenantId)),
        ...postingStore(tenantId, postings.forTenant(tenantId)),

        /** Written with a tenant's loans, so that the daily work knows where to look. */
        async noteTenant(session: Session): Promise<void> {
          const change = { $setOnInsert: { creditCursor: "" } };
          await ofTenant.updateOne({ _id: tenantId }, change, { upsert: true, session });
        },
        findTenant: (): Promise<TenantRow | null> => ofTenant.findOne({ _id: tenantId }),
        /** True when nobody moved it meanwhile. */
        async moveCreditCursor(from: string, to: string): Promise<boolean> {
          const moved = await ofTenant.updateOne({ _id: tenantId, creditCursor: from }, { $set: { creditCursor: to } });
          return moved.matchedCount === 1;
        },
        async noteAccrued(date: string): Promise<void> {
          await ofTenant.updateOne({ _id: tenantId }, { $set: { accruedThrough: date } });
        },
      };
    }),
  };
}

type Collection<Row extends { tenantId: string }> = ReturnType<ReturnType<typeof tenantCollection<Row>>["forTenant"]>;

function productStore(tenantId: string, products: Collection<ProductRow>, calendars: Collection<CalendarRow>) {
  // Ids of documents are one space for all tenants; products are named by theirs.
  const idOf = (productId: string, version: number): string => `${tenantId}/${productId}:${version}`;
  const { insert, one, list } = entities(products);
  return {
    insertProduct: (product: Product, session: Session) =>
      insert(idOf(product.productId, product.version), product, session),
    findProductVersion: (productId: string, version: number) => one({ _id: idOf(productId, version) }),
    /** The latest version. */
    async findProduct(productId: string, session?: Session): Promise<Product | undefined> {
      return (await list({ productId }, { sort: { version: -1 }, limit: 1, session }))[0];
    },
    /** The latest version of each, by id. */
    async listProducts(): Promise<Product[]> {
      const all = await list({}, { sort: { productId: 1, version: -1 } });
      return all.filter((product, index) => all[index - 1]?.productId !== product.productId);
    },
    async findCalendar(): Promise<HolidayCalendar | undefined> {
      const row = await calendars.findOne({ _id: tenantId });
      return row === null ? undefined : { weekend: row.weekend, holidays: row.holidays };
    },
    async putCalendar({ weekend, holidays }: HolidayCalendar): Promise<void> {
      await calendars.updateOne({ _id: tenantId }, { $set: { weekend, holidays } }, { upsert: true });
    },
  };
}

function applicationStore(applications: Collection<EntityRow<Application>>) {
  const { insert, one, list, replace } = entities(applications);
  return {
    insertApplication: (application: Application, session: Session) =>
      insert(application.loanApplicationId, application, session),
    findApplication: (id: string, session?: Session) => one({ _id: id }, session),
    /** Throws when it changed meanwhile: the transaction runs again. */
    replaceApplication: (application: Application, session: Session) =>
      replace({ _id: application.loanApplicationId, version: application.version - 1 }, application, session),
    /** The newest first. */
    listApplications: (by: { status?: string; customerIds?: readonly string[]; before?: string }, limit: number) =>
      list(
        {
          ...(by.status === undefined ? {} : { status: by.status as Application["status"] }),
          ...(by.customerIds === undefined ? {} : { customerId: { $in: by.customerIds } }),
          ...(by.before === undefined ? {} : { _id: { $lt: by.before } }),
        },
        { sort: { _id: -1 }, limit },
      ),
  };
}

function loanStore(loans: Collection<EntityRow<Loan>>) {
  const { insert, one, list, replace } = entities(loans);
  return {
    insertLoan: (loan: Loan, session: Session) => insert(loan.accountId, loan, session),
    findLoan: (accountId: string, session?: Session) => one({ _id: accountId }, session),
    findLoanByApplication: (loanApplicationId: string, session?: Session) => one({ loanApplicationId }, session),
    /** Throws when it changed meanwhile: the transaction runs again. */
    replaceLoan: (loan: Loan, session: Session) =>
      replace({ _id: loan.accountId, version: loan.version - 1 }, loan, session),
    /** One customer's, the newest first. */
    async listLoansOf(customerId: string, skip: number, limit: number): Promise<{ loans: Loan[]; total: number }> {
      const [found, total] = await Promise.all([
        list({ customerId }, { sort: { _id: -1 }, skip, limit }),
        loans.count({ customerId }),
      ]);
      return { loans: found, total };
    },
    /** Loans that somebody else collects, by what their repayments name; two where a reference is not one loan's. */
    listCollected: (reference: string, session?: Session) =>
      list({ reference, thirdPartyCollection: true }, { sort: { _id: 1 }, limit: 2, session }),
    loansAfter: (accountId: string, limit: number) => list({ _id: { $gt: accountId } }, { sort: { _id: 1 }, limit }),
  };
}

function repaymentStore(repayments: Collection<EntityRow<Repayment>>) {
  const { insert, one, list, replaceIf } = entities(repayments);
  return {
    insertRepayment: (repayment: Repayment, session: Session) => insert(repayment.repaymentId, repayment, session),
    findRepayment: (id: string, session?: Session) => one({ _id: id }, session),
    /** True when it was in this status and is not any more. */
    moveRepayment: (repayment: Repayment, from: Repayment["status"], session: Session) =>
      replaceIf({ _id: repayment.repaymentId, status: from }, repayment, session),
    /** The oldest that waits for such a credit. */
    async findMatch(reference: string, amountMinor: bigint, currency: string, session?: Session) {
      const waiting = { status: "PENDING_VERIFICATION" as const, isMatchable: true, matchReference: reference };
      const [oldest] = await list({ ...waiting, amountMinor, currency }, { sort: { _id: 1 }, limit: 1, session });
      return oldest;
    },
    listPendingOf: (accountId: string, session?: Session) =>
      list({ accountId, status: "PENDING_VERIFICATION" }, { sort: { _id: 1 }, session }),
    listPending: (after: string, limit: number) =>
      list({ status: "PENDING_VERIFICATION", _id: { $gt: after } }, { sort: { _id: 1 }, limit }),
    /** VERIFIED and PAID, the newest first. */
    listDoneOf: (customerId: string) =>
      list({ customerId, status: { $in: ["VERIFIED", "PAID"] } }, { sort: { _id: -1 } }),
  };
}

function postingStore(tenantId: string, postings: Collection<EntityRow<Posting>>) {
  const { insert, one, list } = entities(postings);
  const idOf = (postingId: string): string => `${tenantId}/${postingId}`;
  return {
    insertPosting: (posting: Posting, session: Session) => insert(idOf(posting.postingId), posting, session),
    findPosting: (postingId: string) => one({ _id: idOf(postingId) }),
    listOpenPostings: (after: string, limit: number) =>
      list({ isOpen: true, _id: { $gt: idOf(after) } }, { sort: { _id: 1 }, limit }),
    async closePosting(postingId: string): Promise<void> {
      await postings.updateOne({ _id: idOf(postingId), isOpen: true }, { $set: { isOpen: false } });
    },
  };
}
