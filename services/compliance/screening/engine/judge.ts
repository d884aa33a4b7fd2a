import { v7 as uuidv7 } from "uuid";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { processMetrics } from "../../../kernel/telemetry/metrics.js";
import type { CaseJoin } from "../../common/domain/case-join.js";
import type { Origin } from "../../common/domain/origin.js";
import { judge, holdStatusOf, type FoundMatch } from "../domain/judging.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import { statusOf, type Screening, type Trigger } from "../domain/screening.js";
import type { SubjectHold } from "../domain/subject-hold.js";
import type { SubjectRef } from "../../common/domain/subject.js";
import type { ComplianceStore, Session } from "../../decisions/store/index.js";
import { sealedJoinRow } from "../../common/store/join-rows.js";
import type { ScreeningCipher } from "../store/screening-cipher.js";
import type { ExemptionStore } from "../store/screening-exemptions.js";
import type { ScreeningSubjectStore, SubjectRow } from "../store/screening-subjects.js";
import type { ScreeningStore } from "../store/screenings.js";
import type { Compared } from "./engine.js";
import { fingerprintOf } from "../../lists/loading/fingerprint.js";

export interface JudgeDeps {
  store: ComplianceStore;
  subjects: ScreeningSubjectStore;
  screenings: ScreeningStore;
  exemptions: ExemptionStore;
  cipher: ScreeningCipher;
  outbox: Outbox;
  /**
   * Puts what a subject's hits come to on their customer, or takes it
   * away, in the screening's commit.
   */
  putHold: (
    origin: Origin,
    subject: SubjectRef,
    status: SubjectHold["status"] | undefined,
    session: Session,
  ) => Promise<void>;
}

/** Somebody who resembles entries of lists. */
export interface Resembling {
  subject: SubjectRef;
  party: ScreenedParty;
  compared: Compared;
  policyVersion: number;
  trigger: Trigger;
  /** What waits for what is said of it. */
  transactionId?: string;
  /** The party is what a question said: what is known of the subject stays. */
  isNewOnly?: boolean;
  /** Of the person's record at identity. */
  revision?: number;
  /**
   * Fingerprint of the subject as it was read to be compared: of somebody who has
   * changed since nothing is kept.
   */
  asRead?: string;
}

export type Judge = ReturnType<typeof createJudge>;

const maxEarlier = 50;
const maxTransactions = 200;

/**
 * Keeps what was found of somebody: the screening with its hits, the stop on the customer, the
 * row by which the subject's case is joined, and that they were compared, in one commit.
 * Repeated it finds all of it there.
 */
export function createJudge({ store, subjects, screenings, exemptions, cipher, outbox, putHold }: JudgeDeps) {
  /** Notes on screenings that stop it what else waits. */
  async function noteWaiting(open: readonly Screening[], transactionId: string, tenantId: string, session: Session) {
    for (const screening of open) {
      const { transactionIds, version } = screening;
      if (transactionIds.includes(transactionId) || transactionIds.length >= maxTransactions) continue;
      const after = { ...screening, transactionIds: [...transactionIds, transactionId], version: version + 1 };
      await screenings.forTenant(tenantId).update(after, session);
    }
  }

  /**
   * What the subject's hits come to, old and new ones; undefined where nothing
   * stops. `now` is business time.
   */
  return async function judgeMatches(
    origin: Origin,
    found: Resembling,
    now: Date,
  ): Promise<SubjectHold["status"] | undefined> {
    const { tenantId } = origin;
    const { subject, party, compared, trigger, transactionId, isNewOnly, revision, asRead } = found;
    const fingerprints = await cipher.fingerprintsOf(tenantId, party);
    const { identityFingerprint } = fingerprints;
    const matches = compared.matches.map((match): FoundMatch => ({
      ...match,
      entryFingerprint: fingerprintOf(match.entry),
    }));
    const tenant = screenings.forTenant(tenantId);
    const ofTenant = exemptions.forTenant(tenantId);

    async function work(session: Session): Promise<{ status: SubjectHold["status"] | undefined; isNew: boolean }> {
      const known = await subjects.forTenant(tenantId).lock(subject, session, { upsert: asRead === undefined });
      const open = await tenant.findOpenOf(subject, session);
      const openNow = () => holdStatusOf(open.flatMap(({ hits }) => hits));
      if (asRead !== undefined && known?.fingerprint !== asRead) return { status: openNow(), isNew: false };
      // Identity has told of somebody who is no more so.
      if (revision !== undefined && (known?.personRevision ?? 0) > revision) return { status: openNow(), isNew: false };
      // Told that they are another person: no exemption speaks of them
      // any more, whatever lists have.
      if (isNewOnly !== true && known !== undefined && known.identityFingerprint !== identityFingerprint)
        await ofTenant.voidOthersThan(subject, identityFingerprint, now, session);
      const last = await tenant.findLastOf(subject, maxEarlier, session);
      const ids = new Set(open.map(({ screeningId }) => screeningId));
      const { hits, outdated } = judge({
        matches,
        earlier: [...open, ...last.filter(({ screeningId }) => !ids.has(screeningId))],
        exemptions: await ofTenant.listOf(subject, now, session),
        exempted: await ofTenant.originsOf(subject, session),
        identityFingerprint,
        trigger,
        now,
      });
      await ofTenant.void(
        outdated.map(({ exemptionId }) => exemptionId),
        now,
        session,
      );
      const isRecorded = last.some(
        ({ basis, fingerprint }) => basis === compared.basis && fingerprint === fingerprints.fingerprint,
      );
      const isNew = hits.some(({ state }) => state === "OPEN");
      const status = holdStatusOf([...open.flatMap((one) => one.hits), ...hits]);
      // Who is exempt is kept once for each version of lists, not with every transaction.
      if (isNew || (hits.length > 0 && !isRecorded)) {
        const screening: Screening = {
          screeningId: uuidv7(),
          subject,
          name: party.names[0] ?? "",
          trigger,
          lists: compared.lists,
          policyVersion: found.policyVersion,
          basis: compared.basis,
          ...fingerprints,
          status: statusOf(hits),
          hits,
          transactionIds: transactionId === undefined ? [] : [transactionId],
          screenedAt: now,
          version: 1,
        };
        await tenant.insert(screening, session);
        const source = `screening:${screening.screeningId}`;
        if (isNew) await outbox.add(await sealedJoinRow(cipher, origin, [source, 1], joinOf(screening)), session);
      }
      if (transactionId !== undefined) await noteWaiting(open, transactionId, tenantId, session);
      await putHold(origin, subject, status, session);
      if (isNewOnly !== true || known === undefined) {
        const row: SubjectRow = {
          subject,
          party,
          ...fingerprints,
          ...(revision !== undefined && { personRevision: revision }),
          basis: compared.basis,
          screenedAt: now,
        };
        await subjects.forTenant(tenantId).upsertMany([row], session);
      }
      crashPoint("compliance.screening.judging");
      return { status, isNew };
    }

    const { status, isNew } = await store.transaction(work, async () => undefined);
    crashPoint("compliance.screening.judged");
    if (isNew) {
      processMetrics.screened(trigger, "IN_REVIEW");
      outbox.wake();
    }
    return status;
  };
}

/** What the subject's case is told; officers alone read it. */
function joinOf({ screeningId, subject, trigger, hits, transactionIds, screenedAt }: Screening): CaseJoin {
  const { kind, id, customerId } = subject;
  if (kind === "SEARCH") throw new Error("nobody is stopped by a search");
  const [best] = hits;
  const others = hits.length > 1 ? ` and ${hits.length - 1} more` : "";
  const [transactionId] = transactionIds;
  return {
    subjectKind: kind,
    subjectId: id,
    customerId,
    kind: "SCREENING",
    event: "HIT",
    screeningId,
    ...(transactionId !== undefined && { transactionId }),
    text: `Screening (${trigger}) found ${best?.matchedName ?? ""} of ${best?.source ?? ""} with ${best?.score ?? 0} per mille${others}.`,
    actor: "compliance",
    at: screenedAt,
  };
}
