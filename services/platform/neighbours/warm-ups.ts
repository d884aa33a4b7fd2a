import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { CallOptions, Client } from "../../kernel/grpc/client.js";

interface Neighbours {
  compliance: Pick<Client<ComplianceServiceDefinition>, "checkMoves">;
  ledger: Pick<Client<LedgerServiceDefinition>, "getAccount">;
  remittance: Pick<Client<RemittanceServiceDefinition>, "getExchangeRate">;
  wallet: Pick<Client<WalletServiceDefinition>, "getWalletAccount">;
}

/** What a service moves that it has compliance check. */
type MoveKind = "MOVE_KIND_PAYMENT" | "MOVE_KIND_TRANSACTION";

/** A call of each of these neighbours that leaves no trace, for `warmUpCalls`. */
export function neighbourCalls(neighbours: Partial<Neighbours>, kind: MoveKind = "MOVE_KIND_PAYMENT") {
  const { compliance, ledger, remittance, wallet } = neighbours;
  const moves = [{ customerId: "warm-up", kind }];
  const rates = { fromCurrency: "USD", toCurrency: "NGN" };
  return {
    ...(compliance && { compliance: (call: CallOptions) => compliance.checkMoves({ moves }, call) }),
    ...(ledger && { ledger: (call: CallOptions) => ledger.getAccount({ accountId: "warm-up" }, call) }),
    ...(remittance && { remittance: (call: CallOptions) => remittance.getExchangeRate(rates, call) }),
    ...(wallet && { wallet: (call: CallOptions) => wallet.getWalletAccount({ accountId: "warm-up" }, call) }),
  };
}
