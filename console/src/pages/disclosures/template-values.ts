import { textOrNull } from "../../lib/typed";
import type { Contact, Template } from "./types";

const contactOf = (contact?: Contact) => ({
  name: contact?.name ?? "",
  phone: contact?.phone ?? "",
  email: contact?.email ?? "",
  website: contact?.website ?? "",
  address: contact?.address ?? "",
});

type Texts = Template["shipped"][number]["texts"];
const byName = (texts: Texts = []) => Object.fromEntries(texts.map(({ name, text }) => [name, text]));

/** Of the texts in a language: those that hold, one's own before the shipped ones. */
export function shownTexts({ languages, shipped }: Template, language: string): Record<string, string> {
  const of = (all: Template["shipped"]) => byName(all.find((one) => one.language === language)?.texts);
  const names = (shipped[0]?.texts ?? []).map(({ name }) => [name, ""]);
  return { ...Object.fromEntries(names), ...of(shipped), ...of(languages) };
}

export const valuesOf = (template: Template, language: string) => ({
  operator: contactOf(template.operator),
  authority: contactOf(template.authorities[0]),
  texts: shownTexts(template, language),
  reason: "",
});
export type TemplateValues = ReturnType<typeof valuesOf>;

const sentContact = (contact: ReturnType<typeof contactOf>) => ({
  name: textOrNull(contact.name),
  phone: textOrNull(contact.phone),
  email: textOrNull(contact.email),
  website: textOrNull(contact.website),
  address: textOrNull(contact.address),
});

/** What is typed, with the other languages and authorities as they hold. */
export function bodyOf(template: Template, language: string, { operator, authority, texts }: TemplateValues) {
  const shipped = byName(template.shipped.find((one) => one.language === language)?.texts);
  const own = Object.entries(texts).filter(([name, text]) => text.trim() !== "" && text.trim() !== shipped[name]);
  const others = template.languages.filter((one) => one.language !== language);
  const sent = { language, texts: own.map(([name, text]) => ({ name, text: text.trim() })) };
  const hasAuthority = Object.values(authority).some((text) => text.trim() !== "");
  return {
    version: template.version,
    operator: sentContact(operator),
    authorities: [...(hasAuthority ? [sentContact(authority)] : []), ...template.authorities.slice(1)],
    languages: sent.texts.length > 0 ? [...others, sent] : others,
  };
}
