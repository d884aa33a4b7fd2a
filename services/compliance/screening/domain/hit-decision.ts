import { Refusal } from "../../../kernel/refusal.js";
import { statusOf, type Hit, type Screening, type Word } from "./screening.js";

export const releaseWays = ["CONTINUE", "REFUND"] as const;
export type ReleaseWay = (typeof releaseWays)[number];

/**
 * How two people decided on what one of them asked for: the word of the first, and of the second.
 */
export interface Agreement {
  approvalId: string;
  status: "APPROVED" | "REFUSED" | "EXPIRED";
  requested: Word;
  decided: Word;
}

/** Refuses NOT_FOUND. */
export function hitOf({ hits }: Pick<Screening, "hits">, hitId: string): Hit {
  const found = hits.find((one) => one.hitId === hitId);
  if (found === undefined) throw new Refusal("NOT_FOUND", `no hit ${hitId} of this screening`);
  return found;
}

export function hitsOf(screening: Pick<Screening, "hits">, hitIds: readonly string[]): Hit[] {
  return hitIds.map((hitId) => hitOf(screening, hitId));
}

/**
 * Somebody else than the entries; one person is enough. All of them or none. Undefined
 * where the same person said so of all before. Refuses NOT_FOUND, STATE_CONFLICT
 * naming those that are decided.
 */
export function markFalsePositives(
  screening: Screening,
  hitIds: readonly string[],
  verdict: Word,
): Screening | undefined {
  const hits = hitsOf(screening, hitIds);
  if (hits.every(({ state, decidedBy }) => state === "FALSE_POSITIVE" && decidedBy === verdict.by)) return undefined;
  assertOpen(hits);
  return withHitsAs(
    screening,
    hits.map((hit) => ({ ...hit, state: "FALSE_POSITIVE", ...saying(verdict) })),
  );
}

/**
 * Whether it is to be asked if they are the same as the entries: false where this person has asked
 * of all before. Refuses as markFalsePositives.
 */
export function isConfirmationToRequest(screening: Screening, hitIds: readonly string[], by: string): boolean {
  const hits = hitsOf(screening, hitIds);
  const isDecided = ({ state, decidedBy }: Hit) =>
    (state === "CONFIRMATION_ASKED" || state === "CONFIRMED") && decidedBy === by;
  if (hits.every(isDecided)) return false;
  assertOpen(hits);
  return true;
}

/** The same as the entries, as one person says; a second one decides the approval. */
export function requestConfirmation(
  screening: Screening,
  hitIds: readonly string[],
  verdict: Word,
  approvalId: string,
): Screening {
  const requested = { state: "CONFIRMATION_ASKED" as const, ...saying(verdict), approvalId };
  return withHitsAs(
    screening,
    hitsOf(screening, hitIds).map((hit) => ({ ...hit, ...requested })),
  );
}

/** A screening after a second person's word, and the hits that it changed. */
export interface Agreed {
  screening: Screening;
  hitIds: string[];
}

/**
 * What the second person's word makes of them; undefined where all were
 * decided by another way meanwhile.
 */
export function endConfirmation(
  screening: Screening,
  hitIds: readonly string[],
  agreement: Agreement,
): Agreed | undefined {
  const agreed = withApprovedHits(screening, hitIds, (hit) => confirmedOrOpen(hit, agreement));
  if (agreed === undefined || agreement.status !== "APPROVED") return agreed;
  const [first] = agreed.hitIds;
  const hits = agreed.screening.hits.map((hit) =>
    first === undefined || hit.hitId === first || !agreed.hitIds.includes(hit.hitId) ? hit : { ...hit, blockOf: first },
  );
  return { ...agreed, screening: { ...agreed.screening, hits } };
}

function confirmedOrOpen(hit: Hit, { approvalId, status, requested, decided }: Agreement): Hit | undefined {
  const isRequested = hit.state === "CONFIRMATION_ASKED";
  if (!isRequested && hit.state !== "OPEN") return undefined;
  if (status === "APPROVED") {
    // As it was said, where its asker has noted it.
    const verdict = isRequested && hit.approvalId === approvalId ? {} : saying(requested);
    return { ...hit, state: "CONFIRMED", ...verdict, agreed: decided, approvalId };
  }
  // Of two who asked at once the other's word still counts.
  if (isRequested && hit.approvalId !== approvalId) return undefined;
  const { decidedBy: _by, decidedAt: _at, reason: _reason, ...rest } = hit;
  return { ...rest, state: "OPEN", approvalId };
}

/**
 * Whether a release is to be asked for: false where this person has asked for the same.
 * Refuses NOT_FOUND, STATE_CONFLICT.
 */
export function isReleaseToRequest(screening: Screening, hitId: string, by: string, way: ReleaseWay): boolean {
  const { state, release } = hitOf(screening, hitId);
  const isSame = release?.way === way && release.asked.by === by;
  if ((state === "CONFIRMED" || state === "RELEASED") && isSame) return false;
  if (state !== "CONFIRMED") throw conflict(`hit ${hitId} is ${state}, and only a confirmed one is released`);
  if (release !== undefined) throw conflict(`the release of hit ${hitId} is asked for already: ${release.way}`);
  return true;
}

/**
 * A confirmed hit with all others of the screening that are confirmed: whoever is released
 * is released from each of them.
 */
export function releasedWith({ hits }: Pick<Screening, "hits">, hitId: string): string[] {
  const others = hits.filter((one) => one.hitId !== hitId && one.state === "CONFIRMED" && one.release === undefined);
  return [hitId, ...others.map((one) => one.hitId)];
}

/** The confirmation stays beside it, as it was said. What is no more to be released is left out. */
export function requestRelease(
  screening: Screening,
  hitIds: readonly string[],
  { comment, way, approvalId }: { comment: Word; way: ReleaseWay; approvalId: string },
): Screening {
  const confirmed = hitsOf(screening, hitIds).filter((hit) => hit.state === "CONFIRMED" && hit.release === undefined);
  return withHitsAs(
    screening,
    confirmed.map((hit) => ({ ...hit, release: { way, asked: comment, approvalId }, approvalId })),
  );
}

/**
 * What the second person's word on a release makes of it; undefined where it was
 * released by another way meanwhile.
 */
export function endRelease(
  screening: Screening,
  hitIds: readonly string[],
  { way, ...agreement }: Agreement & { way: ReleaseWay },
): Agreed | undefined {
  return withApprovedHits(screening, hitIds, (hit) => releasedOrConfirmed(hit, way, agreement));
}

function releasedOrConfirmed(
  hit: Hit,
  way: ReleaseWay,
  { approvalId, status, requested, decided }: Agreement,
): Hit | undefined {
  if (hit.state !== "CONFIRMED") return undefined;
  if (status === "APPROVED") {
    const noted = hit.release?.approvalId === approvalId ? hit.release.asked : requested;
    return { ...hit, state: "RELEASED", release: { way, asked: noted, agreed: decided, approvalId }, approvalId };
  }
  if (hit.release !== undefined && hit.approvalId !== approvalId) return undefined;
  const { release: _release, ...rest } = hit;
  return { ...rest, approvalId };
}

function withApprovedHits(
  screening: Screening,
  hitIds: readonly string[],
  end: (hit: Hit) => Hit | undefined,
): Agreed | undefined {
  const after = hitsOf(screening, hitIds).flatMap((hit) => end(hit) ?? []);
  if (after.length === 0) return undefined;
  return { screening: withHitsAs(screening, after), hitIds: after.map(({ hitId }) => hitId) };
}

function saying({ by, reason, at }: Word): Pick<Hit, "decidedBy" | "reason" | "decidedAt"> {
  return { decidedBy: by, reason, decidedAt: at };
}

/** With the exemptions that were made with the word on its hits. */
export function withExemptions(
  screening: Screening,
  made: readonly { hitId: string; exemptionId: string; until: Date }[],
): Screening {
  const hits = screening.hits.map((hit) => {
    const own = made.find(({ hitId }) => hitId === hit.hitId);
    return own === undefined ? hit : { ...hit, exemption: { exemptionId: own.exemptionId, until: own.until } };
  });
  return { ...screening, hits };
}

/** With hits in the place of those of the same ids. */
export function withHitsAs(screening: Screening, changed: readonly Hit[]): Screening {
  const hits = screening.hits.map((one) => changed.find(({ hitId }) => hitId === one.hitId) ?? one);
  // What was not compared with every list stays so, whatever is said of what was found.
  const status = screening.status === "ERROR" ? screening.status : statusOf(hits);
  return { ...screening, hits, status, version: screening.version + 1 };
}

/** Refuses STATE_CONFLICT naming each that is not open any more. */
function assertOpen(hits: readonly Hit[]): void {
  const decided = hits.filter(({ state }) => state !== "OPEN");
  if (decided.length > 0) throw conflict(decided.map(stateText).join("; "));
}

function stateText({ hitId, state }: Hit): string {
  return state === "CONFIRMATION_ASKED"
    ? `whether hit ${hitId} is confirmed waits for a second manager`
    : `hit ${hitId} is ${state}: it is decided`;
}

function conflict(message: string): Refusal {
  return new Refusal("STATE_CONFLICT", message);
}
