import { parsePhoneNumberFromString, type CountryCode } from "libphonenumber-js/max";

/**
 * An international number in E.164, whatever stands between its digits and with or without the zero
 * that is dialled at home ("+234 (0)803 123 4567"); undefined where it is no country's, has an
 * extension or does not say which country's it is, unless it is dialled at home (alpha-2). Pure.
 */
export function readPhoneNumber(text: string, home?: string): string | undefined {
  const written = text.normalize("NFKC").trim().replace(/^00/, "+");
  const number = parsePhoneNumberFromString(written, {
    extract: false,
    ...(home !== undefined && { defaultCountry: home as CountryCode }),
  });
  return number?.isValid() === true && number.ext === undefined ? number.number : undefined;
}
