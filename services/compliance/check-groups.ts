import type { BusinessClock } from "../shared/business-clock.js";
import type { Decided, Deciding, Question } from "./deciding.js";
import type { KnownPasts } from "./known-pasts.js";
import type { PolicyVersions } from "./policy-versions.js";
import type { ComplianceStore, KeptDecision } from "./store.js";

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

/** What is under way and waits for one tenant. */
interface Lane {
  readonly waiting: Member[];
  underWay: number;
  isScheduled: boolean;
}

const mostTogether = 64;
// MongoDB works on one while we work on the other; more would only part those who wait into smaller ones.
const mostUnderWay = 2;
const fewest = 8;

/**
 * Questions of one tenant share transactions: what comes while two of them are under way is decided on in the next. A lone question goes at
 * once. A customer may be among those who wait once only, which is for the caller to see to.
 */
export function createCheckGroups({ store, policies, deciding, pasts, times }: CheckGroupsDeps) {
  const lanes = new Map<string, Lane>();

  function laneOf(tenantId: string): Lane {
    const lane = lanes.get(tenantId) ?? { waiting: [], underWay: 0, isScheduled: false };
    lanes.set(tenantId, lane);
    return lane;
  }

  /** At the end of this turn of the event loop: all that comes in it goes together. */
  function schedule(tenantId: string, lane: Lane): void {
    if (lane.isScheduled || lane.underWay >= mostUnderWay) return;
    lane.isScheduled = true;
    setImmediate(() => {
      lane.isScheduled = false;
      if (lane.waiting.length > 0) void run(tenantId, lane);
      else if (lane.underWay === 0) lanes.delete(tenantId);
    });
  }

  async function run(tenantId: string, lane: Lane): Promise<void> {
    const { waiting } = lane;
    const share = Math.max(fewest, Math.ceil(waiting.length / mostUnderWay));
    const members = waiting.splice(0, Math.min(mostTogether, share)).filter(isWanted);
    lane.underWay += 1;
    if (waiting.length > 0) schedule(tenantId, lane);
    if (members.length > 0) await decideTogether(tenantId, members);
    lane.underWay -= 1;
    schedule(tenantId, lane);
  }

  /** Whatever fails for all of them each meets by itself. */
  async function decideTogether(tenantId: string, members: readonly Member[]): Promise<void> {
    try {
      const found = await tryTogether(tenantId, members);
      for (const { question, resolve } of members) {
        const decided = found.get(question.facts.transactionId);
        resolve(decided === undefined || "fault" in decided ? undefined : decided.kept);
      }
    } catch {
      for (const { resolve } of members) resolve(undefined);
    }
  }

  async function tryTogether(tenantId: string, members: readonly Member[]): Promise<Map<string, Decided>> {
    const tenant = store.forTenant(tenantId);
    const ids = members.map(({ question }) => question.facts.transactionId);
    const time = await times.forTenant(tenantId, members[0]!.question.origin.interactionId);
    // A policy is published as a whole: this is the one of this moment.
    const [before, policy] = await Promise.all([tenant.findDecisions(ids), policies.current(tenantId, tenant)]);
    const found = new Map<string, Decided>(before.map((kept) => [kept.transactionId, { kept }]));
    const questions = members.map(({ question }) => question).filter(({ facts }) => !found.has(facts.transactionId));
    if (questions.length === 0) return found;
    const decided = await store.transactionOnce(
      async (session) => {
        const all = await deciding.decideAll(tenantId, questions, policy, time, session);
        // Nothing of it is to be written: each is decided on by itself.
        if (all.every((one) => "fault" in one)) throw new Error("none of them can be decided on together");
        return all;
      },
      async () => undefined,
    );
    for (const [index, one] of decided.entries()) {
      const { customerId, transactionId } = questions[index]!.facts;
      found.set(transactionId, one);
      if ("known" in one && one.known !== undefined) pasts.remember(tenantId, customerId, one.known);
      else pasts.forget(tenantId, customerId);
    }
    return found;
  }

  return {
    /** The decision, made before or now; undefined where the question has to be decided on by itself. Throws when the signal is aborted first. */
    decide(question: Question, signal: AbortSignal | undefined): Promise<KeptDecision | undefined> {
      const { tenantId } = question.origin;
      return new Promise((resolve, reject) => {
        const lane = laneOf(tenantId);
        lane.waiting.push({ question, signal, resolve, reject });
        schedule(tenantId, lane);
      });
    },
  };
}

/** Whoever has left is told so and not decided on. */
function isWanted({ signal, reject }: Member): boolean {
  if (signal?.aborted !== true) return true;
  reject(signal.reason);
  return false;
}
