import { Refusal, isRefusalCode, type RefusalDetails } from "../refusal.js";

// Trailers are HTTP/2 headers: beyond some tens of kilobytes peers reset the stream and the refusal
// would be lost.
const maxTrailerCharacters = 12_000;
const maxMessageCharacters = 1_000;

/**
 * The refusal as ASCII JSON for the trailer `refusal`; faults that do not fit are counted instead.
 */
export function refusalToTrailer(refusal: Refusal): string {
  const message = refusal.message.slice(0, maxMessageCharacters);
  const whole = asciiJson({ code: refusal.code, message, details: refusal.details });
  if (whole.length <= maxTrailerCharacters) return whole;
  return asciiJson({ code: refusal.code, message, details: shortened(refusal.details ?? {}) });
}

/** The refusal of a trailer, or undefined where the text is none of ours. */
export function refusalFromTrailer(text: string | undefined): Refusal | undefined {
  if (text === undefined) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { code, message, details } = parsed as { code?: unknown; message?: unknown; details?: RefusalDetails };
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  // A newer peer may know codes that this version does not: it is refused all the same.
  if (!isRefusalCode(code)) return new Refusal("INTERNAL", `refused with the unknown code ${code}`);
  return new Refusal(code, message, details);
}

function shortened({ errors = [], retryAfterS }: RefusalDetails): RefusalDetails {
  const retained: { path: string; message: string }[] = [];
  let size = 0;
  for (const error of errors) {
    size += asciiJson(error).length + 1;
    if (size > maxTrailerCharacters - 2_500 - maxMessageCharacters * 6) break;
    retained.push(error);
  }
  const leftOut = errors.length - retained.length;
  if (leftOut > 0) retained.push({ path: "", message: `and ${leftOut} more` });
  return { errors: retained, ...(retryAfterS === undefined ? {} : { retryAfterS }) };
}

// Header values may hold printable ASCII only.
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
