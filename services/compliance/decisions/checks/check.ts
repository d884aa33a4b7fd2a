import { isDeepStrictEqual } from "node:util";
import { createBatcher } from "../../../kernel/batching/batcher.js";
import type { KeyedMutex } from "../../../kernel/batching/keyed-mutex.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import { retryDuplicates } from "../../../kernel/mongo/transaction.js";
import { Refusal } from "../../../kernel/refusal.js";
import { isSandbox } from "../../../platform/sandbox/sandbox.js";
import type { ScreenedQuestion, ScreeningRuns } from "../../screening/engine/runs.js";
import { isCash } from "../domain/conditions.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import type { ForcedDecision } from "../domain/forced-decision.js";
import type { TransactionFacts } from "../domain/transaction.js";
import type { ComplianceStore, Session, TenantStore } from "../store/index.js";
import type { Attempt, Decide, Decided, Question } from "./decide.js";
import type { HistoryCache } from "./history-cache.js";
import type { TermsOfTenants } from "./terms.js";
import type { WhenCurrent } from "./when-current.js";

export interface CheckDeps {
  /**
   * Two questions about one customer would conflict and run again; MongoDB's lock parts replicas.
   */
  customerMutex: KeyedMutex;
  store: ComplianceStore;
  decide: Decide;
  histories: HistoryCache;
  times: TermsOfTenants;
  whenCurrent: WhenCurrent;
  screening: ScreeningRuns;
}

/** A question whose parties are not compared with lists yet. */
type Unscreened = Omit<Question, "screening" | "forced"> &
  Pick<ScreenedQuestion, "parties" | "isPayeeStopped" | "walletOwner">;

interface Member {
  question: Unscreened;
  signal: AbortSignal | undefined;
  resolve: (recorded: RecordedDecision | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Decides on a transaction: together with what else its tenant asks at the time, by itself where
 * that fails.
 */
export function createCheck(deps: CheckDeps) {
  const { customerMutex } = deps;
  // A lone question goes at once; what comes while two batches are under way goes in the next.
  const batcher = createBatcher<Member>({
    maxBatchSize: 64,
    // MongoDB works on one while this process works on the other; a third would only split batches.
    maxInFlight: 2,
    minBatchSize: 16,
    async run(tenantId, waiting) {
      const members = waiting.filter(isWanted);
      if (members.length > 0) await decideBatch(deps, tenantId, members);
    },
  });

  /**
   * Decides once per transaction id, on parties that are compared with lists before;
   * `atOnce` where the transaction follows its decision at once, so that nobody has to
   * confirm it. `isHeldForPayee` is kept with the first decision. Refuses KEY_REUSED
   * for other content under the id.
   */
  return async function check(
    origin: Origin,
    facts: TransactionFacts,
    call: OutgoingContext,
    { atOnce = false, isHeldForPayee = false, parties = [], isPayeeStopped = false, walletOwner }: Parts = {},
  ): Promise<RecordedDecision> {
    const { tenantId } = origin;
    const { signal } = call;
    const about = { parties, isPayeeStopped, ...(walletOwner !== undefined && { walletOwner }) };
    const question = { origin, facts, atOnce, isHeldForPayee, ...about };
    const recorded = await customerMutex.runExclusive(`${tenantId} ${facts.customerId}`, async () => {
      signal?.throwIfAborted();
      const together = await new Promise<RecordedDecision | undefined>((resolve, reject) =>
        batcher.add(tenantId, { question, signal, resolve, reject }),
      );
      return together ?? decideAlone(deps, question, call);
    });
    crashPoint("compliance.check.decided");
    assertSameQuestion(recorded, facts);
    return recorded;
  };
}

/** What a question has beside its facts. */
type Parts = Partial<Pick<Unscreened, "atOnce" | "isHeldForPayee" | "parties" | "isPayeeStopped" | "walletOwner">>;

/** Answers undefined to whoever has to be decided on alone: to all where the transaction fails. */
async function decideBatch(deps: CheckDeps, tenantId: string, members: readonly Member[]): Promise<void> {
  const questions = members.map(({ question }) => question);
  const attempts = await decideAll(deps, tenantId, questions, deps.store.transactionOnce).catch(() => []);
  for (const [index, { resolve }] of members.entries()) {
    const one = attempts[index];
    resolve(one !== undefined && "result" in one ? one.result : undefined);
  }
}

/** A batch of one, as often as it takes. */
function decideAlone(deps: CheckDeps, question: Unscreened, call: OutgoingContext): Promise<RecordedDecision> {
  const { origin, facts } = question;
  const decideOne = async () => {
    const [one] = await decideAll(deps, origin.tenantId, [question], deps.store.transactionUntilInserted);
    if ("fault" in one!) throw one.fault;
    return one!.result;
  };
  return deps.whenCurrent(origin, call, facts.customerId, () => retryDuplicates(decideOne));
}

/**
 * Decisions made before or now, in the order of the questions; a fault says why one is decided on
 * alone. Throws where the transaction does, and where it decides none: then nothing is written.
 */
async function decideAll(
  { store, decide, histories, times, screening }: CheckDeps,
  tenantId: string,
  questions: readonly Unscreened[],
  transaction: ComplianceStore["transactionOnce"],
): Promise<Attempt<RecordedDecision>[]> {
  const tenant = store.forTenant(tenantId);
  const time = await times.forTenant(tenantId, questions[0]!.origin.interactionId);
  const found = await findAttempts(tenant, questions);
  const fresh = questions.filter(({ facts }) => !found.has(facts.transactionId));
  if (fresh.length > 0) {
    const isForced = isSandbox(tenantId) && (await tenant.hasForced());
    const { runs, notes } = await screening.runQuestions(tenantId, fresh, time.now());
    const decided = await transaction<Attempt<Decided>[]>(
      async (session) => {
        const screened: Question[] = [];
        for (const [index, question] of fresh.entries()) {
          const forced =
            isForced && !isCash(question.facts.operation)
              ? await takeForced(tenant, question.facts, session)
              : undefined;
          screened.push({ ...question, screening: runs[index]!, forced });
        }
        const all = await decide.decideAll(tenantId, screened, time, session);
        const faulty = all.filter((one) => "fault" in one);
        // What is forced counts down with the decision that it made, or not at all.
        if (faulty.length === all.length || (isForced && faulty.length > 0)) throw faulty[0]!.fault;
        await notes.write(session);
        return all;
      },
      async () => {
        const known = await findAttempts(tenant, fresh);
        return known.size < fresh.length ? undefined : fresh.map(({ facts }) => known.get(facts.transactionId)!);
      },
    );
    notes.keep();
    for (const [index, one] of decided.entries()) {
      const { customerId, transactionId } = fresh[index]!.facts;
      found.set(transactionId, one);
      histories.keep(tenantId, customerId, "result" in one ? one.result.history : undefined);
    }
  }
  return questions.map(({ facts }) => {
    const one = found.get(facts.transactionId)!;
    return "fault" in one ? one : { result: one.result.recorded };
  });
}

/** Those that were decided on before, by transaction id. */
async function findAttempts(
  tenant: TenantStore,
  questions: readonly Unscreened[],
): Promise<Map<string, Attempt<Decided>>> {
  const found = await tenant.findDecisions(questions.map(({ facts }) => facts.transactionId));
  return new Map(found.map((recorded) => [recorded.transactionId, { result: { recorded, history: undefined } }]));
}

/** Whoever has left is told so and not decided on. */
function isWanted({ signal, reject }: Member): boolean {
  if (signal?.aborted !== true) return true;
  reject(signal.reason);
  return false;
}

/**
 * What is forced for a transaction: by its id, its customer's, or whoever is next. Counts it down.
 */
async function takeForced(tenant: TenantStore, { transactionId, customerId }: TransactionFacts, session: Session) {
  const taken = await tenant.takeForced([transactionId, customerId], session);
  return taken?.forced.outcome as ForcedDecision | undefined;
}

/**
 * A transaction id is decided once; asking something else under it is a bug of the caller that must
 * not pass.
 */
function assertSameQuestion(recorded: RecordedDecision, facts: TransactionFacts): void {
  if (!isDeepStrictEqual(requestedIn(recorded.inputs.facts), requestedIn(facts))) {
    throw new Refusal("KEY_REUSED", "this transaction was decided on with other content");
  }
}

/**
 * What the caller said. Beside a remittance the countries are the customers' own, who may have
 * moved since; what is known of the recipient may have come since, and rates move.
 */
function requestedIn({ transparency: _known, cash: _atRate, ...facts }: TransactionFacts) {
  if (facts.operation === "REMITTANCE") return facts;
  const { originCountry: _from, receivingCountry: _to, ...requested } = facts;
  return requested;
}
