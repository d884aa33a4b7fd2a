import { z } from "zod";

/** How the sandbox network treats a payout; forced by a rule, otherwise ACCEPT. */
export const behaviourNames = [
  // Accepted, paid after settleMs, told once.
  "ACCEPT",
  // A definite refusal in the answer.
  "REFUSE",
  // Accepted, then refused after settleMs.
  "REFUSE_LATER",
  // Nothing is recorded and nothing is answered.
  "HANG",
  // Recorded and processed, answered only after delayMs.
  "ANSWER_LATE",
  // Recorded and processed; the connection is cut instead of an answer.
  "LOSE_ANSWER",
  // Every change is told twice.
  "ANSWER_TWICE",
  // Accepted and never decided by itself; only a recall or a change of rule ends it.
  "STALL",
  // Paid, then returned by the recipient's bank after delayMs, less what it kept.
  "RETURN",
  // The connection is cut before anything is read.
  "AWAY",
] as const;

export type BehaviourName = (typeof behaviourNames)[number];

/** A rule of the sandbox: for one reference, for an account (tenant), or for everyone. */
export const ruleSchema = z.strictObject({
  account: z.string().min(1).max(64).optional(),
  reference: z.string().min(1).max(128).optional(),
  behaviour: z.enum(behaviourNames),
  /** How many payouts it holds for; absent means until it is removed. */
  times: z.int().min(1).optional(),
  settleMs: z.int().min(0).max(86_400_000).optional(),
  delayMs: z.int().min(0).max(86_400_000).optional(),
  reason: z.string().max(200).optional(),
  /** For RETURN: what the bank keeps, decimal text in the payout's currency. */
  kept: z
    .string()
    .regex(/^(0|[1-9]\d{0,18})(\.\d{1,4})?$/)
    .optional(),
});

export type Rule = z.infer<typeof ruleSchema>;

export interface Behaviour {
  name: BehaviourName;
  settleMs: number;
  delayMs: number;
  reason: string;
  kept: string;
}

export type Rules = ReturnType<typeof createRules>;

/** Rules live in memory: a restarted partner is a well-behaved one. The latest rule of the narrowest scope holds. */
export function createRules(defaults: { settleMs: number }) {
  let rules: Rule[] = [];
  const matches = (rule: Rule, account: string, reference: string | undefined) =>
    (rule.account === undefined || rule.account === account) &&
    (rule.reference === undefined || rule.reference === reference);

  function narrowest(account: string, reference: string | undefined): Rule | undefined {
    const fitting = rules.filter((rule) => matches(rule, account, reference));
    return (
      fitting.findLast((rule) => rule.reference !== undefined) ??
      fitting.findLast((rule) => rule.account !== undefined) ??
      fitting.at(-1)
    );
  }

  return {
    list: (): readonly Rule[] => rules,
    add: (rule: Rule) => {
      rules.push(rule);
    },
    clear: (account?: string) => {
      rules = account === undefined ? [] : rules.filter((rule) => rule.account !== account);
    },
    /** True while the partner is away for this account. */
    isAway: (account: string) => narrowest(account, undefined)?.behaviour === "AWAY",
    /** The behaviour for a new payout; counts down a rule that holds a number of times. */
    take: (account: string, reference: string): Behaviour => {
      const rule = narrowest(account, reference);
      if (rule?.times !== undefined) {
        rule.times -= 1;
        if (rule.times === 0) rules = rules.filter((one) => one !== rule);
      }
      return {
        name: rule?.behaviour ?? "ACCEPT",
        settleMs: rule?.settleMs ?? defaults.settleMs,
        delayMs: rule?.delayMs ?? 1_000,
        reason: rule?.reason ?? "forced by a sandbox rule",
        kept: rule?.kept ?? "0",
      };
    },
  };
}
