import type { AmountCeilings } from "../../shared/amount-ceilings.js";
import type { Approvals } from "../../shared/approvals.js";
import type { BusinessClock } from "../../shared/business-clock.js";
import type { Clock } from "../../shared/clock.js";
import type { Idempotency } from "../../shared/idempotency/index.js";
import type { Outbox } from "../../shared/outbox/index.js";
import type { BankConnector } from "../connector/bank-connector.js";
import type { LoanBook } from "../loan-book.js";
import type { MoneyOut } from "../money-out.js";
import type { Compliance, Identity, Wallet } from "../neighbours.js";
import type { Payoffs } from "../payoff-saga.js";
import type { People } from "../people.js";
import type { Reconciliations } from "../reconcile.js";
import type { Requests } from "../requests.js";
import type { LendingStore } from "../store.js";
import type { Verification } from "../verification.js";

export interface LendingDeps {
  store: LendingStore;
  book: LoanBook;
  requests: Requests;
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
