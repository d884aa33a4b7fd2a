import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { isDiskFull } from "../../kernel/mongo/disk-space.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { keepPace, slowPollMs } from "../../kernel/polling/pace.js";
import type { Logger } from "../../kernel/process/log.js";
import type { Clock } from "../../kernel/time/clock.js";
import { hasTurned, standingOf, type PartnerAlarm } from "../domain/partner-balance.js";
import type { LedgerStore } from "../store/index.js";
import type { PartnerStore } from "../store/partners.js";
import { partnerEventRow } from "../wire/event-rows.js";

export interface PartnerAlarmOptions {
  readonly db: Connection;
  readonly store: Pick<LedgerStore, "forTenant">;
  readonly partners: PartnerStore;
  readonly outbox: Pick<Outbox, "add" | "wake">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Between two looks at tenants that post. */
  readonly lookMs: number;
}

export type PartnerAlarms = ReturnType<typeof startPartnerAlarms>;

const alarmsAtOnce = 500;

/**
 * Tells once that less is available at a partner than its alarm says, and once that it is over: the
 * event's row is written with what was told last. Looks at tenants that this process posts for, and
 * now and then at all, so that whoever was killed before a look loses nothing. What falls and rises
 * again between two looks is told to nobody.
 */
export function startPartnerAlarms(options: PartnerAlarmOptions) {
  const { partners, db, log, lookMs } = options;
  const touched = new Set<string>();
  let running: Promise<void> | undefined;
  let allAt = -Infinity;
  let isStopping = false;

  async function lookAt(tenantId: string): Promise<void> {
    await look(options, tenantId).catch((error: unknown) => {
      touched.add(tenantId);
      log.warn({ err: error, tenantId }, "what partners hold could not be looked at");
    });
  }

  async function lookAtAll(): Promise<void> {
    const startedAt = performance.now();
    for (let after: string | undefined = ""; after !== undefined && !isStopping;) {
      after = await partners.nextWithAlarms(after);
      if (after !== undefined) await lookAt(after);
    }
    allAt = startedAt;
  }

  async function round(): Promise<void> {
    if (isDiskFull(db)) return;
    const tenants = [...touched];
    touched.clear();
    for (const tenantId of tenants) if (!isStopping) await lookAt(tenantId);
    if (performance.now() - allAt >= slowPollMs) await lookAtAll();
  }

  const poll = (): void => {
    running ??= round()
      .catch((error: unknown) => log.warn({ err: error }, "what partners hold could not be looked at"))
      .finally(() => {
        running = undefined;
      });
  };
  const pace = keepPace({ poll, quickMs: lookMs });

  return {
    /** Something of a tenant was posted. */
    wake(tenantId: string): void {
      touched.add(tenantId);
      pace.pollFast();
    },
    async stop(): Promise<void> {
      isStopping = true;
      pace.stop();
      await running;
    },
  };
}

async function look(options: PartnerAlarmOptions, tenantId: string): Promise<void> {
  const { store, partners } = options;
  const ofTenant = partners.forTenant(tenantId);
  for (let after = ""; ;) {
    const alarms = await ofTenant.alarmsAfter(after, alarmsAtOnce);
    if (alarms.length === 0) return;
    const found = await store.forTenant(tenantId).findAccounts(alarms.map(({ accountId }) => accountId));
    const byId = new Map(found.map((account) => [account.info.accountId, account]));
    for (const alarm of alarms) {
      const account = byId.get(alarm.accountId);
      if (account !== undefined && hasTurned(alarm, account)) await turn(options, tenantId, alarm);
    }
    if (alarms.length < alarmsAtOnce) return;
    after = alarms.at(-1)!.accountId;
  }
}

/** What was told last and the event of it in one commit, by whoever is first. */
async function turn(options: PartnerAlarmOptions, tenantId: string, { accountId }: PartnerAlarm): Promise<void> {
  const { db, store, partners, outbox, clock } = options;
  const ofTenant = partners.forTenant(tenantId);
  const isTold = await inTransaction(
    db,
    async (session) => {
      const alarm = await ofTenant.findAlarm(accountId, session);
      const [account] = await store.forTenant(tenantId).findAccounts([accountId], session);
      if (alarm === undefined || account === undefined || !hasTurned(alarm, account)) return false;
      const isLow = standingOf(account).availableMinor < alarm.belowMinor!;
      const at = clock.now();
      if (!(await ofTenant.turn(alarm, isLow, at, session))) return false;
      const cause = { tenantId, interactionId: randomUUID(), actor: "ledger" };
      await outbox.add(partnerEventRow(cause, alarm, account, isLow, at), session);
      crashPoint("ledger.partner-alarm.turned");
      return true;
    },
    // Whatever was committed is what the next look finds.
    { readBack: async () => false },
  );
  if (!isTold) return;
  crashPoint("ledger.partner-alarm.told");
  outbox.wake();
}
