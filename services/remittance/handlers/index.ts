import { createSender, type SenderOptions } from "../../platform/partners/sender.js";
import { createForcedOutcomes } from "../../platform/sandbox/forced-outcome-store.js";
import { createPartnerOutcomes, serveOutcomes } from "../../platform/sandbox/sandbox-outcomes.js";
import type { RemittanceStore } from "../store/index.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { ReportServiceDefinition } from "../../../proto/gen/operations/v1/reports.js";
import { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import { PayoutsServiceDefinition } from "../../../proto/gen/sandbox/v1/sandbox.js";
import { alsoServe, type Handlers } from "../../kernel/grpc/server.js";
import { pluginOwnerAccess, reportAccess, sandboxPayoutAccess } from "../access.js";
import { amendmentHandlers } from "./amendments.js";
import { beneficiaryHandlers } from "./beneficiaries.js";
import { blockHandlers } from "./blocks.js";
import { cancellationHandlers } from "./cancellation.js";
import { cashHandlers } from "./cash.js";
import { corridorHandlers } from "./corridors.js";
import { counterSaleHandlers } from "./counter-sales.js";
import { decisionHandlers } from "./decisions.js";
import type { RemittanceDeps } from "./deps.js";
import { describedHandlers } from "./described.js";
import { disclosureHandlers } from "./disclosure-reads.js";
import { disclosureTemplateHandlers } from "./disclosure-templates.js";
import { payoutCallbackHandlers } from "./payout-callbacks.js";
import { paymentHandlers } from "./payments.js";
import { payoutPointHandlers } from "./payout-points.js";
import { pluginOwnerHandlers } from "./plugin-owner.js";
import { quoteHandlers } from "./quotes.js";
import { rateHandlers } from "./rates.js";
import { recipientLookHandlers } from "./recipient-looks.js";
import { reconciliationHandlers } from "./reconciliation.js";
import { payoutOutcomeHandlers } from "./payout-outcomes.js";
import { refundHandlers } from "./refunds.js";
import { reportExportHandlers } from "./report-exports.js";
import { dayReportHandlers } from "./day-reports.js";
import { reportHandlers } from "./reports.js";
import { sandboxPayoutHandlers } from "./sandbox-payouts.js";
import { settingHandlers } from "./settings.js";
import { statusHandlers } from "./status.js";
import { byTenantTime } from "./tenant-time.js";
import { traceHandlers } from "./traces.js";
import { transactionEntryHandlers } from "./transaction-entries.js";
import { transactionListHandlers } from "./transaction-lists.js";
import { transactionHandlers } from "./transactions.js";
import { transparencyHandlers } from "./transparency.js";

/** The rpcs of remittance. */
export const remittanceHandlers = (deps: Omit<RemittanceDeps, "realClock">): Handlers<RemittanceServiceDefinition> =>
  byTenantTime(deps, (parts) => ({
    ...corridorHandlers(parts),
    ...rateHandlers(parts),
    ...settingHandlers(parts),
    ...payoutPointHandlers(parts),
    ...quoteHandlers(parts),
    ...beneficiaryHandlers(parts),
    ...recipientLookHandlers(parts),
    ...transactionHandlers(parts),
    ...transparencyHandlers(parts),
    ...transactionListHandlers(parts),
    ...transactionEntryHandlers(parts),
    ...statusHandlers(parts),
    ...refundHandlers(parts),
    ...payoutOutcomeHandlers(parts),
    ...cashHandlers(parts),
    ...counterSaleHandlers(parts),
    ...reportHandlers(parts),
    ...reportExportHandlers(parts),
    ...disclosureHandlers(parts),
    ...disclosureTemplateHandlers(parts),
    ...decisionHandlers(parts),
    ...blockHandlers(parts),
    ...describedHandlers(parts),
    ...paymentHandlers(parts),
    ...cancellationHandlers(parts),
    ...amendmentHandlers(parts),
    ...traceHandlers(parts),
    ...payoutCallbackHandlers(parts),
    ...reconciliationHandlers(parts),
  }));

/** What has to be done where tenants' own payout partners, and sources of rates, are called. */
export const servePluginOwner = (deps: Parameters<typeof pluginOwnerHandlers>[0]) =>
  alsoServe<PluginOwnerServiceDefinition>({
    definition: PluginOwnerServiceDefinition,
    access: pluginOwnerAccess,
    handlers: { ...pluginOwnerHandlers(deps) },
  });

export { createReportTurns } from "./report-turns.js";

export const serveDayReports = (deps: Parameters<typeof dayReportHandlers>[0]) =>
  alsoServe<ReportServiceDefinition>({
    definition: ReportServiceDefinition,
    access: reportAccess,
    handlers: { ...dayReportHandlers(deps) },
  });

interface SandboxDeps {
  store: RemittanceStore;
  partner: SenderOptions;
  hasDefault: (tenantId: string) => boolean;
}

/**
 * What a sandbox is told to do, the payouts itself and what follows a trace at the partner; and
 * what becomes of its payouts.
 */
export const serveSandbox = (deps: SandboxDeps & Parameters<typeof sandboxPayoutHandlers>[0]) => [
  serveOutcomes(
    createForcedOutcomes(deps.store, ["PAYOUT"]),
    createPartnerOutcomes(createSender(deps.partner), ["AMENDMENT"], deps.hasDefault),
  ),
  alsoServe<PayoutsServiceDefinition>({
    definition: PayoutsServiceDefinition,
    access: sandboxPayoutAccess,
    handlers: { ...sandboxPayoutHandlers(deps) },
  }),
];
