/** What a transparency policy is made of: profiles, and rows that ask for members of an order. */
export const profileNames = ["US_BSA", "EU_TFR", "UK_FTR", "FATF_2025", "OWN"] as const;
export const fundings = ["ANY", "WALLET", "CASH"] as const;
export const destinations = ["ANY", "DOMESTIC", "ABROAD", "EEA", "OUTSIDE_EEA"] as const;
export const missingWays = ["WAIT", "REFUSE"] as const;
export const transparencyMembers = [
  "ADDRESS",
  "DATE_OF_BIRTH",
  "PLACE_OF_BIRTH",
  "NATIONALITY",
  "IDENTITY_DOCUMENT_DETAILS",
  "ADDRESS_OR_BIRTH",
  "RECIPIENT_NAME",
  "RECIPIENT_ACCOUNT",
  "RECIPIENT_COUNTRY",
  "RECIPIENT_ADDRESS",
  "PURPOSE",
  "ORDER_SOURCE_OF_FUNDS",
] as const;

export type ProfileName = (typeof profileNames)[number];
export type Funding = (typeof fundings)[number];
export type Destination = (typeof destinations)[number];
export type TransparencyMember = (typeof transparencyMembers)[number];

/** Regulation (EU) 2023/1113, Article 4(1)(c): an address with a document, or the birth. */
export function isAddressOrBirth(has: (member: TransparencyMember) => boolean): boolean {
  const isBirth = has("DATE_OF_BIRTH") && has("PLACE_OF_BIRTH");
  return isBirth || (has("ADDRESS") && has("IDENTITY_DOCUMENT_DETAILS"));
}
