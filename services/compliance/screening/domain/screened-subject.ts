import type { PartyDocument, ScreenedParty } from "../../lists/domain/party.js";
import type { SubjectRef } from "../../common/domain/subject.js";

/**
 * Somebody as they were compared with lists last; whoever is new or changed
 * gets another row in its place.
 */
export interface ScreenedSubject {
  subject: SubjectRef;
  party: ScreenedParty;
  /** Keyed digests: of all that is compared, and of names and date of birth alone. */
  fingerprint: string;
  identityFingerprint: string;
  /** basisOf what they were compared with; lists that were away are not in it. */
  basis: string;
  /** Business time. */
  screenedAt: Date;
  /** The last change of the person that identity told of. */
  personRevision?: number;
}

/**
 * What makes somebody who they are, in one spelling of spaces and cases: names and date of birth.
 * Two parties with the same text are the same person to an exemption.
 */
export function identityText({ names, dateOfBirth = "" }: ScreenedParty): string {
  return JSON.stringify([[...new Set(names.map(plain))].toSorted(), dateOfBirth]);
}

/** All that lists are asked about, whatever order it came in. */
export function partyText(party: ScreenedParty): string {
  const { kind, names, dateOfBirth = "", countries, documents, gender, isClaimed } = party;
  const papers = documents.map(({ type, number, country }) => [type, number, country].join(" "));
  return JSON.stringify([
    kind,
    [...new Set(names)].toSorted(),
    dateOfBirth,
    [...new Set(countries)].toSorted(),
    [...new Set(papers)].toSorted(),
    ...(isClaimed === true ? ["claimed"] : []),
    ...(gender === undefined ? [] : [gender]),
  ]);
}

/**
 * One party with what either of two says of the same person; what `first` says
 * counts where only one can be right.
 */
export function bothParties(first: ScreenedParty, second: ScreenedParty): ScreenedParty {
  const dateOfBirth = first.dateOfBirth ?? second.dateOfBirth;
  const gender = first.gender ?? second.gender;
  return {
    kind: first.kind === "UNKNOWN" ? second.kind : first.kind,
    names: withOthers(first.names, second.names, plain),
    ...(dateOfBirth !== undefined && { dateOfBirth }),
    ...(gender !== undefined && { gender }),
    countries: withOthers(first.countries, second.countries, (code) => code),
    ...(first.isClaimed === true && second.isClaimed === true && { isClaimed: true as const }),
    documents: withOthers(first.documents, second.documents, ({ type, number }: PartyDocument) => `${type} ${number}`),
  };
}

function withOthers<T>(first: readonly T[], second: readonly T[], keyOf: (one: T) => string): T[] {
  const known = new Set(first.map(keyOf));
  return [...first, ...second.filter((one) => !known.has(keyOf(one)))];
}

function plain(name: string): string {
  return name.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase();
}
