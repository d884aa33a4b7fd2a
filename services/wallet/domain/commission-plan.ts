import { formatMoney } from "../../kernel/money.js";
import { changeOf, type ApprovalChange } from "../../platform/approvals/approval-changes.js";
import type { CommissionRule, CommissionTerms } from "./commission.js";

/** One version of what agents earn; it never changes. */
export interface CommissionPlan extends CommissionTerms {
  readonly planId: string;
  /** From 1. */
  readonly version: number;
  readonly name: string;
  /** User id of whoever asked for it. */
  readonly putBy: string;
  readonly putAt: Date;
}

/** What a manager writes of a plan. */
export type WrittenPlan = Omit<CommissionPlan, "version" | "putBy" | "putAt">;

/** What an approval shows: each rule in a line, beside that of the version before. */
export function planChanges(held: WrittenPlan | undefined, plan: WrittenPlan): ApprovalChange[] {
  const rules = Math.max(held?.rules.length ?? 0, plan.rules.length);
  return [
    ...changeOf("name", held?.name, plan.name),
    ...changeOf("currency", held?.currency, plan.currency),
    ...Array.from({ length: rules }, (_, at) =>
      changeOf(`rules.${at}`, held && ruleText(held, at), ruleText(plan, at)),
    ).flat(),
    ...changeOf("split", held && splitText(held), splitText(plan)),
  ];
}

function ruleText({ rules, currency }: CommissionTerms, at: number): string {
  const rule = rules[at];
  if (rule === undefined) return "";
  const text = (minor: bigint) => formatMoney({ minor, currency });
  const { basis, fixedMinor, minimumMinor, maximumMinor } = rule;
  if (fixedMinor !== undefined) return `${text(fixedMinor)} fixed`;
  const bounds = [
    ...(minimumMinor === undefined ? [] : [`at least ${text(minimumMinor)}`]),
    ...(maximumMinor === undefined ? [] : [`at most ${text(maximumMinor)}`]),
  ];
  return [`${rateText(rule, text)} of ${basis}`, ...bounds].join(", ");
}

function rateText({ bps, tierKind, tiers }: CommissionRule, text: (minor: bigint) => string): string {
  if (tiers === undefined) return `${bps} bps`;
  const parts = tiers.map((tier) =>
    tier.upToMinor === undefined ? `${tier.bps} bps above` : `${tier.bps} bps to ${text(tier.upToMinor)}`,
  );
  return `${tierKind} ${parts.join(", ")}`;
}

const splitText = ({ split }: CommissionTerms) => split.map(({ party, bps }) => `${party} ${bps} bps`).join(", ");
