/** A tenant's own bank or card acquirer that something was begun at, and ends at. */
export interface OwnPartner {
  readonly installationId: string;
}

/**
 * A credit's id in a tenant's books: of its own banks each one's ids stand alone. An installation's
 * id is of one length, and nobody's to choose, so no two credits have one id.
 */
export function creditIdAt(at: OwnPartner | undefined, creditId: string): string {
  return at === undefined ? creditId : `${at.installationId.replaceAll("-", "")}:${creditId}`;
}
