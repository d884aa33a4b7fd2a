import type { PersonalDetails } from "../../../../proto/gen/common/v1/personal_details.js";
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
