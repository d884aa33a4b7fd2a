import { createHash } from "node:crypto";
import anyAscii from "any-ascii";
import type { BankConfiguration } from "./configuration.js";

const maxIdLength = 35;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
// No slash at either end, and none twice: schemes refuse those.
const plainId = /^[A-Za-z0-9]([A-Za-z0-9.+-]*[A-Za-z0-9])?$/;

/** A reference as banks take it: at most 35 characters, the same for the same reference. */
export function bankIdOf(reference: string): string {
  if (uuid.test(reference)) return reference.replaceAll("-", "");
  if (reference.length <= maxIdLength && plainId.test(reference)) return reference;
  return hashedId("R", [reference]);
}

/** One number of several references, whatever their order. */
export function batchIdOf(batchReference: string, references: readonly string[]): string {
  return hashedId("B", [batchReference, ...references.toSorted()]);
}

function hashedId(prefix: string, parts: readonly string[]): string {
  return `${prefix}${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 31)}`;
}

// XML has no way to write them.
const beyondXml = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
// The character set that SEPA's schemes agree on (EPC217-08).
const beyondLatin = /[^A-Za-z0-9/\-?:().,'+ ]/g;

/** A text in the characters that the bank takes, whole: it may be longer than it was. */
export function spelled(text: string, { characters }: Pick<BankConfiguration, "characters">): string {
  const whole = text.replaceAll(beyondXml, " ").normalize("NFC");
  const written = characters === "UTF8" ? whole : anyAscii(whole).replaceAll(beyondLatin, " ");
  return written.replaceAll(/\s+/g, " ").trim();
}
