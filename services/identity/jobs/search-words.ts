import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mongoose";
import { leaveRow } from "../../shared/left-rows.js";
import type { Logger } from "../../shared/log.js";
import { fillSearchWords, takeWordsOfErased } from "../store/search-words.js";

export interface SearchWordsOptions {
  db: Connection;
  log: Logger;
  /** How often words are taken from whoever was erased, ms. */
  everyMs?: number;
  /** After how many of these times everybody is looked at. */
  walkEvery?: number;
}

/**
 * Sets right what the version before leaves, which registers, renames and erases people without a look at their words, however long
 * it runs beside this one, and what was passed over while its tenant was held. Words of the erased go within minutes; everybody is
 * gone through twice a day.
 */
export function startSearchWords({ db, log, everyMs = 10 * 60_000, walkEvery = 72 }: SearchWordsOptions) {
  const ending = new AbortController();
  const { signal } = ending;

  async function keep(): Promise<void> {
    // The first time early, since an upgrade is over within an hour as a rule.
    for (let untilWalk = Math.min(6, walkEvery); ;) {
      await sleep(everyMs, undefined, { signal, ref: false });
      untilWalk -= 1;
      try {
        await takeWordsOfErased(db);
        if (untilWalk > 0) continue;
        await fillSearchWords(db, (about, error) => leaveRow(log, "search words", about, error));
        untilWalk = walkEvery;
      } catch (err) {
        log.warn({ err }, "words that customers are found by could not be set right");
      }
    }
  }

  const ended = keep().catch(() => undefined);
  return {
    async stop(): Promise<void> {
      ending.abort();
      await ended;
    },
  };
}
