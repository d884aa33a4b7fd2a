import type { ContactType } from "./contacts.js";
import type { ChangeByCode } from "./step-up.js";

/** Subject and text of a message; a text message has the text alone. */
export interface MessageContent {
  subject: string;
  text: string;
}

/** Told after the fact too: a token acts for its owner for as long as a year. */
export function apiTokenMessage(tenantName: string, tokenName: string, deed: "made" | "rotated"): MessageContent {
  return {
    subject: `${tenantName}: an API token was ${deed}`,
    text:
      `The API token "${tokenName}" of your account at ${tenantName} was ${deed}. If it was not you, change your ` +
      `password, which ends all of your tokens, and tell us at once.`,
  };
}

const changeTexts: Record<ChangeByCode, Terms> = {
  PIN: { en: "change your PIN", de: "Ihre PIN zu ändern" },
  OTP: { en: "change your second factors", de: "Ihre zweiten Faktoren zu ändern" },
  CONTACT: {
    en: "change your e-mail address or phone number",
    de: "Ihre E-Mail-Adresse oder Telefonnummer zu ändern",
  },
};

const contactTexts: Record<ContactType, Terms> = {
  EMAIL: { en: "e-mail address", de: "E-Mail-Adresse" },
  PHONE_NUMBER: { en: "phone number", de: "Telefonnummer" },
};

/**
 * What a code changes, as its message says it; in English where the language has no words of ours.
 */
export const changeText = (change: ChangeByCode, language: string): string => termIn(changeTexts[change], language);

/** The contact that a message is about, in the same way. */
export const contactText = (type: ContactType, language: string): string => termIn(contactTexts[type], language);

interface Terms {
  en: string;
  de: string;
}

function termIn(terms: Terms, language: string): string {
  return language === "de" ? terms.de : terms.en;
}

/** Sent to an address that is another account's already: whoever asked for it is told nothing. */
export function addressTakenMessage(tenantName: string): MessageContent {
  return {
    subject: `${tenantName}: somebody gave your e-mail address`,
    text:
      `Somebody wanted to use this e-mail address for another account at ${tenantName}. ` +
      `Your own account is as it was. If it was you, log in with this address.`,
  };
}

/** Sent instead of a code to an address that has an account. */
export function alreadyRegisteredMessage(tenantName: string): MessageContent {
  return {
    subject: `${tenantName}: you have an account already`,
    text:
      `Somebody tried to register at ${tenantName} with this e-mail address, which has an account already. ` +
      `If it was you, log in, or ask for a new password. If it was not, you need do nothing.`,
  };
}

/** What the owner of an account is told of. */
export type Notice =
  | "PIN_SET"
  | "FACTORS_CHOSEN"
  | "TOTP_BEGUN"
  | "TOTP_REMOVED"
  | "CONTACT_ASKED"
  | "CONTACT_CHANGED"
  | "CONTACT_REMOVED"
  | "RESET_ASKED"
  | "RESET_WAITING"
  | "RESET_DONE"
  | "RESET_STOPPED"
  | "PARTNER_CHANGED"
  | "GUARDS_CHANGED";

/** Told to the contacts that counted before, so that whoever did not do it learns of it. */
export function noticeMessage(
  tenantName: string,
  notice: Notice,
  { type, at, about = "" }: { type?: ContactType; at?: Date; about?: string },
): MessageContent {
  const contact = type === undefined ? "contact" : contactTexts[type].en;
  const when = at === undefined ? "" : `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (notice === "PARTNER_CHANGED") return partnerMessage(tenantName, about, when);
  if (notice === "GUARDS_CHANGED") return guardsMessage(tenantName, about);
  const texts: Record<Exclude<Notice, "PARTNER_CHANGED" | "GUARDS_CHANGED">, string> = {
    PIN_SET: "The PIN of your account was set.",
    FACTORS_CHOSEN: "What your account asks for at payments was changed.",
    TOTP_BEGUN: "An authenticator is being added to your account.",
    TOTP_REMOVED: "The authenticator of your account was removed.",
    CONTACT_ASKED: `Your account is to have another ${contact}. It counts once the code sent there was entered.`,
    CONTACT_CHANGED: `The ${contact} of your account was changed.`,
    CONTACT_REMOVED: "The phone number of your account was removed.",
    RESET_ASKED: "Staff asked to take away the PIN and the authenticator of your account.",
    RESET_WAITING: `The PIN and the authenticator of your account will be taken away at ${when}, unless you stop it.`,
    RESET_DONE: "The PIN and the authenticator of your account were taken away.",
    RESET_STOPPED: "Taking away the PIN and the authenticator of your account was stopped.",
  };
  const stop = notice === "RESET_ASKED" || notice === "RESET_WAITING" ? "stop it in your account and " : "";
  return {
    subject: `${tenantName}: your account`,
    text: `${texts[notice]} This is about your account at ${tenantName}. If it was not you, ${stop}tell us at once.`,
  };
}

/**
 * Told to all managers: whoever changes what guards accounts and money, alone
 * or as two, does so seen by all.
 */
function guardsMessage(tenantName: string, about: string): MessageContent {
  return {
    subject: `${tenantName}: settings that guard accounts were changed`,
    text:
      `Managers of ${tenantName} have changed: ${about}. ` +
      `If you know nothing of it, find out who they are and why in the list of changes of the organisation, and change it back.`,
  };
}

/**
 * Told to all managers, so that two of them alone do not decide where
 * codes, money or verdicts come from.
 */
function partnerMessage(tenantName: string, about: string, until: string): MessageContent {
  const codes = until === "" ? "" : ` Until ${until}, codes and links of staff go the way they went before.`;
  return {
    subject: `${tenantName}: a partner was changed`,
    text:
      `Two managers of ${tenantName} have decided: ${about}.${codes} ` +
      `If you know nothing of it, pause the plugin at once and find out who they are in its list of changes.`,
  };
}
