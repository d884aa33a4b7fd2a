import type { AmountCeilings } from "../../shared/amount-ceilings.js";
import type { Approvals } from "../../shared/approvals.js";
import type { CardConnector } from "../../shared/bank/bank-connector.js";
import type { Takers } from "../../shared/bank/partners-of-kind.js";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Idempotency, RunOnce } from "../../shared/idempotency/index.js";
import type { CustomerMoves } from "../../shared/clients/customer-moves.js";
import type { Sagas } from "../../shared/sagas/index.js";
import type { Outbox } from "../../shared/outbox/index.js";
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
  banks: Pick<Takers, "configurationOf">;
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
