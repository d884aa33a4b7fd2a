import type {
  Disclosure as WireDisclosure,
  DisclosureContact as WireContact,
  DisclosureTemplate as WireTemplate,
} from "../../../proto/gen/remittance/v1/disclosure.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { disclosureProfiles, type DisclosureProfile } from "../domain/disclosure.js";
import type { Disclosure } from "../domain/disclosure-lines.js";
import {
  checkDisclosureContent,
  languagesOf,
  noContact,
  type DisclosureContact,
  type DisclosureContent,
  type DisclosureTemplate,
} from "../domain/disclosure-template.js";
import {
  disclosureTextNames,
  shippedDisclosureLanguages,
  shippedWords,
  type DisclosureText,
} from "../domain/disclosure-words.js";

type Made = Disclosure & { template: DisclosureTemplate; organisation: string; language: string; availableOn: string };

export function disclosureToWire(made: Made): WirePartial<WireDisclosure> {
  const { kind, title, figures, shownRate, lines, sections, template, organisation, language, availableOn } = made;
  const { cashReceived, cashChange } = made;
  return {
    kind,
    title,
    profile: template.profile,
    templateVersion: template.version,
    organisation,
    language,
    languages: languagesOf(template),
    availableOn,
    transferAmount: moneyToWire(figures.transferAmount),
    fees: figures.fees.map(({ name, amount, tax }) => ({ name, amount: moneyToWire(amount), taxMinor: tax.minor })),
    totalFees: moneyToWire(figures.totalFees),
    totalTaxes: moneyToWire(figures.totalTaxes),
    totalAmount: moneyToWire(figures.total),
    exchangeRate: figures.exchangeRate,
    shownRate,
    transferredAmount: moneyToWire(figures.transferredAmount),
    otherFees: figures.otherFees.map(({ name, amount }) => ({ name, amount: moneyToWire(amount) })),
    totalOtherFees: moneyToWire(figures.totalOtherFees),
    totalToRecipient: moneyToWire(figures.totalToRecipient),
    lines,
    sections,
    cashReceived,
    cashChange,
  };
}

/** With what everybody starts with. */
export function templateToWire({ languages, ...rest }: DisclosureTemplate): WirePartial<WireTemplate> {
  const { profile } = rest;
  return {
    ...rest,
    languages: languages.map(textsToWire),
    shipped: shippedDisclosureLanguages.map((language) =>
      textsToWire({ language, texts: shippedWords(profile, language)! }),
    ),
  };
}

function textsToWire({ language, texts }: { language: string; texts: Partial<Record<DisclosureText, string>> }) {
  return { language, texts: Object.entries(texts).map(([name, text]) => ({ name, text })) };
}

/** Refuses INVALID_INPUT. */
export function profileFromWire(text: string): DisclosureProfile {
  const profile = disclosureProfiles.find((one) => one === text);
  if (profile === undefined) throw invalidInput("profile", `must be one of ${disclosureProfiles.join(", ")}`);
  return profile;
}

/** Refuses INVALID_INPUT with every fault, at its member. */
export function disclosureContentFromWire(template: WireTemplate | undefined): DisclosureContent {
  if (template === undefined) throw invalidInput("template", "is required");
  return checkDisclosureContent({
    profile: profileFromWire(template.profile),
    operator: contactFromWire(template.operator),
    authorities: template.authorities.map(contactFromWire),
    languages: template.languages.map(({ language, texts }, index) => ({
      language,
      texts: textsFromWire(texts, `languages.${index}.texts`),
    })),
  });
}

function contactFromWire(contact: WireContact | undefined): DisclosureContact {
  const { name, phone, email, website, address } = { ...noContact, ...contact };
  const trimmed = (text: string) => text.trim();
  return {
    name: trimmed(name),
    phone: trimmed(phone),
    email: trimmed(email),
    website: trimmed(website),
    address: trimmed(address),
  };
}

/** In the order of the names; an empty text is as shipped. */
function textsFromWire(texts: readonly { name: string; text: string }[], path: string) {
  const names: readonly string[] = disclosureTextNames;
  for (const [index, { name }] of texts.entries()) {
    if (!names.includes(name)) throw invalidInput(`${path}.${index}.name`, "is no text of a disclosure");
    if (texts.findIndex((one) => one.name === name) !== index)
      throw invalidInput(`${path}.${index}.name`, "is named twice");
  }
  const given = new Map(texts.map(({ name, text }) => [name, text.replaceAll("\r\n", "\n").trim()]));
  return Object.fromEntries(
    disclosureTextNames.flatMap((name) => {
      const text = given.get(name);
      return text === undefined || text === "" ? [] : [[name, text] as const];
    }),
  );
}
