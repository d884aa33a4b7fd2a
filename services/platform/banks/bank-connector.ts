import type { Money } from "../../kernel/money.js";
import type { UnreadableCredit } from "./bank-credits.js";
import type { PartnerCall } from "../partners/sender.js";
import type { OwnPartner } from "./own-partner.js";
import type { TransferParties } from "./transfer-parties.js";

/**
 * A call about something that was begun, at whom it was begun: undefined is the operator's default.
 */
export interface BegunCall extends PartnerCall {
  readonly at: OwnPartner | undefined;
}

/** An account that is somebody's at a bank. */
export interface NamedAccount {
  readonly country: string;
  readonly currency: string;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly accountHolderName: string;
}

export interface AccountCheck {
  readonly isVerified: boolean;
  readonly bankName: string;
  readonly accountHolderName: string;
  /** Why not, in the bank's words. */
  readonly reason: string;
}

export interface BvnHolder {
  readonly firstName: string;
  readonly lastName: string;
  /** "1990-04-12", where the register says it. */
  readonly dateOfBirth?: string;
  readonly phoneNumber?: string;
}

export interface BankTransferOrder {
  /** Ours: however often it is sent, the bank makes it once. */
  readonly reference: string;
  readonly amount: Money;
  readonly to: Pick<NamedAccount, "bankCode" | "accountNumber" | "accountHolderName">;
  readonly narration: string;
  readonly parties: TransferParties;
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
export interface BankCredit {
  readonly creditId: string;
  readonly reference: string;
  readonly amount: Money;
  readonly senderName: string;
  readonly senderAccountNumber: string;
  readonly receivedAt: Date;
}

/** What arrived for wallets, or for loans: each has a list of its own at a bank. */
export type Collection = "wallet" | "lending";

export interface CreditPage {
  readonly credits: BankCredit[];
  readonly unreadable: UnreadableCredit[];
  readonly nextCursor: string;
}

/**
 * A tenant's bank. Every call throws Refusal UNAVAILABLE while the outcome is unknown: that is
 * never a refusal, which only an answer can say.
 */
export interface BankConnector {
  checkAccount(reference: string, account: NamedAccount, call: PartnerCall): Promise<AccountCheck>;
  /** Undefined where the register has no such number. */
  lookUpBvn(
    reference: string,
    requested: { bvn: string; country: string },
    call: PartnerCall,
  ): Promise<BvnHolder | undefined>;
  transfer(order: BankTransferOrder, call: BegunCall): Promise<BankTransfer>;
  /** Undefined where the bank does not know the reference. */
  findTransfer(reference: string, call: BegunCall): Promise<BankTransfer | undefined>;
  /** What arrived after the cursor, oldest first, at most 100. The first page has the cursor "". */
  credits(after: string, call: BegunCall): Promise<CreditPage>;
}

/** A tenant's card acquirer; as BankConnector. */
export interface CardConnector {
  charge(reference: string, cardToken: string, amount: Money, call: BegunCall): Promise<CardCharge>;
  findCharge(reference: string, call: BegunCall): Promise<CardCharge | undefined>;
  /** The token of the card that a customer has stored there; undefined where there is none. */
  storedCard(customerId: string, call: BegunCall): Promise<string | undefined>;
}
