import { emptyDay, withTransaction, type DayActivity } from "../domain/day-activity.js";
import { decide, transparencyOf, type DecisionInputs, type DecisionKind, type Outcome } from "../domain/decision.js";
import { figuresOf, firstDay } from "../domain/figures.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import { compilePolicy, figurePlanOf, type CompiledPolicy, type Policy } from "../domain/policy.js";
import { countedFacts, ownPart } from "../domain/transaction.js";
import { withOwnAmount } from "../domain/transparency.js";

export interface Trial {
  transactions: number;
  counts: { live: DecisionKind; draft: DecisionKind; transactions: number }[];
  differences: { recorded: RecordedDecision; live: Outcome; draft: Outcome }[];
  /** By what the transparency profiles of either ask for. */
  members: Map<string, MemberCount>;
}

/** Transactions that were asked for a member, and those of them that did not have it. */
export interface MemberCount {
  liveAsked: number;
  liveMissing: number;
  draftAsked: number;
  draftMissing: number;
}

const noMember: MemberCount = { liveAsked: 0, liveMissing: 0, draftAsked: 0, draftMissing: 0 };

const maxDifferences = 200;

/**
 * Decides past transactions once more by two policies, in the order in which they were decided.
 * Both see the same past: the days before the first of them as they were kept, and from there on
 * what was let through then. Standing of the customer, new beneficiary and what the day's limit had
 * left are those of the time.
 */
export async function tryPolicies(
  live: Policy | undefined,
  draft: Policy,
  past: AsyncIterable<RecordedDecision>,
  daysBefore: (customerId: string, from: string, before: string) => Promise<DayActivity[]>,
): Promise<Trial> {
  const policies = [live && compilePolicy(live), compilePolicy(draft)];
  const window = Math.max(...policies.map((policy) => figurePlanOf(policy).maxDays));
  const activity = new Map<string, DayActivity[]>();
  const counts = new Map<string, Trial["counts"][number]>();
  const trial: Trial = { transactions: 0, counts: [], differences: [], members: new Map() };
  for await (const recorded of past) {
    const inputs = { ...recorded.inputs, facts: withOwnAmount(recorded.inputs.facts) };
    const { facts, day } = inputs;
    let days = activity.get(facts.customerId);
    if (days === undefined) {
      days = window === 0 ? [] : await daysBefore(facts.customerId, firstDay(day, window), day);
      activity.set(facts.customerId, days);
    }
    const [byLive, byDraft] = policies.map((policy) =>
      decide(policy, { ...inputs, figures: figuresOf(figurePlanOf(policy), days, day, ownPart(facts)) }),
    ) as [Outcome, Outcome];
    trial.transactions += 1;
    for (const [index, who] of (["live", "draft"] as const).entries()) {
      countMembers(trial.members, policies[index], inputs, who);
    }
    const key = `${byLive.decision} ${byDraft.decision}`;
    const count = counts.get(key) ?? { live: byLive.decision, draft: byDraft.decision, transactions: 0 };
    counts.set(key, { ...count, transactions: count.transactions + 1 });
    if (isDifferent(byLive, byDraft) && trial.differences.length < maxDifferences) {
      trial.differences.push({ recorded, live: byLive, draft: byDraft });
    }
    if (window > 0 && wasCounted(recorded)) activity.set(facts.customerId, withOneMore(days, recorded));
  }
  trial.counts = [...counts.values()];
  return trial;
}

function countMembers(
  members: Trial["members"],
  policy: CompiledPolicy | undefined,
  inputs: DecisionInputs,
  who: "live" | "draft",
): void {
  const { asked, missing } = transparencyOf(policy, inputs);
  for (const member of asked?.members ?? []) {
    const count = { ...(members.get(member) ?? noMember) };
    count[`${who}Asked`] += 1;
    if (missing.includes(member)) count[`${who}Missing`] += 1;
    members.set(member, count);
  }
}

function isDifferent(a: Outcome, b: Outcome): boolean {
  return a.decision !== b.decision || a.outstandingRequirements.join() !== b.outstandingRequirements.join();
}

function wasCounted({ reservation }: RecordedDecision): boolean {
  return reservation === "HELD" || reservation === "CONFIRMED";
}

function withOneMore(days: readonly DayActivity[], { inputs }: RecordedDecision): DayActivity[] {
  const { day, facts } = inputs;
  const today = days.find((one) => one.day === day) ?? emptyDay(day);
  return [...days.filter((one) => one.day !== day), withTransaction(today, countedFacts(facts))];
}
