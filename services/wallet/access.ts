import type { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import type { RegisterServiceDefinition } from "../../proto/gen/sandbox/v1/sandbox.js";
import type { AgentAccountServiceDefinition } from "../../proto/gen/wallet/v1/agent_accounts.js";
import type { AgentServiceDefinition } from "../../proto/gen/wallet/v1/agents.js";
import type { AgentSettlementServiceDefinition } from "../../proto/gen/wallet/v1/agent_settlements.js";
import type { BranchCashServiceDefinition } from "../../proto/gen/wallet/v1/branch_cash.js";
import type { CounterServiceDefinition } from "../../proto/gen/wallet/v1/counter.js";
import type { TillServiceDefinition } from "../../proto/gen/wallet/v1/tills.js";
import type { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import type { Access, RpcAccess } from "../kernel/grpc/server.js";

const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };

/** Which service may call which rpc, and which roles of users may ride along. */
export const access: Access<WalletServiceDefinition> = {
  openWalletAccount: { callers: ["gateway", "operator"], user: "optional", roles: ["CUSTOMER"] },
  listWalletAccounts: {
    callers: ["gateway", "operator", "lending"],
    user: "optional",
    roles: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"],
  },
  getWalletAccount: {
    callers: ["gateway", "lending", "investment"],
    user: "optional",
    roles: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"],
  },
  // Whoever rides along is named on the entries; the asking service has decided that they may.
  debitWallet: { callers: ["lending", "investment"], user: "optional" },
  recordDeposit: { callers: ["operator"] },
  requestPayment: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  issuePayable: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CASHIER"] },
  requestWithdrawal: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  getPayable: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  listPayables: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  cancelPayable: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  topUpByCard: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  getTopUp: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  listUnmatchedCredits: { callers: ["gateway"], user: "required", roles: ["CASHIER", "MANAGER"] },
  listHeldArrivals: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  assignCredit: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  receiveBankTransfer: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CUSTOMER"] },
  cashIn: { callers: ["gateway"], user: "required", roles: ["CASHIER", "AGENT"] },
  takeCashIn: { callers: ["gateway"], user: "required", roles: ["CASHIER", "AGENT"] },
  getCashIn: { callers: ["gateway"], user: "required", roles: ["CASHIER", "AGENT", "MANAGER"] },
  setCashLimit: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  listCashLimits: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  sumCash: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  cashOut: { callers: ["gateway"], user: "required", roles: ["CASHIER", "AGENT"] },
  payOutCash: { callers: ["gateway"], user: "required", roles: ["CASHIER"] },
  createHold: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  confirmHold: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  releaseHold: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  getHold: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  quoteExchange: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  executeExchange: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  refundPayment: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CASHIER", "AGENT"] },
  getRefund: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CASHIER", "AGENT"] },
  getPayment: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"] },
  listStatement: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  createDomiciliaryAccounts: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "AGENT"] },
  listBookings: { callers: ["operator"] },
  setWalletLimit: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  listWalletLimits: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  setWalletAccountFrozen: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  setCustomerWalletsFrozen: { callers: ["compliance"] },
  foreseeCustomerWalletsFrozen: { callers: ["compliance"] },
  closeWalletAccount: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  addBankAccount: { callers: ["gateway", "operator"], user: "optional", roles: ["CUSTOMER"] },
  listBankAccounts: { callers: ["gateway", "operator"], user: "optional", roles: ["CUSTOMER", "MANAGER"] },
  getBankAccount: { callers: ["gateway", "lending"], user: "optional" },
  removeBankAccount: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  makePayment: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER"] },
  markPaymentRefunded: { callers: ["remittance"] },
  markTransactionCompleted: { callers: ["remittance"] },
  takeBackDelivery: { callers: ["remittance"] },
};

const holders: RpcAccess = { callers: ["gateway"], user: "required", roles: ["CASHIER", "AGENT"] };
const holdersAndManagers: RpcAccess = { ...holders, roles: ["CASHIER", "AGENT", "MANAGER"] };

export const tillAccess: Access<TillServiceDefinition> = {
  openTill: holders,
  countTill: holders,
  closeTill: holdersAndManagers,
  listTills: holdersAndManagers,
  listTillLines: holdersAndManagers,
  listTillCounts: managers,
  offerCash: holders,
  acceptHandOver: holders,
  endHandOver: holdersAndManagers,
  listHandOvers: holdersAndManagers,
  listTillColleagues: holdersAndManagers,
  moveVaultCash: managers,
};

const cashiersAndManagers: RpcAccess = { ...holders, roles: ["CASHIER", "MANAGER"] };

/** Whose vault it is about is looked at by each. */
export const branchCashAccess: Access<BranchCashServiceDefinition> = {
  putBranchAssignment: managers,
  listBranchAssignments: managers,
  requestCashOrder: cashiersAndManagers,
  sendCashOrder: cashiersAndManagers,
  endCashOrder: cashiersAndManagers,
  cancelCashOrder: cashiersAndManagers,
  listCashOrders: cashiersAndManagers,
  getBranchDay: managers,
};

// Agents where the tenant's setting has them sell; handlers/managed-customers.ts asks for it.
export const counterAccess: Access<CounterServiceDefinition> = {
  sellTransaction: holders,
  listCounterPayables: { ...holders, roles: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"] },
  issueCounterPayableCode: { ...holders, roles: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"] },
  payCounterPayable: holders,
};

const agentsAndManagers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["AGENT", "MANAGER"] };

export const agentAccess: Access<AgentServiceDefinition> = {
  putCommissionPlan: managers,
  listCommissionPlans: managers,
  listCommissionPlanVersions: agentsAndManagers,
  putAgentConfiguration: managers,
  suspendAgent: managers,
  reactivateAgent: managers,
  getAgentConfiguration: agentsAndManagers,
  listAgentConfigurations: managers,
};

const agents: RpcAccess = { callers: ["gateway"], user: "required", roles: ["AGENT"] };

export const agentAccountAccess: Access<AgentAccountServiceDefinition> = {
  getAgentAccounts: agentsAndManagers,
  sellFromAccount: agents,
  moveAgentFloat: managers,
  offerAgentTransfer: agents,
  acceptAgentTransfer: agents,
  endAgentTransfer: agentsAndManagers,
  listAgentTransfers: agentsAndManagers,
  listTransferReceivers: agentsAndManagers,
  payOutAsAgent: agents,
  payCounterPayableAsAgent: agents,
};

export const agentSettlementAccess: Access<AgentSettlementServiceDefinition> = {
  openAgentSettlement: managers,
  cancelAgentSettlement: managers,
  closeAgentSettlement: managers,
  approveAgentSettlement: managers,
  payAgentSettlement: managers,
  disputeAgentSettlement: agentsAndManagers,
  endAgentSettlementDispute: managers,
  getAgentSettlement: agentsAndManagers,
  listAgentSettlements: agentsAndManagers,
  listAgentSettlementLines: agentsAndManagers,
  readAgentStatement: agentsAndManagers,
};

export const pluginOwnerAccess: Access<PluginOwnerServiceDefinition> = {
  testPlugin: managers,
  receiveCallback: { callers: ["gateway"] },
  listUnservedCorridors: managers,
};

export const registerAccess: Access<RegisterServiceDefinition> = {
  putBvn: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
};
