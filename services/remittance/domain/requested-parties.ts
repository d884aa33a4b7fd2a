import { isSameName } from "../../kernel/people/person-names.js";
import type { PostalAddress } from "../../kernel/people/postal-address.js";
import { detail, holderKeys } from "./credit-party.js";
import type { RecipientDetails, RecipientKind } from "./recipient-details.js";
import type { Transaction } from "./transaction.js";

/** Somebody whom compliance compares with lists before a transaction goes on. */
export interface RequestedParty {
  role: "SENDER" | "RECIPIENT" | "ACCOUNT_HOLDER";
  name: string;
  kind: RecipientKind | "UNKNOWN";
  /** Calendar day; empty where it is not known. */
  dateOfBirth: string;
  /** Alpha-3, each once. */
  countries: string[];
}

/** What is asked of one side beside the name and the country that the transaction keeps of it. */
export interface KnownSide {
  kind?: RecipientKind;
  dateOfBirth?: string;
  /** Alpha-3. */
  countries?: string[];
}

/**
 * Kept with the transaction until compliance has decided, so that whoever asks again asks the same.
 */
export interface KnownParties {
  sender?: KnownSide;
  recipient?: KnownSide;
}

/** Empty text is not known. */
interface PersonOfIdentity {
  dateOfBirth: string;
  nationality: string;
  address?: Pick<PostalAddress, "country"> | undefined;
}

/** Undefined where nothing is known of either side. */
export function knownParties(
  sender: PersonOfIdentity | undefined,
  recipient: RecipientDetails | undefined,
): KnownParties | undefined {
  const known = { ...sideOf("sender", sender), ...sideOf("recipient", recipient) };
  return Object.keys(known).length === 0 ? undefined : known;
}

/**
 * Both sides of a transaction, and who owns the account where that is somebody else by
 * name. Of a wallet of the same organisation the question names the owner by their id:
 * compliance knows them as a customer.
 */
export function partiesOf(
  transaction: Pick<Transaction, "sender" | "recipient" | "creditParty" | "transferInformation" | "parties">,
): RequestedParty[] {
  const { sender, recipient, creditParty, transferInformation, parties = {} } = transaction;
  const { receivingCountry } = transferInformation;
  const holder = holderKeys.map((key) => detail(creditParty, key)).find((name) => name !== "") ?? "";
  return [
    partyOf("SENDER", sender.name, { kind: "PERSON", ...parties.sender }, [sender.country]),
    partyOf("RECIPIENT", recipient.name, parties.recipient, [recipient.country, receivingCountry]),
    ...(isOther(holder, recipient.name) ? [partyOf("ACCOUNT_HOLDER", holder, {}, [receivingCountry])] : []),
  ];
}

function partyOf(
  role: RequestedParty["role"],
  name: string,
  { kind, dateOfBirth = "", countries = [] }: KnownSide = {},
  more: readonly string[],
): RequestedParty {
  const all = [...more, ...countries].filter((country) => country !== "");
  return { role, name, kind: kind ?? "UNKNOWN", dateOfBirth, countries: [...new Set(all)] };
}

function sideOf(
  side: keyof KnownParties,
  of: (Partial<PersonOfIdentity> & { kind?: RecipientKind }) | undefined,
): KnownParties {
  const { kind, dateOfBirth = "", nationality = "", address } = of ?? {};
  const countries = [...new Set([nationality, address?.country ?? ""])].filter((country) => country !== "");
  const known = {
    ...(kind !== undefined && { kind }),
    ...(dateOfBirth !== "" && { dateOfBirth }),
    ...(countries.length > 0 && { countries }),
  };
  return Object.keys(known).length === 0 ? {} : { [side]: known };
}

/** Banks write names as they like. */
function isOther(holder: string, recipient: string): boolean {
  return holder !== "" && holder !== recipient && !isSameName(holder, recipient);
}
