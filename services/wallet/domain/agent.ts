import { assertSettable } from "../../kernel/limits/amount-ceiling.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { amountChangeOf, changeOf, type ApprovalChange } from "../../platform/approvals/approval-changes.js";

export const agentModes = ["TILL", "ACCOUNT"] as const;
/**
 * Whose customers' cash is: the organisation's, in the agent's till, or the agent's own, whose
 * account pays for what they sell.
 */
export type AgentMode = (typeof agentModes)[number];

export const agentMethods = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET"] as const;

/** In one currency; an agent sells in those that have terms. Minor units. */
export interface AgentTerms {
  readonly currency: string;
  /** No limit where absent. */
  readonly perTransactionMinor?: bigint;
  readonly perDayMinor?: bigint;
  readonly commissionPlanId?: string;
  /** Of mode ACCOUNT: how far below zero the account may come; nothing where absent. */
  readonly creditLineMinor?: bigint;
  /** Of mode ACCOUNT, percent: told once when so much of what may be used is used. */
  readonly alarmShare?: number;
}

export interface AgentConfiguration {
  /** User id. */
  readonly agentId: string;
  /** From 1, one more with each change. */
  readonly version: number;
  readonly mode: AgentMode;
  /** Such as USA-NGA; all where empty. */
  readonly corridors: readonly string[];
  /** All where empty. */
  readonly methods: readonly string[];
  readonly terms: readonly AgentTerms[];
  /**
   * Whether an outside provider vouches for contacts of customers whom they manage; as the
   * organisation has it where absent. Compliance is told.
   */
  readonly doNotForwardEmailVerification?: boolean;
  readonly doNotForwardPhoneVerification?: boolean;
  readonly status: "ACTIVE" | "SUSPENDED";
  /** Nothing was set: it says whether they are suspended, and they sell at tills as cashiers do. */
  readonly isUnset?: true;
  /** Of the latest change. */
  readonly reason: string;
  /** User id. */
  readonly changedBy: string;
  readonly changedAt: Date;
}

/** What a manager writes of it. */
export type WrittenConfiguration = Pick<
  AgentConfiguration,
  "agentId" | "mode" | "corridors" | "methods" | "terms" | ForwardingFlag
>;

export const forwardingFlags = ["doNotForwardEmailVerification", "doNotForwardPhoneVerification"] as const;
type ForwardingFlag = (typeof forwardingFlags)[number];

const maxCorridors = 100;
const maxTerms = 10;
const minors = ["perTransaction", "perDay", "creditLine"] as const;

/** Refuses INVALID_INPUT by the field. */
export function assertConfiguration({ mode, corridors, methods, terms }: WrittenConfiguration): void {
  if (!agentModes.includes(mode)) throw invalidInput("mode", `must be one of ${agentModes.join(", ")}`);
  if (corridors.length > maxCorridors) throw invalidInput("corridors", `must be at most ${maxCorridors}`);
  for (const [at, corridor] of corridors.entries()) {
    if (!/^[A-Z]{3}-[A-Z]{3}$/.test(corridor)) throw invalidInput(`corridors.${at}`, "must be such as USA-NGA");
  }
  for (const [at, method] of methods.entries()) {
    if (!agentMethods.includes(method as never)) {
      throw invalidInput(`methods.${at}`, `must be one of ${agentMethods.join(", ")}`);
    }
  }
  assertOnce(corridors, "corridors");
  assertOnce(methods, "methods");
  if (terms.length === 0 || terms.length > maxTerms) throw invalidInput("terms", `must be 1 to ${maxTerms}`);
  assertOnce(
    terms.map(({ currency }) => currency),
    "terms",
  );
  for (const [at, one] of terms.entries()) assertTermsOf(one, mode, `terms.${at}`);
}

function assertTermsOf(terms: AgentTerms, mode: AgentMode, path: string): void {
  for (const part of minors) {
    const minor = terms[`${part}Minor`];
    if (minor === undefined) continue;
    if (minor <= 0n) throw invalidInput(`${path}.${part}`, "must be above zero");
    assertSettable({ minor, currency: terms.currency }, `${path}.${part}`);
  }
  const { perTransactionMinor, perDayMinor, creditLineMinor, alarmShare } = terms;
  if (mode !== "ACCOUNT") {
    if (creditLineMinor !== undefined) throw invalidInput(`${path}.creditLine`, "is of mode ACCOUNT");
    if (alarmShare !== undefined) throw invalidInput(`${path}.alarmShare`, "is of mode ACCOUNT");
  }
  if (alarmShare !== undefined && (alarmShare < 1 || alarmShare > 100)) {
    throw invalidInput(`${path}.alarmShare`, "must be 1 to 100");
  }
  if (perTransactionMinor !== undefined && perDayMinor !== undefined && perTransactionMinor > perDayMinor) {
    throw invalidInput(`${path}.perTransaction`, "must not be above that of a day");
  }
}

function assertOnce(names: readonly string[], path: string): void {
  if (new Set(names).size < names.length) throw invalidInput(path, "must name each once");
}

/** What an approval shows of it. */
export function configurationChanges(
  before: AgentConfiguration | undefined,
  written: WrittenConfiguration,
): ApprovalChange[] {
  const held = before?.isUnset === true ? undefined : before;
  const currencies = [...new Set([...(held?.terms ?? []), ...written.terms].map(({ currency }) => currency))];
  const list = (names: readonly string[] | undefined) => names && (names.join(", ") || "all");
  return [
    ...changeOf("mode", held?.mode, written.mode),
    ...changeOf("corridors", list(held?.corridors), list(written.corridors)),
    ...changeOf("methods", list(held?.methods), list(written.methods)),
    ...forwardingFlags.flatMap((flag) => changeOf(flag, held?.[flag]?.toString(), written[flag]?.toString())),
    ...currencies.flatMap((currency) => {
      const [was, after] = [held, written].map((one) => one?.terms.find((terms) => terms.currency === currency));
      return [
        ...changeOf(`${currency}`, was && "sold", after ? "sold" : "not sold"),
        ...minors.flatMap((part) =>
          amountChangeOf(`${currency}.${part}`, was?.[`${part}Minor`], after?.[`${part}Minor`], currency),
        ),
        ...changeOf(`${currency}.alarmShare`, was?.alarmShare?.toString(), after?.alarmShare?.toString()),
        ...changeOf(`${currency}.commissionPlanId`, was?.commissionPlanId, after?.commissionPlanId),
      ];
    }),
  ];
}

/** Refuses NOT_FOUND. */
export function assertConfigured(agent: AgentConfiguration | undefined): AgentConfiguration {
  if (agent === undefined || agent.isUnset === true) {
    throw new Refusal("NOT_FOUND", "this agent has no configuration");
  }
  return agent;
}

export function worksIn({ terms }: Pick<AgentConfiguration, "terms">, currency: string): boolean {
  return terms.some((one) => one.currency === currency);
}

/** Whether money can be given to an account of theirs. */
export function hasAccountIn(agent: AgentConfiguration | undefined, currency: string): boolean {
  return agent?.mode === "ACCOUNT" && worksIn(agent, currency);
}

/** What is set of an agent, or that they are suspended without it. Refuses NOT_FOUND. */
export function assertShown(agent: AgentConfiguration | undefined): AgentConfiguration {
  if (agent?.status !== "SUSPENDED") return assertConfigured(agent);
  return agent;
}

/** Of an agent for whom nothing was ever set. */
export const unsetAgent = (agentId: string): AgentConfiguration => ({
  agentId,
  version: 0,
  mode: "TILL",
  corridors: [],
  methods: [],
  terms: [],
  status: "ACTIVE",
  isUnset: true,
  reason: "",
  changedBy: "",
  changedAt: new Date(0),
});
