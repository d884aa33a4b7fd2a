import { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import type { InvestmentConfig } from "../config.js";

export type Compliance = Client<ComplianceServiceDefinition>;
export type Identity = Client<IdentityServiceDefinition>;
export type Ledger = Client<LedgerServiceDefinition>;
export type Remittance = Client<RemittanceServiceDefinition>;
export type Wallet = Client<WalletServiceDefinition>;

/** Clients of the services that investment calls. */
export function connectNeighbours({ config, connect }: Opened<InvestmentConfig>) {
  return {
    compliance: connect(ComplianceServiceDefinition, "compliance", config.COMPLIANCE_ADDRESS),
    ledger: connect(LedgerServiceDefinition, "ledger", config.LEDGER_ADDRESS),
    remittance: connect(RemittanceServiceDefinition, "remittance", config.REMITTANCE_ADDRESS),
    wallet: connect(WalletServiceDefinition, "wallet", config.WALLET_ADDRESS),
    events: connect(EventsServiceDefinition, "events", config.EVENTS_ADDRESS),
  };
}
