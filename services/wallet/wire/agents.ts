import type * as wire from "../../../proto/gen/wallet/v1/agents.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { invalidInput } from "../../kernel/refusal.js";
import { idFromWire, textFromWire } from "../../kernel/text/wire-text.js";
import type { AgentConfiguration, AgentMode, AgentTerms } from "../domain/agent.js";
import {
  commissionBases,
  tierKinds,
  type CommissionBasis,
  type CommissionRule,
  type TierKind,
} from "../domain/commission.js";
import type { CommissionPlan, WrittenPlan } from "../domain/commission-plan.js";

export function planToWire({ rules, split, ...plan }: CommissionPlan): wire.CommissionPlan {
  return {
    ...plan,
    rules: rules.map(({ tiers = [], tierKind = "", ...rule }) => ({
      ...noRule,
      ...rule,
      tierKind,
      tiers: tiers.map(({ bps, upToMinor }) => ({ bps, upToMinor })),
    })),
    split: split.map(({ party, bps }) => ({ party, bps })),
  };
}
const noRule = { fixedMinor: undefined, bps: undefined, minimumMinor: undefined, maximumMinor: undefined };

/** Refuses INVALID_INPUT by the field; what its rules say together is the domain's. */
export function planFromWire(plan: wire.CommissionPlan | undefined): WrittenPlan {
  if (plan === undefined) throw invalidInput("plan", "is required");
  const { currency, name } = plan;
  assertCurrency(currency, "currency");
  return {
    planId: planIdFromWire(plan.planId, "planId"),
    name: textFromWire(name, "name", { maximum: 100 }),
    currency,
    rules: plan.rules.map(ruleFromWire),
    split: plan.split.map(({ party, bps }, at) => ({
      // It names an account of the ledger.
      party: planIdFromWire(party, `split.${at}.party`),
      bps,
    })),
  };
}

export function planIdFromWire(planId: string, path: string): string {
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(planId)) {
    throw invalidInput(path, "must have 1 to 64 letters, digits, dots, dashes or underscores");
  }
  return planId;
}

function ruleFromWire(rule: wire.CommissionRule, at: number): CommissionRule {
  const { basis, tierKind, tiers, bps, ...amounts } = rule;
  const path = `rules.${at}`;
  if (!commissionBases.includes(basis as CommissionBasis)) {
    throw invalidInput(`${path}.basis`, `must be one of ${commissionBases.join(", ")}`);
  }
  if (tierKind !== "" && !tierKinds.includes(tierKind as TierKind)) {
    throw invalidInput(`${path}.tierKind`, `must be one of ${tierKinds.join(", ")}`);
  }
  return {
    basis: basis as CommissionBasis,
    ...given(amounts),
    ...(bps !== undefined && { bps }),
    ...(tierKind !== "" && { tierKind: tierKind as TierKind }),
    ...(tiers.length > 0 && {
      tiers: tiers.map(({ upToMinor, ...tier }) => ({ bps: tier.bps, ...given({ upToMinor }) })),
    }),
  };
}

/** Those that are there. */
function given<K extends string>(amounts: Partial<Record<K, bigint | undefined>>): Partial<Record<K, bigint>> {
  const there = Object.entries(amounts).filter(([, minor]) => minor !== undefined);
  return Object.fromEntries(there) as Partial<Record<K, bigint>>;
}

/** With what today's sales take of a day's limit, by currency, where it is known. */
export function agentToWire(
  { terms, corridors, methods, ...agent }: AgentConfiguration,
  usedToday: ReadonlyMap<string, bigint> = new Map(),
): wire.AgentConfiguration {
  return {
    doNotForwardEmailVerification: undefined,
    doNotForwardPhoneVerification: undefined,
    ...agent,
    corridors: [...corridors],
    methods: [...methods],
    terms: terms.map(({ commissionPlanId = "", ...one }) => ({
      ...noTerms,
      ...one,
      commissionPlanId,
      usedTodayMinor: usedToday.get(one.currency),
    })),
  };
}

const noTerms = {
  perTransactionMinor: undefined,
  perDayMinor: undefined,
  creditLineMinor: undefined,
  alarmShare: undefined,
};

export function configurationFromWire(request: wire.PutAgentConfigurationRequest) {
  const { agentId, mode, corridors, methods, terms } = request;
  const { doNotForwardEmailVerification, doNotForwardPhoneVerification } = request;
  return {
    ...(doNotForwardEmailVerification !== undefined && { doNotForwardEmailVerification }),
    ...(doNotForwardPhoneVerification !== undefined && { doNotForwardPhoneVerification }),
    agentId: idFromWire(agentId, "agentId"),
    mode: mode as AgentMode,
    corridors: [...corridors],
    methods: [...methods],
    terms: terms.map((one, at): AgentTerms => {
      const { currency, commissionPlanId, alarmShare, ...amounts } = one;
      assertCurrency(currency, `terms.${at}.currency`);
      return {
        currency,
        ...given(amounts),
        ...(alarmShare !== undefined && { alarmShare }),
        ...(commissionPlanId !== "" && {
          commissionPlanId: planIdFromWire(commissionPlanId, `terms.${at}.commissionPlanId`),
        }),
      };
    }),
  };
}
