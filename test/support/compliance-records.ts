import type { NoteCustomerStatusRequest } from "../../proto/gen/identity/v1/identity.js";
import type { NotedPluginCalls, PluginTest } from "../../proto/gen/identity/v1/plugins.js";
import type {
  BlockTransactionsRequest,
  DecideTransactionRequest,
  ReleaseBlockedTransactionsRequest,
} from "../../proto/gen/remittance/v1/remittance.js";
import type { SetCustomerWalletsFrozenRequest } from "../../proto/gen/wallet/v1/wallet.js";

/** What a tenant's neighbours were told, the oldest first. */
function noRecords() {
  return {
    pluginCalls: [] as NotedPluginCalls[],
    pluginTests: [] as PluginTest[],
    /** Remittance, of decisions. */
    decided: [] as DecideTransactionRequest[],
    /** Remittance and wallet, of blocks. */
    blocked: [] as BlockTransactionsRequest[],
    released: [] as ReleaseBlockedTransactionsRequest[],
    frozen: [] as SetCustomerWalletsFrozenRequest[],
    /** Customers whose held payouts remittance was told to look at. */
    resumed: [] as string[],
    toldAnew: [] as { transactionIds: string[]; policyVersion: number }[],
    /** What remittance was asked of transactions, a call each. */
    described: [] as (readonly string[])[],
    /** What identity was told was done for approvals, after their outcomes. */
    joined: [] as { approvalId: string; kind: string; subject: string }[],
    /** Approvals that were taken back. */
    withdrawn: [] as string[],
    /** What identity was told of customers. */
    noted: [] as NoteCustomerStatusRequest[],
  };
}

export type NeighbourRecords = ReturnType<typeof createNeighbourRecords>;

/** By tenant: what another test's tenant does late is none of this one's. */
export function createNeighbourRecords() {
  const byTenant = new Map<string, ReturnType<typeof noRecords>>();
  return (tenantId: string) => {
    const known = byTenant.get(tenantId) ?? noRecords();
    byTenant.set(tenantId, known);
    return known;
  };
}
