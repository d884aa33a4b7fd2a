import type { DecisionInputs } from "./decision.js";
import { customerSubject, type SubjectRef } from "../../common/domain/subject.js";

/**
 * Whose hits keep a transaction waiting: the sender, whoever is paid, or the
 * customer into whose wallet it goes.
 */
export function heldSubjects({ facts, screening }: Pick<DecisionInputs, "facts" | "screening">): SubjectRef[] {
  if (screening === undefined) return [];
  const { customerId, operation, recipient } = facts;
  const { holds = [], state, walletOwner } = screening;
  const found = holds.map(({ recipientKey: of }): SubjectRef => {
    if (of === "") return customerSubject(customerId);
    return { kind: "RECIPIENT", id: `${customerId}/${of}`, customerId };
  });
  const payee = walletOwner ?? (operation === "WALLET_PAYMENT" ? recipient : "");
  return state === "PAYEE_STOPPED" && payee !== "" ? [...found, customerSubject(payee)] : found;
}
