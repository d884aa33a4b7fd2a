import type { Money } from "../../kernel/money.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { OwnAccount } from "./movement.js";
import { ownAccount } from "./payable.js";
import { bankSettlement, type PlannedTransfer } from "./transfers.js";

/** Of what belongs to no branch. */
export const house = "";

/** Why there is more or less cash in a vault. */
export type VaultLineKind =
  "FLOAT" | "CLOSING" | "FROM_BANK" | "TO_BANK" | "ORDER_SENT" | "ORDER_RECEIVED" | "ORDER_RETURNED";

/** Cash of a branch, or of the house, in one currency that no till holds. Minor units. */
export interface Vault {
  readonly branch: string;
  readonly currency: string;
  /** How many lines it has, and what they come to: what the ledger has, once all is booked. */
  readonly lines: number;
  readonly bookedMinor: bigint;
}

/** What came into a vault or left it once it was booked, numbered from 1 as it was booked. */
export interface VaultLine {
  readonly branch: string;
  readonly currency: string;
  readonly number: number;
  readonly kind: VaultLineKind;
  /** In above zero, out below. */
  readonly amountMinor: bigint;
  /** In the vault after it. */
  readonly balanceMinor: bigint;
  readonly bookedAt: Date;
  /** Business day, such as "2026-11-30". */
  readonly day: string;
  /** User id of whoever moved it. */
  readonly movedBy: string;
  readonly movementId: string;
  /** The till or the order; absent of what came from the bank or went to it. */
  readonly subjectId?: string;
}

/** A line before it has its place. */
export type NewVaultLine = Omit<VaultLine, "number" | "balanceMinor">;

/** The cash that no till holds: one account a branch and currency. */
export function vaultAccount(branch: string, currency: string): OwnAccount {
  if (branch === house) return ownAccount("cash_vault", currency, "Cash in the vault");
  const accountId = `cash_vault:${branch}:${currency}`;
  return { accountId, code: "cash_vault", currency, name: `Cash in the vault of ${branch} ${currency}` };
}

/** What moving cash between vault and bank needs. */
export function vaultAccounts(branch: string, currency: string, at: OwnPartner | undefined): OwnAccount[] {
  return [vaultAccount(branch, currency), bankSettlement(currency, at)];
}

/** Bank → vault, or vault → bank; both are assets: what gets it is debited. */
export function transferOfVault(moved: {
  movementId: string;
  branch: string;
  amount: Money;
  isFromBank: boolean;
  /** The bank's. */
  reference: string;
  at: OwnPartner | undefined;
}): PlannedTransfer {
  const { movementId, branch, amount, isFromBank, reference, at } = moved;
  const [vault, bank] = vaultAccounts(branch, amount.currency, at).map(({ accountId }) => accountId) as [
    string,
    string,
  ];
  return {
    key: `vault:${movementId}`,
    debitAccountId: isFromBank ? vault : bank,
    creditAccountId: isFromBank ? bank : vault,
    amount,
    kind: isFromBank ? "vault_from_bank" : "vault_to_bank",
    description: `${isFromBank ? "Cash from the bank" : "Cash to the bank"} ${reference}`,
  };
}
