/** What is stored of a shape, and what becomes of each of its fields once its person is erased. */
export interface PersonalShape {
  file: string;
  shape: string;
  /** Where its fields are taken out. */
  erasedIn: string;
  /** Fields that lie in the database under another name. */
  storedAs?: Readonly<Record<string, string>>;
  /** Texts that erasure leaves, by why; what type or name tells to be none need not be here. */
  stays: Readonly<Record<string, readonly string[]>>;
}

const ours = "ours: a state, a code or a setting, which names nobody";
const books = "the record of what money moved, kept for good under ids: docs/decisions/0021-erasure.md";
const answered = "for whoever decided and why by rule; a reason in words is erased beside it";
const freeWords = "free words in the record of what money moved, which are kept with it";
const oneShape = "a shape of its own in this table";

const remittance = "services/remittance/store/erasure.ts";
const wallet = "services/wallet/store/erasure.ts";
const lending = "services/lending/store/erasure.ts";
const compliance = "services/compliance/store/erasure.ts";
const cases = "services/compliance/cases/store/case-erasure.ts";
const identity = "services/identity/store/people.ts";

export const personalShapes: readonly PersonalShape[] = [
  {
    file: "services/identity/domain/people.ts",
    shape: "UserRecord",
    erasedIn: identity,
    stays: { [ours]: ["role"], [oneShape]: ["customer"], "when their first password ends": ["passwordForOneSignIn"] },
  },
  {
    file: "services/identity/domain/people.ts",
    shape: "CustomerDetails",
    erasedIn: identity,
    storedAs: { phoneNumber: "phone" },
    stays: { [ours]: ["code", "standing"] },
  },
  {
    file: "services/compliance/decisions/domain/customer.ts",
    shape: "CustomerRecord",
    erasedIn: compliance,
    stays: {
      [ours]: ["status", "decision", "flagged", "details"],
      "the score and the country and day that it was made from": ["risk", "person"],
      "a digest of what was answered": ["identityAnswered"],
      "ids of hits and of what they hold": ["holds", "blocks"],
    },
  },
  {
    file: "services/compliance/decisions/domain/customer.ts",
    shape: "StatusChange",
    erasedIn: compliance,
    stays: { [ours]: ["status"], [answered]: ["actor"] },
  },
  {
    file: "services/compliance/decisions/domain/override.ts",
    shape: "Override",
    erasedIn: compliance,
    stays: { [ours]: ["status", "state", "key"] },
  },
  {
    file: "services/compliance/cases/domain/case.ts",
    shape: "Case",
    erasedIn: cases,
    stays: { [ours]: ["kind", "status", "outcome", "priority", "tags"], [answered]: ["assignee"] },
  },
  {
    file: "services/compliance/cases/domain/case.ts",
    shape: "CaseEvent",
    erasedIn: cases,
    stays: { [ours]: ["kind", "details"], [answered]: ["actor"] },
  },
  {
    file: "services/remittance/domain/beneficiary.ts",
    shape: "Beneficiary",
    erasedIn: remittance,
    storedAs: { details: "sealedDetails" },
    stays: { [ours]: ["deliveryMethods"], "taken for good: it must never name another": ["code"] },
  },
  {
    file: "services/remittance/domain/payee-check.ts",
    shape: "PayeeVerdict",
    erasedIn: remittance,
    storedAs: { accountName: "sealedAccountName" },
    stays: { [oneShape]: ["result", "methods"], "who went on in spite of it, an id": ["acceptedBy"] },
  },
  {
    file: "services/remittance/domain/transaction.ts",
    shape: "Party",
    erasedIn: remittance,
    stays: { "a code of ours, as the id": ["customerCode"] },
  },
  {
    file: "services/remittance/domain/transaction.ts",
    shape: "Transaction",
    erasedIn: remittance,
    storedAs: {
      parties: "sealedParties",
      recipientDetails: "sealedRecipientDetails",
      orderParties: "sealedOrderParties",
      amendments: "sealedAmendments",
      payer: "sealedPayer",
      traces: "sealedTraces",
    },
    stays: {
      [ours]: [
        "status",
        "deliveryMethod",
        "processingMode",
        "creditPartySource",
        "createdByRole",
        "terms",
        "availableOn",
        "language",
      ],
      "which words the sender was shown: a profile, a version": ["disclosed"],
      [books]: ["transactionCode", "price", "transferInformation", "recipientWallet", "payout"],
      "which rule decided, and what it asked by name": ["compliance", "transparency", "refusedClaim"],
      "ids of what paid, of who handed out and of what holds it": ["releasedPayments", "pickup", "block"],
      "the request's key and a digest of it": ["request"],
    },
  },
  {
    file: "services/wallet/domain/bank-account.ts",
    shape: "BankAccount",
    erasedIn: wallet,
    stays: { "of a bank": ["bankName", "bankCode"] },
  },
  {
    file: "services/wallet/domain/credit.ts",
    shape: "StoredCredit",
    erasedIn: wallet,
    stays: { [ours]: ["heldFor", "partner"], "why it matched nothing, in our words": ["reason"] },
  },
  {
    file: "services/wallet/domain/payable.ts",
    shape: "PayableItem",
    erasedIn: wallet,
    stays: {
      [ours]: ["type", "sending", "partner"],
      "of a bank, of a withdrawal it did not make": ["reason"],
      "of a biller or merchant, as in the books": ["payeeCode"],
    },
  },
  {
    file: "services/wallet/domain/account.ts",
    shape: "AccountChange",
    erasedIn: wallet,
    stays: { [ours]: ["to"], "a user's or a block's id": ["by"], [freeWords]: ["reason"] },
  },
  {
    file: "services/wallet/domain/refund.ts",
    shape: "Refund",
    erasedIn: wallet,
    stays: { [freeWords]: ["reason"], "which refusal ended it": ["failure"] },
  },
  {
    file: "services/wallet/domain/hold.ts",
    shape: "Hold",
    erasedIn: wallet,
    stays: { [freeWords]: ["description"], "a business day": ["spentOn"] },
  },
  {
    file: "services/lending/domain/application.ts",
    shape: "Application",
    erasedIn: lending,
    stays: {
      [ours]: ["reasonCode", "outstandingRequirements"],
      [books]: ["asked", "payTo", "disbursement"],
    },
  },
  {
    file: "services/lending/domain/repayment.ts",
    shape: "Repayment",
    erasedIn: lending,
    stays: {
      [ours]: ["method", "productName", "partner"],
      [books]: ["paidOn"],
      "a reference that we made": ["reference", "matchReference"],
    },
  },
  {
    file: "services/lending/domain/credit.ts",
    shape: "Credit",
    erasedIn: lending,
    stays: {
      "of one that matched: the reference of a loan, which we made": ["reference", "matchReference"],
      [ours]: ["state", "partner"],
      "the id of a repayment or a payoff": ["matchedTo"],
    },
  },
];

const parsed = "what a request gives, before it becomes a record that is named here";
const wholeAtOnce = "goes whole when its person is erased";
const wholeLater = "goes whole, with the screening or the document it is of, when the retention is over";

/** Shapes with a field of a personal name that are not in the table above, by why. */
export const otherShapes: Readonly<Record<string, string>> = {
  "services/compliance/cases/domain/case-content.ts RemittanceStatus": "read from remittance for a moment, not stored",
  "services/compliance/decisions/domain/customer.ts Person": "read from identity for a moment, not stored",
  "services/compliance/decisions/domain/document.ts DocumentRecord": wholeLater,
  "services/compliance/decisions/store/documents.ts FileRow": wholeLater,
  "services/compliance/lists/domain/list-entry.ts ListEntry": "of those whom a published list names",
  "services/compliance/lists/domain/party.ts ScreenedParty": wholeLater,
  "services/compliance/screening/domain/hit.ts Match": wholeLater,
  "services/compliance/screening/domain/policy.ts ScreeningPolicyContent": "a setting",
  "services/compliance/screening/domain/policy.ts PolicyInput": "a setting",
  "services/identity/domain/customer-find.ts CustomerSought": parsed,
  "services/identity/domain/customer-find.ts SoughtDraft": parsed,
  "services/identity/domain/people.ts ProfileChange": parsed,
  "services/identity/domain/personal-details.ts PersonalDetails": wholeAtOnce,
  "services/identity/domain/personal-details.ts DetailsDraft": parsed,
  "services/identity/domain/registration.ts RegistrationDetails": "sealed, and gone after an hour",
  "services/identity/domain/registration.ts RegistrationDraft": parsed,
  "services/identity/domain/search-words.ts CustomerSearch": parsed,
  "services/identity/domain/sessions.ts SessionRecord": wholeAtOnce,
  "services/identity/store/collections.ts StoredCustomer": "CustomerDetails, as it is sealed",
  "services/remittance/domain/amendment.ts AmendedNames": "part of `amendments`, which go whole",
  "services/remittance/domain/amendment.ts NewNames": parsed,
  "services/remittance/domain/bank-files.ts BankMessage": "a file's name, which we made",
  "services/remittance/domain/bank-files.ts BankFile": "a file's name, which a bank made",
  "services/remittance/domain/order-parties.ts OriginatorOnFile": "of identity, read",
  "services/remittance/domain/payment-claim.ts ClaimRequest": parsed,
  "services/remittance/domain/payout-point.ts PayoutPointContent": "of an office",
  "services/remittance/domain/disclosure-template.ts DisclosureContact": "of the organisation or an authority",
  "services/remittance/domain/payout-point.ts BranchContent": "of an office",
  "services/remittance/domain/recipient-details.ts RecipientDetails": wholeAtOnce,
  "services/remittance/domain/recipient-details.ts RecipientDraft": parsed,
  "services/remittance/domain/requested-parties.ts RequestedParty": parsed,
  "services/remittance/domain/requested-parties.ts KnownSide": "part of `parties`, which goes whole",
  "services/remittance/domain/requested-parties.ts PersonOfIdentity": "read from identity for a moment, not stored",
  "services/remittance/domain/counter-sale.ts PayerAccount": "`payer`, which goes whole",
  "services/wallet/domain/account.ts WalletAccount": "the wallet's number, which we made",
  "services/wallet/domain/domiciliary.ts Candidate": "read from identity for a moment, not stored",
  "services/wallet/domain/payment.ts Payment": "the wallet's number, which we made",
};
