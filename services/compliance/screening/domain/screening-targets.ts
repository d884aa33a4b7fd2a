import { hasLetter } from "../../../kernel/people/name-letters.js";
import type { TransactionFacts } from "../../decisions/domain/transaction.js";
import { isReadWhole } from "../../../kernel/names/clean.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import { customerSubject, recipientSubject, type SubjectRef } from "../../common/domain/subject.js";
import type { PartyRole, ScreeningRun } from "./summary.js";

/** Somebody who a question names. */
export interface NamedParty {
  role: PartyRole;
  party: ScreenedParty;
  /** The customer who it is, where the recipient is one too. */
  customerId?: string;
}

/** Somebody to be compared with lists for a question. */
export interface ScreeningTarget {
  role: PartyRole;
  subject: SubjectRef;
  party: ScreenedParty;
  /** Identity tells more of them than a question does: what is known of them stays. */
  isCustomer: boolean;
}

/** How it went for a question. */
export interface QuestionRun extends ScreeningRun {
  /**
   * Those who a code of the customer's stands for: by tomorrow it may stand for
   * somebody else. Never kept unsealed.
   */
  named: readonly NamedParty[];
}

/**
 * What has more is not a name, and comparing it would take long; it is compared
 * in part, and a person decides.
 */
const maxNameLength = 500;

/** Names the recipient among the customer's own; one without a code by the transaction. */
export function recipientCodeOf({ recipient, transactionId }: TransactionFacts): string {
  return recipient === "" ? `~${transactionId}` : recipient;
}

/** Who is compared for a question about a transaction. */
export function screeningTargets(facts: TransactionFacts, named: readonly NamedParty[]): ScreeningTarget[] {
  const { customerId } = facts;
  const code = recipientCodeOf(facts);
  return named.map(({ role, party, customerId: own }) => {
    const requested = { role, party: clipped(party) };
    if (role === "SENDER") return { ...requested, subject: customerSubject(customerId), isCustomer: true };
    if (own !== undefined) return { ...requested, subject: customerSubject(own), isCustomer: true };
    const subject = recipientSubject(customerId, code, role === "ACCOUNT_HOLDER");
    return { ...requested, party: { ...requested.party, isClaimed: true }, subject, isCustomer: false };
  });
}

/** Whether everybody is named who has to be, and in a way that can be compared. */
export function isEverybodyNamed({ operation }: TransactionFacts, named: readonly NamedParty[]): boolean {
  const needed: PartyRole[] =
    operation === "REMITTANCE" || operation === "WALLET_PAYMENT" ? ["SENDER", "RECIPIENT"] : ["SENDER"];
  const isNamed = (role: PartyRole) => named.some((one) => one.role === role);
  return needed.every(isNamed) && named.every(({ party }) => isComparable(party));
}

/** A name has a letter and an end, and every word of it is compared. */
export function isComparable({ names }: Pick<ScreenedParty, "names">): boolean {
  const isName = (name: string) => name.length <= maxNameLength && hasLetter(name) && isReadWhole(name);
  return names.length > 0 && names.every(isName);
}

/** The beginning and the end of what is too long for a name; each is still too long for one. */
export function clipped(party: ScreenedParty): ScreenedParty {
  const names = party.names.flatMap((name) =>
    name.length <= maxNameLength ? [name] : [name.slice(0, maxNameLength + 1), name.slice(-maxNameLength - 1)],
  );
  return { ...party, names };
}
