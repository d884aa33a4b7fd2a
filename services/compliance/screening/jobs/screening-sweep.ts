import { setTimeout as sleep } from "node:timers/promises";
import type { BusinessClock } from "../../../platform/preferences/business-clock.js";
import type { Clock } from "../../../kernel/time/clock.js";
import type { Logger } from "../../../kernel/process/log.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { processMetrics } from "../../../kernel/telemetry/metrics.js";
import type { ScreeningEngine } from "../engine/engine.js";
import { dueBefore } from "../engine/rescreen.js";
import type { ComplianceStore } from "../../decisions/store/index.js";
import { rescreenRow, rowKinds } from "../../common/store/outbox-rows.js";
import type { ScreeningPolicyVersions } from "../store/screening-policy-versions.js";
import type { ScreeningSubjectStore } from "../store/screening-subjects.js";
import { addOnce } from "./rescreening.js";

export interface SweepDeps {
  store: ComplianceStore;
  subjects: ScreeningSubjectStore;
  engine: ScreeningEngine;
  policies: ScreeningPolicyVersions;
  outbox: Outbox;
  times: BusinessClock;
  /** Real time. */
  clock: Clock;
  log: Logger;
  /** How often it is looked for transactions that wait for lists, ms. */
  waitingEveryMs?: number;
  /** How often it is looked for people who are to be compared, ms. */
  subjectsEveryMs?: number;
  /** How many waiting transactions of one tenant one look takes. */
  maxWaiting?: number;
}

const maxCounted = 10_000;
/** A row of one transaction, or of one tenant, for so long at most. */
const rowEveryMs = 30_000;
const interactionId = "screening-sweep";
const actor = "compliance";

/**
 * Finds what nobody is told of: transactions that wait for lists which are back, people whose time
 * to be compared has come, and whoever a replica with older lists compared last. What is found goes
 * on by rows; any number of replicas may look.
 */
export function startScreeningSweep(deps: SweepDeps) {
  const { store, subjects, engine, policies, outbox, times, clock, log } = deps;
  const { waitingEveryMs = 5_000, subjectsEveryMs = 60_000 } = deps;
  const ending = new AbortController();
  const figures = { waiting: 0, behind: 0 };
  const unwatch = processMetrics.watchScreening(() => figures);
  const place = () => Math.floor(clock.now().getTime() / rowEveryMs);
  const isThere = async (tenantId: string) =>
    engine.comparisonOf(tenantId, await policies.current(tenantId)).state === "DONE";

  /** `work` for each tenant that `next` names: one that fails keeps back nobody behind it. */
  async function eachTenant(
    next: (after: string) => Promise<string | undefined>,
    work: (tenantId: string) => Promise<void>,
  ): Promise<void> {
    for (let after = ""; !ending.signal.aborted;) {
      const tenantId = await next(after);
      if (tenantId === undefined) return;
      after = tenantId;
      await work(tenantId).catch((err: unknown) => log.warn({ err, tenantId }, "screening could not be looked after"));
    }
  }

  // Where the last look at a tenant of many ended: the next goes on from there.
  const places = new Map<string, string>();

  /** The next customers of a tenant whose transactions wait for lists. */
  async function nextWaiting(tenantId: string): Promise<Set<string>> {
    const after = places.get(tenantId);
    const limit = deps.maxWaiting ?? 1_000;
    const page = { limit, ...(after !== undefined && { after }) };
    const found = await store.forTenant(tenantId).listUnavailable(page);
    if (found.length < limit) places.delete(tenantId);
    else places.set(tenantId, found.at(-1)!.transactionId);
    return new Set(found.map(({ customerId }) => customerId));
  }

  /** Has transactions decided anew whose lists are there again. */
  async function releaseWaiting(): Promise<void> {
    let waiting = 0;
    await eachTenant(store.nextUnavailable, async (tenantId) => {
      waiting += await store.forTenant(tenantId).countUnavailable(maxCounted);
      if (!(await isThere(tenantId))) return;
      for (const customerId of await nextWaiting(tenantId)) {
        const aggregate = `customer-screening:${customerId}`;
        const row = { aggregate, seq: place(), kind: rowKinds.reconsiderScreened, payload: { customerId } };
        await addOnce(deps, { tenantId, interactionId, actor, ...row });
      }
      outbox.wake();
    });
    figures.waiting = waiting;
  }

  /** Has everybody compared who is not, or not for long. */
  async function findBehind(): Promise<void> {
    let behind = 0;
    await eachTenant(subjects.nextTenant, async (tenantId) => {
      const policy = await policies.current(tenantId);
      const { state, basis } = engine.comparisonOf(tenantId, policy);
      if (state === "UNAVAILABLE") return;
      const now = (await times.forTenant(tenantId, interactionId)).now();
      const count = await subjects.forTenant(tenantId).countDue(basis, dueBefore(policy, now), maxCounted);
      behind += count;
      if (count > 0) await addOnce(deps, rescreenRow({ tenantId, interactionId, actor }, "time", place()));
    });
    figures.behind = behind;
    if (behind > 0) outbox.wake();
  }

  async function keep(work: () => Promise<void>, everyMs: number): Promise<void> {
    while (!ending.signal.aborted) {
      await work().catch((err: unknown) => log.warn({ err }, "screening could not be looked after"));
      await sleep(everyMs * (0.9 + Math.random() / 5), undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  const ended = Promise.all([keep(releaseWaiting, waitingEveryMs), keep(findBehind, subjectsEveryMs)]);
  return {
    async stop(): Promise<void> {
      ending.abort();
      unwatch();
      await ended;
    },
  };
}
