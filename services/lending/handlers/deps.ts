import type { AmountCeilings } from "../../shared/amount-ceilings.js";
import type { Approvals } from "../../shared/approvals.js";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Idempotency, RunOnce } from "../../shared/idempotency/index.js";
import type { Outbox } from "../../shared/outbox/index.js";
import type { BankConnector } from "../clients/bank-connector.js";
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
  payoffs: Payoffs;
  moneyOut: MoneyOut;
  cards: Pick<BankConnector, "storedCard">;
  approvals: Approvals;
  ceilings: AmountCeilings;
  people: People;
  identity: Pick<Identity, "verifyCredentials">;
  compliance: Pick<Compliance, "checkCustomerAction" | "checkMoves">;
  wallet: Pick<Wallet, "getWalletAccount" | "listWalletAccounts" | "getBankAccount">;
  reconciliation: Reconciliations;
  idempotency: Idempotency;
  outbox: Outbox;
  businessClock: BusinessClock;
  clock: Clock;
  payoffQuoteS: number;
  collection: { bankName: string; bankCode: string; accountNumber: string };
}
