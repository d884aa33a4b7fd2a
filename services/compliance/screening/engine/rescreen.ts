import { createKeyedMutex } from "../../../kernel/batching/keyed-mutex.js";
import type { BusinessClock } from "../../../platform/preferences/business-clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { leaveRow } from "../../../kernel/outbox/left-rows.js";
import type { Logger } from "../../../kernel/process/log.js";
import { passesByItself } from "../../../kernel/outbox/patience.js";
import { processMetrics } from "../../../kernel/telemetry/metrics.js";
import { createTurns } from "../../../kernel/time/turns.js";
import type { Origin } from "../../common/domain/origin.js";
import type { ScreeningPolicy } from "../domain/policy.js";
import type { ScreenedSubject } from "../domain/screened-subject.js";
import type { SubjectRef } from "../../common/domain/subject.js";
import type { Trigger } from "../domain/screening.js";
import type { ScreeningPolicyVersions } from "../store/screening-policy-versions.js";
import type { ScreeningSubjectStore } from "../store/screening-subjects.js";
import { createDeltas } from "./delta.js";
import type { ScreeningEngine } from "./engine.js";
import type { Judge } from "./judge.js";
import type { ScreeningLists } from "../../lists/loading/open-lists.js";
import type { RecordDelisting } from "./off-list.js";

export interface RescreenDeps {
  engine: ScreeningEngine;
  lists: Pick<ScreeningLists, "store" | "snapshots">;
  policies: ScreeningPolicyVersions;
  subjects: ScreeningSubjectStore;
  judge: Judge;
  times: BusinessClock;
  log: Logger;
  noteOffList: RecordDelisting;
}

type LeftSubject = Pick<SubjectRef, "kind" | "id">;

export type Rescreen = ReturnType<typeof createRescreen>;

const subjectsAtOnce = 1_000;
// More than these are no damage of single rows.
const mostLeft = 1_000;
// One takes half a millisecond, and the dearest hundredth ten times that.
const comparisonsPerTurn = 4;
const msPerDay = 86_400_000;

/** From when on nobody has to have been compared; undefined where the policy never asks for it. */
export function dueBefore({ rescreenAfterDays }: ScreeningPolicy, now: Date): Date | undefined {
  return rescreenAfterDays === 0 ? undefined : new Date(now.getTime() - rescreenAfterDays * msPerDay);
}

/**
 * Compares a tenant's subjects with what is new in its lists or its policy, and those whose time
 * has come with everything. There is no place to go on from: whoever is not done has another basis,
 * so it may be cut off anywhere and run twice.
 */
export function createRescreen(deps: RescreenDeps) {
  const { engine, lists, policies, subjects, judge, times, log, noteOffList } = deps;
  const mutex = createKeyedMutex();

  /** One who cannot be compared keeps nobody else from it. */
  function leave(tenantId: string, left: LeftSubject[], { kind, id }: LeftSubject, error: unknown): void {
    left.push({ kind, id });
    leaveRow(log, "rescreening", { tenantId, kind, id }, error);
  }

  /**
   * Those who may be touched are judged one by one, the others noted in one write. Whoever cannot
   * be compared is left, and noted in `left`.
   */
  async function work(
    origin: Origin,
    policy: ScreeningPolicy,
    batch: readonly ScreenedSubject[],
    {
      deltas,
      basis,
      now,
      left,
    }: { deltas: ReturnType<typeof createDeltas>; basis: string; now: Date; left: LeftSubject[] },
  ): Promise<void> {
    const { tenantId } = origin;
    const clear: ScreenedSubject[] = [];
    const turns = createTurns("rescreening", comparisonsPerTurn);
    const current = engine.at(tenantId, policy);
    const compareOne = async (one: ScreenedSubject): Promise<void> => {
      const { subject, party } = one;
      const isOld = one.basis === basis;
      const trigger: Trigger = isOld ? "RESCREENED" : "LIST_UPDATED";
      const isTouched = isOld || (await deltas.since(one.basis))(party);
      const compared = isTouched ? current.screen(party) : undefined;
      // Another version has come into use meanwhile: the next round has them again.
      if (compared !== undefined && compared.basis !== basis) return;
      if (compared === undefined || compared.matches.length === 0) {
        clear.push(one);
        return;
      }
      const found = { subject, party, compared, policyVersion: policy.version, trigger, asRead: one.fingerprint };
      await judge(origin, found, now);
    };
    for (const one of batch) {
      try {
        await compareOne(one);
      } catch (error) {
        if (passesByItself(error)) throw error;
        leave(tenantId, left, one.subject, error);
      }
      await turns.spent();
    }
    turns.end();
    crashPoint("compliance.screening.rescreening");
    await subjects.forTenant(tenantId).noteBasis(clear, basis, now);
    const old = clear.filter((one) => one.basis === basis).length;
    if (old > 0) processMetrics.screened("RESCREENED", "NO_HIT", old);
    if (clear.length > old) processMetrics.screened("LIST_UPDATED", "NO_HIT", clear.length - old);
  }

  /**
   * Until nobody is left, or the signal ends it. Nothing while lists are away: nobody
   * is compared with less than all.
   */
  async function rescreen(origin: Origin, signal: AbortSignal): Promise<void> {
    const { tenantId, interactionId } = origin;
    await lists.snapshots.refresh();
    policies.forget(tenantId);
    const left: LeftSubject[] = [];
    for (;;) {
      const policy = await policies.current(tenantId);
      const { state, basis, lists: used } = engine.comparisonOf(tenantId, policy);
      if (state === "UNAVAILABLE") return;
      const now = (await times.forTenant(tenantId, interactionId)).now();
      await noteOffList(origin, used, now, signal);
      const deltas = createDeltas({ store: lists.store, policy, tenantId, lists: used });
      for (;;) {
        signal.throwIfAborted();
        // Whoever was left is looked for again by the next sweep.
        const others = { before: dueBefore(policy, now), except: left };
        const found = await subjects.forTenant(tenantId).findOthersThan(basis, subjectsAtOnce, others);
        for (const { subject, error } of found.unreadable) leave(tenantId, left, subject, error);
        if (found.readable.length + found.unreadable.length === 0 || left.length > mostLeft) return;
        await work(origin, policy, found.readable, { deltas, basis, now, left });
        if (engine.comparisonOf(tenantId, await policies.current(tenantId)).basis !== basis) break;
      }
    }
  }

  return (origin: Origin, signal: AbortSignal): Promise<void> =>
    mutex.runExclusive(origin.tenantId, () => rescreen(origin, signal));
}
