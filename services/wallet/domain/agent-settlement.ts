import { Refusal } from "../../kernel/refusal.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { agentLineAccounts, type AgentLine, type AgentLineAccount, type AgentLineKind } from "./agent-line.js";

/**
 * OPEN → CLOSING while its lines are taken → CLOSED → APPROVED → PAYING while it is booked → PAID.
 * DISPUTED stands between CLOSED or APPROVED and what it was; CANCELLED ends OPEN and CLOSING.
 */
export const agentSettlementStatuses = [
  "OPEN",
  "CANCELLED",
  "CLOSING",
  "CLOSED",
  "APPROVED",
  "PAYING",
  "PAID",
  "DISPUTED",
] as const;
export type AgentSettlementStatus = (typeof agentSettlementStatuses)[number];

/** Above zero it is owed to the agent. */
export type AgentBalances = Readonly<Record<AgentLineAccount, bigint>>;

/** What is settled of some lines. */
export interface AgentDues {
  readonly collectedMinor: bigint;
  readonly paidOutMinor: bigint;
  readonly commissionMinor: bigint;
}

/** What a settlement says of its lines from its close on, for ever. */
export interface AgentStatement {
  readonly opening: AgentBalances;
  readonly closing: AgentBalances;
  /** All that ever came in to each account: lines that are missing do not cancel out. */
  readonly credited: AgentBalances;
  readonly dues: AgentDues;
  readonly lineCount: number;
  /** Of its text. */
  readonly sha256: string;
  readonly closedAt: Date;
}

/** A line that one settlement has in its statement and another one settles. */
export type MovedLine = Pick<AgentLine, "lineId" | "kind" | "account" | "amountMinor">;

export interface AgentPayment {
  /** Of this booking: one that the ledger refused does not decide about the next. */
  readonly paymentId: string;
  /** To the bank; below zero it left it. */
  readonly bankMinor: bigint;
  readonly at?: OwnPartner;
  /** The bank's. */
  readonly reference: string;
  /** User ids. */
  readonly askedBy: string;
  readonly approvedBy: string;
  readonly paidAt?: Date;
  readonly failure?: string;
}

export interface AgentDispute {
  readonly reason: string;
  /** User id. */
  readonly by: string;
  readonly at: Date;
  readonly endedBy?: string;
  readonly endedAt?: Date;
  readonly endedBecause?: string;
}

export interface AgentSettlement {
  readonly settlementId: string;
  /** From 1, of an agent and a currency; absent of one that was cancelled. */
  readonly number?: number;
  /** User id. */
  readonly agentId: string;
  readonly currency: string;
  /** Business days, the first one in it and the last one not. */
  readonly from: string;
  readonly to: string;
  readonly status: AgentSettlementStatus;
  /** From 1, one more with each change that people make of it. */
  readonly version: number;
  /** User id. */
  readonly openedBy: string;
  readonly openedAt: Date;
  /** Lines that it has taken. */
  readonly taken: number;
  /** What its lines do not come to yet, while it closes. */
  readonly waitsFor?: string;
  /** What those lines came to, so that they are not added up again at each look. */
  readonly counted?: AgentTotals & { readonly taken: number };
  /** Of a cancelled one: it still has lines that it had taken. */
  readonly isReleasing?: true;
  readonly statement?: AgentStatement;
  /** Lines of settlements before it, which it settles. */
  readonly carried?: readonly MovedLine[];
  /** Lines of its own and carried ones, which the next one settles. */
  readonly movedOn?: readonly MovedLine[];
  /** So many of `movedOn`, from the first, that another settlement has taken over. */
  readonly carriedCount?: number;
  /** While it has moved on more than that. */
  readonly isMovedOpen?: true;
  readonly approvedBy?: string;
  readonly approvedAt?: Date;
  readonly payment?: AgentPayment;
  readonly dispute?: AgentDispute;
  /** A dispute of the agent's was ended, and what is settled has not changed since. */
  readonly isAnswered?: true;
  /** How many of its events were told. */
  readonly told: number;
}

export type ClosedSettlement = AgentSettlement & { readonly statement: AgentStatement };

export const noBalances: AgentBalances = { ACCOUNT: 0n, UNSETTLED: 0n, COMMISSION: 0n };
export const noDues: AgentDues = { collectedMinor: 0n, paidOutMinor: 0n, commissionMinor: 0n };

export function addToBalances(balances: AgentBalances, { account, amountMinor }: MovedLine): AgentBalances {
  return { ...balances, [account]: balances[account] + amountMinor };
}

/** What a line adds to all that came in. */
export function addToCredited(credited: AgentBalances, line: MovedLine): AgentBalances {
  return line.amountMinor > 0n ? addToBalances(credited, line) : credited;
}

/** Kinds that a settlement settles; the others move what is there already. */
export const settledKinds: ReadonlySet<AgentLineKind> = new Set(["SALE", "PICKUP", "COMMISSION", "CLAW_BACK"] as const);

/** What a line changes of what is settled; `sign` of −1n takes it out again. */
export function addToDues(dues: AgentDues, { kind, amountMinor }: MovedLine, sign: 1n | -1n = 1n): AgentDues {
  const minor = sign * amountMinor;
  switch (kind) {
    case "SALE":
      return { ...dues, collectedMinor: dues.collectedMinor - minor };
    case "PICKUP":
      return { ...dues, paidOutMinor: dues.paidOutMinor + minor };
    case "COMMISSION":
    case "CLAW_BACK":
      return { ...dues, commissionMinor: dues.commissionMinor + minor };
    default:
      return dues;
  }
}

/** The agent owes it; below zero the organisation does. */
export const owesMinor = ({ collectedMinor, paidOutMinor, commissionMinor }: AgentDues): bigint =>
  collectedMinor - paidOutMinor - commissionMinor;

/** What it settles: its statement's, with what was carried to it and without what went on. */
export function duesOf({ statement, carried = [], movedOn = [] }: AgentSettlement): AgentDues {
  const withCarried = carried.reduce((dues, line) => addToDues(dues, line), statement?.dues ?? noDues);
  return movedOn.reduce((dues, line) => addToDues(dues, line, -1n), withCarried);
}

/** What it moved on and no settlement has taken over: each line is carried once. */
export const linesToCarry = ({ movedOn = [], carriedCount = 0 }: AgentSettlement): readonly MovedLine[] =>
  movedOn.slice(carriedCount);

/**
 * Every day is of one settlement and none is left out: it begins where the one before it ends, the
 * first one where what is to be settled does. Refuses STATE_CONFLICT naming the day.
 */
export function assertFollows(
  newest: Pick<AgentSettlement, "to"> | undefined,
  firstDay: string,
  { from }: Pick<AgentSettlement, "from">,
): void {
  const wanted = newest?.to ?? firstDay;
  if (newest === undefined ? from <= wanted : from === wanted) return;
  const where = newest
    ? `${wanted}, where the one before it ends`
    : `${wanted} or before, where what is to be settled begins`;
  throw new Refusal("STATE_CONFLICT", `it must begin on ${where}`, { figures: { from: wanted } });
}

/** Refuses STATE_CONFLICT naming the state. */
export function assertStatus({ status }: AgentSettlement, ...allowed: readonly AgentSettlementStatus[]): void {
  if (allowed.includes(status)) return;
  throw new Refusal("STATE_CONFLICT", `the settlement is ${status}, not ${allowed.join(" or ")}`);
}

/**
 * What a manager has answered an agent disputes again only once what is settled has changed: else
 * they would keep it from being paid for ever. Refuses STATE_CONFLICT.
 */
export function assertMayDispute({ agentId, isAnswered }: AgentSettlement, userId: string): void {
  if (userId !== agentId || isAnswered !== true) return;
  throw new Refusal("STATE_CONFLICT", "your dispute was answered, and what is settled has not changed since");
}

/** Refuses STATE_CONFLICT before its close. */
export function assertClosed(settlement: AgentSettlement): ClosedSettlement {
  if (settlement.statement === undefined) throw new Refusal("STATE_CONFLICT", "the settlement is not closed yet");
  return settlement as ClosedSettlement;
}

/** What stands on the accounts of an agent, and all that ever came in to them. */
export type AgentTotals = Pick<AgentStatement, "closing" | "credited">;

/** What the lines come to beside what the ledger has, in words; undefined where they are one. */
export function differenceInWords(lines: AgentTotals, ledger: AgentTotals): string | undefined {
  const differing = agentLineAccounts.flatMap((account) => {
    if (lines.closing[account] !== ledger.closing[account]) {
      return [`${account}: lines ${lines.closing[account]}, ledger ${ledger.closing[account]}`];
    }
    if (lines.credited[account] === ledger.credited[account]) return [];
    return [`${account}: lines bring in ${lines.credited[account]}, ledger ${ledger.credited[account]}`];
  });
  return differing.length === 0 ? undefined : differing.join("; ");
}
