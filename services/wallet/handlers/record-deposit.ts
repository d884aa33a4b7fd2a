import { v7 as uuidv7 } from "uuid";
import { RecordDepositRequest, RecordDepositResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import { fingerprintOf } from "../../shared/idempotency/index.js";
import { moneyFromWire } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import { runKeyedSaga } from "../../shared/sagas.js";
import { recordDepositOperation } from "../sagas/deposit.js";
import { refusalByStatus } from "../domain/account.js";
import type { Deposit } from "../domain/deposit.js";
import { checkPositive } from "../domain/payment.js";
import { textFromWire } from "../wire/payments.js";
import { originOf, waiting, type WalletDeps } from "./deps.js";

/** Puts money that arrived at the bank into a wallet. Refuses ACCOUNT_NOT_FOUND, CURRENCY_MISMATCH, AMOUNT_NOT_POSITIVE. */
export function recordDeposit({ store, idempotency, sagas, deposits, ceilings, moves, clock }: WalletDeps) {
  return async (request: RecordDepositRequest, call: Call): Promise<RecordDepositResponse> => {
    const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
    const accountId = textFromWire(request.accountId, "accountId");
    const reference = textFromWire(request.reference, "reference");
    const amount = moneyFromWire(request.amount, "amount");
    checkPositive(amount);
    const { tenantId } = call;
    const caller = actorOf(call);
    return runKeyedSaga({
      idempotency,
      sagas,
      scope: { tenantId, caller, operation: recordDepositOperation, key },
      fingerprint: fingerprintOf(RecordDepositRequest, request, ["idempotencyKey"]),
      response: RecordDepositResponse,
      call,
      async start(ticket) {
        const account = await store.forTenant(tenantId).findAccount(accountId);
        if (account === undefined || account.status === "OPENING") {
          throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
        }
        // A frozen one takes money in.
        if (account.status === "CLOSED") return { refusal: refusalByStatus(account) as Refusal };
        if (account.currency !== amount.currency) {
          throw new Refusal("CURRENCY_MISMATCH", `the account holds ${account.currency}`);
        }
        await ceilings.check(call, amount);
        const { customerId } = account;
        const { isHeld } = await moves.ask({ customerId, kind: "BANK_CREDIT_RECEIVED" }, call);
        const deposit: Deposit = {
          depositId: uuidv7(),
          accountId,
          amount,
          reference,
          createdAt: clock.now(),
          ...(isHeld && { heldFor: customerId }),
          ...originOf(call, caller, key),
        };
        await deposits.begin(tenantId, deposit, ticket);
        return { drive: () => deposits.drive(tenantId, deposit, { ...waiting(call), isFirst: true }) };
      },
      resume: (depositId) => deposits.driveById(tenantId, depositId, waiting(call)),
    });
  };
}
