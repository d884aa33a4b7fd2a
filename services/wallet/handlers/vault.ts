import type { TillServiceDefinition } from "../../../proto/gen/wallet/v1/tills.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { checkPositive } from "../domain/payment.js";
import type { WalletDeps } from "./deps.js";

/** Cash between the vault and the bank. */
export function vaultHandlers(deps: WalletDeps) {
  return {
    /**
     * Asks a second manager for cash from the tenant's bank into the vault, which fills the tills,
     * or back. Refuses AMOUNT_NOT_POSITIVE, AMOUNT_ABOVE_CEILING.
     */
    async moveVaultCash(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const { currency, direction } = request;
      assertCurrency(currency, "currency");
      if (direction !== "FROM_BANK" && direction !== "TO_BANK") {
        throw invalidInput("direction", "must be FROM_BANK or TO_BANK");
      }
      const amount = parseMoney(request.amount, currency, "amount");
      checkPositive(amount);
      const reference = textFromWire(request.reference, "reference");
      await deps.ceilings.check(call, amount);
      const at = await deps.banks.takerOf(call.tenantId, call.interactionId);
      const isFromBank = direction === "FROM_BANK";
      const approval = await deps.approvals.ask(call, {
        idempotencyKey: `vault:${requireUser(call).userId}:${key}`.slice(0, 255),
        kind: "VAULT_MOVEMENT",
        subject: `vault:${currency}`,
        summary: `${formatMoney(amount)} ${currency} ${isFromBank ? "from the bank into the vault" : "from the vault to the bank"}`,
        amount,
        reason: reference,
        payload: { currency, minor: String(amount.minor), isFromBank, reference, ...(at !== undefined && { at }) },
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },
  } satisfies Partial<Handlers<TillServiceDefinition>>;
}
