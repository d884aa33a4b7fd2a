import type { ClientSession, Connection } from "mongoose";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { createSharedTransactions } from "../../kernel/mongo/shared-transactions.js";
import { inTransaction, retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { Markup } from "../domain/markup.js";
import type { Branch, PayoutPoint } from "../domain/payout-point.js";
import type { Promotion } from "../domain/promotion.js";
import type { CorridorChange } from "../domain/corridor-change.js";
import type { DisclosureChange, DisclosureTemplate } from "../domain/disclosure-template.js";
import { createAskedChangeStore } from "./asked-changes.js";
import { createBankFileStore } from "./bank-files.js";
import { createBeneficiaryStore } from "./beneficiaries.js";
import { createBlockOrderStore } from "./block-orders.js";
import { createBlockedTransactionStore } from "./blocked-transactions.js";
import { collections } from "./collections.js";
import { createCorridorStore } from "./corridors.js";
import { createDaySumStore } from "./day-sums.js";
import { createForcedPayoutStore } from "./forced-payouts.js";
import { createPartyCipher, type PartyCipher } from "./party-cipher.js";
import { createPayeeCheckStore } from "./payee-checks.js";
import { createPayoutStore } from "./payouts.js";
import { createPriceVersionStore } from "./price-books.js";
import { createQuoteStore } from "./quotes.js";
import { createRateFeedStore } from "./rate-feeds.js";
import { createRateTellingStore } from "./rate-tellings.js";
import { createRateStore } from "./rates.js";
import { createRecipientLookStore } from "./recipient-looks.js";
import { createReportExportStore } from "./report-exports.js";
import { createTransactionListStore } from "./transaction-lists.js";
import { createTransactionStore } from "./transactions.js";
import { versionedStore } from "./versioned-store.js";

export type Session = ClientSession;

export type RemittanceStore = ReturnType<typeof createRemittanceStore>;
export type TenantStore = ReturnType<RemittanceStore["forTenant"]>;

/** The only place that knows MongoDB. Without a cipher, sealed details stay as they lie. */
export function createRemittanceStore(db: Connection, cipher: PartyCipher = createPartyCipher(undefined)) {
  const shared = createSharedTransactions(db);
  const prices = createPriceVersionStore(db);
  const corridors = createCorridorStore(db, prices);
  const rateTellings = createRateTellingStore(db);
  const rates = createRateStore(db, prices, rateTellings);
  const rateFeeds = createRateFeedStore(db);
  const corridorChanges = createAskedChangeStore<CorridorChange>(db, collections.corridorChanges);
  const disclosureChanges = createAskedChangeStore<DisclosureChange>(db, collections.disclosureChanges);
  const disclosureTemplates = versionedStore<DisclosureTemplate>(db, collections.disclosureTemplates);
  const beneficiaries = createBeneficiaryStore(db, cipher);
  const recipientLooks = createRecipientLookStore(db);
  const transactions = createTransactionStore(db, cipher);
  const lists = createTransactionListStore(db, transactions.open);
  const daySums = createDaySumStore(db, rates);
  const reportExports = createReportExportStore(db, cipher);
  const blocked = createBlockedTransactionStore(db);
  const blockOrders = createBlockOrderStore(db);
  const payeeChecks = createPayeeCheckStore(db, cipher);
  const payouts = createPayoutStore(db);
  const bankFiles = createBankFileStore(db);
  const forced = createForcedPayoutStore(db);
  const quotes = createQuoteStore(db);
  const markups = versionedStore<Markup>(db, collections.markups, (tenantId, session) =>
    prices.forTenant(tenantId).raisePriceVersion(session),
  );
  const promotions = versionedStore<Promotion>(db, collections.promotions);
  const payoutPoints = versionedStore<PayoutPoint>(db, collections.payoutPoints);
  const branches = versionedStore<Branch>(db, collections.branches);

  return {
    /**
     * Runs `work` in one transaction, again where somebody else inserted the same document first.
     * With a batchKey the transaction is shared with others of the same steps.
     */
    async transaction<T>(
      work: (session: Session) => Promise<T>,
      readBack: () => Promise<T | undefined>,
      batchKey?: string,
    ): Promise<T> {
      return retryDuplicates(() =>
        batchKey === undefined ? inTransaction(db, work, { readBack }) : shared.run(batchKey, work, { readBack }),
      );
    },

    findOverdue: transactions.findOverdue,
    findUnpaidInSandboxes: transactions.findUnpaidInSandboxes,
    nextUncounted: daySums.nextUncounted,
    takeReportExport: reportExports.takeReportExport,
    takeStatementReader: payouts.takeStatementReader,
    takeWatchedInstallation: payouts.takeWatchedInstallation,
    takeRateFeed: rateFeeds.takeRateFeed,
    takeRateTelling: rateTellings.takeRateTelling,
    countStaleRateFeeds: rateFeeds.countStaleRateFeeds,

    forTenant: perTenant((tenantId: string) => ({
      ...payeeChecks.forTenant(tenantId),
      ...quotes.forTenant(tenantId),
      ...beneficiaries.forTenant(tenantId),
      ...recipientLooks.forTenant(tenantId),
      ...transactions.forTenant(tenantId),
      ...lists.forTenant(tenantId),
      ...daySums.forTenant(tenantId),
      ...reportExports.forTenant(tenantId),
      ...blocked.forTenant(tenantId),
      ...blockOrders.forTenant(tenantId),
      markups: markups.forTenant(tenantId),
      promotions: promotions.forTenant(tenantId),
      payoutPoints: payoutPoints.forTenant(tenantId),
      branches: branches.forTenant(tenantId),
      ...corridors.forTenant(tenantId),
      ...rates.forTenant(tenantId),
      ...rateFeeds.forTenant(tenantId),
      ...rateTellings.forTenant(tenantId),
      corridorChanges: corridorChanges.forTenant(tenantId),
      disclosureChanges: disclosureChanges.forTenant(tenantId),
      disclosureTemplates: disclosureTemplates.forTenant(tenantId),
      priceVersion: prices.forTenant(tenantId).priceVersion,
      ...payouts.forTenant(tenantId),
      ...forced.forTenant(tenantId),
      bankFiles: bankFiles.forTenant(tenantId),
    })),
  };
}
