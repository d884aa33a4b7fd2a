import type { Opened } from "../../kernel/startup/start-service.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import { createCustomerMoves } from "../../platform/neighbours/customer-moves.js";
import type { RemittanceConfig } from "../config.js";
import { createPayoutBatches, type PayoutBatchDeps } from "../sagas/payout-batches.js";
import { createPayoutSaga, type PayoutSagaDeps } from "../sagas/payout.js";
import { createWalletDelivery } from "../sagas/wallet-delivery.js";
import { approvedAmendments } from "./amendments.js";
import { cashSettlement } from "./cash-settlement.js";
import { startDaySums, type DaySumOptions } from "./day-sums.js";
import { startExpiry, type ExpiryOptions } from "./expiry.js";
import { heldRateRows } from "./held-rates.js";
import { startMiddleRates, type MiddleRateOptions } from "./middle-rates.js";
import { tellOfUncarried, tellOfUnclear } from "./partner-alerts.js";
import { startRateFeeds, type RateFeedOptions } from "./rate-feeds.js";
import { startReportExports, type ReportExportOptions } from "./report-exports.js";
import { refundPosting } from "./refund-posting.js";
import { startRemittanceRelay, type RemittanceRelayDeps } from "./relay.js";
import { removedRecipients } from "./removed-recipients.js";
import { revisedRecipients } from "./revised-recipients.js";
import { startStatementReaders, type StatementReaderOptions } from "./statement-readers.js";
import { approvedTraces } from "./traces.js";

type Parts = Omit<RemittanceRelayDeps, "payouts" | "batches" | "moreRows"> &
  Omit<ExpiryOptions, "log"> &
  Omit<DaySumOptions, "log"> &
  Omit<ReportExportOptions, "log"> &
  Omit<RateFeedOptions, "log"> &
  Omit<MiddleRateOptions, "log"> &
  Omit<StatementReaderOptions, "log"> &
  Omit<PayoutBatchDeps, "closeAfterMs" | "onUncarried"> &
  Omit<PayoutSagaDeps, "batches" | "readers" | "onUnclear" | "onUncarried" | "walletDelivery"> &
  Parameters<typeof cashSettlement>[0] &
  Parameters<typeof approvedAmendments>[0] &
  Parameters<typeof approvedTraces>[0] &
  Parameters<typeof refundPosting>[0] &
  Parameters<typeof removedRecipients>[0] &
  Parameters<typeof revisedRecipients>[0] &
  Parameters<typeof heldRateRows>[0];

/** In place of what the config or the jobs themselves say, in ms. */
export interface JobTimes {
  pollMs?: number | undefined;
  /** How often overdue transactions are looked for. */
  expiryEveryMs?: number;
  /** How long a tenant's partner is seen to be on its way out before it is let go. */
  releaseAfterMs?: number;
  /** How often it is looked what the sums of days are behind. */
  sumsEveryMs?: number;
  /** How often it is looked which sources of rates are due. */
  ratePollMs?: number;
}

/**
 * Starts the relay with its row handlers, the expiry of what is unpaid, and the readers of the
 * partner's statements.
 */
export function startJobs(
  { config, log, started, onClose }: Opened<RemittanceConfig>,
  parts: Parts,
  { pollMs, expiryEveryMs, releaseAfterMs, sumsEveryMs, ratePollMs }: JobTimes,
): void {
  const { compliance, posting } = parts;
  const readEveryMs = config.PARTNER_STATEMENT_EVERY_S * 1_000;
  const readers = started(startStatementReaders({ ...parts, log, everyMs: readEveryMs, releaseAfterMs }));
  const onUncarried = tellOfUncarried(log);
  const batches = createPayoutBatches({ ...parts, onUncarried, closeAfterMs: config.PAYOUT_BATCH_S * 1_000 });
  const moves = createCustomerMoves({ compliance });
  const payouts = createPayoutSaga({
    ...parts,
    batches,
    readers,
    onUnclear: tellOfUnclear(log),
    onUncarried,
    walletDelivery: createWalletDelivery({ posting, moves }),
  });
  const moreRows = {
    ...cashSettlement(parts),
    ...approvedAmendments(parts),
    ...approvedTraces(parts),
    ...refundPosting(parts),
    ...removedRecipients(parts),
    ...revisedRecipients(parts),
    ...heldRateRows(parts),
  };
  started(startRemittanceRelay({ ...parts, payouts, batches, moreRows, pollMs }));
  started(startExpiry({ ...parts, log, everyMs: expiryEveryMs }));
  started(startDaySums({ ...parts, log, sumsEveryMs }));
  started(startReportExports({ ...parts, log }));
  started(startRateFeeds({ ...parts, log, pollMs: ratePollMs }));
  started(startMiddleRates({ ...parts, log, pollMs: ratePollMs }));
  onClose(processMetrics.watchRateFeeds(() => parts.store.countStaleRateFeeds(parts.clock.now())));
}
