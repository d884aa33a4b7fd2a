import { createHash } from "node:crypto";
import type { ListEntry } from "../domain/list-entry.js";

/**
 * Of what people are compared with: names, dates of birth, gender, countries, documents and kind.
 * Another remark or programme makes nobody another person, and so voids no exemption.
 */
export function fingerprintOf({ kind, names, datesOfBirth, countries, documents, gender }: ListEntry): string {
  const compared = [
    kind,
    names.map(({ text, quality }) => [text, quality]),
    datesOfBirth.map(({ year, month, day, untilYear, isAbout }) => [year, month, day, untilYear, isAbout]),
    countries,
    documents.map(({ type, number, country }) => [type, number, country]),
    ...(gender === undefined ? [] : [gender]),
  ];
  return createHash("sha256").update(JSON.stringify(compared)).digest("base64url").slice(0, 22);
}
