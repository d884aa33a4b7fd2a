import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mongoose";
import type { Logger } from "../../shared/log.js";
import { runMigrations } from "../../shared/mongo/migrations.js";
import { lateMigrations } from "../store/migrations.js";

const afterMs = 60 * 60_000;

/** Runs, once, an hour after the start, what waits until an upgrade is over; again after as long where it fails. */
export function startLateMigrations({ db, log }: { db: Connection; log: Logger }) {
  const ending = new AbortController();
  const { signal } = ending;

  async function keep(): Promise<void> {
    for (;;) {
      await sleep(afterMs, undefined, { signal, ref: false });
      try {
        return await runMigrations(db, lateMigrations, log);
      } catch (err) {
        log.warn({ err }, "a late migration did not end");
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
