import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Client } from "../../kernel/grpc/client.js";
import { warmUpCalls } from "../../kernel/startup/warm-up.js";

const sampleTransfer = {
  key: "warm-up",
  debitAccountId: "warm-up-1",
  creditAccountId: "warm-up-2",
  amount: { amountMinor: 1n, currency: "USD" },
  kind: "payment",
  mode: "TRANSFER_MODE_POSTED" as const,
};

/** Calls that leave no trace, made before the first real one. */
export const ledgerWarmUps = (self: Client<LedgerServiceDefinition>) =>
  warmUpCalls({
    getAccounts: (call) => self.getAccounts({ accountIds: ["warm-up"] }, call),
    listEntriesByInteraction: (call) => self.listEntriesByInteraction({ interactionId: "warm-up" }, call),
    // Posting takes the tenant's journal over, which would be a trace; it is planned alike.
    dryRunTransfers: (call) =>
      self.dryRunTransfers({ request: { groups: [{ transfers: [sampleTransfer] }], createdBy: "warm-up" } }, call),
  });
