import type {
  AmendTransactionRequest,
  Amendment as WireAmendment,
  Trace as WireTrace,
  TraceTransactionRequest,
} from "../../../proto/gen/remittance/v1/amendment.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Amendment, NewNames } from "../domain/amendment.js";
import { nameOf } from "../domain/beneficiary.js";
import type { Trace } from "../domain/trace.js";
import { holderFromWire, nameFromWire } from "./beneficiaries.js";

type Named = Pick<AmendTransactionRequest | TraceTransactionRequest, "recipient" | "accountHolderName">;

/** What is to be named otherwise. Refuses INVALID_INPUT. */
export function newNamesFromWire({ recipient, accountHolderName }: Named): NewNames {
  if (recipient === undefined && accountHolderName === "") {
    throw invalidInput("recipient", "or accountHolderName is required");
  }
  return {
    ...(recipient !== undefined && { recipientName: nameOf(nameFromWire(recipient, "recipient.")) }),
    ...(accountHolderName !== "" && { accountHolderName: holderFromWire(accountHolderName, "accountHolderName") }),
  };
}

export function amendmentToWire(amendment: Amendment): WirePartial<WireAmendment> {
  const { payeeCheck: _verdict, ...shown } = amendment;
  return { approvalId: "", decidedBy: "", refusedBecause: "", ...shown };
}

export function traceToWire({ screenedAt: _screenedAt, ...trace }: Trace): WirePartial<WireTrace> {
  return { approvalId: "", approvedBy: "", refusedBecause: "", partnerReason: "", ...trace };
}
