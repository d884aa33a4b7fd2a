import type { DeliveryMethod } from "./corridor.js";
import { detail, type KeyValue } from "./credit-party.js";
import type { PayeeVerdict } from "./payee-check.js";
import type { RecipientDetails } from "./recipient-details.js";

/** A saved recipient of one customer. */
export interface Beneficiary {
  beneficiaryId: string;
  /** Unique in the tenant; create-transaction names recipients by it. */
  code: string;
  customerId: string;
  firstName: string;
  lastName: string;
  /** Alpha-3. */
  country: string;
  currency: string;
  deliveryMethods: DeliveryMethod[];
  creditParty: KeyValue[];
  relationship: string;
  /** Absent where nothing of it is known. */
  details?: RecipientDetails;
  /** What came of it when its account was last looked at; absent where it never was. */
  payeeCheck?: PayeeVerdict;
  createdAt: Date;
  createdBy: string;
  changedAt?: Date;
  changedBy?: string;
  /** Its code stays taken, and nothing is sent to it any more. */
  removedAt?: Date;
}

export function nameOf({ firstName, lastName }: Pick<Beneficiary, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`.trim();
}

/** The account details that lists show as fields of their own. */
export function accountOf({ creditParty }: Pick<Beneficiary, "creditParty">) {
  return {
    accountNumber: detail(creditParty, "bankaccountno") || detail(creditParty, "walletaccountno"),
    bankName: detail(creditParty, "bankname"),
    bankCode: detail(creditParty, "bankcode"),
    swiftBic: detail(creditParty, "swiftbic"),
    mobileOperator: detail(creditParty, "mobileoperator"),
    mobileNumber: detail(creditParty, "mobilenumber"),
  };
}
