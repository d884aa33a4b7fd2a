import { createFaults, type Faults } from "../../kernel/text/faults.js";
import { isReadable } from "../../kernel/text/reason.js";
import { changeOf, maxChangeText, type ApprovalChange } from "../../platform/approvals/approval-changes.js";
import { placeholder } from "../../platform/messages/template.js";
import { isLanguage } from "../../platform/messages/words.js";
import type { AskedChange } from "./asked-change.js";
import type { DisclosureProfile } from "./disclosure.js";
import {
  disclosureTextNames,
  disclosureTexts,
  shippedDisclosureLanguages,
  shippedWords,
  type DisclosureText,
  type DisclosureWords,
} from "./disclosure-words.js";

/** Whom a sender turns to; empty members are left out. */
export interface DisclosureContact {
  name: string;
  phone: string;
  email: string;
  website: string;
  address: string;
}

/** What an organisation says in a language; what it does not say is as shipped. */
export interface OwnDisclosureTexts {
  language: string;
  texts: Partial<Record<DisclosureText, string>>;
}

export interface DisclosureContent {
  profile: DisclosureProfile;
  /** The organisation itself; its name is the organisation's where that is empty. */
  operator: DisclosureContact;
  /** Before those that the profile always names. */
  authorities: DisclosureContact[];
  languages: OwnDisclosureTexts[];
}

export interface DisclosureTemplate extends DisclosureContent {
  /** 1, 2, 3...; 0 where everything is as shipped. */
  version: number;
}

export const noContact: DisclosureContact = { name: "", phone: "", email: "", website: "", address: "" };

/** Named on every disclosure of the profile. */
const shippedAuthorities: Readonly<Record<DisclosureProfile, readonly DisclosureContact[]>> = {
  GENERIC: [],
  // 12 CFR 1005.31(b)(2)(vi).
  US_BSA: [
    {
      ...noContact,
      name: "Consumer Financial Protection Bureau",
      phone: "855-411-2372, 855-729-2372 (TTY/TDD)",
      website: "www.consumerfinance.gov",
    },
  ],
  EU_TFR: [],
  UK_FTR: [
    {
      ...noContact,
      name: "Financial Ombudsman Service",
      phone: "0800 023 4567",
      website: "www.financial-ombudsman.org.uk",
    },
  ],
};

export const authoritiesOf = ({ profile, authorities }: DisclosureContent): readonly DisclosureContact[] => [
  ...authorities,
  ...shippedAuthorities[profile],
];

/** What everybody starts with. */
export const shippedTemplate = (profile: DisclosureProfile): DisclosureTemplate => ({
  profile,
  operator: noContact,
  authorities: [],
  languages: [],
  version: 0,
});

/** The texts of a template in a language, the organisation's own first; undefined without any. */
export function wordsOf(
  { profile, languages }: Pick<DisclosureContent, "profile" | "languages">,
  language: string,
): DisclosureWords | undefined {
  const own = languages.find((one) => one.language === language)?.texts;
  const standard = shippedWords(profile, language);
  if (own === undefined) return standard;
  // What no language is shipped with is whole: checkDisclosureContent has seen to it.
  return { ...standard, ...own } as DisclosureWords;
}

/** That a template has words in, the shipped ones first. */
export function languagesOf({ languages }: Pick<DisclosureContent, "languages">): string[] {
  return [...new Set([...shippedDisclosureLanguages, ...languages.map(({ language }) => language)])];
}

const longest = { name: 100, phone: 60, email: 100, website: 100, address: 200 } as const;
const mostAuthorities = 3;
const mostLanguages = 20;

/** Refuses INVALID_INPUT with every fault, at its member. */
export function checkDisclosureContent(content: DisclosureContent): DisclosureContent {
  const faults = createFaults();
  checkContact(faults, "operator", content.operator);
  if (content.authorities.length > mostAuthorities) faults.add("authorities", `at most ${mostAuthorities}`);
  for (const [index, one] of content.authorities.entries()) {
    checkContact(faults, `authorities.${index}`, one);
    if (one.name === "") faults.add(`authorities.${index}.name`, "must not be empty");
  }
  if (content.languages.length > mostLanguages) faults.add("languages", `at most ${mostLanguages}`);
  const codes = content.languages.map(({ language }) => language);
  for (const [index, { language, texts }] of content.languages.entries()) {
    const at = `languages.${index}`;
    if (!isLanguage(language)) faults.add(`${at}.language`, "must be the code of a language, such as en");
    if (codes.indexOf(language) !== index) faults.add(`${at}.language`, "is named twice");
    checkTexts(faults, at, content.profile, { language, texts });
  }
  faults.refuseIfAny();
  return content;
}

function checkContact(faults: Faults, path: string, contact: DisclosureContact): void {
  for (const [member, most] of Object.entries(longest) as [keyof DisclosureContact, number][]) {
    const text = contact[member];
    if (text.length > most) faults.add(`${path}.${member}`, `must have at most ${most} characters`);
    else if (text !== "" && !isReadable(text)) faults.add(`${path}.${member}`, "must be a text that people read");
  }
}

function checkTexts(
  faults: Faults,
  at: string,
  profile: DisclosureProfile,
  { language, texts }: OwnDisclosureTexts,
): void {
  const standard = shippedWords(profile, language);
  const missing = disclosureTextNames.filter((name) => texts[name] === undefined);
  if (standard === undefined && missing.length > 0) {
    faults.add(`${at}.texts`, `no texts are shipped in ${language}: ${missing.join(", ")} must be there`);
  }
  for (const [name, text] of Object.entries(texts) as [DisclosureText, string][]) {
    const path = `${at}.texts.${name}`;
    if (text.length > maxChangeText) faults.add(path, `must have at most ${maxChangeText} characters`);
    else if (!isReadable(text)) faults.add(path, "must be a text that people read");
    else checkPlaceholders(faults, path, name, text);
  }
}

function checkPlaceholders(faults: Faults, path: string, name: DisclosureText, text: string): void {
  const allowed: readonly string[] = disclosureTexts[name];
  const names = new Set(allowed.map((one) => one.replace("!", "")));
  const found = [...text.matchAll(placeholder)].map(([, one]) => one!);
  for (const one of new Set(found)) if (!names.has(one)) faults.add(path, `has {{${one}}}, which this text has not`);
  for (const one of allowed)
    if (one.endsWith("!") && !found.includes(one.slice(0, -1))) faults.add(path, `must have {{${one.slice(0, -1)}}}`);
  if (/\{\{|\}\}/.test(text.replaceAll(placeholder, "")))
    faults.add(path, "has {{ or }} that is no part of a placeholder");
}

/** Of two contents, by the API's names. */
export function differencesOfDisclosure(before: DisclosureContent, after: DisclosureContent): ApprovalChange[] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((field) => changeOf(field, was.get(field), is.get(field)));
}

function valuesOf({ operator, authorities, languages }: DisclosureContent): Map<string, string> {
  const contact = (path: string, of: DisclosureContact) =>
    Object.keys(longest).map((member): [string, string] => [
      `${path}.${member}`,
      of[member as keyof DisclosureContact],
    ]);
  return new Map([
    ...contact("operator", operator),
    ...authorities.flatMap((one, index) => contact(`authorities.${index}`, one)),
    ...languages.flatMap(({ language, texts }) =>
      Object.entries(texts).map(([name, text]): [string, string] => [`texts.${language}.${name}`, text]),
    ),
  ]);
}

/** Changes of a template that wait for a second person. */
export interface DisclosureChange extends AskedChange {
  content: DisclosureContent;
  /** The version that it is to follow. */
  basedOn: number;
}
