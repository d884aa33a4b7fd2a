import { kinds, type Channel, type Kind } from "./kinds.js";
import type { Template } from "./template.js";
import { german } from "./words-de.js";
import { english } from "./words-en.js";

/** What one language says: text messages say the same as e-mails where nothing shorter stands. */
export type Words = Readonly<Record<Kind, { subject?: string; text: string; sms?: string }>>;

/** What an organisation says in place of it. */
export interface OwnTemplate extends Template {
  kind: Kind;
  channel: Channel;
  language: string;
}

/** Languages that messages come in without anybody writing them. */
export const shippedLanguages = ["en", "de"] as const;
type Shipped = (typeof shippedLanguages)[number];

const shipped: Readonly<Record<Shipped, Words>> = { en: english, de: german };

/** The words that everybody starts with; undefined in a language that none are shipped in. */
export function shippedTemplate(kind: Kind, channel: Channel, language: string): Template | undefined {
  if (!isShipped(language) || !kinds[kind].channels.includes(channel)) return undefined;
  const { subject = "", text, sms = text } = shipped[language][kind];
  return channel === "SMS" ? { subject: "", text: sms, html: "" } : { subject, text, html: "" };
}

/**
 * The words for somebody who reads these languages, the first one best: in each the organisation's
 * own come first. English is behind all of them.
 */
export function chosenTemplate(
  { kind, channel, languages }: { kind: Kind; channel: Channel; languages: readonly string[] },
  own: readonly OwnTemplate[],
): OwnTemplate {
  for (const language of [...languages, "en"]) {
    const written = own.find((one) => one.kind === kind && one.channel === channel && one.language === language);
    if (written !== undefined) return written;
    const template = shippedTemplate(kind, channel, language);
    if (template !== undefined) return { kind, channel, language, ...template };
  }
  throw new Error(`${kind} is not sent as ${channel}`);
}

/** The language of a BCP 47 tag such as en-NG; English for none. */
export function languageOf(locale: string): string {
  return /^[a-z]{2,3}(?=$|-)/i.exec(locale)?.[0].toLowerCase() ?? "en";
}

const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** Whether a text is the code of a language, such as en. */
export function isLanguage(text: string): boolean {
  return /^[a-z]{2,3}$/.test(text) && names.of(text) !== undefined;
}

function isShipped(language: string): language is Shipped {
  return (shippedLanguages as readonly string[]).includes(language);
}
