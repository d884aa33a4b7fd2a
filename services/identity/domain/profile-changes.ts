import { Refusal } from "../../kernel/refusal.js";
import type { ContactType } from "./contacts.js";
import { createFaults } from "../../kernel/text/faults.js";
import { isLanguage } from "../../platform/messages/words.js";
import { checkParts, parseNamePart, parsePersonsName } from "../../kernel/people/name-letters.js";
import {
  messageChannels,
  parseEmail,
  parsePhoneNumber,
  type MessagePreference,
  type ProfileChange,
  type UserRecord,
} from "./people.js";
import { parseDetails, type DetailsDraft, type PersonalDetails } from "./personal-details.js";

/** What somebody gave to be changed; what is undefined stays as it is. */
export type ProfileDraft = {
  [Field in Exclude<keyof ProfileChange, "details" | "messages">]?: ProfileChange[Field] | undefined;
} & {
  details?: DetailsDraft | undefined;
  messagePreference?: { channel: string; language: string } | undefined;
};

/** What is to be changed of a profile. */
export interface ParsedProfileChange extends Pick<ProfileChange, "name" | "firstName" | "lastName"> {
  /** Those that are to count once their code was entered. */
  contacts: { type: ContactType; value: string }[];
  isPhoneRemoved: boolean;
  /** Those that were given; absent where none were. */
  details?: PersonalDetails;
  messages?: MessagePreference;
}

/**
 * What is to be changed, on a calendar day. Staff have a name, customers a first and last name, a
 * phone number and personal details; one's own name is staff's to change. Refuses INVALID_INPUT
 * with every fault, and FORBIDDEN.
 */
export function parseProfileChange(
  draft: ProfileDraft,
  user: UserRecord,
  { isOwn, today }: { isOwn: boolean; today: string },
): ParsedProfileChange {
  const faults = createFaults();
  const { name, firstName, lastName, phoneNumber, email } = draft;
  const isCustomer = user.customer !== undefined;
  if (isCustomer && name !== undefined) faults.add("name", "of a customer is first and last name");
  if (!isCustomer) {
    for (const [path, value] of Object.entries({ firstName, lastName, phoneNumber })) {
      if (value !== undefined) faults.add(path, "is for customers only");
    }
  }
  const before = { email: user.email, phoneNumber: user.customer?.phoneNumber ?? "" };
  const names = {
    ...(name === undefined ? {} : { name: faults.of(() => parsePersonsName(name, "name"))! }),
    ...(firstName === undefined ? {} : { firstName: faults.of(() => parseNamePart(firstName, "firstName"))! }),
    ...(lastName === undefined ? {} : { lastName: faults.of(() => parseNamePart(lastName, "lastName"))! }),
  };
  if (user.customer !== undefined && (firstName !== undefined || lastName !== undefined)) {
    const { firstName: first, lastName: last } = { ...user.customer, ...names };
    checkParts([first, last], lastName === undefined ? "firstName" : "lastName", faults);
  }
  const phone = phoneNumber === undefined ? before.phoneNumber : faults.of(() => parsePhoneNumber(phoneNumber));
  const address = email === undefined ? before.email : faults.of(() => parseEmail(email));
  const details = faults.of(() => parseDetails(draft.details, today)) ?? {};
  const isDetailed = Object.keys(details).length > 0;
  if (isDetailed && !isCustomer) faults.add(Object.keys(details)[0]!, "is for customers only");
  const messages = messagesOf(draft.messagePreference, faults);
  if (messages !== undefined && !isCustomer) faults.add("messagePreference", "is for customers only");
  const isPhoneRemoved = phone === "" && before.phoneNumber !== "";
  if (isPhoneRemoved && !isOwn) faults.add("phoneNumber", "is taken away by its owner");
  faults.refuseIfAny();
  if (isOwn && isCustomer && (firstName !== undefined || lastName !== undefined)) {
    throw new Refusal("FORBIDDEN", "the name on file is changed by staff");
  }
  const contacts: ParsedProfileChange["contacts"] = [];
  if (address !== before.email) contacts.push({ type: "EMAIL", value: address! });
  if (phone !== "" && phone !== before.phoneNumber) contacts.push({ type: "PHONE_NUMBER", value: phone! });
  return { ...names, contacts, isPhoneRemoved, ...(isDetailed && { details }), ...(messages && { messages }) };
}

/** Undefined where nothing was chosen. */
function messagesOf(
  draft: ProfileDraft["messagePreference"],
  faults: ReturnType<typeof createFaults>,
): MessagePreference | undefined {
  const { channel = "", language = "" } = draft ?? {};
  const named = messageChannels.find((one) => one === channel);
  if (channel !== "" && named === undefined) {
    faults.add("messagePreference.channel", `must be one of ${messageChannels.join(", ")}`);
  }
  const isKnown = isLanguage(language);
  if (language !== "" && !isKnown) {
    faults.add("messagePreference.language", "must be the code of a language, such as en");
  }
  if (named === undefined && !isKnown) return undefined;
  return { ...(named !== undefined && { channel: named }), ...(isKnown && { language }) };
}

/** Whether the name of somebody becomes another. */
export function isRenamed(
  user: UserRecord,
  { name = user.name, firstName, lastName }: Pick<ParsedProfileChange, "name" | "firstName" | "lastName">,
): boolean {
  const { customer } = user;
  if (customer === undefined) return name !== user.name;
  return (
    (firstName ?? customer.firstName) !== customer.firstName || (lastName ?? customer.lastName) !== customer.lastName
  );
}
