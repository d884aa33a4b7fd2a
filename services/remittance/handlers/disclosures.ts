import type { Call } from "../../kernel/grpc/context.js";
import { formatMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { amountText, dayText, numberText } from "../../platform/messages/amounts.js";
import {
  disclosureProfiles,
  type DisclosureKind,
  type DisclosureProfile,
  type KeptDisclosure,
} from "../domain/disclosure.js";
import { disclosureOf, type Disclosed, type Disclosure, type Written } from "../domain/disclosure-lines.js";
import { languagesOf, shippedTemplate, wordsOf, type DisclosureTemplate } from "../domain/disclosure-template.js";
import { availableOn, promisedDay } from "../domain/promised-day.js";
import type { Quote } from "../domain/quote.js";
import type { Transaction } from "../domain/transaction.js";
import { profileOf } from "../domain/transparency.js";
import type { RemittanceDeps } from "./deps.js";
import { disclosurePdf } from "./disclosure-pdf.js";

/** What is asked of a disclosure; the language is empty where the sender's is meant. */
export interface DisclosureAsked {
  kind: DisclosureKind;
  language: string;
  asPdf: boolean;
}

/** What is disclosed, whose it is, where it is sent from, and its promised day in a time zone. */
export interface DisclosureSubject {
  of: Disclosed;
  customerId: string;
  originCountry: string;
  /** What the sender was told by, of what was paid for; by what holds now where it is absent. */
  kept?: KeptDisclosure | undefined;
  language?: string | undefined;
  availableOn: (timeZone: string, now: Date) => string;
}

export interface MadeDisclosure extends Disclosure {
  template: DisclosureTemplate;
  organisation: string;
  language: string;
  availableOn: string;
  pdf: Buffer;
}

export type Disclosures = ReturnType<typeof createDisclosures>;

/** Disclosures and receipts with the organisation's words, in the sender's language. */
export function createDisclosures({
  store,
  people,
  times,
  profiles,
}: Pick<RemittanceDeps, "store" | "people" | "times" | "profiles">) {
  /** A version is never written again. */
  async function templateAt(tenantId: string, { profile, templateVersion }: KeptDisclosure) {
    if (templateVersion === 0) return shippedTemplate(profile);
    const { disclosureTemplates } = store.forTenant(tenantId);
    const [found] = await disclosureTemplates.history({ profile }, { below: templateVersion + 1, limit: 1 });
    if (found?.version !== templateVersion) throw new Error(`version ${templateVersion} of ${profile} is not there`);
    return found;
  }

  async function profileNow(of: { originCountry: string }, call: Call): Promise<DisclosureProfile> {
    const known = profileOf(await profiles.of(call), of)?.profile;
    return disclosureProfiles.find((one) => one === known) ?? "GENERIC";
  }

  const templateOf = async (tenantId: string, profile: DisclosureProfile): Promise<DisclosureTemplate> =>
    (await store.forTenant(tenantId).disclosureTemplates.find({ profile })) ?? shippedTemplate(profile);

  /** Made with a template. Refuses INVALID_INPUT in a language that it has no words in. */
  async function makeWith(
    template: DisclosureTemplate,
    { of, customerId, language: read, availableOn: dayIn }: DisclosureSubject,
    { kind, language: requested, asPdf }: DisclosureAsked,
    call: Call,
  ): Promise<MadeDisclosure> {
    const { name: organisation, language: usual } = await people.organisationOf(call);
    const time = await times.forTenant(call.tenantId, call.interactionId);
    const { timeZone } = time;
    if (requested !== "" && wordsOf(template, requested) === undefined)
      throw invalidInput("language", `must be one of ${languagesOf(template).join(", ")}`);
    const wished = requested || read || (await people.languageOf(customerId, call));
    const language = [wished, usual].find((one) => one !== "" && wordsOf(template, one) !== undefined) ?? "en";
    const availableOn = dayIn(timeZone, time.now());
    const written = writtenIn(language, timeZone);
    const disclosure = disclosureOf(kind, of, { organisation, template, written, availableOn });
    const reference = "transaction" in of ? { reference: of.transaction.transactionCode } : {};
    const pdf = asPdf ? await disclosurePdf({ disclosure, organisation, language, ...reference }) : Buffer.alloc(0);
    return { ...disclosure, template, organisation, language, availableOn, pdf };
  }

  return {
    templateOf,
    makeWith,
    async make(subject: DisclosureSubject, asked: DisclosureAsked, call: Call): Promise<MadeDisclosure> {
      const { tenantId } = call;
      const { kept } = subject;
      const template = kept
        ? await templateAt(tenantId, kept)
        : await templateOf(tenantId, await profileNow(subject, call));
      return makeWith(template, subject, asked, call);
    },

    /** What a disclosure of this moment is made by, to be kept with what is paid for. */
    async heldNow(of: { originCountry: string }, call: Call): Promise<KeptDisclosure> {
      const profile = await profileNow(of, call);
      const { version: templateVersion } = await templateOf(call.tenantId, profile);
      return { profile, templateVersion };
    },
  };
}

/** Of a transaction that whoever asks may see. */
export function subjectOf(transaction: Transaction, waitsMs: number): DisclosureSubject {
  return {
    of: { transaction },
    customerId: transaction.sender.customerId,
    originCountry: transaction.transferInformation.originCountry,
    kept: transaction.disclosed,
    // What nobody has paid for yet is in the language that they read now.
    language: transaction.disclosed && transaction.language,
    availableOn: (timeZone, now) => availableOn(transaction, timeZone, { now, waitsMs }),
  };
}

/** It is promised for whoever uses it last and pays last. */
export function subjectOfQuote(quote: Quote, waitsMs: number): DisclosureSubject {
  const { customerId, originCountry, receivingCountry, terms, createdAt, expiresAt } = quote;
  const last = { createdAt, expiresAt: new Date(expiresAt.getTime() + waitsMs), terms };
  return {
    of: { quote },
    customerId,
    originCountry,
    availableOn: (timeZone) => promisedDay({ ...last, transferInformation: { receivingCountry } }, timeZone),
  };
}

export function writtenIn(language: string, timeZone: string): Written {
  const time = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "long", timeZone });
  return {
    language,
    amount: (of) => amountText(formatMoney(of), of.currency, language),
    number: (text) => numberText(text, language),
    day: (date) => dayText(date, language),
    time: (at) => time.format(at),
  };
}
