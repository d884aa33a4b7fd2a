/** What lists are asked about: somebody as they are known here. */
export interface ScreenedParty {
  kind: PartyKind;
  /** The name as it is written; further ones are other spellings. At least one. */
  names: readonly string[];
  /** YYYY-MM-DD, YYYY-MM or YYYY; absent where it is not known. */
  dateOfBirth?: string;
  gender?: Gender;
  /** Alpha-3: nationality, residence, country of birth. */
  countries: readonly string[];
  documents: readonly PartyDocument[];
  /**
   * All but the name is what whoever pays says of them: it may speak
   * for a match, never against one.
   */
  isClaimed?: true;
  /** Looked for by hand: a name of one word is everybody who has that word. */
  isSearch?: true;
}

/** As documents and lists state it; whatever else one states is not compared. */
export const genders = ["FEMALE", "MALE"] as const;
export type Gender = (typeof genders)[number];

export type PartyKind = "PERSON" | "COMPANY" | "UNKNOWN";

export interface PartyDocument {
  type: string;
  number: string;
  /** Alpha-3, or empty. */
  country: string;
}
