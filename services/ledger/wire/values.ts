import type { Duration } from "../../../proto/gen/google/protobuf/duration.js";
import { invalidInput } from "../../kernel/refusal.js";
import { dayText, parseDay, type CountedDay, type Day } from "../domain/days.js";
import type { Metadata } from "../domain/model.js";

const idForm = /^[A-Za-z0-9_.:-]{1,128}$/;
const kindForm = /^[a-z0-9_]{1,64}$/;
const maxMetadataEntries = 32;
const maxMetadataValueLength = 500;
const metadataKeyForm = /^[A-Za-z0-9_.:-]{1,64}$/;
// Longer holds are a business process, not a reservation.
const maxTimeoutMs = 366 * 24 * 3_600_000;
// MongoDB's dates and JavaScript's agree far beyond this; nobody books outside of it on purpose.
const earliestMs = Date.UTC(1900, 0, 1);
const latestMs = Date.UTC(2200, 0, 1);

/** An id of an account, a transfer or an interaction. Refuses INVALID_INPUT at the path. */
export function idFromWire(id: string, path: string): string {
  if (!idForm.test(id)) throw invalidInput(path, 'must be 1 to 128 letters, digits, "-", "_", "." or ":"');
  return id;
}

/** A word of the callers' own, such as "fee". Refuses INVALID_INPUT at the path. */
export function kindFromWire(kind: string, path: string): string {
  if (!kindForm.test(kind)) throw invalidInput(path, "must be 1 to 64 lower case letters, digits or _");
  return kind;
}

/** Refuses INVALID_INPUT at the path. */
export function textFromWire(text: string, maxLength: number, path: string): string {
  if (text.length > maxLength) throw invalidInput(path, `must have at most ${maxLength} characters`);
  return text;
}

/** Milliseconds since 1970. Refuses INVALID_INPUT outside of 1900 to 2200. */
export function timeFromWire(time: Date, path: string): number {
  const timeMs = time.getTime();
  if (!(timeMs >= earliestMs && timeMs < latestMs)) throw invalidInput(path, "must lie between 1900 and 2200");
  return timeMs;
}

/** Milliseconds. */
export function timeoutFromWire({ seconds, nanos }: Duration, path: string): number {
  const timeoutMs = Number(seconds) * 1_000 + Math.ceil(nanos / 1e6);
  if (!(timeoutMs > 0 && timeoutMs <= maxTimeoutMs)) throw invalidInput(path, "must be positive and at most 366 days");
  return timeoutMs;
}

export function durationToWire(durationMs: number): Duration {
  return { seconds: BigInt(Math.floor(durationMs / 1_000)), nanos: (durationMs % 1_000) * 1e6 };
}

/** The day that a transfer counts for, and its own where it came late, as dates. */
export function countedDayToWire({ day, belongsTo }: CountedDay): { day: string; belongsTo: string } {
  return { day: dayText(day), belongsTo: belongsTo === undefined ? "" : dayText(belongsTo) };
}

/** Refuses INVALID_INPUT. */
export function metadataFromWire(metadata: Readonly<Record<string, string>>, path: string): Metadata {
  const pairs = Object.entries(metadata);
  if (pairs.length > maxMetadataEntries) throw invalidInput(path, `must have at most ${maxMetadataEntries} entries`);
  for (const [key, value] of pairs) {
    if (!metadataKeyForm.test(key)) throw invalidInput(path, 'keys are 1 to 64 letters, digits, "-", "_", "." or ":"');
    textFromWire(value, maxMetadataValueLength, `${path}.${key}`);
  }
  return pairs.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Refuses INVALID_INPUT. */
export function dayFromWire(text: string, path: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw invalidInput(path, 'must be a date such as "2026-11-30"');
  return day;
}
