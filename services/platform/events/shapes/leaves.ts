// Leaves that many shapes have; their examples are of one customer, transaction and loan.
import { z } from "zod";
import { decimalText, moneyNumber, integer, shown } from "./schema.js";

/** Of the people and things of the examples. */
export const ids = {
  userId: "0199d0c2-0000-7000-8000-000000000005",
  customerId: "0199d0c2-0000-7000-8000-000000000004",
  accountId: "0199d0c2-0000-7000-8000-000000000003",
  investmentProductId: "7f8a2c10-5b1e-4c7e-9a3d-2f6b8d4e1a01",
  transactionId: "0199d0c2-43bc-7341-86c0-b8c5b861ebd4",
  paymentId: "0199d0c2-4492-745b-898d-dad500e6ac00",
  interactionId: "3f1c9a52-6d0e-4b8f-9a37-2c5d8e1f7b60",
  bankAccountId: "0199d0c2-48a0-7c15-9d2e-5b7f3a1c8e60",
  loanApplicationId: "a7d57485-70e9-88a4-a9bb-926704b19b70",
  /** The loan that the examples pay back in part; the other one they pay off. */
  repaidLoanApplicationId: "5483faa1-6910-8881-a786-52a92862c554",
  repaidAccountId: "0199d0c2-db96-77b4-b792-ec4db6f98b24",
  /** What a login answers and its refresh takes. */
  refreshToken: "AVWZGYOo-Djiu2dJUovocaAu8rKxAAAAAYIYA8eLRIreQc8c00wUbPskuQPaeJX2",
} as const;

export const accountId = shown(z.string(), ids.accountId);
export const accountName = shown(z.string(), "USD wallet 8816873460");
export const accountNumber = shown(z.string(), "8816873460");
export const accruedInterest = shown(decimalText, "0.03");
export const annualRate = shown(z.string(), "12");
export const apr = shown(z.string(), "12.68");
export const balance = shown(decimalText, "4977.74");
export const bankAccountId = shown(z.string(), ids.bankAccountId);
export const bankCode = shown(z.string(), "011");
export const bankName = shown(z.string(), "First Bank of Nigeria");
export const chargeCategory = shown(z.string(), "STANDARD");
export const city = shown(z.string(), "Lagos");
export const country = shown(z.string(), "NGA");
export const customerCode = shown(z.string(), "C-AMINA");
export const customerId = shown(z.string(), ids.customerId);
export const dayCount = shown(z.string(), "THIRTY_360");
export const deliveryEstimateMinutes = shown(z.int(), 1440);
export const deliveryDays = shown(z.int(), 1);
export const description = shown(z.string(), "Rent for November");
export const email = shown(z.string(), "amina@demo.example");
export const entryId = shown(z.string(), "6908555");
export const exchangeRate = shown(decimalText, "1525.75");
export const failure = shown(z.string(), "the bank refused it");
export const fee = shown(decimalText, "2.10");
export const interactionId = shown(z.string(), ids.interactionId);
export const investmentProductId = shown(z.string(), ids.investmentProductId);
export const ledgerEntryId = shown(z.string(), "23d");
export const loanAmount = shown(moneyNumber, 600);
export const loanApplicationId = shown(z.string(), ids.loanApplicationId);
export const loanProductName = shown(z.string(), "Personal loan");
export const matchedName = shown(z.string(), "AMINA BELLO");
export const maximumAmount = shown(decimalText, "15000.00");
export const mobileOperator = shown(z.string(), "SAFARICOM");
export const name = shown(z.string(), "Amina Bello");
export const newBalance = shown(moneyNumber, 4977.74);
export const nextCursor = shown(z.string(), "eyJhZnRlciI6IjIwMjYtMTEtMjEifQ");
export const no = shown(z.boolean(), false);
export const ofTenant = shown(z.string(), "TENANT");
export const otherFee = shown(decimalText, "150.00");
export const otherFeeName = shown(z.string(), "Fee of the recipient's bank");
export const openingHours = shown(z.string(), "Mon-Fri 09:00-17:00");
export const operation = shown(z.string(), "REMITTANCE");
export const originCountry = shown(z.string(), "USA");
export const partner = shown(z.string(), "sandbox");
export const paymentId = shown(z.string(), ids.paymentId);
export const paymentMethod = shown(z.string(), "BANK_TRANSFER");
export const payoffAmount = shown(moneyNumber, 602.2);
export const phoneNumber = shown(z.string(), "+2348012345678");
export const productId = shown(z.string(), "personal");
export const productName = shown(z.string(), "One-year dollar deposit");
export const rateBps = shown(z.int(), 50);
export const ratePercent = shown(decimalText, "5");
export const reason = shown(z.string(), "asked for by the customer");
export const receiveAmount = shown(decimalText, "30515.00");
export const receivingCurrency = shown(z.string(), "NGN");
export const recipientAccountNumber = shown(z.string(), "3001234560");
export const recipientCode = shown(z.string(), "B-AMINA-NG");
export const recipientName = shown(z.string(), "Chidi Okafor");
export const reference = shown(z.string(), "invoice-2026-0042");
export const repaymentAmount = shown(moneyNumber, 10);
export const repaymentReference = shown(z.string(), "LN77142515467");
export const requirement = shown(z.string(), "IDENTITY_DOCUMENT");
export const riskProfiles = shown(z.string(), "LOW");
export const ruleId = shown(z.string(), "source-of-funds");
export const secret = shown(z.string(), "JBSWY3DPEHPK3PXP");
export const sendAmount = shown(decimalText, "20.00");
export const senderAccountNumber = shown(z.string(), "******1234");
export const sentTo = shown(z.string(), "am***@demo.example");
export const sha256 = shown(z.string(), "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
export const source = shown(z.string(), "desk");
export const sourceOfFunds = shown(z.string(), "SALARY");
export const streetLine = shown(z.string(), "12 Marina");
export const tax = shown(decimalText, "0.16");
export const timeZone = shown(z.string(), "Africa/Lagos");
export const totalAmount = shown(decimalText, "22.26");
export const totalPayable = shown(decimalText, "621.16");
export const transactionCode = shown(z.string(), "MN01X7A89PGR");
export const transactionId = shown(z.string(), ids.transactionId);
export const unitsLeft = shown(integer, 99998);
export const userId = shown(z.string(), ids.userId);
export const verificationStatus = shown(z.string(), "PENDING_VERIFICATION");
export const zero = shown(decimalText, "0.00");
export const zeroPercent = shown(z.string(), "0");
export const zeroText = shown(z.string(), "0.00");
