import type { GetTransparencyResponse, OrderParty, SentOrder } from "../../../proto/gen/remittance/v1/transparency.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire, parseMoney } from "../../kernel/money.js";
import type { OrderParties } from "../../platform/plugins/party-contract.js";
import type { RecordedParties } from "../../platform/plugins/payout-contract.js";
import { isPaidByPartner } from "../domain/accepted-payout-polling.js";
import type { Transaction } from "../domain/transaction.js";
import { traceToWire } from "./amendments.js";

/** What a partner says that it has recorded; undefined where it gave no answer. */
export type PartnerAnswer = RecordedParties | undefined;

/** What was asked of a transaction, what was sent, and what its partner says of it. */
export function transparencyToWire(
  transaction: Transaction,
  answer: PartnerAnswer,
): WirePartial<GetTransparencyResponse> {
  const { transactionId, compliance, transparency, status } = transaction;
  const { profile = "", amount, linkedAmount, funding = "" } = transparency ?? {};
  const members = compliance?.transparencyMembers ?? [];
  const outstanding = status === "AWAITING_COMPLIANCE" ? (compliance?.outstandingRequirements ?? []) : [];
  return {
    transactionId,
    profile,
    policyVersion: compliance?.policyVersion ?? 0,
    members,
    missingMembers: members.filter((member) => outstanding.includes(member)),
    ...(amount !== undefined && { amount: moneyToWire(amount) }),
    ...(linkedAmount !== undefined && { linkedAmount: moneyToWire(linkedAmount) }),
    funding,
    ...sentOf(transaction),
    ...(transaction.orderParties !== undefined && answerToWire(answer)),
    traces: (transaction.traces ?? []).map(traceToWire),
  };
}

function answerToWire(answer: PartnerAnswer): WirePartial<GetTransparencyResponse> {
  if (answer === undefined) return { partnerAnswer: "NO_ANSWER" };
  const { originator, beneficiary } = answer;
  if (originator === undefined && beneficiary === undefined) return { partnerAnswer: "NOTHING" };
  return {
    partnerAnswer: "RECORDED",
    ...(originator !== undefined && { recordedOriginator: originatorToWire(originator) }),
    ...(beneficiary !== undefined && { recordedBeneficiary: beneficiaryToWire(beneficiary) }),
  };
}

/** To whom and when; and what, of contract 2. Nothing of what no partner had. */
function sentOf(transaction: Transaction): { sent?: WirePartial<SentOrder> } {
  const { payout, orderParties } = transaction;
  if (payout?.sentAt === undefined || !isPaidByPartner(transaction)) return {};
  const { installationId = "", sentAt } = payout;
  return { sent: { installationId, sentAt, ...(orderParties !== undefined && partiesToWire(orderParties)) } };
}

function partiesToWire({
  originator,
  beneficiary,
  sendAmount,
  sendCurrency,
  ...texts
}: OrderParties): WirePartial<SentOrder> {
  return {
    originator: originatorToWire(originator),
    beneficiary: beneficiaryToWire(beneficiary),
    sendAmount: moneyToWire(parseMoney(sendAmount, sendCurrency)),
    ...texts,
  };
}

function originatorToWire({ address, ...originator }: OrderParties["originator"]): WirePartial<OrderParty> {
  return { ...originator, ...(address !== undefined && { address }) };
}

function beneficiaryToWire({ phone, ...beneficiary }: OrderParties["beneficiary"]): WirePartial<OrderParty> {
  return { ...beneficiary, ...(phone !== undefined && { phoneNumber: phone }) };
}
