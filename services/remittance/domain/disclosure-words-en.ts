import type { ShippedDisclosure } from "./disclosure-words.js";

const cancel =
  "You can cancel for a full refund within {{minutes}} minutes of payment, unless the funds have been picked up or deposited.";
const lessReceived = "The recipient may receive less due to fees charged by the recipient's bank and foreign taxes.";
const contact = "For questions or complaints about {{organisation}}, contact:";

export const englishDisclosure: ShippedDisclosure = {
  common: {
    prepaymentTitle: "Information before you pay",
    receiptTitle: "Receipt",
    transaction: "Transaction",
    validUntil: "Price holds until",
    payUntil: "To be paid by",
    paid: "Paid",
    sender: "Sender",
    recipient: "Recipient",
    bankname: "Bank",
    bankaccountno: "Account",
    accountholdername: "Account holder",
    bankcode: "Bank code",
    swiftbic: "BIC",
    mobileoperator: "Mobile operator",
    mobilenumber: "Mobile number",
    payoutpointid: "Payout point",
    recipientname: "Collected by",
    walletaccountno: "Wallet",
    transferAmount: "Transfer amount",
    fees: "Transfer fees",
    taxes: "Transfer taxes",
    taxOn: "Tax on {{fee}}",
    total: "Total",
    exchangeRate: "Exchange rate",
    transferredAmount: "Transfer amount",
    otherFees: "Other fees",
    totalToRecipient: "Total to recipient",
    refunded: "Refunded",
    cashReceived: "Cash received",
    cashChange: "Change",
    dateAvailable: "Date available",
    maySooner: "{{date}} (may be available sooner)",
    exactRate: "The rate is shown rounded. The amounts were worked out with the whole rate:",
    businessDays:
      "The date counts business days by the week of the recipient's country; public holidays are not counted out.",
    cancelTitle: "Right to cancel",
    errorsTitle: "Errors and claims",
    contactTitle: "Contact",
    authorityTitle: "Authorities",
  },
  legal: {
    GENERIC: {
      lessReceived,
      cancel,
      errors:
        "If you think there is an error in your transfer, tell {{organisation}} at once. You can also ask for a written explanation of your rights.",
      contact,
      authority: "If {{organisation}} does not settle your complaint, you can turn to:",
    },
    // 12 CFR 1005.31(b)(2)(iv) to (vi), by the model forms of appendix A.
    US_BSA: {
      lessReceived,
      cancel,
      errors:
        "You have a right to dispute errors in your transaction. If you think there is an error, contact {{organisation}} within 180 days of the date available. You can also contact us for a written explanation of your rights.",
      contact,
      authority: "For questions or complaints about {{organisation}}, you can also contact:",
    },
    // Directive (EU) 2015/2366, Art. 45 and 46, 71, 88 to 90, 99, 101 and 102.
    EU_TFR: {
      lessReceived:
        "The fees above are all charges of {{organisation}}. Payment service providers outside the European Economic Area may deduct charges of their own.",
      cancel,
      errors:
        "Tell {{organisation}} of a payment that was not authorised or not executed correctly without undue delay, and within 13 months of the debit date at the latest: you are refunded without undue delay. We answer complaints within 15 business days.",
      contact,
      authority:
        "You may submit a complaint to the competent authority, and disputes to the body for out-of-court settlement:",
    },
    // Payment Services Regulations 2017, regs 43 to 45, 74, 91 to 93 and 101.
    UK_FTR: {
      lessReceived:
        "The fees above are all charges of {{organisation}}. Payment service providers outside the United Kingdom may deduct charges of their own.",
      cancel,
      errors:
        "Tell {{organisation}} of a payment that was not authorised or not executed correctly without undue delay, and within 13 months of the debit date at the latest: you are refunded without undue delay. We answer complaints within 15 business days.",
      contact,
      authority: "If you are not satisfied with our answer, you can refer your complaint to:",
    },
  },
};
