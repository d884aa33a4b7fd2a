import type { Channel } from "./kinds.js";

/** Words of a message with placeholders such as {{amount}}. */
export interface Template {
  /** Of an e-mail; empty for a text message. */
  subject: string;
  text: string;
  /** Of an e-mail; empty where it is made from the text. */
  html: string;
}

/** A message as it is handed to whoever delivers it. */
export interface Content {
  subject: string;
  text: string;
  /** Of an e-mail. */
  html?: string;
}

export const placeholder = /\{\{ *([A-Za-z]+) *\}\}/g;

const maxSubject = 200;
const maxValue = 200;
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
  "=": "&#61;",
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`=]/g, (letter) => entities[letter]!);
}

/**
 * The words with their values, each in one line and at most 200 characters, secrets whole. A
 * placeholder without a value is left empty.
 */
export function render(channel: Channel, template: Template, values: Readonly<Record<string, string>>): Content {
  const put = (words: string, escape: (value: string) => string = (value) => value) =>
    words.replaceAll(placeholder, (_all, name: string) =>
      escape(oneLine(Object.hasOwn(values, name) ? values[name]! : "")),
    );
  const text = put(template.text);
  if (channel === "SMS") return { subject: "", text };
  return {
    subject: put(template.subject).replaceAll(breaks, " ").trim().slice(0, maxSubject),
    text,
    html: put(template.html === "" ? htmlOf(template.text) : template.html, escapeHtml),
  };
}

/** One paragraph for each of the text. */
function htmlOf(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>")}</p>`)
    .join("\n");
}

/** Links and tokens are long and have no break: they are never cut. */
function oneLine(value: string): string {
  const line = value.replaceAll(breaks, " ");
  return line.length <= maxValue || !line.includes(" ") ? line : `${line.slice(0, maxValue - 1)}…`;
}
