import type { BusinessClock, BusinessTime } from "../../shared/clocks/business-clock.js";
import { createBatcher } from "../../shared/batching/batcher.js";
import { isDuplicateKey } from "../../shared/mongo/transaction.js";
import { createAttempts } from "./attempts.js";
import type { Decided, Deciding, Question } from "./deciding.js";
import type { KnownPasts } from "./history-cache.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import type { ComplianceStore, KeptDecision } from "../store/index.js";

export interface CheckGroupsDeps {
  store: ComplianceStore;
  policies: PolicyVersions;
  deciding: Deciding;
  pasts: KnownPasts;
  times: BusinessClock;
}

interface Member {
  question: Question;
  signal: AbortSignal | undefined;
  resolve: (kept: KeptDecision | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Questions of one tenant share transactions: what comes while two of them are under way is decided on in the next. A lone question goes at
 * once. A customer may be among those who wait once only, which is for the caller to see to.
 */
export function createCheckGroups({ store, policies, deciding, pasts, times }: CheckGroupsDeps) {
  // Hardly anybody asks twice: nothing is looked for until somebody has.
  const firstTimes = createAttempts();
  const batcher = createBatcher<Member>({
    maxBatchSize: 64,
    // MongoDB works on one while we work on the other; more would only part those who wait into smaller ones.
    maxInFlight: 2,
    minBatchSize: 16,
    async run(tenantId, waiting) {
      const members = waiting.filter(isWanted);
      if (members.length > 0) await decideTogether(tenantId, members);
    },
  });

  /** Whatever fails for all of them each meets by itself. */
  async function decideTogether(tenantId: string, members: readonly Member[]): Promise<void> {
    try {
      const found = await tryTogether(tenantId, members);
      for (const { question, resolve } of members) {
        const decided = found.get(question.facts.transactionId);
        resolve(decided === undefined || "fault" in decided ? undefined : decided.kept);
      }
    } catch (error) {
      if (isDuplicateKey(error)) firstTimes.note(false);
      for (const { resolve } of members) resolve(undefined);
    }
  }

  async function tryTogether(tenantId: string, members: readonly Member[]): Promise<Map<string, Decided>> {
    const tenant = store.forTenant(tenantId);
    const time = await times.forTenant(tenantId, members[0]!.question.origin.interactionId);
    const found = new Map<string, Decided>();
    const isNew = firstTimes.mayTry();
    if (!isNew) {
      const ids = members.map(({ question }) => question.facts.transactionId);
      for (const kept of await tenant.findDecisions(ids)) found.set(kept.transactionId, { kept });
    }
    const questions = members.map(({ question }) => question).filter(({ facts }) => !found.has(facts.transactionId));
    if (questions.length === 0) return found;
    const decided = await decideNew(tenantId, questions, time);
    if (isNew) firstTimes.note(true);
    for (const [index, one] of decided.entries()) {
      const { customerId, transactionId } = questions[index]!.facts;
      found.set(transactionId, one);
      if ("known" in one && one.known !== undefined) pasts.remember(tenantId, customerId, one.known);
      else pasts.forget(tenantId, customerId);
    }
    return found;
  }

  /** Throws where one of them was decided on before: there is one decision per transaction id. */
  async function decideNew(tenantId: string, questions: readonly Question[], time: BusinessTime): Promise<Decided[]> {
    const tenant = store.forTenant(tenantId);
    return store.transactionOnce(
      async (session) => {
        // While the customers are taken. A policy is published as a whole: this is the one of this moment.
        const policy = { last: policies.last(tenantId), current: policies.current(tenantId, tenant) };
        // Nobody waits for it where the customers cannot be taken.
        policy.current.catch(() => undefined);
        const all = await deciding.decideAll(tenantId, questions, policy, time, session);
        // Nothing of it is to be written: each is decided on by itself.
        if (all.every((one) => "fault" in one)) throw new Error("none of them can be decided on together");
        return all;
      },
      async () => undefined,
    );
  }

  return {
    /** The decision, made before or now; undefined where the question has to be decided on by itself. Throws when the signal is aborted first. */
    decide(question: Question, signal: AbortSignal | undefined): Promise<KeptDecision | undefined> {
      const { tenantId } = question.origin;
      return new Promise((resolve, reject) => batcher.add(tenantId, { question, signal, resolve, reject }));
    },
  };
}

/** Whoever has left is told so and not decided on. */
function isWanted({ signal, reject }: Member): boolean {
  if (signal?.aborted !== true) return true;
  reject(signal.reason);
  return false;
}
