import { processMetrics } from "../../../kernel/telemetry/metrics.js";
import { createBoundedCache } from "../../../kernel/caching/bounded-cache.js";
import type { ScreeningTarget } from "../domain/screening-targets.js";
import { partyText } from "../domain/screened-subject.js";
import { subjectName, type SubjectRef } from "../../common/domain/subject.js";
import type { ScreeningCipher } from "../store/screening-cipher.js";
import type { Session } from "../../decisions/store/index.js";
import type { ScreeningSubjectStore, SubjectRow } from "../store/screening-subjects.js";
import type { Compared } from "./engine.js";

export interface NotingDeps {
  subjects: ScreeningSubjectStore;
  cipher: ScreeningCipher;
  /** Real time in ms, from anywhere. */
  elapsed: () => number;
}

/** Of people who resemble nobody, to be written with the decision that rests on it. */
export interface Notes {
  /**
   * In one write, or none where all were noted just before. With each
   * attempt of a transaction anew.
   */
  write(session?: Session): Promise<void>;
  /** To be called once the commit is known: they are not written again for a while. */
  keep(): void;
}

interface Noting {
  row: SubjectRow;
  note: string;
}

const maxNoted = 50_000;
/** Another process may have noted somebody else under the code since. */
const notedForMs = 10_000;

/**
 * Keeps who was compared with lists and resembles nobody: whoever is
 * noted is compared with later lists.
 */
export function createNoting({ subjects, cipher, elapsed }: NotingDeps) {
  // Whom this process has noted as compared, as whom and when: they are
  // not written again for a while.
  const noted = createBoundedCache<{ note: string; at: number }>(maxNoted);
  const noteKey = (tenantId: string, subject: SubjectRef) => `${tenantId} ${subjectName(subject)}`;

  /** The row of somebody who resembles nobody; undefined where it was written before. */
  async function rowOf(
    tenantId: string,
    { subject, party, isCustomer }: ScreeningTarget,
    { basis }: Compared,
    screenedAt: Date,
  ): Promise<Noting | undefined> {
    const note = `${basis}\n${partyText(party)}`;
    const last = noted.get(noteKey(tenantId, subject));
    // What is known of a customer is not written over, so it cannot be out of date.
    const isNoted = last?.note === note && (isCustomer || elapsed() - last.at < notedForMs);
    if (isNoted) return undefined;
    const fingerprints = await cipher.fingerprintsOf(tenantId, party);
    return {
      row: { subject, party, ...fingerprints, basis, screenedAt, ...(isCustomer && { isNewOnly: true }) },
      note,
    };
  }

  return {
    async notesOf(
      tenantId: string,
      clear: readonly { ask: ScreeningTarget; compared: Compared }[],
      now: Date,
      isRecheck: boolean,
    ): Promise<Notes> {
      const newest = isRecheck ? clear.filter(({ ask }) => ask.isCustomer) : clear;
      const at = elapsed();
      const made = await Promise.all(newest.map(({ ask, compared }) => rowOf(tenantId, ask, compared, now)));
      const fresh = new Map<string, Noting>();
      for (const one of made) if (one !== undefined) fresh.set(noteKey(tenantId, one.row.subject), one);
      if (clear.length > 0) processMetrics.screened("TRANSACTION", "NO_HIT", clear.length);
      const rows = [...fresh.values()].map(({ row }) => row);
      return {
        write: (session) => subjects.forTenant(tenantId).upsertMany(rows, session),
        keep() {
          for (const [key, { note }] of fresh) noted.set(key, { note, at });
        },
      };
    },

    /** They are written again when they resemble nobody once more. */
    forget(tenantId: string, subject: SubjectRef): void {
      noted.delete(noteKey(tenantId, subject));
    },
  };
}
