import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { Money } from "../../kernel/money.js";
import type { StoredRefusal } from "../../kernel/refusal.js";
import type { SagaOrigin } from "../../kernel/sagas/saga-origin.js";
import type { OwnAccount } from "./movement.js";
import { apart, partnerAccount, suspense, type PlannedTransfer } from "./transfers.js";

export type TopUpEnding =
  | { readonly status: "DONE"; readonly newBalanceMinor: bigint }
  | { readonly status: "FAILED"; readonly refusal: StoredRefusal };

/** Money from a card into a wallet. */
export interface TopUp extends SagaOrigin {
  readonly topUpId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amount: Money;
  /** The acquirer's; kept until it is charged or refused. */
  readonly cardToken: string;
  /** The tenant's own acquirer that charges it; the operator's where absent. */
  readonly partner?: OwnPartner;
  readonly createdAt: Date;
  /** Absent while it is PENDING. */
  readonly ending?: TopUpEnding;
}

/** What one acquirer has captured and not paid out. */
export const cardSettlement = (currency: string, at: OwnPartner | undefined): OwnAccount =>
  partnerAccount("card_settlement", at, currency, "Captured from cards");

/**
 * Where a charge that no wallet gets goes: to suspense, and where that is full into accounts of its
 * own.
 */
export type Aside = "suspense" | "apart:suspense";

/** Accounts of the tenant that a top-up moves money of. */
export function accountsOfTopUp({ topUpId, amount: { currency }, partner }: TopUp, aside?: Aside) {
  const shared = { card: cardSettlement(currency, partner), suspense: suspense(currency) };
  if (aside !== "apart:suspense") return shared;
  return { card: apart(shared.card, topUpId), suspense: apart(shared.suspense, topUpId) };
}

/** Card → wallet, or aside where the wallet was closed meanwhile. */
export function transferOfTopUp(topUp: TopUp, aside?: Aside): PlannedTransfer {
  const { topUpId, amount, accountId } = topUp;
  const accounts = accountsOfTopUp(topUp, aside);
  return {
    key: `top-up:${topUpId}${aside === undefined ? "" : `:${aside}`}`,
    debitAccountId: accounts.card.accountId,
    creditAccountId: aside === undefined ? accountId : accounts.suspense.accountId,
    amount,
    kind: "card_top_up",
    description: "Top-up by card",
  };
}
