import type { StoredRefusal } from "../../kernel/refusal.js";
import type { SagaOrigin } from "../../kernel/sagas/saga-origin.js";
import type { FloatMove } from "./agent-float.js";
import type { AgentPayout } from "./agent-payout.js";
import type { AgentTransfer } from "./agent-transfer.js";
import type { CashOrder } from "./cash-order.js";
import type { GivenPayable } from "./counter-payable.js";
import type { StoredCredit } from "./credit.js";
import type { DayPart } from "./wallet-daily-limit.js";
import type { ExchangeQuote } from "./exchange.js";
import type { HandOver } from "./hand-over.js";
import type { NewlyHeld } from "./held-arrival.js";
import type { Hold } from "./hold.js";
import type { Till } from "./till.js";
import type { TillCount } from "./till-count.js";
import type { PlannedTransfer } from "./transfers.js";

export type MovementKind =
  | "DEPOSIT"
  | "WALLET_DEBIT"
  | "TILL_OPENING"
  | "TILL_CLOSING"
  | "CASH_IN"
  | "CASH_OUT"
  | "CASH_PICKUP"
  | "COUNTER_PAYABLE"
  | "VAULT_FROM_BANK"
  | "VAULT_TO_BANK"
  | "CREDIT_ASSIGNMENT"
  | "HOLD"
  | "HOLD_CONFIRMATION"
  | "HOLD_RELEASE"
  | "EXCHANGE"
  | "REFUND"
  | "HAND_OVER"
  | "CASH_ORDER_SENT"
  | "CASH_ORDER_RECEIVED"
  | "CASH_ORDER_RETURNED"
  | "AGENT_FLOAT"
  | "AGENT_TRANSFER"
  | "AGENT_PICKUP"
  | "AGENT_PAYABLE";

export type MovementEnding =
  | {
      readonly status: "DONE";
      readonly postedAt: Date;
      /** The business day that the ledger has it on, such as "2026-11-30". */
      readonly day: string;
      /** Of the debited and the credited account of the last transfer, after it. */
      readonly debitBalanceMinor: bigint;
      readonly creditBalanceMinor: bigint;
      /** Of the debited account of the first. */
      readonly firstDebitBalanceMinor: bigint;
      readonly transferIds: readonly string[];
    }
  | { readonly status: "FAILED"; readonly refusal: StoredRefusal };

/** An account of the tenant's own that a movement needs; made before it is posted. */
export interface OwnAccount {
  readonly accountId: string;
  readonly code: string;
  readonly currency: string;
  readonly name: string;
  /** Whose, of what stands with one other side; a partner's name is added where it is made. */
  readonly metadata?: { readonly partner: string } | { readonly payee: string };
  /** Of one that never gives more than it got. */
  readonly flags?: "ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS"[];
}

/**
 * Whether a refund may be posted as its payee's status is, or cash as compliance and whoever stands
 * at the desk let it.
 */
export type MovementDecision = "PASS" | "REFUSE";

/** Money moved by one linked group of the ledger that is planned whole before its first write. */
export interface Movement extends SagaOrigin {
  readonly movementId: string;
  readonly kind: MovementKind;
  /** The wallet account it is about. */
  readonly accountId: string;
  readonly customerId: string;
  readonly ownAccounts: readonly OwnAccount[];
  readonly transfers: readonly PlannedTransfer[];
  /** What it belongs to: a till, a hold, a quote, a payment. */
  readonly subjectId?: string;
  /** Changes its subject by so much, minor units. */
  readonly subjectMinor?: bigint;
  /** The subject as it is once the money has moved: the answer is made of it. */
  readonly till?: Till;
  /** Of cash between bank and vault: whose vault. */
  readonly branch?: string;
  /** Of cash from one till to another; its subject is the one that gets it. */
  readonly handOver?: HandOver;
  /** Of cash from one vault to another, as it was when it began; with the count that ends it. */
  readonly cashOrder?: CashOrder;
  /** Of money between a bank and an agent's account. */
  readonly agentFloat?: FloatMove;
  /** Of money from one agent to another. */
  readonly agentTransfer?: AgentTransfer;
  /** Of what an agent gives out of their own notes. */
  readonly agentPayout?: AgentPayout;
  /** With which a till is closed. */
  readonly count?: TillCount;
  readonly hold?: Hold;
  readonly quote?: ExchangeQuote;
  readonly credit?: StoredCredit;
  /** Of cash at the desk of an agent; absent for a cashier's. */
  readonly createdByRole?: "AGENT";
  /** Its parts of days that are limited: the wallet's, or of cash in the cashier's. */
  readonly spends?: readonly DayPart[];
  /** Of cash in: the till has no more than this with it. */
  readonly tillMaxMinor?: bigint;
  /** Of cash in that another person approved. */
  readonly cashInId?: string;
  /** Of a remittance that is handed out; its amount is what the till gives. */
  readonly pickup?: { readonly transactionId: string; readonly transactionCode: string; readonly currency: string };
  /** What of a counter sale is given back. */
  readonly counterPayable?: GivenPayable;
  /** What it brings and the customer may not have yet; its last transfer holds it. */
  readonly held?: NewlyHeld;
  /** Of a refund and of cash at a desk, decided once before it is first posted. */
  readonly decision?: MovementDecision;
  readonly createdAt: Date;
  /** Absent while it is PENDING. */
  readonly ending?: MovementEnding;
}

/** Legs out of a wallet, keyed by who asks: `wallet-debit:<asker>:<key>:<number from 1>`. */
export function transfersOfDebit(debit: {
  asker: string;
  key: string;
  accountId: string;
  currency: string;
  legs: readonly { creditAccountId: string; amountMinor: bigint; kind: string }[];
  description: string;
  effectiveAt?: Date | undefined;
}): PlannedTransfer[] {
  const effective = debit.effectiveAt === undefined ? {} : { effectiveAt: debit.effectiveAt };
  return debit.legs.map(({ creditAccountId, amountMinor, kind }, index) => ({
    key: `wallet-debit:${debit.asker}:${debit.key}:${index + 1}`,
    debitAccountId: debit.accountId,
    creditAccountId,
    amount: { minor: amountMinor, currency: debit.currency },
    kind,
    description: debit.description,
    ...effective,
  }));
}
