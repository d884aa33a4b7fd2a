import type {
  AmendTransactionRequest,
  Amendment as WireAmendment,
} from "../../../proto/gen/remittance/v1/amendment.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Amendment, NewNames } from "../domain/amendment.js";
import { nameOf } from "../domain/beneficiary.js";
import { holderFromWire, nameFromWire } from "./beneficiaries.js";

/** What is to be named otherwise. Refuses INVALID_INPUT. */
export function newNamesFromWire({ recipient, accountHolderName }: AmendTransactionRequest): NewNames {
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
