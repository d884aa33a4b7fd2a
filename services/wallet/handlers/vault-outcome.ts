import { v7 as uuidv7 } from "uuid";
import { money } from "../../kernel/money.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { transferOfVault, vaultAccounts } from "../domain/vault.js";
import type { MovementSaga } from "../sagas/movement.js";

interface VaultPayload {
  branch: string;
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
    const { branch, currency, minor, isFromBank, reference, at } = payload as unknown as VaultPayload;
    const movementId = uuidv7();
    const amount = money(BigInt(minor), currency);
    const transfer = transferOfVault({ movementId, branch, amount, isFromBank, reference, at });
    effects.add(
      { kind: "ACCOUNT_DEBITED", subject: `account:${transfer.debitAccountId}`, amount },
      { kind: "ACCOUNT_CREDITED", subject: `account:${transfer.creditAccountId}`, amount },
    );
    const movement = {
      movementId,
      kind: isFromBank ? ("VAULT_FROM_BANK" as const) : ("VAULT_TO_BANK" as const),
      accountId: "",
      customerId: "",
      ownAccounts: vaultAccounts(branch, currency, at),
      branch,
      transfers: [transfer],
      createdAt: clock.now(),
      interactionId: call.interactionId,
      createdBy,
    };
    await movements.beginUnasked(call.tenantId, movement, session);
  };
}
