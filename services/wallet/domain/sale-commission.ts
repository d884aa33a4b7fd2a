import type { Money } from "../../kernel/money.js";
import { agentAccount, commissionExpense, commissionPayable } from "./agent-accounts.js";
import type { NewAgentLine } from "./agent-line.js";
import { clawedBack, commissionByRule, commissionOn, splitCommission, type CommissionedSale } from "./commission.js";
import type { CommissionPlan } from "./commission-plan.js";
import type { OwnAccount } from "./movement.js";
import type { Payment } from "./payment.js";
import type { PlannedTransfer } from "./transfers.js";

/** Of a plan's split; whoever sells. */
export const agentParty = "AGENT";

/** What a sale earns, counted when it begins by the plan's version of then, and never again. */
export interface SaleCommission {
  /** User id. */
  readonly agentId: string;
  readonly planId: string;
  readonly planVersion: number;
  readonly currency: string;
  /** Of it so much is paid out; what is refunded is held against it. */
  readonly principalMinor: bigint;
  /** Of each rule, in their order. */
  readonly byRule: readonly bigint[];
  readonly parties: readonly { readonly party: string; readonly minor: bigint }[];
}

/** How far the ledger has it. Minor units are of the principal that went back. */
export interface CommissionProgress {
  readonly completedAt: Date;
  readonly accruedAt?: Date;
  /** What was taken back is for so much. */
  readonly clawedForMinor?: bigint;
  /** Up to how much each step took back, in their order. */
  readonly clawed?: readonly bigint[];
  /** Being taken back up to so much. */
  readonly clawingForMinor?: bigint;
}

export function commissionOfSale(agentId: string, plan: CommissionPlan, sale: CommissionedSale): SaleCommission {
  const { planId, version: planVersion, currency, split } = plan;
  const all = commissionOn(plan, sale);
  const parts: ReadonlyMap<string, Money> =
    split.length === 0 ? new Map([[agentParty, all]]) : splitCommission(all, split);
  return {
    agentId,
    planId,
    planVersion,
    currency,
    principalMinor: sale.principalMinor,
    byRule: commissionByRule(plan, sale),
    parties: [...parts].map(([party, { minor }]) => ({ party, minor })),
  };
}

/** What is to be booked next of a sale's commission. */
export type CommissionStep =
  | { readonly kind: "ACCRUE" }
  | { readonly kind: "CLAW_BACK"; readonly fromMinor: bigint; readonly toMinor: bigint; readonly isBegun: boolean };

/**
 * Accrued once it is completed, then taken back up to what was refunded by then. A claw-back that
 * has begun ends as it began, whatever was refunded meanwhile.
 */
export function nextCommissionStep({ sale, commissionProgress: so, refund }: Payment): CommissionStep | undefined {
  const commission = sale?.commission;
  if (commission === undefined || so === undefined) return undefined;
  if (so.accruedAt === undefined) return { kind: "ACCRUE" };
  const { clawedForMinor: fromMinor = 0n, clawingForMinor } = so;
  if (clawingForMinor !== undefined) return { kind: "CLAW_BACK", fromMinor, toMinor: clawingForMinor, isBegun: true };
  const toMinor = principalRefunded(commission, refund);
  return toMinor > fromMinor ? { kind: "CLAW_BACK", fromMinor, toMinor, isBegun: false } : undefined;
}

/** A refund takes of the principal first; a sale that is refunded to its end earns nothing. */
function principalRefunded({ principalMinor }: SaleCommission, refund: Payment["refund"]): bigint {
  if (refund === undefined) return 0n;
  const { amount, isPart } = refund;
  return isPart === true && amount.minor < principalMinor ? amount.minor : principalMinor;
}

interface Movement {
  readonly party: string;
  readonly minor: bigint;
}

/** What a step changes of each party; below zero it is taken back. */
function changesBy({ parties, principalMinor }: SaleCommission, step: CommissionStep): Movement[] {
  const changeOf = (minor: bigint): bigint => {
    if (step.kind === "ACCRUE") return minor;
    const upTo = (refunded: bigint) => clawedBack(minor, principalMinor, refunded);
    return upTo(step.fromMinor) - upTo(step.toMinor);
  };
  return parties.map(({ party, minor }) => ({ party, minor: changeOf(minor) })).filter(({ minor }) => minor !== 0n);
}

const keyOf = (transactionId: string, step: CommissionStep): string =>
  step.kind === "ACCRUE" ? `commission:${transactionId}` : `clawback:${transactionId}:${step.toMinor}`;

/** One linked group: the expense against each party; empty where nothing comes to a minor unit. */
export function bookedByStep(
  { payableId: transactionId }: Payment,
  commission: SaleCommission,
  transactionCode: string,
  step: CommissionStep,
): { transfers: PlannedTransfer[]; ownAccounts: OwnAccount[] } {
  const { agentId, currency } = commission;
  const expense = commissionExpense(currency);
  const booked = changesBy(commission, step).map(({ party, minor }) => {
    const isAgent = party === agentParty;
    const own = isAgent ? agentAccount("COMMISSION", { agentId, currency }) : commissionPayable(party, currency);
    const [debit, credit] = minor > 0n ? [expense, own] : [own, expense];
    const transfer: PlannedTransfer = {
      key: `${keyOf(transactionId, step)}:${party}`,
      debitAccountId: debit.accountId,
      creditAccountId: credit.accountId,
      amount: { minor: minor > 0n ? minor : -minor, currency },
      kind: step.kind === "ACCRUE" ? "commission" : "commission_claw_back",
      description: `${step.kind === "ACCRUE" ? "Commission" : "Commission taken back"} ${transactionCode}`,
    };
    return { own, transfer };
  });
  const ownAccounts = booked.length === 0 ? [] : [expense, ...booked.map(({ own }) => own)];
  return { ownAccounts, transfers: booked.map(({ transfer }) => transfer) };
}

/** Every transfer that the ledger has of a sale's commission, or must get. */
export function transfersOfCommission(payment: Payment): PlannedTransfer[] {
  const { sale, commissionProgress: so } = payment;
  if (sale?.commission === undefined || so === undefined) return [];
  const { commission, transactionCode } = sale;
  const ends = [...(so.clawed ?? []), ...(so.clawingForMinor === undefined ? [] : [so.clawingForMinor])];
  const clawBacks = ends.map((toMinor, at) => {
    return { kind: "CLAW_BACK" as const, fromMinor: ends[at - 1] ?? 0n, toMinor, isBegun: true };
  });
  return [{ kind: "ACCRUE" as const }, ...clawBacks].flatMap(
    (step) => bookedByStep(payment, commission, transactionCode, step).transfers,
  );
}

/** The agent's line of it; undefined where no part of it is theirs. */
export function lineOfStep(
  { payableId: transactionId }: Payment,
  commission: SaleCommission,
  transactionCode: string,
  step: CommissionStep,
  { businessDay, at }: { businessDay: string; at: Date },
): NewAgentLine | undefined {
  const { agentId, currency } = commission;
  const own = changesBy(commission, step).find(({ party }) => party === agentParty);
  return (
    own && {
      lineId: keyOf(transactionId, step),
      agentId,
      currency,
      kind: step.kind === "ACCRUE" ? "COMMISSION" : "CLAW_BACK",
      account: "COMMISSION",
      amountMinor: own.minor,
      transactionId,
      transactionCode,
      businessDay,
      at,
    }
  );
}
