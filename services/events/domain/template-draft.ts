import { createFaults, type Faults } from "../../kernel/text/faults.js";
import { channels, isKind, kindNames, kinds, type Channel, type Kind } from "../../platform/messages/kinds.js";
import { placeholder, type Template } from "../../platform/messages/template.js";
import { isLanguage } from "../../platform/messages/words.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Hosts } from "./hosts.js";
import { nearestOf } from "./nearest.js";
import { checkHtml, checkShown } from "./template-html.js";

/** What an organisation's words are for. */
export interface TemplateKey {
  kind: Kind;
  channel: Channel;
  language: string;
}

/** Words of an organisation. */
export interface SavedTemplate extends TemplateKey, Template {
  /** 1 for the first. */
  revision: number;
  /** User id. */
  changedBy: string;
  changedAt: Date;
}

const longest = {
  EMAIL: { subject: 150, text: 4_000, html: 20_000 },
  // Three parts of a text message at most, in GSM 7 bit.
  SMS: { subject: 0, text: 459, html: 0 },
} as const;
const mostPlaceholders = { subject: 3, text: 25, html: 50 } as const;

/** Refuses INVALID_INPUT at the member that is wrong, naming the nearest kind. */
export function templateKeyOf({ kind, channel, language }: Record<keyof TemplateKey, string>): TemplateKey {
  const faults = createFaults();
  const named = channels.find((one) => one === channel);
  if (!isKind(kind)) faults.add("kind", `is not a kind of message${hintOf(kind, kindNames)}`);
  else if (named === undefined || !kinds[kind].channels.includes(named)) {
    faults.add("channel", `must be ${kinds[kind].channels.join(" or ")}`);
  }
  if (!isLanguage(language)) faults.add("language", faultOfLanguage(language));
  faults.refuseIfAny();
  return { kind: kind as Kind, channel: named!, language };
}

/**
 * Words that may be sent, and lead to these hosts alone. Refuses INVALID_INPUT
 * with every fault, at its member.
 */
export function templateOf({ kind, channel }: TemplateKey, draft: Template, hosts: Hosts): Template {
  const faults = createFaults();
  const subject = draft.subject.trim();
  const [text, html] = [draft.text, draft.html].map((words) => words.replaceAll("\r\n", "\n").trim()) as [
    string,
    string,
  ];
  for (const [member, words] of Object.entries({ subject, text, html }) as [keyof Template, string][]) {
    const most = longest[channel][member];
    if (words !== "" && most === 0) faults.add(member, "is of e-mails alone");
    else if (words.length > most) faults.add(member, `must have at most ${most} characters`);
    else checkWords(faults, { kind, member, words, hosts });
  }
  if (subject === "" && channel === "EMAIL") faults.add("subject", "must not be empty");
  if (/\p{Cc}|\p{Zl}|\p{Zp}/u.test(subject)) faults.add("subject", "must be one line");
  if (text === "") faults.add("text", "must not be empty");
  if (/[^\P{Cc}\n\t]/u.test(text)) faults.add("text", "must not have control characters");
  if (/[^\P{Cc}\n\t]/u.test(html)) faults.add("html", "must not have control characters");
  faults.refuseIfAny();
  return { subject, text, html };
}

/**
 * Whether words that were saved once could be saved today: a host may have
 * been taken from the organisation.
 */
export function isStillSent(saved: TemplateKey & Template, hosts: Hosts): boolean {
  return createFaults().of(() => templateOf(saved, saved, hosts)) !== undefined;
}

interface Checked {
  kind: Kind;
  member: keyof Template;
  words: string;
  hosts: Hosts;
}

function checkWords(faults: Faults, { kind, member, words, hosts }: Checked): void {
  const { placeholders, required, secret } = kinds[kind];
  const found = [...words.matchAll(placeholder)].map(([, name]) => name!);
  for (const name of new Set(found)) {
    if (!Object.hasOwn(placeholders, name)) {
      faults.add(
        member,
        `has {{${name}}}, which this kind of message has not${hintOf(name, Object.keys(placeholders))}`,
      );
    } else if (member === "subject" && secret.includes(name)) {
      faults.add(member, `must not have {{${name}}}: subjects are shown on locked screens`);
    }
  }
  if (/\{\{|\}\}/.test(words.replaceAll(placeholder, "")) || /\{{3}|\}{3}/.test(words)) {
    faults.add(member, "has {{ or }} that is no part of a placeholder such as {{organisation}}");
  }
  if (found.length > mostPlaceholders[member]) {
    faults.add(member, `must have at most ${mostPlaceholders[member]} placeholders`);
  }
  if (member === "html") checkTags(faults, kind, words, hosts);
  else checkShown(faults, kind, member, words, hosts);
  if (member === "subject" || words === "") return;
  for (const name of required) {
    if (!found.includes(name)) faults.add(member, `must have {{${name}}}`);
  }
}

// With what stands in its quotes, closed or not.
const tag = /<(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*>?/g;
// What is ours may stand there: it is made of letters, digits and escapes.
const linkTo = /href="\{\{ *link *\}\}"/g;

/** A value inside a tag could change what the tag does. */
function checkTags(faults: Faults, kind: Kind, html: string, hosts: Hosts): void {
  for (const [inTag] of html.matchAll(tag)) {
    for (const [, name] of inTag.replaceAll(linkTo, "").matchAll(placeholder)) {
      faults.add("html", `must not have {{${name}}} inside a tag`);
    }
  }
  checkHtml(faults, kind, html, hosts);
}

function hintOf(requested: string, names: readonly string[]): string {
  const nearest = nearestOf(requested, names);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}

/** Refuses INVALID_INPUT where somebody asks for a language that is none. */
export function languageFromText(text: string): string | undefined {
  if (text === "") return undefined;
  if (!isLanguage(text)) throw invalidInput("language", faultOfLanguage(text));
  return text;
}

/** What is wrong with a language, with what is probably meant: FR is fr, and de-DE is de. */
function faultOfLanguage(text: string): string {
  const meant = /^([a-z]{2,3})(?:[-_].*)?$/i.exec(text)?.[1]?.toLowerCase();
  if (meant === undefined || !isLanguage(meant)) return "must be the code of a language, such as en";
  return `must be the code of a language in small letters, without a region: did you mean ${meant}?`;
}
