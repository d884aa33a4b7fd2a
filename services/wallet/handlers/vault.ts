import {
  MoveVaultCashRequest,
  MoveVaultCashResponse,
  type TillServiceDefinition,
} from "../../../proto/gen/wallet/v1/tills.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { checkPositive } from "../domain/payment.js";
import { transferOfVault, vaultAccounts } from "../domain/till.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

/** Cash between the vault and the bank. */
export function vaultHandlers(deps: WalletDeps) {
  return {
    /**
     * Moves cash from the tenant's bank into the vault, which fills the tills, or back. Refuses
     * AMOUNT_NOT_POSITIVE.
     */
    async moveVaultCash(request, call) {
      const { currency, direction } = request;
      assertCurrency(currency, "currency");
      if (direction !== "FROM_BANK" && direction !== "TO_BANK") {
        throw invalidInput("direction", "must be FROM_BANK or TO_BANK");
      }
      const amount = parseMoney(request.amount, currency, "amount");
      checkPositive(amount);
      const reference = textFromWire(request.reference, "reference");
      const isFromBank = direction === "FROM_BANK";
      return runMovement<MoveVaultCashRequest, MoveVaultCashResponse>(deps, {
        operation: "wallet.v1.MoveVaultCash",
        request,
        requestType: MoveVaultCashRequest,
        response: MoveVaultCashResponse,
        call,
        plan: async (movementId) => {
          await deps.ceilings.check(call, amount);
          const at = await deps.banks.takerOf(call.tenantId, call.interactionId);
          return {
            kind: isFromBank ? "VAULT_FROM_BANK" : "VAULT_TO_BANK",
            accountId: "",
            customerId: "",
            ownAccounts: vaultAccounts(currency, at),
            transfers: [transferOfVault({ movementId, amount, isFromBank, reference, at })],
          };
        },
      });
    },
  } satisfies Partial<Handlers<TillServiceDefinition>>;
}
