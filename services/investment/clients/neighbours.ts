import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Client } from "../../shared/grpc/client.js";
import { Refusal, type RefusalCode } from "../../shared/refusal.js";

export type Compliance = Client<ComplianceServiceDefinition>;
export type Identity = Client<IdentityServiceDefinition>;
export type Ledger = Client<LedgerServiceDefinition>;
export type Remittance = Client<RemittanceServiceDefinition>;
export type Wallet = Client<WalletServiceDefinition>;

// After these nobody knows what the neighbour did or would do: the same step is asked for again.
const undecided: ReadonlySet<RefusalCode> = new Set([
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "OVERLOADED",
  "RATE_LIMITED",
  "IDEMPOTENCY_IN_FLIGHT",
] as const);

/**
 * A neighbour's decision, when the code is one that it decides with; else throws: as it is while nothing is decided (503, 504),
 * as a bug when the neighbour refuses us rather than the investor.
 */
export function decisionOr(error: unknown, decisions: ReadonlySet<RefusalCode>, step: string): Refusal {
  if (!(error instanceof Refusal)) throw error;
  if (decisions.has(error.code)) return error;
  throw undecided.has(error.code) ? error : new Error(`${step} was refused: ${error.code}`, { cause: error });
}
