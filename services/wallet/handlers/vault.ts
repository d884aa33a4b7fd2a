import { v7 as uuidv7 } from "uuid";
import type { TillServiceDefinition } from "../../../proto/gen/wallet/v1/tills.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, money, parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { checkPositive } from "../domain/payment.js";
import { transferOfVault, vaultAccounts } from "../domain/till.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { WalletDeps } from "./deps.js";

/** Cash between the vault and the bank. */
export function vaultHandlers(deps: WalletDeps) {
  return {
    /**
     * Asks a second manager for cash from the tenant's bank into the vault, which fills the tills, or
     * back. Refuses AMOUNT_NOT_POSITIVE, AMOUNT_ABOVE_CEILING.
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

interface VaultPayload {
  currency: string;
  minor: string;
  isFromBank: boolean;
  reference: string;
  at?: { installationId: string };
}

/** Books what a second manager has approved, in the name of whoever asked. */
export function vaultOutcome(movements: MovementSaga, clock: Clock): OutcomeHandler {
  return async ({ status, payload, askedBy: createdBy }, session, call, effects) => {
    if (status !== "APPROVED") return;
    const { currency, minor, isFromBank, reference, at } = payload as unknown as VaultPayload;
    const movementId = uuidv7();
    const amount = money(BigInt(minor), currency);
    const transfer = transferOfVault({ movementId, amount, isFromBank, reference, at });
    effects.add(
      { kind: "ACCOUNT_DEBITED", subject: `account:${transfer.debitAccountId}`, amount },
      { kind: "ACCOUNT_CREDITED", subject: `account:${transfer.creditAccountId}`, amount },
    );
    const movement = {
      movementId,
      kind: isFromBank ? ("VAULT_FROM_BANK" as const) : ("VAULT_TO_BANK" as const),
      accountId: "",
      customerId: "",
      ownAccounts: vaultAccounts(currency, at),
      transfers: [transfer],
      createdAt: clock.now(),
      caller: "wallet",
      idempotencyKey: "",
      interactionId: call.interactionId,
      createdBy,
    };
    await movements.beginUnasked(call.tenantId, movement, session);
  };
}
