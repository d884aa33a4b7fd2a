import type { ComplianceOutcome } from "../../services/remittance/domain/compliance-outcome.js";
import type { PartnerPayout, Payout, Step } from "../../services/remittance/domain/payout.js";
import {
  changed,
  type Change,
  type Transaction,
  type TransactionStatus,
} from "../../services/remittance/domain/transaction.js";
import { money } from "../../services/kernel/money.js";

const usd = (minor: bigint) => ({ minor, currency: "USD" });

/** When what is unpaid was created, and when what is paid for was paid. */
export const createdAt = new Date("2026-05-01T12:00:00Z");
export const paidAt = new Date("2026-11-21T10:00:00Z");

export const approved: ComplianceOutcome = {
  decision: "APPROVED",
  reasonCode: "",
  message: "",
  outstandingRequirements: [],
  policyVersion: 1,
};
/** How a price came about without markup and promotion. */
export const terms = {
  middleRate: "1",
  markup: { tenantBps: 0, agentBps: 0, promotionBps: 0, tenantFeeBps: 0, agentFeeBps: 0 },
  delivery: { days: 1, otherFees: [] },
};

/** A transaction as it is first stored. */
export const created: Transaction = {
  transactionId: "t1",
  transactionCode: "MN0000000000",
  version: 1,
  status: "AWAITING_COMPLIANCE",
  deliveryMethod: "ACCOUNTPAYMENT",
  processingMode: "REAL_TIME",
  price: {
    principal: usd(100_00n),
    fees: [],
    totalFees: usd(2_00n),
    totalTaxes: usd(15n),
    total: usd(102_15n),
    receive: { minor: 1n, currency: "NGN" },
    rate: "1",
    inclusive: false,
  },
  rateId: "r1",
  corridorVersion: 1,
  sender: { customerId: "c1", customerCode: "C-1", name: "Ada", country: "USA" },
  recipient: { customerId: "c1", customerCode: "B-1", name: "Ngozi", country: "NGA" },
  beneficiaryId: "b1",
  terms,
  creditParty: [],
  creditPartySource: "BENEFICIARY",
  transferInformation: { originCountry: "USA", receivingCountry: "NGA", remittancePurpose: "", sourceOfFunds: "" },
  descriptionText: "",
  ipAddress: "",
  releasedPayments: [],
  interactionId: "i-1",
  availableOn: "2026-05-04",
  createdAt,
  createdBy: "u1",
  createdByRole: "CUSTOMER",
  searchWords: [],
  timeline: [{ status: "AWAITING_COMPLIANCE", at: createdAt, actor: "u1", reason: "" }],
  request: { caller: "u1", key: "k1", fingerprint: "f" },
};
const receive = money(160_000_00n, "NGN");

/** A transaction that was paid for, in a state of its payout. */
export function paidTransaction(
  status: TransactionStatus,
  payout: Partial<Payout> = {},
  part: Partial<Transaction> = {},
) {
  const price = { principal: money(100_00n, "USD"), total: money(102_69n, "USD"), receive, rate: "1600" };
  return {
    transactionId: "t",
    version: 5,
    status,
    deliveryMethod: "ACCOUNTPAYMENT",
    processingMode: "REAL_TIME",
    price,
    paidAt,
    payout: { interactionId: "i-1", ...payout },
    releasedPayments: [],
    timeline: [],
    compliance: { decision: "APPROVED" },
    ...part,
  } as unknown as Transaction;
}

export const reports = ["ACCEPTED", "PAID", "REFUSED", "RECALLED", "RETURNED"] as const;

/** What the partner reports of it. */
export const report = (status: PartnerPayout["status"], part: Partial<PartnerPayout> = {}): PartnerPayout => ({
  status,
  reason: "",
  amount: receive,
  ...(status === "RETURNED" && { kept: money(0n, "NGN") }),
  ...part,
});

/** The transaction after a step, or after a change where there is one. */
export const afterStep = (before: Transaction, step: Step) =>
  changed(before, step.change, { at: paidAt, actor: "test" });
export const afterChange = (before: Transaction, change: Change | undefined, at = createdAt) =>
  change === undefined ? before : changed(before, change, { at, actor: "somebody" });
