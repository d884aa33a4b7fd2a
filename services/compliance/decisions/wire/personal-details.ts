import type { PersonalDetails } from "../../../../proto/gen/common/v1/personal_details.js";
import type { CounterFacts, SeenDocument } from "../domain/counter.js";
import type { KnownDetail } from "../domain/personal-details.js";

/** Which details identity has of a customer; not what they say. */
export function knownFromWire(details: PersonalDetails | undefined): KnownDetail[] {
  if (details === undefined) return [];
  const { dateOfBirth, placeOfBirth, nationality, address, identityDocuments } = details;
  const ends = identityDocuments.map(({ expiresAt }) => expiresAt);
  const until = ends.includes("") ? undefined : ends.toSorted().at(-1);
  return [
    ...(dateOfBirth === "" ? [] : [{ detail: "DATE_OF_BIRTH" }]),
    ...(placeOfBirth === undefined ? [] : [{ detail: "PLACE_OF_BIRTH" }]),
    ...(nationality === "" ? [] : [{ detail: "NATIONALITY" }]),
    ...(address === undefined ? [] : [{ detail: "ADDRESS" }]),
    ...(ends.length === 0 ? [] : [{ detail: "IDENTITY_DOCUMENT", ...(until !== undefined && { until }) }]),
  ];
}

/** What staff did at the counter; nothing where they did nothing. */
export function counterFromWire({
  registeredAtCounter: isRegistered,
  details,
}: {
  registeredAtCounter: boolean;
  details?: PersonalDetails | undefined;
}): { counter?: CounterFacts } {
  const [longest] = seenOf(details).toSorted((one, other) => endOf(other) - endOf(one));
  if (!isRegistered && longest === undefined) return {};
  return { counter: { isRegistered, ...(longest !== undefined && { seen: longest }) } };
}

/** Documents that staff saw; each counts to the end of its last day. */
function seenOf(details: PersonalDetails | undefined): SeenDocument[] {
  return (details?.identityDocuments ?? []).flatMap(({ seenAt: at, seenBy: by, expiresAt }) => {
    if (at === undefined) return [];
    return [{ at, by, ...(expiresAt !== "" && { until: new Date(`${expiresAt}T24:00:00.000Z`) }) }];
  });
}

const endOf = ({ until }: SeenDocument): number => until?.getTime() ?? Number.MAX_SAFE_INTEGER;
