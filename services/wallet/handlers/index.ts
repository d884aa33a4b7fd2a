import { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import { RegisterServiceDefinition } from "../../../proto/gen/sandbox/v1/sandbox.js";
import { AgentAccountServiceDefinition } from "../../../proto/gen/wallet/v1/agent_accounts.js";
import { AgentServiceDefinition } from "../../../proto/gen/wallet/v1/agents.js";
import { AgentSettlementServiceDefinition } from "../../../proto/gen/wallet/v1/agent_settlements.js";
import { BranchCashServiceDefinition } from "../../../proto/gen/wallet/v1/branch_cash.js";
import { CounterServiceDefinition } from "../../../proto/gen/wallet/v1/counter.js";
import { TillServiceDefinition } from "../../../proto/gen/wallet/v1/tills.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { alsoServe, type Handlers } from "../../kernel/grpc/server.js";
import {
  agentAccess,
  agentAccountAccess,
  agentSettlementAccess,
  branchCashAccess,
  counterAccess,
  pluginOwnerAccess,
  registerAccess,
  tillAccess,
} from "../access.js";
import { accountStateHandlers } from "./account-state.js";
import { agentAccountSaleHandlers } from "./agent-account-sales.js";
import { agentFloatHandlers } from "./agent-float.js";
import { agentPayoutHandlers } from "./agent-payouts.js";
import { agentTransferHandlers } from "./agent-transfers.js";
import { agentHandlers } from "./agents.js";
import { agentSettlementQuestionHandlers } from "./agent-settlement-questions.js";
import { agentSettlementReadHandlers } from "./agent-settlement-reads.js";
import { agentSettlementHandlers } from "./agent-settlements.js";
import { bankAccountHandlers } from "./bank-accounts.js";
import { bookingHandlers } from "./bookings.js";
import { branchAssignmentHandlers } from "./branch-assignments.js";
import { branchDayHandlers } from "./branch-day.js";
import { cashInHandlers } from "./cash-ins.js";
import { cashLimitHandlers } from "./cash-limits.js";
import { cashHandlers } from "./cash-movements.js";
import { cashOrderEndingHandlers } from "./cash-order-endings.js";
import { cashOrderHandlers } from "./cash-orders.js";
import { commissionPlanHandlers } from "./commission-plans.js";
import { counterPayableHandlers } from "./counter-payables.js";
import { counterSaleHandlers } from "./counter-sales.js";
import { creditHandlers } from "./credits.js";
import { customerFreezeHandlers } from "./customer-freeze.js";
import { debitHandlers } from "./debit-wallet.js";
import { domiciliaryHandlers } from "./domiciliary.js";
import { exchangeHandlers } from "./exchanges.js";
import { handOverHandlers } from "./hand-overs.js";
import { holdHandlers } from "./holds.js";
import { paymentHandlers } from "./make-payment.js";
import { paymentRefundHandlers } from "./mark-payment-refunded.js";
import { completionHandlers } from "./mark-transaction-completed.js";
import { payableHandlers } from "./payables.js";
import { pluginOwnerHandlers } from "./plugin-owner.js";
import { depositHandlers } from "./record-deposit.js";
import { refundHandlers } from "./refunds.js";
import { registerHandlers } from "./sandbox-register.js";
import { deliveryHandlers } from "./take-back-delivery.js";
import { tillClosingHandlers } from "./till-closings.js";
import { tillColleagueHandlers } from "./till-colleagues.js";
import { tillHandlers } from "./tills.js";
import { topUpHandlers } from "./top-ups.js";
import { transferReceiverHandlers } from "./transfer-receivers.js";
import { vaultHandlers } from "./vault.js";
import { walletAccountHandlers } from "./wallet-accounts.js";
import { walletLimitHandlers } from "./wallet-limits.js";
import type { WalletDeps } from "./deps.js";

/** The rpcs of wallet. */
export const walletHandlers = (deps: WalletDeps): Handlers<WalletServiceDefinition> => ({
  ...walletAccountHandlers(deps),
  ...accountStateHandlers(deps),
  ...customerFreezeHandlers(deps),
  ...domiciliaryHandlers(deps),
  ...bankAccountHandlers(deps),
  ...paymentHandlers(deps),
  ...paymentRefundHandlers(deps),
  ...completionHandlers(deps),
  ...payableHandlers(deps),
  ...refundHandlers(deps),
  ...holdHandlers(deps),
  ...exchangeHandlers(deps),
  ...topUpHandlers(deps),
  ...creditHandlers(deps),
  ...cashHandlers(deps),
  ...cashInHandlers(deps),
  ...cashLimitHandlers(deps),
  ...walletLimitHandlers(deps),
  ...bookingHandlers(deps),
  ...debitHandlers(deps),
  ...depositHandlers(deps),
  ...deliveryHandlers(deps),
});

/** Tills and vaults. */
export const serveTills = (deps: WalletDeps) =>
  alsoServe<TillServiceDefinition>({
    definition: TillServiceDefinition,
    access: tillAccess,
    handlers: {
      ...tillHandlers(deps),
      ...tillClosingHandlers(deps),
      ...handOverHandlers(deps),
      ...tillColleagueHandlers(deps),
      ...vaultHandlers(deps),
    },
  });

/** Cash by branch. */
export const serveBranchCash = (deps: WalletDeps) =>
  alsoServe<BranchCashServiceDefinition>({
    definition: BranchCashServiceDefinition,
    access: branchCashAccess,
    handlers: {
      ...branchAssignmentHandlers(deps),
      ...cashOrderHandlers(deps),
      ...branchDayHandlers(deps),
      ...cashOrderEndingHandlers(deps),
    },
  });

/** Sales for cash, and what comes back of them. */
export const serveCounter = (deps: WalletDeps) =>
  alsoServe<CounterServiceDefinition>({
    definition: CounterServiceDefinition,
    access: counterAccess,
    handlers: { ...counterSaleHandlers(deps), ...counterPayableHandlers(deps) },
  });

/** What agents earn, and how much they may sell. */
export const serveAgents = (deps: WalletDeps) =>
  alsoServe<AgentServiceDefinition>({
    definition: AgentServiceDefinition,
    access: agentAccess,
    handlers: { ...commissionPlanHandlers(deps), ...agentHandlers(deps) },
  });

/** Money of agents whose customers' cash is their own. */
export const serveAgentAccounts = (deps: WalletDeps) =>
  alsoServe<AgentAccountServiceDefinition>({
    definition: AgentAccountServiceDefinition,
    access: agentAccountAccess,
    handlers: {
      ...agentAccountSaleHandlers(deps),
      ...agentFloatHandlers(deps),
      ...agentTransferHandlers(deps),
      ...transferReceiverHandlers(deps),
      ...agentPayoutHandlers(deps),
    },
  });

/** What agents and the organisation owe each other. */
export const serveAgentSettlements = (deps: WalletDeps) =>
  alsoServe<AgentSettlementServiceDefinition>({
    definition: AgentSettlementServiceDefinition,
    access: agentSettlementAccess,
    handlers: {
      ...agentSettlementHandlers(deps),
      ...agentSettlementQuestionHandlers(deps),
      ...agentSettlementReadHandlers(deps),
    },
  });

/** Tills, branches, counters and agents. */
export const serveCash = (deps: WalletDeps) => [
  serveTills(deps),
  serveBranchCash(deps),
  serveCounter(deps),
  serveAgents(deps),
  serveAgentAccounts(deps),
  serveAgentSettlements(deps),
];

/** What has to be done where tenants' own banks and card acquirers are called. */
export const servePluginOwner = (deps: Parameters<typeof pluginOwnerHandlers>[0]) =>
  alsoServe<PluginOwnerServiceDefinition>({
    definition: PluginOwnerServiceDefinition,
    access: pluginOwnerAccess,
    handlers: { ...pluginOwnerHandlers(deps) },
  });

/** Who holds a bank verification number in the sandbox partner's register. */
export const serveRegister = (deps: Parameters<typeof registerHandlers>[0]) =>
  alsoServe<RegisterServiceDefinition>({
    definition: RegisterServiceDefinition,
    access: registerAccess,
    handlers: { ...registerHandlers(deps) },
  });
