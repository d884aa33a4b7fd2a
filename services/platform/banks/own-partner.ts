/** A tenant's own bank or card acquirer that something was begun at, and ends at. */
export interface OwnPartner {
  readonly installationId: string;
  /** Of its address and of our account there, as they were when it was begun. */
  readonly place: string;
}

/** A partner whose list is read. */
export interface ListedPartner extends OwnPartner {
  /** Of the addresses at which the same books answer, as its managers say. */
  readonly placesOfSameBooks: readonly string[];
}

/**
 * Where a list is read on: where the partner stands now, unless it was read at another address and nobody has said that these are
 * the same books. Others may give its ids to other credits, which would be taken for known.
 */
export function readOnAt(listed: ListedPartner, placesRead: readonly string[]): OwnPartner {
  const { installationId, place, placesOfSameBooks } = listed;
  const [first = place] = placesRead;
  const areSameBooks = [place, ...placesRead].every((one) => placesOfSameBooks.includes(one));
  return { installationId, place: areSameBooks || placesRead.includes(place) ? place : first };
}

/**
 * A credit's id in a tenant's books: of its own banks each one's ids stand alone. An installation's id is of one length, and nobody's
 * to choose, so no two credits have one id.
 */
export function creditIdAt(at: OwnPartner | undefined, creditId: string): string {
  return at === undefined ? creditId : `${at.installationId.replaceAll("-", "")}:${creditId}`;
}
