import type { Case as WireCase } from "../../../../proto/gen/compliance/v1/cases.js";
import type { CaseTransaction as WireTransaction } from "../../../../proto/gen/compliance/v1/screening.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { moneyToWire } from "../../../kernel/money.js";
import type { CaseContent, CaseTransaction } from "../domain/case-content.js";
import { bestHitsToWire } from "../../screening/wire/hit-summaries.js";
import { screeningToWire } from "../../screening/wire/screenings.js";

/** A case's content in a row of a queue. */
export function contentToRow(content: CaseContent): WirePartial<WireCase> {
  return { ...namesAndMoney(content), hits: bestHitsToWire(content.screenings) };
}

/** The same where one case is read: each comparison with all that explains it. */
export function contentToWire(content: CaseContent, caseId: string): WirePartial<WireCase> {
  return {
    ...namesAndMoney(content),
    screenings: content.screenings.map((one) => screeningToWire(one, caseId)),
  };
}

function namesAndMoney({ subject, hitCount, transactions, transactionCount }: CaseContent): WirePartial<WireCase> {
  return {
    subjectName: subject.name,
    subjectNameState: subject.state,
    hitCount,
    transactionCount,
    transactions: transactions.map(transactionToWire),
  };
}

export function transactionToWire(one: CaseTransaction): WirePartial<WireTransaction> {
  const { transactionId, facts, requestedAt, decision, reasonCode, decidedBy, decidedAt, remittance } = one;
  const { customerId, operation, amount, originCountry, receivingCountry, receivingCurrency, recipient } = facts;
  return {
    transactionId,
    customerId,
    operation,
    amount: moneyToWire(amount),
    originCountry,
    receivingCountry,
    receivingCurrency,
    recipient,
    askedAt: requestedAt,
    decision,
    reasonCode,
    decidedBy,
    decidedAt,
    transactionCode: remittance?.transactionCode ?? "",
    status: remittance?.status ?? "",
    statusSince: remittance?.since,
    recipientName: remittance?.recipientName ?? "",
  };
}
