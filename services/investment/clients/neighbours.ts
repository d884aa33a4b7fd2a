import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Client } from "../../kernel/grpc/client.js";

export type Compliance = Client<ComplianceServiceDefinition>;
export type Identity = Client<IdentityServiceDefinition>;
export type Ledger = Client<LedgerServiceDefinition>;
export type Remittance = Client<RemittanceServiceDefinition>;
export type Wallet = Client<WalletServiceDefinition>;
