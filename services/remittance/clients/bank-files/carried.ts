import type { Installation } from "../../../platform/plugins/installations.js";
import type { OrderParties } from "../../../platform/plugins/party-contract.js";
import { pluginTypeOf } from "../../../platform/plugins/types/index.js";
import { unsaidOf } from "../../domain/order-parties.js";
import type { PayoutOrder } from "../payout-connector.js";
import { bankConfigurationOf, type BankConfiguration } from "./configuration.js";
import { purposeCodeOf } from "./parties.js";

/** What of an order's parties a partner is told, where the policy asks these members. */
export type Carrying = (parties: OrderParties, asked: readonly string[]) => OrderParties;

export function isBankOfFiles({ type }: Pick<Installation, "type">): boolean {
  return pluginTypeOf(type)?.connector === "payout-files";
}

/** All of it, but by a bank of files: its file has no place for some. */
export function carryingOf(installation: Pick<Installation, "type" | "configuration">): Carrying {
  if (!isBankOfFiles(installation)) return (parties) => parties;
  const at = bankConfigurationOf(installation.configuration);
  return (parties, asked) => carriedInFile(parties, asked, at);
}

/**
 * Whether what the policy asks of an order stands in its file, as the bank is configured at this
 * moment: that may be otherwise than when its parties were frozen.
 */
export function isCarried({ parties, askedMembers = [] }: PayoutOrder, at: BankConfiguration): boolean {
  if (askedMembers.length === 0) return true;
  if (parties === undefined) return false;
  return unsaidOf(askedMembers, carriedInFile(parties, askedMembers, at)).length === 0;
}

/** ISO's schema has no element for the rest; EndToEndId stands for an account (Art. 4(2)). */
function carriedInFile(parties: OrderParties, asked: readonly string[], at: BankConfiguration): OrderParties {
  const { purpose, relationship: _relationship, sourceOfFunds: _source, ...rest } = parties;
  const { phone: _phone, ...beneficiary } = parties.beneficiary;
  const { account: _account, nationality: _nationality, ...others } = parties.originator;
  const { dateOfBirth, placeOfBirth, document, ...originator } = others;
  const isBirthKnown = dateOfBirth !== undefined && placeOfBirth !== undefined;
  // Of a birth and a document SEPA's rulebook takes one.
  const isOne = at.serviceLevel === "SEPA" && isBirthKnown && document !== undefined;
  const isDocumentAsked = asked.includes("IDENTITY_DOCUMENT_DETAILS");
  return {
    ...rest,
    beneficiary,
    originator: {
      ...originator,
      ...(isBirthKnown && !(isOne && isDocumentAsked) && { dateOfBirth, placeOfBirth }),
      ...(document !== undefined && !(isOne && !isDocumentAsked) && { document }),
    },
    ...(purpose !== undefined && purposeCodeOf(purpose, at) !== undefined && { purpose }),
  };
}
