import type { Money } from "../../shared/money.js";
import { ownAccount } from "./payable.js";
import type { OwnAccount } from "./movement.js";
import type { KeptRefusal } from "../../shared/refusal.js";
import type { SagaOrigin } from "../../shared/sagas.js";
import type { PlannedTransfer } from "./transfers.js";

export type TopUpEnding =
  | { readonly status: "DONE"; readonly newBalanceMinor: bigint }
  | { readonly status: "FAILED"; readonly refusal: KeptRefusal };

/** Money from a card into a wallet. */
export interface TopUp extends SagaOrigin {
  readonly topUpId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amount: Money;
  /** The acquirer's; kept until it is charged or refused. */
  readonly cardToken: string;
  readonly createdAt: Date;
  /** Absent while it is PENDING. */
  readonly ending?: TopUpEnding;
}

export function cardSettlement(currency: string): OwnAccount {
  return ownAccount("card_settlement", currency, "Captured from cards");
}

/** Card → wallet, or → suspense where the wallet was closed meanwhile. */
export function transferOfTopUp(topUp: TopUp, creditAccountId: string, keyEnd = ""): PlannedTransfer {
  const { topUpId, amount } = topUp;
  return {
    key: `top-up:${topUpId}${keyEnd}`,
    debitAccountId: cardSettlement(amount.currency).accountId,
    creditAccountId,
    amount,
    kind: "card_top_up",
    description: "Top-up by card",
  };
}
