import type { Sought } from "./types";

const phone = /^\+?[\d\s().-]{6,}$/;
const code = /^[a-z\d][a-z\d-]{1,39}$/i;
const bornAtTheEnd = /\s(\d{4}-\d{2}-\d{2})$/;

/**
 * What one field says of somebody: everything that it may be is looked for at once. A name has
 * letters and no figure; a day of birth may stand behind it.
 */
export function soughtOf(typed: string): Sought {
  const [, dateOfBirth] = bornAtTheEnd.exec(typed.trim()) ?? [];
  const text = typed.trim().replace(bornAtTheEnd, "").trim();
  const hasFigure = /\p{Nd}/u.test(text);
  return {
    ...(!hasFigure && { name: text }),
    ...(phone.test(text) && { phone: text }),
    ...(hasFigure && text.length >= 3 && { document: { number: text } }),
    ...(code.test(text) && { customerCode: text }),
    ...(dateOfBirth !== undefined && { dateOfBirth }),
  };
}

/** The same without the phone number: what looks like one may be the number of a document alone. */
export function withoutPhone({ phone: _number, ...rest }: Sought): Sought {
  return rest;
}

/** Found by what one person alone has: nobody needs to be chosen. */
export function isCertain(foundBy: readonly string[]): boolean {
  return foundBy.some((why) => why === "CUSTOMER_CODE" || why === "DOCUMENT");
}
