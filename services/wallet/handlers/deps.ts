import type { Call } from "../../shared/grpc/context.js";
import type { Clock } from "../../shared/clock.js";
import type { Idempotency } from "../../shared/idempotency/index.js";
import type { DepositSaga } from "../deposit-saga.js";
import type { SagaOrigin } from "../domain/saga.js";
import type { Identity, Ledger } from "../neighbours.js";
import type { MovementSaga } from "../movement-saga.js";
import type { OpeningSaga } from "../opening-saga.js";
import type { PaymentSaga } from "../payment-saga.js";
import type { Sagas } from "../sagas.js";
import type { WalletStore } from "../store.js";

export interface WalletDeps {
  store: WalletStore;
  sagas: Sagas;
  payments: PaymentSaga;
  deposits: DepositSaga;
  openings: OpeningSaga;
  movements: MovementSaga;
  idempotency: Idempotency;
  identity: Pick<Identity, "verifyCredentials" | "getCustomer" | "getOrganisationPreference">;
  ledger: Pick<Ledger, "getAccounts">;
  clock: Clock;
}

/** What is kept of a call with what it begins. */
export function originOf(call: Call, caller: string, idempotencyKey: string): SagaOrigin {
  return { caller, idempotencyKey, interactionId: call.interactionId, createdBy: caller };
}

/** For Pass: the time that the caller has left. */
export function waiting(call: Call): { deadline?: Date } {
  return call.deadline === undefined ? {} : { deadline: call.deadline };
}
