import { processMetrics } from "../../../kernel/telemetry/metrics.js";
import { createTurns } from "../../../kernel/time/turns.js";
import type { RecordedDecision } from "../../decisions/domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import {
  screeningTargets,
  clipped,
  isEverybodyNamed,
  type ScreeningTarget,
  type NamedParty,
  type QuestionRun,
} from "../domain/screening-targets.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import type { ScreeningPolicy } from "../domain/policy.js";
import type { Trigger } from "../domain/screening.js";
import type { SubjectHold } from "../domain/subject-hold.js";
import { holdsOn } from "../domain/subject-hold.js";
import { customerSubject, subjectName, type SubjectRef } from "../../common/domain/subject.js";
import type { ScreeningRun } from "../domain/summary.js";
import type { TransactionFacts } from "../../decisions/domain/transaction.js";
import { decisionParties } from "../store/decision-parties.js";
import type { ScreeningCipher } from "../store/screening-cipher.js";
import type { ScreeningPolicyVersions } from "../store/screening-policy-versions.js";
import type { ComplianceStore } from "../../decisions/store/index.js";
import type { ScreeningSubjectStore } from "../store/screening-subjects.js";
import type { Compared, ScreeningEngine } from "./engine.js";
import type { Judge } from "./judge.js";
import { createNoting, type Notes } from "./noting.js";

export interface RunsDeps {
  engine: ScreeningEngine;
  policies: ScreeningPolicyVersions;
  subjects: ScreeningSubjectStore;
  cipher: ScreeningCipher;
  judge: Judge;
  store: Pick<ComplianceStore, "forTenant">;
  /** Real time in ms, from anywhere. */
  elapsed?: () => number;
}

/** How it went, and what is to be noted of those who resemble nobody. */
interface Screened {
  runs: QuestionRun[];
  notes: Notes;
}

/** A question whose parties are compared. */
export interface ScreenedQuestion {
  origin: Origin;
  facts: TransactionFacts;
  parties: readonly NamedParty[];
  /** Something stops the customer who is paid into a wallet. */
  isPayeeStopped?: boolean;
  /**
   * Of a remittance into a wallet: the customer whose it is, who is among the parties by
   * this id where they have a name.
   */
  walletOwner?: string;
}

export type ScreeningRuns = ReturnType<typeof createScreeningRuns>;

// One takes half a millisecond, and the dearest hundredth ten times that.
const comparisonsPerTurn = 4;

/**
 * Compares people with lists where they turn up: in questions about transactions,
 * and where identity tells of them.
 */
export function createScreeningRuns({
  engine,
  policies,
  subjects,
  cipher,
  judge,
  store,
  elapsed = () => performance.now(),
}: RunsDeps) {
  const { forget, notesOf } = createNoting({ subjects, cipher, elapsed });
  const recorded = decisionParties(cipher);

  /** Where a question does not say who sends: as compliance knows them. */
  async function withSenders(tenantId: string, questions: readonly ScreenedQuestion[]): Promise<ScreenedQuestion[]> {
    const lacking = questions.filter(({ parties }) => parties.length > 0 && !parties.some(isSender));
    if (lacking.length === 0) return [...questions];
    const ids = lacking.map(({ facts }) => facts.customerId);
    const known = await subjects.forTenant(tenantId).findMany("CUSTOMER", ids);
    return questions.map((question) => {
      const own = known.find(({ subject }) => subject.id === question.facts.customerId);
      if (own === undefined || !lacking.includes(question)) return question;
      return { ...question, parties: [{ role: "SENDER", party: own.party }, ...question.parties] };
    });
  }

  /** Everybody of the questions, in memory, with turns of the event loop between them. */
  async function compareAll(tenantId: string, policy: ScreeningPolicy, questions: readonly ScreenedQuestion[]) {
    const turns = createTurns("screening", comparisonsPerTurn);
    const lists = engine.at(tenantId, policy);
    const compared: { ask: ScreeningTarget; compared: Compared }[][] = [];
    for (const { facts, parties } of questions) {
      const ofQuestion: { ask: ScreeningTarget; compared: Compared }[] = [];
      for (const ask of screeningTargets(facts, parties)) {
        ofQuestion.push({ ask, compared: lists.screen(ask.party) });
        await turns.spent();
      }
      compared.push(ofQuestion);
    }
    turns.end();
    return { compared, comparison: lists.comparison };
  }

  async function runQuestions(
    tenantId: string,
    requested: readonly ScreenedQuestion[],
    now: Date,
    /** They waited: whoever a code stands for by now is the newer one, and stays. */
    isRecheck = false,
  ): Promise<Screened> {
    const policy = await policies.current(tenantId);
    const questions = await withSenders(tenantId, requested);
    const { compared: found, comparison } = await compareAll(tenantId, policy, questions);
    const isClear = ({ compared }: { compared: Compared }) => compared.matches.length === 0;
    const notes = await notesOf(tenantId, found.flat().filter(isClear), now, isRecheck);
    const holdStatuses = await Promise.all(
      questions.map(async ({ origin, facts: { transactionId } }, index) => {
        const statuses = new Map<string, SubjectHold["status"] | undefined>();
        for (const one of found[index]!) {
          if (isClear(one)) continue;
          const { subject, party, isCustomer } = one.ask;
          forget(tenantId, subject);
          const resembling = { subject, party, compared: one.compared, policyVersion: policy.version, transactionId };
          const about = { ...resembling, trigger: "TRANSACTION" as const, isNewOnly: isCustomer || isRecheck };
          statuses.set(subjectName(subject), await judge(origin, about, now));
        }
        return statuses;
      }),
    );
    const { state, basis } = comparison;
    if (state === "UNAVAILABLE") processMetrics.screened("TRANSACTION", "ERROR", questions.length);
    const runs = questions.map((question, index): QuestionRun => {
      const { facts, parties, walletOwner } = question;
      const payees = found[index]!.filter(({ ask }) => ask.role !== "SENDER" && ask.isCustomer);
      const isStopped = payees.some(({ ask }) => holdStatuses[index]!.get(subjectName(ask.subject)) !== undefined);
      const roles = parties.filter((one) => !isOwner(one, walletOwner)).map(({ role }) => role);
      const isPayeeStopped = question.isPayeeStopped === true || isStopped;
      const isOwnerNamed = walletOwner === undefined || parties.some((one) => isOwner(one, walletOwner));
      const isNamed = isOwnerNamed && isEverybodyNamed(facts, parties);
      const others = found[index]!.filter(({ ask }) => !ask.isCustomer);
      const named = others.map(({ ask: { role, party } }) => ({ role, party }));
      const how = stateOf({ isAway: state === "UNAVAILABLE", isPayeeStopped, isNamed });
      return { state: how, basis, parties: roles, named, ...(walletOwner !== undefined && { walletOwner }) };
    });
    return { runs, notes };
  }

  /**
   * Whose wallet is paid by what waits, as they are known by now, and
   * whether anything stops them still.
   */
  async function ownerNow(tenantId: string, walletOwner: string) {
    const [subject, { holds = [] }] = await Promise.all([
      subjects.forTenant(tenantId).find(customerSubject(walletOwner)),
      store.forTenant(tenantId).payeeOf(walletOwner),
    ]);
    const named = subject === undefined ? [] : [ownerOf(walletOwner, subject.party)];
    return { walletOwner, named, isPayeeStopped: holdsOn(holds, undefined).length > 0 };
  }

  return {
    /**
     * Compares those of questions of one tenant, and keeps what was found; the runs in the order of
     * the questions. `now` is business time. The notes are written in the transaction that decides:
     * else somebody would be paid whom no later list is compared with.
     */
    runQuestions: (tenantId: string, requested: readonly ScreenedQuestion[], now: Date) =>
      runQuestions(tenantId, requested, now),

    /** To be kept with a decision that waits. */
    sealParties: recorded.seal,

    /**
     * The same of a decision that waits: who sends as they are known by now, who is paid as the
     * question named them. Where that is not known any more a person decides.
     */
    async runAgain(origin: Origin, before: RecordedDecision, now: Date): Promise<ScreeningRun> {
      const { facts, screening } = before.inputs;
      const { tenantId } = origin;
      const { customerId } = facts;
      const roles = screening?.parties ?? [];
      const known = subjects.forTenant(tenantId);
      const named = await recorded.open(tenantId, before);
      const found = await Promise.all(
        roles.map(async (role): Promise<NamedParty[]> => {
          const isPayee = role !== "SENDER" && facts.operation === "WALLET_PAYMENT";
          if (role !== "SENDER" && !isPayee) return named.filter((one) => one.role === role);
          const subject = await known.find(customerSubject(isPayee ? facts.recipient : customerId));
          if (subject === undefined) return [];
          return [{ role, party: subject.party, ...(isPayee && { customerId: facts.recipient }) }];
        }),
      );
      // Whoever asks for a loan or invests pays nobody, and is known.
      const own = roles.length > 0 ? undefined : await known.find(customerSubject(customerId));
      const parties: NamedParty[] = own === undefined ? found.flat() : [{ role: "SENDER", party: own.party }];
      const { walletOwner } = screening ?? {};
      const { named: owners = [], ...owner } = walletOwner === undefined ? {} : await ownerNow(tenantId, walletOwner);
      const isLost = found.some((one) => one.length === 0);
      const question = { origin, facts, parties: [...parties, ...owners], ...owner };
      const { runs, notes } = await runQuestions(tenantId, [question], now, true);
      await notes.write();
      const [run] = runs;
      const { state } = run!;
      const isUnnamed = isLost || screening?.state === "UNKNOWN";
      // Of a payment it is not known whom it is about any more.
      const isPayeeStopped = walletOwner === undefined && screening?.state === "PAYEE_STOPPED";
      return {
        ...run!,
        parties: roles,
        state: stateOf({
          isAway: state === "UNAVAILABLE",
          isPayeeStopped: state === "PAYEE_STOPPED" || isPayeeStopped,
          isNamed: state !== "UNKNOWN" && !isUnnamed,
        }),
      };
    },

    /**
     * Somebody as identity tells of them. Whether anything stops them. Throws where it could not be
     * kept; told again nothing changes.
     */
    async noteSubject(
      origin: Origin,
      {
        subject,
        party: stated,
        trigger,
        revision,
      }: { subject: SubjectRef; party: ScreenedParty; trigger: Trigger; revision?: number },
      now: Date,
    ): Promise<SubjectHold["status"] | undefined> {
      const { tenantId } = origin;
      const policy = await policies.current(tenantId);
      const party = clipped(stated);
      const compared = engine.screen(tenantId, policy, party);
      if (compared.matches.length === 0)
        processMetrics.screened(trigger, compared.state === "DONE" ? "NO_HIT" : "ERROR");
      const about = { subject, party, compared, policyVersion: policy.version, trigger };
      return judge(origin, { ...about, ...(revision !== undefined && { revision }) }, now);
    },
  };
}

function stateOf(of: { isAway: boolean; isPayeeStopped: boolean; isNamed: boolean }): ScreeningRun["state"] {
  if (of.isAway) return "UNAVAILABLE";
  if (of.isPayeeStopped) return "PAYEE_STOPPED";
  return of.isNamed ? "DONE" : "UNKNOWN";
}

/** The customer whose wallet is paid, beside those whom a question names. */
export function ownerOf(walletOwner: string, party: ScreenedParty): NamedParty {
  return { role: "ACCOUNT_HOLDER", party, customerId: walletOwner };
}

function isOwner({ role, customerId }: NamedParty, walletOwner: string | undefined): boolean {
  return walletOwner !== undefined && role === "ACCOUNT_HOLDER" && customerId === walletOwner;
}

function isSender({ role }: NamedParty): boolean {
  return role === "SENDER";
}
