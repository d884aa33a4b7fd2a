import { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { PositionServiceDefinition } from "../../../proto/gen/ledger/v1/positions.js";
import { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { batchTransactionChecks } from "../../platform/neighbours/compliance-batches.js";
import { batchPostings } from "../../platform/neighbours/posting-batches.js";
import type { RemittanceConfig } from "../config.js";

/** Clients of the services that remittance calls; what comes at once goes to them together. */
export function connectNeighbours({ config, connect }: Opened<RemittanceConfig>) {
  const compliance = connect(ComplianceServiceDefinition, "compliance", config.COMPLIANCE_ADDRESS);
  return {
    compliance: batchTransactionChecks(compliance),
    ledger: batchPostings(connect(LedgerServiceDefinition, "ledger", config.LEDGER_ADDRESS)),
    positions: connect(PositionServiceDefinition, "ledger", config.LEDGER_ADDRESS),
    wallet: connect(WalletServiceDefinition, "wallet", config.WALLET_ADDRESS),
    events: connect(EventsServiceDefinition, "events", config.EVENTS_ADDRESS),
  };
}
