import { CashOutRequest, CashOutResponse } from "../../../proto/gen/wallet/v1/money_in.js";
import type { Call } from "../../kernel/grpc/context.js";
import { refusalByStatus } from "../domain/account.js";
import { notOpen, tillShort } from "../domain/till.js";
import { cashMovement, cashOf } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { assertManagedByAgent } from "./managed-customers.js";
import { checkPayerCredentials } from "./payer-credentials.js";
import { runMovement } from "./run-movement.js";

/**
 * Refuses as cashIn, ACCOUNT_FROZEN, TILL_SHORT, and what the credentials lack: the customer's
 * password and one-time code, always.
 */
export function cashOut(deps: WalletDeps) {
  return async (request: CashOutRequest, call: Call): Promise<CashOutResponse> => {
    const { till, account, amount } = await cashOf(deps, request, call);
    return runMovement<CashOutRequest, CashOutResponse>(deps, {
      operation: "wallet.v1.CashOut",
      request,
      requestType: CashOutRequest,
      omit: ["password", "otp", "pin"],
      response: CashOutResponse,
      call,
      plan: async (movementId) => {
        const { customerId } = account;
        await assertManagedByAgent(deps, customerId, call);
        await checkPayerCredentials(deps, request, { customerId, amount, payee: `CASH:${account.accountId}` }, call);
        if (till.status !== "OPEN") return notOpen(till.status);
        const asItIs = refusalByStatus(account);
        if (asItIs !== undefined) return asItIs;
        if (till.expectedMinor < amount.minor) return tillShort();
        const allowed = await deps.moves.ask({ customerId, kind: "CASH_OUT" }, call);
        if (allowed.refusal !== undefined) return allowed.refusal;
        const { refusal, part } = await deps.dayLimits.check(account, amount, call);
        if (refusal !== undefined) return refusal;
        const movement = cashMovement(movementId, till, account, amount.minor, false);
        return part === undefined ? movement : { ...movement, spends: [part] };
      },
    });
  };
}
