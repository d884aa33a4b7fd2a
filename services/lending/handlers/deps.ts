import type { AmountCeilings } from "../../platform/preferences/amount-ceilings.js";
import type { Approvals } from "../../platform/approvals/approvals.js";
import type { CardConnector } from "../../platform/banks/bank-connector.js";
import type { Takers } from "../../platform/banks/partners-of-kind.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Idempotency, RunOnce } from "../../kernel/idempotency/index.js";
import type { CustomerMoves } from "../../platform/neighbours/customer-moves.js";
import type { Sagas } from "../../kernel/sagas/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { LoanBook } from "../sagas/loan-book.js";
import type { MoneyOut } from "../clients/money-out.js";
import type { Compliance, Identity, Wallet } from "../clients/neighbours.js";
import type { Payoffs } from "../sagas/payoff.js";
import type { People } from "../clients/people.js";
import type { Reconciliations } from "../jobs/reconciliation.js";
import type { LendingStore } from "../store/index.js";
import type { Verification } from "../sagas/verification.js";

export interface LendingDeps {
  store: LendingStore;
  book: LoanBook;
  runOnce: RunOnce;
  verification: Verification;
  sagas: Sagas;
  payoffs: Payoffs;
  moneyOut: MoneyOut;
  moves: CustomerMoves;
  card: Pick<CardConnector, "storedCard">;
  banks: Pick<Takers, "configurationOf" | "takerOf">;
  /** Who charges a card that is charged from now on. */
  cards: Pick<Takers, "takerOf">;
  approvals: Approvals;
  ceilings: AmountCeilings;
  people: People;
  identity: Pick<Identity, "verifyCredentials">;
  compliance: Pick<Compliance, "checkCustomerAction">;
  wallet: Pick<Wallet, "getWalletAccount" | "listWalletAccounts" | "getBankAccount">;
  reconciliation: Reconciliations;
  idempotency: Idempotency;
  outbox: Outbox;
  businessClock: BusinessClock;
  clock: Clock;
  payoffQuoteS: number;
  /** Where repayments are to be sent: at the operator's bank. */
  collection: { bankName: string; bankCode: string; accountNumber: string };
}
