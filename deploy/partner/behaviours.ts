import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { StoredRule, RuleBooks } from "./rule-books.js";

/** How the sandbox network treats a payout; forced by a rule, otherwise ACCEPT. */
export const behaviourNames = [
  // Accepted, paid after settleMs, one callback a change.
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
  // Two callbacks a change.
  "ANSWER_TWICE",
  // Accepted and never decided by itself; only a recall or a change of rule ends it.
  "STALL",
  // Paid, then returned by the recipient's bank after delayMs, less what it kept.
  "RETURN",
  // The connection is cut before anything is read.
  "AWAY",
  // Nothing is recorded, and the answer is a fault of the network's own.
  "SERVER_ERROR",
] as const;

export type BehaviourName = (typeof behaviourNames)[number];

/** What a rule can be about. One that names none is about money: the first three. */
export const ruleKinds = [
  "PAYOUT",
  "BANK_TRANSFER",
  "CARD_CHARGE",
  "ACCOUNT_CHECK",
  "BVN_LOOKUP",
  "CONTACT_VERIFICATION",
  "PAYEE_CHECK",
  "AMENDMENT",
] as const;

export type RuleKind = (typeof ruleKinds)[number];

const moneyKinds: ReadonlySet<RuleKind> = new Set(["PAYOUT", "BANK_TRANSFER", "CARD_CHARGE"]);

/** A rule of the sandbox: for one reference, for an account (tenant), or for everyone. */
export const ruleSchema = z.strictObject({
  account: z.string().min(1).max(64).optional(),
  /** Of what is asked; of a check the account number, BVN or contact that is asked about. */
  reference: z.string().min(1).max(320).optional(),
  of: z.enum(ruleKinds).optional(),
  behaviour: z.enum(behaviourNames),
  /** How many times it holds; absent means until it is removed. */
  times: z.int().min(1).max(1_000_000).optional(),
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

/** What an order of a sandbox says is to be done with it. */
export const forcedSchema = ruleSchema.pick({
  behaviour: true,
  settleMs: true,
  delayMs: true,
  reason: true,
  kept: true,
});

export type Forced = z.infer<typeof forcedSchema>;

export interface Behaviour {
  name: BehaviourName;
  settleMs: number;
  delayMs: number;
  reason: string;
  kept: string;
}

export type Rules = ReturnType<typeof createRules>;

/**
 * Rules are kept in the books and outlive a restart. The latest rule of the narrowest scope holds.
 */
export function createRules(books: RuleBooks, defaults: { settleMs: number }) {
  const fits = (rule: Rule, kind: RuleKind, account: string, reference: string | undefined) =>
    (rule.of === undefined ? moneyKinds.has(kind) : rule.of === kind) &&
    (rule.account === undefined || rule.account === account) &&
    (rule.reference === undefined || rule.reference === reference);

  function narrowest(kind: RuleKind, account: string, reference: string | undefined): StoredRule | undefined {
    const fitting = books.standing().filter(({ rule }) => fits(rule, kind, account, reference));
    return (
      fitting.findLast(({ rule }) => rule.reference !== undefined) ??
      fitting.findLast(({ rule }) => rule.account !== undefined) ??
      fitting.at(-1)
    );
  }

  const behaviourOf = (forced: Forced | undefined): Behaviour => ({
    name: forced?.behaviour ?? "ACCEPT",
    settleMs: forced?.settleMs ?? defaults.settleMs,
    delayMs: forced?.delayMs ?? 1_000,
    reason: forced?.reason ?? "forced by a sandbox rule",
    kept: forced?.kept ?? "0",
  });

  return {
    behaviourOf,
    list: (): readonly Rule[] => books.standing().map(({ rule }) => rule),
    listOf: (account: string) => books.standing().filter(({ rule }) => rule.account === account),
    /** The same id again is the same rule, even where it has been used up since. */
    add: (rule: Rule, id: string = randomUUID()) => books.add(id, rule),
    clear: (account?: string) => books.end(({ rule }) => account === undefined || rule.account === account),
    /** Ends rules of an account: one, those of some kinds, or all. Returns how many. */
    clearOf: (account: string, { id, kinds }: { id?: string; kinds?: readonly string[] }): number =>
      books.end(
        (kept) =>
          kept.rule.account === account &&
          (id === undefined || kept.id === id) &&
          (kinds === undefined || (kept.rule.of !== undefined && kinds.includes(kept.rule.of))),
      ),
    /** Whether a rule stands for it. */
    isForced: (kind: RuleKind, account: string, reference: string) => narrowest(kind, account, reference) !== undefined,
    /** True while the partner is away for this account. */
    isAway: (account: string) => {
      const rule = narrowest("PAYOUT", account, undefined)?.rule;
      return rule?.behaviour === "AWAY" && rule.of === undefined;
    },
    /** The behaviour for something new; counts down a rule that holds a number of times. */
    take: (kind: RuleKind, account: string, reference: string): Behaviour => {
      const found = narrowest(kind, account, reference);
      if (found?.rule.times !== undefined) books.countDown(found.id);
      return behaviourOf(found?.rule);
    },
  };
}
