import type { TillServiceDefinition } from "../../../proto/gen/wallet/v1/tills.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { checkPositive } from "../domain/payment.js";
import { house } from "../domain/vault.js";
import { assertBranch } from "./branches.js";
import type { WalletDeps } from "./deps.js";
import { namedBank } from "./named-bank.js";
import { approvalKeyOf } from "../../platform/approvals/request-id.js";

/** Cash between the vault and the bank. */
export function vaultHandlers(deps: WalletDeps) {
  return {
    /**
     * Asks a second manager for cash from one of the tenant's banks into a vault, which fills the
     * tills, or back. Refuses AMOUNT_NOT_POSITIVE, AMOUNT_ABOVE_CEILING, INVALID_INPUT for a bank
     * that is not said where there are several.
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
      const bank = textFromWire(request.bank, "bank", { minimum: 0 });
      const at = await namedBank(deps.banks, bank, call);
      const isFromBank = direction === "FROM_BANK";
      const branch = await assertBranch(deps, request.branchCode, "branchCode", call, { mayBeOff: !isFromBank });
      await deps.store.forTenant(call.tenantId).openVault(branch, currency);
      const vault = branch === house ? "the vault" : `the vault of ${branch}`;
      const approval = await deps.approvals.ask(call, {
        idempotencyKey: approvalKeyOf("vault", key, call),
        kind: "VAULT_MOVEMENT",
        subject: branch === house ? `vault:${currency}` : `vault:${branch}:${currency}`,
        summary: `${formatMoney(amount)} ${currency} ${isFromBank ? `from the bank into ${vault}` : `from ${vault} to the bank`}`,
        amount,
        reason: reference,
        payload: {
          branch,
          currency,
          minor: String(amount.minor),
          isFromBank,
          reference,
          ...(at !== undefined && { at }),
        },
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },
  } satisfies Partial<Handlers<TillServiceDefinition>>;
}
