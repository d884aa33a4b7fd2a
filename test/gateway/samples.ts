import type { Entry } from "../../proto/gen/ledger/v1/ledger.js";
import type { Beneficiary, Transaction } from "../../proto/gen/remittance/v1/remittance.js";
import type { Disclosure } from "../../proto/gen/remittance/v1/disclosure.js";
import type { Payment } from "../../proto/gen/wallet/v1/wallet.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";

const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

/** What the played services answer, and bodies that are right. */
export const samplePayment: WirePartial<Payment> = {
  paymentId: "pay-1",
  status: "SUCCESS",
  payableType: "PAYABLE_TYPE_TRANSACTION",
  payableId: "tx-1",
  accountId: "acc-1",
  accountNumber: "1002003004",
  totalCheckoutAmount: usd(10_350n),
  paymentGatewayRef: "ref-1",
  newBalanceMinor: 900_719_925_474_099_301n,
  payableStatus: "PAID",
  paidAt: at,
  interactionId: "i-1",
};

export const sampleTransaction: WirePartial<Transaction> = {
  transactionId: "tx-1",
  transactionCode: "MN-1",
  status: "AWAITING_PAYMENT",
  type: "DELIVERY_METHOD_ACCOUNTPAYMENT",
  sendAmount: usd(10_000n),
  receiveAmount: { amountMinor: 16_000_050n, currency: "NGN" },
  inclusive: false,
  exchangeRate: "1600.005",
  fees: [{ name: "Transfer fee", amount: usd(300n), taxMinor: 50n }],
  totalFees: usd(300n),
  totalTaxes: usd(50n),
  totalAmount: usd(10_350n),
  sender: { customerId: "customer-1", customerCode: "C1", name: "Ada Obi", country: "USA" },
  recipient: { customerCode: "B1", name: "Bola Ade", country: "NGA" },
  creditParty: [{ key: "bankaccountno", value: "0123456789" }],
  internationalTransferInformation: {
    originCountry: "USA",
    receivingCountry: "NGA",
    remittancePurpose: "FAMILY",
    sourceOfFunds: "SALARY",
  },
  processingMode: "PROCESSING_MODE_REAL_TIME",
  descriptionText: "rent",
  dynamicFields: { note: "n", nested: { list: [1, true, null, 2.5] } },
  compliance: { decision: "APPROVED", outstandingRequirements: [] },
  interactionId: "i-1",
  createdAt: at,
  expiresAt: new Date("2026-11-21T11:15:00.000Z"),
  availableOn: "2026-11-24",
  timeline: [{ status: "AWAITING_PAYMENT", at, actor: "user-1", reason: "" }],
};

export const sampleDisclosure: WirePartial<Disclosure> = {
  kind: "PREPAYMENT",
  profile: "GENERIC",
  language: "en",
  organisation: "Demo",
  title: "Information before you pay",
  transferAmount: usd(10_000n),
  fees: [{ name: "Transfer fee", amount: usd(300n), taxMinor: 50n }],
  totalFees: usd(300n),
  totalTaxes: usd(50n),
  totalAmount: usd(10_350n),
  exchangeRate: "1600.005",
  shownRate: "1 USD = 1,600.005 NGN",
  transferredAmount: { amountMinor: 16_000_050n, currency: "NGN" },
  totalOtherFees: { amountMinor: 0n, currency: "NGN" },
  totalToRecipient: { amountMinor: 16_000_050n, currency: "NGN" },
  availableOn: "2026-11-24",
};

export const sampleEntry: WirePartial<Entry> = {
  entryId: "e-1",
  transferId: "t-1",
  accountId: "acc-1",
  accountName: "USD wallet 1002003004",
  accountCode: "customer_wallet",
  ownerId: "customer-1",
  side: "ENTRY_SIDE_DEBIT",
  amount: usd(10_000n),
  balanceMinor: 9_223_372_036_854_775_807n,
  kind: "wallet_payment",
  executedAt: at,
  effectiveAt: at,
  day: "2026-11-21",
  interactionId: "i-1",
  createdBy: "user-1",
  sequence: 9_007_199_254_740_993n,
};

export const sampleBeneficiary: WirePartial<Beneficiary> = {
  beneficiaryId: "b-1",
  code: "B1",
  customerId: "customer-1",
  name: "Bola Ade",
  firstName: "Bola",
  lastName: "Ade",
  country: "NGA",
  currency: "NGN",
  accountNumber: "0123456789",
  bankName: "First",
  bankCode: "011",
  deliveryMethods: ["DELIVERY_METHOD_ACCOUNTPAYMENT"],
  creditParty: [{ key: "bankaccountno", value: "0123456789" }],
  details: {
    kind: "PERSON",
    dateOfBirth: "1988-03-14",
    nationality: "NGA",
    address: { lines: ["7 Broad Street"], city: "Lagos", region: "", postalCode: "101231", country: "NGA" },
  },
  createdAt: at,
};

export const paymentBody = {
  payableType: "TRANSACTION",
  payAbleId: "tx-1",
  password: "Correct-horse-1",
  accountId: "acc-1",
  totalCheckOutAmount: 103.5,
  paymentGatewayRef: "ref-1",
};

export const transactionBody = {
  sendAmount: "100.00",
  sendCurrency: "USD",
  receivingCurrency: "NGN",
  inclussive: false,
  type: "ACCOUNTPAYMENT",
  preExistingSenderCustomerCode: "C1",
  preExistingRecipientCustomerCode: "B1",
  creditParty: [
    { key: "bankaccountno", value: "0123456789" },
    { key: "accountholdername", value: "Bola Ade" },
    { key: "bankcode", value: "011" },
  ],
  internationalTransferInformation: {
    originCountry: "US",
    receivingCountry: "NGA",
    remittancePurpose: "FAMILY",
    sourceOfFunds: "SALARY",
  },
  transactionProcessingMode: "REAL_TIME",
  transactionModule: "REMITTANCE",
};

const sampleAgentLine = {
  lineId: "sale:0199d0c2-4492-745b-898d-dad500e6ac00",
  kind: "SALE",
  account: "ACCOUNT",
  amountMinor: -102_69n,
  currency: "USD",
  businessDay: "2026-11-30",
  at: new Date("2026-11-30T09:15:00Z"),
};

export const agentSettlementSamples = {
  listAgentSettlementLines: async () => ({ lines: [sampleAgentLine], nextCursor: "" }),
  readAgentStatement: async () => ({ text: "{}\n", nextCursor: "" }),
};

export const sampleTillLine = {
  number: 1,
  kind: "FLOAT",
  amountMinor: 200_00n,
  balanceMinor: 200_00n,
  currency: "USD",
  bookedAt: new Date("2026-11-21T10:15:00.000Z"),
  movedBy: "u1",
  movementId: "m-1",
};

const sampleDayVault = {
  currency: "USD",
  openingMinor: 0n,
  lines: [{ kind: "FROM_BANK", count: 1, totalMinor: 5_000_00n, currency: "USD" }],
  closingMinor: 5_000_00n,
  ledgerMinor: 5_000_00n,
};
export const sampleBranchDay = {
  branchCode: "LAG-1",
  date: "2026-11-30",
  allClosed: true,
  vaults: [sampleDayVault],
  totals: [{ ...sampleDayVault, inTillsMinor: 0n, inVaultMinor: 5_000_00n, inTransitMinor: 0n }],
};
