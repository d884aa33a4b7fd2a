import { CaseServiceDefinition } from "../proto/gen/compliance/v1/cases.js";
import { ComplianceServiceDefinition } from "../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../proto/gen/events/v1/events.js";
import { NotificationServiceDefinition } from "../proto/gen/events/v1/notifications.js";
import { WebhookServiceDefinition } from "../proto/gen/events/v1/webhooks.js";
import { ScreeningServiceDefinition } from "../proto/gen/compliance/v1/screening.js";
import { IdentityServiceDefinition } from "../proto/gen/identity/v1/identity.js";
import { PluginServiceDefinition } from "../proto/gen/identity/v1/plugins.js";
import { InvestmentServiceDefinition } from "../proto/gen/investment/v1/investment.js";
import { LedgerServiceDefinition } from "../proto/gen/ledger/v1/ledger.js";
import { SettlementServiceDefinition } from "../proto/gen/ledger/v1/settlements.js";
import { ManualJournalServiceDefinition } from "../proto/gen/ledger/v1/manual_journals.js";
import { PositionServiceDefinition } from "../proto/gen/ledger/v1/positions.js";
import { PartnerServiceDefinition } from "../proto/gen/ledger/v1/partners.js";
import { PackageServiceDefinition } from "../proto/gen/ledger/v1/packages.js";
import { PeriodServiceDefinition } from "../proto/gen/ledger/v1/periods.js";
import { LendingServiceDefinition } from "../proto/gen/lending/v1/lending.js";
import { CloseBlockerServiceDefinition } from "../proto/gen/operations/v1/closing.js";
import { ReportServiceDefinition } from "../proto/gen/operations/v1/reports.js";
import { WorkQueueServiceDefinition } from "../proto/gen/operations/v1/work_queues.js";
import { PluginOwnerServiceDefinition } from "../proto/gen/plugins/v1/owner.js";
import { RemittanceServiceDefinition } from "../proto/gen/remittance/v1/remittance.js";
import {
  MessagesServiceDefinition,
  OutcomesServiceDefinition,
  PayoutsServiceDefinition,
  RegisterServiceDefinition,
} from "../proto/gen/sandbox/v1/sandbox.js";
import { AgentAccountServiceDefinition } from "../proto/gen/wallet/v1/agent_accounts.js";
import { AgentSettlementServiceDefinition } from "../proto/gen/wallet/v1/agent_settlements.js";
import { AgentServiceDefinition } from "../proto/gen/wallet/v1/agents.js";
import { BranchCashServiceDefinition } from "../proto/gen/wallet/v1/branch_cash.js";
import { CounterServiceDefinition } from "../proto/gen/wallet/v1/counter.js";
import { TillServiceDefinition } from "../proto/gen/wallet/v1/tills.js";
import { WalletServiceDefinition } from "../proto/gen/wallet/v1/wallet.js";
import { absentClient } from "../services/kernel/grpc/absent-client.js";
import { createClient } from "../services/kernel/grpc/client.js";
import type { ServiceAuth } from "../services/kernel/grpc/service-auth.js";
import { kindRules, pluginKinds, type PluginKind } from "../services/platform/plugins/kinds.js";
import type { Metrics } from "../services/kernel/telemetry/metrics.js";
import type { BlockingService } from "../services/platform/closing/close-blocker-kinds.js";
import type { QueueingService } from "../services/platform/work-queues/work-queue-names.js";
import { withBreaker } from "./breaker.js";
import type { GatewayConfig } from "./config.js";
import { createTryBudget, withSecondTry } from "./second-try.js";

/** The services that operations call by name. */
export const definitions = {
  compliance: ComplianceServiceDefinition,
  cases: CaseServiceDefinition,
  screening: ScreeningServiceDefinition,
  remittance: RemittanceServiceDefinition,
  wallet: WalletServiceDefinition,
  tills: TillServiceDefinition,
  branchCash: BranchCashServiceDefinition,
  counter: CounterServiceDefinition,
  agents: AgentServiceDefinition,
  agentAccounts: AgentAccountServiceDefinition,
  agentSettlements: AgentSettlementServiceDefinition,
  investment: InvestmentServiceDefinition,
  lending: LendingServiceDefinition,
  ledger: LedgerServiceDefinition,
  settlements: SettlementServiceDefinition,
  events: EventsServiceDefinition,
  webhooks: WebhookServiceDefinition,
  notifications: NotificationServiceDefinition,
  identity: IdentityServiceDefinition,
  plugins: PluginServiceDefinition,
  manualJournals: ManualJournalServiceDefinition,
  positions: PositionServiceDefinition,
  partnerBalances: PartnerServiceDefinition,
  sandboxPayouts: PayoutsServiceDefinition,
  sandboxRegister: RegisterServiceDefinition,
  sandboxMessages: MessagesServiceDefinition,
  periods: PeriodServiceDefinition,
  packages: PackageServiceDefinition,
} as const;

export type Clients = ReturnType<typeof createClients>;

/**
 * One client per service, behind a breaker and with a second try, each with the gateway's service
 * token; identity's is the one that tokens are checked with.
 */
export function createClients(
  config: GatewayConfig,
  { signer, identity }: Pick<ServiceAuth, "signer" | "identity">,
  metrics: Pick<Metrics, "breakerState">,
) {
  const at = {
    compliance: { address: config.COMPLIANCE_ADDRESS, audience: "compliance", signer },
    wallet: { address: config.WALLET_ADDRESS, audience: "wallet", signer },
    ledger: { address: config.LEDGER_ADDRESS, audience: "ledger", signer },
    events: { address: config.EVENTS_ADDRESS, audience: "events", signer },
  } as const;
  const clients = {
    compliance: createClient(ComplianceServiceDefinition, at.compliance),
    cases: createClient(CaseServiceDefinition, at.compliance),
    screening: createClient(ScreeningServiceDefinition, at.compliance),
    remittance: createClient(RemittanceServiceDefinition, {
      address: config.REMITTANCE_ADDRESS,
      audience: "remittance",
      signer,
    }),
    wallet: createClient(WalletServiceDefinition, at.wallet),
    agents: createClient(AgentServiceDefinition, at.wallet),
    agentAccounts: createClient(AgentAccountServiceDefinition, at.wallet),
    agentSettlements: createClient(AgentSettlementServiceDefinition, at.wallet),
    tills: createClient(TillServiceDefinition, at.wallet),
    branchCash: createClient(BranchCashServiceDefinition, at.wallet),
    counter: createClient(CounterServiceDefinition, at.wallet),
    investment: investmentClient(config, signer),
    lending: createClient(LendingServiceDefinition, { address: config.LENDING_ADDRESS, audience: "lending", signer }),
    ledger: createClient(LedgerServiceDefinition, at.ledger),
    settlements: createClient(SettlementServiceDefinition, at.ledger),
    positions: createClient(PositionServiceDefinition, at.ledger),
    partnerBalances: createClient(PartnerServiceDefinition, at.ledger),
    manualJournals: createClient(ManualJournalServiceDefinition, at.ledger),
    events: createClient(EventsServiceDefinition, at.events),
    webhooks: createClient(WebhookServiceDefinition, at.events),
    notifications: createClient(NotificationServiceDefinition, at.events),
    periods: createClient(PeriodServiceDefinition, at.ledger),
    packages: createClient(PackageServiceDefinition, at.ledger),
    plugins: createClient(PluginServiceDefinition, { address: config.IDENTITY_ADDRESS, audience: "identity", signer }),
  };
  const { sandbox, ...partners } = createSandboxClients(config, signer);
  const workQueues = createWorkQueueClients(config, signer);
  const closeBlockers = createCloseBlockerClients(config, signer);
  const reports = createReportClients(config, signer);
  const pluginOwners = createPluginOwnerClients(config, signer);
  const budget = createTryBudget();
  // Cases and screening are served by the process that decides: who cannot reach the
  // one does not reach the others.
  const served = { ...clients.compliance, ...clients.cases, ...clients.screening };
  const compliance = withBreaker("compliance", served, metrics);
  const people = { ...clients.settlements, ...clients.manualJournals, ...clients.periods, ...clients.packages };
  const books = { ...clients.ledger, ...clients.positions, ...clients.partnerBalances, ...people };
  const ledger = withBreaker("ledger", books, metrics);
  const ofAgents = { ...clients.agents, ...clients.agentAccounts, ...clients.agentSettlements };
  const wallet = withBreaker(
    "wallet",
    { ...clients.wallet, ...clients.tills, ...clients.branchCash, ...clients.counter, ...ofAgents },
    metrics,
  );
  const events = withBreaker("events", { ...clients.events, ...clients.webhooks, ...clients.notifications }, metrics);
  const identityServed = withBreaker("identity", { ...clients.plugins, ...identity }, metrics);
  return {
    compliance: withSecondTry(ComplianceServiceDefinition, compliance, budget),
    cases: withSecondTry(CaseServiceDefinition, compliance, budget),
    screening: withSecondTry(ScreeningServiceDefinition, compliance, budget),
    remittance: withSecondTry(
      RemittanceServiceDefinition,
      withBreaker("remittance", clients.remittance, metrics),
      budget,
    ),
    wallet: withSecondTry(WalletServiceDefinition, wallet, budget),
    tills: withSecondTry(TillServiceDefinition, wallet, budget),
    branchCash: withSecondTry(BranchCashServiceDefinition, wallet, budget),
    counter: withSecondTry(CounterServiceDefinition, wallet, budget),
    agents: withSecondTry(AgentServiceDefinition, wallet, budget),
    agentAccounts: withSecondTry(AgentAccountServiceDefinition, wallet, budget),
    agentSettlements: withSecondTry(AgentSettlementServiceDefinition, wallet, budget),
    investment: withSecondTry(
      InvestmentServiceDefinition,
      config.INVESTMENT_ADDRESS ? withBreaker("investment", clients.investment, metrics) : clients.investment,
      budget,
    ),
    lending: withSecondTry(LendingServiceDefinition, withBreaker("lending", clients.lending, metrics), budget),
    ledger: withSecondTry(LedgerServiceDefinition, ledger, budget),
    settlements: withSecondTry(SettlementServiceDefinition, ledger, budget),
    positions: withSecondTry(PositionServiceDefinition, ledger, budget),
    partnerBalances: withSecondTry(PartnerServiceDefinition, ledger, budget),
    manualJournals: withSecondTry(ManualJournalServiceDefinition, ledger, budget),
    periods: withSecondTry(PeriodServiceDefinition, ledger, budget),
    packages: withSecondTry(PackageServiceDefinition, ledger, budget),
    events: withSecondTry(EventsServiceDefinition, events, budget),
    webhooks: withSecondTry(WebhookServiceDefinition, events, budget),
    notifications: withSecondTry(NotificationServiceDefinition, events, budget),
    identity: withSecondTry(IdentityServiceDefinition, identityServed, budget),
    plugins: withSecondTry(PluginServiceDefinition, identityServed, budget),
    pluginOwners,
    sandbox,
    ...partners,
    workQueues,
    closeBlockers,
    reports,
    close: () => {
      const others = [sandbox, partners, workQueues, closeBlockers, reports, pluginOwners].flatMap((some) =>
        Object.values(some),
      );
      const all = [...Object.values(clients), ...others];
      for (const client of all) client.close();
    },
  };
}

/** Reports, each of the service that knows what it says. */
function createReportClients(config: GatewayConfig, signer: ServiceAuth["signer"]) {
  const of = (audience: "remittance" | "ledger" | "wallet" | "lending", address: string) =>
    createClient(ReportServiceDefinition, { address, audience, signer });
  return {
    remittance: of("remittance", config.REMITTANCE_ADDRESS),
    ledger: of("ledger", config.LEDGER_ADDRESS),
    wallet: of("wallet", config.WALLET_ADDRESS),
    lending: of("lending", config.LENDING_ADDRESS),
  };
}

function investmentClient({ INVESTMENT_ADDRESS: address }: GatewayConfig, signer: ServiceAuth["signer"]) {
  if (address === undefined) return absentClient(InvestmentServiceDefinition, "investment");
  return createClient(InvestmentServiceDefinition, { address, audience: "investment", signer });
}

/** What each service counts. Without a breaker: whoever looks is told who is away. */
function createWorkQueueClients(config: GatewayConfig, signer: ServiceAuth["signer"]) {
  return ofEachService(config, (audience: QueueingService, address) =>
    createClient(WorkQueueServiceDefinition, { address, audience, signer }),
  );
}

/** What keeps books open in each service. Without a breaker: one that is away keeps them open. */
function createCloseBlockerClients(config: GatewayConfig, signer: ServiceAuth["signer"]) {
  return ofEachService(config, (audience: BlockingService, address) =>
    createClient(CloseBlockerServiceDefinition, { address, audience, signer }),
  );
}

/** One of each service; investment is left out where it is not installed. */
function ofEachService<T>(config: GatewayConfig, of: (audience: QueueingService, address: string) => T) {
  const { INVESTMENT_ADDRESS } = config;
  return {
    identity: of("identity", config.IDENTITY_ADDRESS),
    compliance: of("compliance", config.COMPLIANCE_ADDRESS),
    remittance: of("remittance", config.REMITTANCE_ADDRESS),
    wallet: of("wallet", config.WALLET_ADDRESS),
    lending: of("lending", config.LENDING_ADDRESS),
    ledger: of("ledger", config.LEDGER_ADDRESS),
    ...(INVESTMENT_ADDRESS !== undefined && { investment: of("investment", INVESTMENT_ADDRESS) }),
    events: of("events", config.EVENTS_ADDRESS),
  };
}

/**
 * Who calls partners of a kind. Without a breaker: a partner's slow
 * test says nothing of the service.
 */
function createPluginOwnerClients(config: GatewayConfig, signer: ServiceAuth["signer"]) {
  const addresses = {
    remittance: config.REMITTANCE_ADDRESS,
    wallet: config.WALLET_ADDRESS,
    compliance: config.COMPLIANCE_ADDRESS,
    events: config.EVENTS_ADDRESS,
  };
  const of = (kind: PluginKind) => {
    const { owner } = kindRules[kind];
    return createClient(PluginOwnerServiceDefinition, { address: addresses[owner], audience: owner, signer });
  };
  return Object.fromEntries(pluginKinds.map((kind) => [kind, of(kind)])) as Record<PluginKind, ReturnType<typeof of>>;
}

/**
 * Forced outcomes of a sandbox, by the service that keeps them. Without a breaker: no payment waits
 * for them.
 */
function createSandboxClients(config: GatewayConfig, signer: ServiceAuth["signer"]) {
  const at = {
    identity: { address: config.IDENTITY_ADDRESS, audience: "identity", signer },
    compliance: { address: config.COMPLIANCE_ADDRESS, audience: "compliance", signer },
    remittance: { address: config.REMITTANCE_ADDRESS, audience: "remittance", signer },
    wallet: { address: config.WALLET_ADDRESS, audience: "wallet", signer },
  } as const;
  return {
    sandbox: {
      complianceOutcomes: createClient(OutcomesServiceDefinition, at.compliance),
      remittanceOutcomes: createClient(OutcomesServiceDefinition, at.remittance),
      walletOutcomes: createClient(OutcomesServiceDefinition, at.wallet),
    },
    sandboxPayouts: createClient(PayoutsServiceDefinition, at.remittance),
    sandboxRegister: createClient(RegisterServiceDefinition, at.wallet),
    sandboxMessages: createClient(MessagesServiceDefinition, at.identity),
  };
}
