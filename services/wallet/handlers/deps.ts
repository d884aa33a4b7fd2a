import type { AmountCeilings } from "../../platform/preferences/amount-ceilings.js";
import type { Approvals } from "../../platform/approvals/approvals.js";
import type { BankConnector } from "../../platform/banks/bank-connector.js";
import type { Takers } from "../../platform/banks/partners-of-kind.js";
import type { CustomerMoves } from "../../platform/neighbours/customer-moves.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Idempotency, RunOnce } from "../../kernel/idempotency/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Sagas } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Identity, Ledger, Remittance } from "../clients/neighbours.js";
import type { CreditBooking } from "../jobs/credit-booking.js";
import type { DayLimits } from "../sagas/wallet-daily-limit.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { OpeningSaga } from "../sagas/opening.js";
import type { PaymentSaga } from "../sagas/payment.js";
import type { TopUpSaga } from "../sagas/top-up.js";
import type { WalletStore } from "../store/index.js";

export interface WalletDeps {
  store: WalletStore;
  sagas: Sagas;
  payments: PaymentSaga;
  openings: OpeningSaga;
  movements: MovementSaga;
  topUps: TopUpSaga;
  outbox: Pick<Outbox, "add" | "wakeSoon">;
  moves: CustomerMoves;
  remittance: Pick<Remittance, "getExchangeRate" | "findPickup" | "findSale" | "getBranch">;
  /** Begins to read what arrives at the tenant's bank. */
  readers: { begin(tenantId: string): Promise<void> };
  /** Decides whose a bank transfer is, and stores it with the row that books it. */
  credits: Pick<CreditBooking, "decide" | "insert">;
  idempotency: Idempotency;
  dayLimits: DayLimits;
  runOnce: RunOnce;
  ceilings: AmountCeilings;
  approvals: Approvals;
  businessClock: BusinessClock;
  bank: Pick<BankConnector, "checkAccount" | "lookUpBvn">;
  /** Where money is taken to and from the bank from now on, and who charges cards. */
  banks: Pick<Takers, "takerOf" | "allOf">;
  cards: Pick<Takers, "takerOf">;
  identity: Pick<
    Identity,
    | "verifyCredentials"
    | "getCustomer"
    | "compareDocument"
    | "getOrganisationPreference"
    | "listManagedCustomers"
    | "listStaffUsers"
    | "getStaffNames"
  >;
  ledger: Pick<
    Ledger,
    "getAccounts" | "closeAccount" | "listAccountEntries" | "getTransfer" | "postTransfers" | "getBalance"
  >;
  clock: Clock;
  /** Where a test kills the process. */
  crashPoint: (name: string) => void;
}

/** The tenant's business time. */
export async function nowOf({ businessClock }: Pick<WalletDeps, "businessClock">, call: Call): Promise<Date> {
  return (await businessClock.forTenant(call.tenantId, call.interactionId)).now();
}

/**
 * Gives the customer's id: the caller's own, or the one that staff, the operator or a service
 * names. Refuses FORBIDDEN for another customer's.
 */
export function whose(named: string, call: Call): string {
  if (call.user === undefined && call.caller !== "gateway") return textFromWire(named, "customerId");
  const user = requireUser(call);
  if (user.role !== "CUSTOMER") return textFromWire(named, "customerId");
  if (user.customerId === undefined) throw new Refusal("FORBIDDEN", "the user is not a customer");
  if (named !== "" && named !== user.customerId) throw new Refusal("FORBIDDEN", "this is another customer's");
  return user.customerId;
}
