import { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { batchPaymentChecks } from "../../platform/neighbours/compliance-batches.js";
import { batchPostings } from "../../platform/neighbours/posting-batches.js";
import type { WalletConfig } from "../config.js";
import { batchAccountReads } from "./account-reads.js";
import { batchCredentialChecks } from "./credential-batches.js";

export type Ledger = Client<LedgerServiceDefinition>;
export type Remittance = Client<RemittanceServiceDefinition>;
export type Compliance = Client<ComplianceServiceDefinition>;
export type Identity = Client<IdentityServiceDefinition>;

/** Clients of the services that wallet calls; what comes at once goes to them together. */
export function connectNeighbours({ config, identity, connect }: Opened<WalletConfig>) {
  const ledger = connect(LedgerServiceDefinition, "ledger", config.LEDGER_ADDRESS);
  const compliance = connect(ComplianceServiceDefinition, "compliance", config.COMPLIANCE_ADDRESS);
  return {
    // Credentials are checked several at once; everything else is asked one by one.
    identity: batchCredentialChecks(identity),
    ledger: batchAccountReads(batchPostings(ledger)),
    compliance: batchPaymentChecks(compliance),
    remittance: connect(RemittanceServiceDefinition, "remittance", config.REMITTANCE_ADDRESS),
    events: connect(EventsServiceDefinition, "events", config.EVENTS_ADDRESS),
  };
}
