import type { ContactType } from "./contacts.js";
import type { ChangeByCode } from "./step-up.js";

/** Subject and text of a message; a text message has the text alone. */
export interface MessageContent {
  subject: string;
  text: string;
}

/** The mail of a password reset. */
export function passwordResetMessage(tenantName: string, token: string): MessageContent {
  return {
    subject: `${tenantName}: set a new password`,
    text:
      `Somebody asked to set a new password for your account at ${tenantName}.\n\n` +
      `Your reset token: ${token}\n\nIt can be used once, within 30 minutes. If it was not you, ignore this message.`,
  };
}

/** Told after the fact, so that whoever did not do it learns of it. */
export function passwordChangedMessage(tenantName: string): MessageContent {
  return {
    subject: `${tenantName}: your password was changed`,
    text: `The password of your account at ${tenantName} was changed. If it was not you, tell us at once.`,
  };
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

/**
 * A code for one payment; it names what it is for, so that a code asked for by somebody else is
 * noticed.
 */
export function paymentCodeMessage(tenantName: string, code: string, amount: string, payee: string): MessageContent {
  return {
    subject: `${tenantName}: your payment code`,
    text:
      `${code} is your code to pay ${amount} to ${payee} at ${tenantName}. It is good for 5 minutes and for this payment only. ` +
      `Give it to nobody.`,
  };
}

const changeTexts: Record<ChangeByCode, string> = {
  PIN: "change your PIN",
  OTP: "change your second factors",
  CONTACT: "change your e-mail address or phone number",
};

/**
 * A code for one change; it names what it is for, so that it is given to nobody who asks for
 * another reason.
 */
export function changeCodeMessage(tenantName: string, code: string, change: ChangeByCode): MessageContent {
  return {
    subject: `${tenantName}: your code`,
    text:
      `${code} is your code to ${changeTexts[change]} at ${tenantName}. It is good for 5 minutes and for this only. ` +
      `If you have not asked for it, change your password. Give it to nobody.`,
  };
}

const contactTexts: Record<ContactType, string> = { EMAIL: "e-mail address", PHONE_NUMBER: "phone number" };

/** Sent to a new contact: whoever enters it reads what is sent there. */
export function contactCodeMessage(tenantName: string, code: string, type: ContactType): MessageContent {
  return {
    subject: `${tenantName}: confirm your ${contactTexts[type]}`,
    text:
      `${code} confirms this ${contactTexts[type]} for an account at ${tenantName}. ` +
      `If you have no account there, ignore this message. Give the code to nobody.`,
  };
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

export function registrationCodeMessage(tenantName: string, code: string): MessageContent {
  return {
    subject: `${tenantName}: confirm your e-mail address`,
    text:
      `${code} is the code to open your account at ${tenantName}. It is good for an hour. ` +
      `If you have not registered there, ignore this message: without the code there is no account. Give it to nobody.`,
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
  | "RESET_STOPPED";

/** Told to the contacts that counted before, so that whoever did not do it learns of it. */
export function noticeMessage(
  tenantName: string,
  notice: Notice,
  { type, at }: { type?: ContactType; at?: Date },
): MessageContent {
  const contact = type === undefined ? "contact" : contactTexts[type];
  const when = at === undefined ? "" : `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const texts: Record<Notice, string> = {
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
