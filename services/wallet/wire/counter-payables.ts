import type { CounterPayable as WireCounterPayable, ShownDocument } from "../../../proto/gen/wallet/v1/counter.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { documentTypes, maxTries, type DocumentType, type GivenPayable } from "../domain/counter-payable.js";

export function counterPayableToWire(payable: GivenPayable): WireCounterPayable {
  const { code, document, amountMinor, currency } = payable;
  return {
    payableId: payable.payableId,
    transactionId: payable.transactionId,
    transactionCode: payable.transactionCode,
    paymentId: payable.paymentId,
    customerId: payable.customerId,
    amount: { amountMinor, currency },
    status: payable.status,
    createdAt: payable.createdAt,
    codeValid: payable.status === "OPEN" && code !== undefined && code.tries < maxTries,
    codeIssuedBy: code?.issuedBy ?? "",
    paidAt: payable.paidAt,
    paidBy: payable.paidBy ?? "",
    tillId: payable.tillId ?? "",
    documentType: document?.type ?? "",
    documentEnding: document?.ending ?? "",
    documentOnFile: document?.isOnFile === true,
  };
}

/** Refuses INVALID_INPUT naming what is wrong. */
export function documentFromWire(wire: ShownDocument | undefined): { type: DocumentType; number: string } {
  if (wire === undefined) throw invalidInput("document", "is required");
  const type = documentTypes.find((one) => one === wire.type);
  if (type === undefined) throw invalidInput("document.type", `must be one of ${documentTypes.join(", ")}`);
  return { type, number: textFromWire(wire.number, "document.number", { minimum: 4, maximum: 40 }) };
}
