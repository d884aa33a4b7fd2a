import { isDeepStrictEqual } from "node:util";
import { createBatcher } from "../../../kernel/batching/batcher.js";
import type { KeyedMutex } from "../../../kernel/batching/keyed-mutex.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import { Refusal } from "../../../kernel/refusal.js";
import { isSandbox } from "../../../platform/sandbox/sandbox.js";
import type { ScreenedQuestion, ScreeningRuns } from "../../screening/engine/runs.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import type { ForcedDecision } from "../domain/forced-decision.js";
import type { TransactionFacts } from "../domain/transaction.js";
import type { ComplianceStore, Session, TenantStore } from "../store/index.js";
import type { Decide, Decided, Question } from "./decide.js";
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
type Asked = Omit<Question, "screening" | "forced"> &
  Pick<ScreenedQuestion, "parties" | "isPayeeStopped" | "walletOwner">;

interface Member {
  question: Asked;
  signal: AbortSignal | undefined;
  resolve: (kept: RecordedDecision | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Decides on a transaction: together with what else its tenant asks at the time, by itself where
 * that fails.
 */
export function createCheck(deps: CheckDeps) {
  const { store, customerMutex } = deps;
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
    { atOnce = false, isHeldForPayee = false, parties = [], isPayeeStopped = false, walletOwner }: AskedWith = {},
  ): Promise<RecordedDecision> {
    const { tenantId } = origin;
    const { signal } = call;
    const about = { parties, isPayeeStopped, ...(walletOwner !== undefined && { walletOwner }) };
    const question = { origin, facts, atOnce, isHeldForPayee, ...about };
    const kept = await customerMutex.runExclusive(`${tenantId} ${facts.customerId}`, async () => {
      signal?.throwIfAborted();
      // A forced decision is taken in the transaction that decides, which a batch does not do.
      const isForced = isSandbox(tenantId) && (await store.forTenant(tenantId).hasForced());
      const together = isForced
        ? undefined
        : await new Promise<RecordedDecision | undefined>((resolve, reject) =>
            batcher.add(tenantId, { question, signal, resolve, reject }),
          );
      return together ?? decideAlone(deps, question, call);
    });
    crashPoint("compliance.check.decided");
    assertSameQuestion(kept, facts);
    return kept;
  };
}

/** What a question has beside its facts. */
type AskedWith = Partial<Pick<Asked, "atOnce" | "isHeldForPayee" | "parties" | "isPayeeStopped" | "walletOwner">>;

/**
 * Answers undefined to whoever has to be decided on by themselves: of all of them where the
 * transaction fails.
 */
async function decideBatch(deps: CheckDeps, tenantId: string, members: readonly Member[]): Promise<void> {
  const found = await decideTogether(
    deps,
    tenantId,
    members.map(({ question }) => question),
  ).catch(() => new Map<string, RecordedDecision>());
  for (const { question, resolve } of members) resolve(found.get(question.facts.transactionId));
}

/**
 * Decisions by transaction id, made before or now. Throws where anything comes between, and then
 * nothing is written.
 */
async function decideTogether(
  { store, decide, histories, times, screening }: CheckDeps,
  tenantId: string,
  questions: readonly Asked[],
): Promise<Map<string, RecordedDecision>> {
  const tenant = store.forTenant(tenantId);
  const time = await times.forTenant(tenantId, questions[0]!.origin.interactionId);
  const earlier = await tenant.findDecisions(questions.map(({ facts }) => facts.transactionId));
  const found = new Map(earlier.map((kept) => [kept.transactionId, kept]));
  const fresh = questions.filter(({ facts }) => !found.has(facts.transactionId));
  if (fresh.length === 0) return found;
  const { runs, notes } = await screening.runQuestions(tenantId, fresh, time.now());
  const screened = fresh.map((question, index) => ({ ...question, screening: runs[index]! }));
  const decided = await store.transactionOnce(
    async (session) => {
      const all = await decide.decideAll(tenantId, screened, time, session);
      if (all.every((one) => "fault" in one)) throw new Error("none of them can be decided on together");
      await notes.write(session);
      return all;
    },
    async () => undefined,
  );
  notes.keep();
  for (const [index, one] of decided.entries()) {
    const { customerId, transactionId } = fresh[index]!.facts;
    if ("result" in one) found.set(transactionId, one.result.kept);
    histories.keep(tenantId, customerId, "result" in one ? one.result.history : undefined);
  }
  return found;
}

/** One question in a transaction of its own, as often as it takes. */
async function decideAlone(
  { store, decide, histories, times, whenCurrent, screening }: CheckDeps,
  question: Asked,
  call: OutgoingContext,
): Promise<RecordedDecision> {
  const { origin, facts } = question;
  const { tenantId, interactionId } = origin;
  const { customerId, transactionId } = facts;
  const tenant = store.forTenant(tenantId);
  const time = await times.forTenant(tenantId, interactionId);
  const before = await tenant.findDecision(transactionId);
  if (before !== undefined) return before;
  const { runs, notes } = await screening.runQuestions(tenantId, [question], time.now());
  let isNoted = false;
  const { kept, history } = await whenCurrent(origin, call, customerId, () =>
    store.transaction<Decided>(
      async (session) => {
        const earlier = await tenant.findDecision(transactionId, session);
        if (earlier !== undefined) return { kept: earlier, history: undefined };
        const forced = isSandbox(tenantId) ? await takeForced(tenant, facts, session) : undefined;
        const [decided] = await decide.decideAll(
          tenantId,
          [{ ...question, screening: runs[0]!, forced }],
          time,
          session,
        );
        if ("fault" in decided!) throw decided.fault;
        await notes.write(session);
        isNoted = true;
        return decided!.result;
      },
      async () => {
        const found = await tenant.findDecision(transactionId);
        return found && { kept: found, history: undefined };
      },
    ),
  );
  if (isNoted) notes.keep();
  histories.keep(tenantId, customerId, history);
  return kept;
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
function assertSameQuestion(kept: RecordedDecision, facts: TransactionFacts): void {
  if (!isDeepStrictEqual(askedIn(kept.inputs.facts), askedIn(facts))) {
    throw new Refusal("KEY_REUSED", "this transaction was decided on with other content");
  }
}

/**
 * What the caller said. Beside a remittance the countries are the customers' own, who may have
 * moved since.
 */
function askedIn(facts: TransactionFacts) {
  if (facts.operation === "REMITTANCE") return facts;
  const { originCountry: _from, receivingCountry: _to, ...asked } = facts;
  return asked;
}
