import type { UnreadableCredit } from "../../shared/partner/bank-credits.js";
import type { PartnerCall } from "../../shared/partner/sender.js";
import type { Money } from "../../shared/money.js";

/** A transfer to a customer's bank account. */
export interface BankTransferOrder {
  /** Ours: however often it is sent, the bank makes it once. */
  readonly reference: string;
  readonly amount: Money;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly accountHolderName: string;
  readonly narration: string;
}

export interface BankTransfer {
  readonly status: "ACCEPTED" | "PAID" | "REFUSED" | "RETURNED";
  readonly reason: string;
}

export interface CardCharge {
  readonly status: "CAPTURED" | "REFUSED" | "PENDING";
  readonly reason: string;
}

/** A transfer that arrived at the tenant's bank. */
export interface ArrivedCredit {
  readonly creditId: string;
  readonly reference: string;
  readonly amount: Money;
  readonly senderName: string;
  readonly receivedAt: Date;
}

/**
 * The tenant's bank and card acquirer. Every call throws Refusal UNAVAILABLE while the outcome is
 * unknown, which is never a refusal.
 */
export interface BankConnector {
  transfer(order: BankTransferOrder, call: PartnerCall): Promise<BankTransfer>;
  /** What became of a transfer; undefined where the bank has none of this reference. */
  findTransfer(reference: string, call: PartnerCall): Promise<BankTransfer | undefined>;
  /**
   * The token of the card that a customer has stored at the acquirer; undefined where there is
   * none.
   */
  storedCard(customerId: string, call: PartnerCall): Promise<string | undefined>;
  charge(reference: string, cardToken: string, amount: Money, call: PartnerCall): Promise<CardCharge>;
  /**
   * What arrived for loans after the cursor, oldest first, at most 100. The first page has the
   * cursor "".
   */
  credits(
    after: string,
    call: PartnerCall,
  ): Promise<{ credits: ArrivedCredit[]; unreadable: UnreadableCredit[]; nextCursor: string }>;
}
