import type { Money } from "../../shared/money.js";
import type { KeptRefusal } from "../../shared/refusal.js";
import type { SagaOrigin } from "../../shared/sagas.js";

export type DepositEnding =
  | { readonly status: "DONE"; readonly newBalanceMinor: bigint }
  | { readonly status: "FAILED"; readonly refusal: KeptRefusal };

/** Money that arrived at the tenant's bank for a wallet. */
export interface Deposit extends SagaOrigin {
  readonly depositId: string;
  readonly accountId: string;
  readonly amount: Money;
  /** The bank's reference. */
  readonly reference: string;
  readonly createdAt: Date;
  /** The wallet's customer, where they may not have it yet. */
  readonly heldFor?: string;
  /** Absent while it is PENDING. */
  readonly ending?: DepositEnding;
}
