import type { DisclosureProfile } from "./disclosure.js";
import { germanDisclosure } from "./disclosure-words-de.js";
import { englishDisclosure } from "./disclosure-words-en.js";
import { frenchDisclosure } from "./disclosure-words-fr.js";

/**
 * What stands on disclosures and receipts, with the placeholders that each may have; one with an
 * exclamation mark must be there.
 */
export const disclosureTexts = {
  prepaymentTitle: [],
  receiptTitle: [],
  transaction: [],
  validUntil: [],
  payUntil: [],
  paid: [],
  sender: [],
  recipient: [],
  bankname: [],
  bankaccountno: [],
  accountholdername: [],
  bankcode: [],
  swiftbic: [],
  mobileoperator: [],
  mobilenumber: [],
  payoutpointid: [],
  recipientname: [],
  walletaccountno: [],
  transferAmount: [],
  fees: [],
  taxes: [],
  taxOn: ["fee!"],
  total: [],
  exchangeRate: [],
  transferredAmount: [],
  otherFees: [],
  totalToRecipient: [],
  refunded: [],
  cashReceived: [],
  cashChange: [],
  dateAvailable: [],
  maySooner: ["date!"],
  exactRate: [],
  businessDays: [],
  lessReceived: ["organisation"],
  cancelTitle: [],
  cancel: ["organisation", "minutes!"],
  errorsTitle: [],
  errors: ["organisation"],
  contactTitle: [],
  contact: ["organisation"],
  authorityTitle: [],
  authority: ["organisation"],
} as const satisfies Record<string, readonly string[]>;
export type DisclosureText = keyof typeof disclosureTexts;
export const disclosureTextNames = Object.keys(disclosureTexts) as DisclosureText[];

/** Texts whose wording a law decides: each profile has its own. */
export type LegalText = "lessReceived" | "cancel" | "errors" | "contact" | "authority";

export type DisclosureWords = Readonly<Record<DisclosureText, string>>;

/**
 * What one language says. The law of US_BSA prescribes its wording in English and has another
 * language stand beside it, never in its place (12 CFR 1005.31(g)): the English text is the
 * prescribed one, any other a translation of it, sentence by sentence.
 */
export interface ShippedDisclosure {
  common: Readonly<Record<Exclude<DisclosureText, LegalText>, string>>;
  legal: Readonly<Record<DisclosureProfile, Readonly<Record<LegalText, string>>>>;
}

const shipped: Readonly<Record<string, ShippedDisclosure>> = {
  en: englishDisclosure,
  de: germanDisclosure,
  fr: frenchDisclosure,
};

/** Languages that disclosures come in without anybody writing them. */
export const shippedDisclosureLanguages = Object.keys(shipped);

/** The texts that everybody starts with; undefined in a language that none are shipped in. */
export function shippedWords(profile: DisclosureProfile, language: string): DisclosureWords | undefined {
  if (!Object.hasOwn(shipped, language)) return undefined;
  const { common, legal } = shipped[language]!;
  return { ...common, ...legal[profile] };
}
