import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import type { Client } from "../../kernel/grpc/client.js";
import { laterWhileBusy, type Relay, type RowHandler } from "../../kernel/outbox/index.js";
import type { Creation } from "../sagas/creation.js";
import { complianceNotifications, walletNotifications } from "./notifications.js";
import { payoutHintRows, type PayoutHintsDeps } from "./payout-hints.js";
import type { PayoutBatches } from "../sagas/payout-batches.js";
import { retryPauseMs } from "./unknown-answer-retry.js";
import { rowKinds } from "../row-kinds.js";

export interface RemittanceRelayDeps extends PayoutHintsDeps {
  compliance: Client<ComplianceServiceDefinition>;
  wallet: Pick<Client<WalletServiceDefinition>, "markPaymentRefunded" | "markTransactionCompleted">;
  creation: Pick<Creation, "recover">;
  payouts: { drive: RowHandler };
  batches: Pick<PayoutBatches, "send">;
  /** Undefined where nobody said where it is. */
  events: PublisherDeps["events"];
  moreRows: Record<string, RowHandler>;
  pollMs?: number | undefined;
}

// Payouts wait for the partner most of their time, and one that hangs must not keep the others.
const concurrency = 32;

/**
 * Drives transactions on after their payment, and tells compliance and wallet what became of them.
 */
export function startRemittanceRelay(deps: RemittanceRelayDeps): Relay {
  const { outbox, store, compliance, wallet, creation, payouts, batches, events, moreRows, pollMs } = deps;
  const handlers: Record<string, RowHandler> = {
    ...complianceNotifications(compliance, { ...store, ...outbox }),
    ...walletNotifications(wallet, store),
    ...payoutHintRows(deps),
    [rowKinds.recoverCreation]: creation.recover,
    ...laterWhileBusy({ [rowKinds.drivePayout]: payouts.drive, [rowKinds.sendBatch]: batches.send }),
    ...moreRows,
  };
  return startServiceRelays({
    outbox,
    events,
    handlers,
    concurrency,
    backoff: retryPauseMs,
    pollMs,
  });
}
