import { requireUser, type Call } from "../../shared/grpc/context.js";
import { Refusal } from "../../shared/refusal.js";
import { textFromWire } from "../wire/payments.js";
import type { Approvals } from "../../shared/approvals.js";
import type { AmountCeilings } from "../../shared/amount-ceilings.js";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Idempotency } from "../../shared/idempotency/index.js";
import type { BankConnector } from "../clients/bank-connector.js";
import type { DayLimits } from "../store/day-limit.js";
import type { CreditBooking } from "../jobs/credit-booking.js";
import type { DepositSaga } from "../sagas/deposit.js";
import type { Outbox } from "../../shared/outbox/index.js";
import type { SagaOrigin, Sagas } from "../../shared/sagas.js";
import type { TopUpSaga } from "../sagas/top-up.js";
import type { Moves } from "../clients/moves.js";
import type { Identity, Ledger, Remittance } from "../clients/neighbours.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { Once } from "./once.js";
import type { OpeningSaga } from "../sagas/opening.js";
import type { PaymentSaga } from "../sagas/payment.js";
import type { WalletStore } from "../store/index.js";

export interface WalletDeps {
  store: WalletStore;
  sagas: Sagas;
  payments: PaymentSaga;
  deposits: DepositSaga;
  openings: OpeningSaga;
  movements: MovementSaga;
  topUps: TopUpSaga;
  outbox: Pick<Outbox, "add">;
  moves: Moves;
  remittance: Pick<Remittance, "getExchangeRate">;
  /** Begins to read what arrives at the tenant's bank. */
  readers: { begin(tenantId: string): Promise<void> };
  /** Whose a transfer that arrived is. */
  credits: Pick<CreditBooking, "decide">;
  idempotency: Idempotency;
  dayLimits: DayLimits;
  once: Once;
  ceilings: AmountCeilings;
  approvals: Approvals;
  businessClock: BusinessClock;
  bank: BankConnector;
  identity: Pick<Identity, "verifyCredentials" | "getCustomer" | "getOrganisationPreference" | "listManagedCustomers">;
  ledger: Pick<Ledger, "getAccounts" | "closeAccount" | "listAccountEntries" | "getTransfer" | "postTransfers">;
  clock: Clock;
}

/** What is kept of a call with what it begins. */
export function originOf(call: Call, caller: string, idempotencyKey: string): SagaOrigin {
  return { caller, idempotencyKey, interactionId: call.interactionId, createdBy: caller };
}

/** For DriveContext: the time that the caller has left. */
export function waiting(call: Call): { deadline?: Date } {
  return call.deadline === undefined ? {} : { deadline: call.deadline };
}

/** The customer that is meant: the calling one, or whom staff, the operator or a service name. Refuses FORBIDDEN for another customer. */
export function whose(named: string, call: Call): string {
  if (call.user === undefined && call.caller !== "gateway") return textFromWire(named, "customerId");
  const user = requireUser(call);
  if (user.role !== "CUSTOMER") return textFromWire(named, "customerId");
  if (user.customerId === undefined) throw new Refusal("FORBIDDEN", "the user is not a customer");
  if (named !== "" && named !== user.customerId) throw new Refusal("FORBIDDEN", "this is another customer's");
  return user.customerId;
}
