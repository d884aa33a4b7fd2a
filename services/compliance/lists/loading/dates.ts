import type { ListedDate } from "../domain/list-entry.js";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const about = /\b(circa|ca\.?|approximately|approx\.?|about)\b/i;

/**
 * A date as lists write it: 1971-03-05, 05/03/1971 (00 or dd where a part is not known), 5 Mar
 * 1971, Mar 1971, 1971, 1969 to 1972, circa 1971. Undefined where it is none of them.
 */
export function listedDate(text: string): ListedDate | undefined {
  const isAbout = about.test(text);
  const bare = text.replace(about, "").trim();
  const span = bare.split(/\s+to\s+|\s*[-–]\s*(?=(?:19|20)\d\d$)/);
  const first = dayOf(span[0] ?? "");
  const last = span.length === 2 ? dayOf(span[1] ?? "") : undefined;
  if (first === undefined || span.length > 2 || (span.length === 2 && last === undefined)) return undefined;
  const found = last === undefined ? first : spanOf(first.year, last.year);
  return isAbout ? { ...found, isAbout: true } : found;
}

/** 1971-03-05, 1971-03 or 1971, of a day that there is; undefined for anything else. */
export function isoDate(text: string): ListedDate | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const found = partsOf(Number(year), Number(month), Number(day));
  const isWhole =
    (month === undefined) === (found?.month === undefined) && (day === undefined) === (found?.day === undefined);
  return isWhole ? found : undefined;
}

/** All years from one to another. */
export function spanOf(from: number, until: number): ListedDate {
  return from === until ? { year: from } : { year: Math.min(from, until), untilYear: Math.max(from, until) };
}

/** Of numbers that may be missing; undefined where there is no such day. */
export function partsOf(year: number, month: number, day: number): ListedDate | undefined {
  if (!(year >= 1800 && year <= 2100)) return undefined;
  if (!(month >= 1 && month <= 12)) return { year };
  const isDay = day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isDay ? { year, month, day } : { year, month };
}

function dayOf(text: string): ListedDate | undefined {
  const iso = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text);
  if (iso) return partsOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const british = /^(\d{1,2}|dd)\/(\d{1,2}|mm)\/(\d{4})$/i.exec(text);
  if (british) return partsOf(Number(british[3]), Number(british[2]), Number(british[1]));
  const written = /^(?:(\d{1,2})\s+)?([a-z]{3})[a-z]*\.?\s+(\d{4})$/i.exec(text);
  if (!written) return undefined;
  const month = months.indexOf((written[2] as string).toLowerCase()) + 1;
  return month === 0 ? undefined : partsOf(Number(written[3]), month, Number(written[1]));
}
