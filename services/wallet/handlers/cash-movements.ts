import {
  CashInRequest,
  CashInResponse,
  CashOutRequest,
  CashOutResponse,
  PayOutCashRequest,
  PayOutCashResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { requireUser } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { moneyFromWire } from "../../kernel/money.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { needsApproval } from "../domain/cash-in-approval.js";
import { withHeld } from "../domain/held-arrival.js";
import { refusalByStatus } from "../domain/account.js";
import { notOpen, tillShort, tillAccounts } from "../domain/till.js";
import { requestCashInApproval } from "./cash-in-approval.js";
import { cashInOperation, cashMovement, cashOf, cashRuleFor, decideCashIn } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { assertManagedByAgent } from "./managed-customers.js";
import { checkPayerCredentials } from "../../platform/neighbours/payer-credentials.js";
import { runMovement } from "./run-movement.js";

/** Cash that moves over a till. */
export function cashHandlers(deps: WalletDeps) {
  return {
    /**
     * Takes cash into a wallet. Above the maker-checker threshold it waits for a manager and is
     * answered without a movement. Refuses TILL_NOT_OPEN, ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED,
     * CURRENCY_MISMATCH, AMOUNT_OUT_OF_LIMITS and DAILY_LIMIT_EXCEEDED of cashier, till and wallet,
     * CUSTOMER_NOT_CONFIRMED, FORBIDDEN for a customer whom the agent does not manage.
     */
    async cashIn(request, call) {
      const wanted = await cashOf(deps, request, call);
      const { till, account, amount } = wanted;
      const rule = await cashRuleFor(deps, till, call);
      if (needsApproval(rule, amount)) return requestCashInApproval(deps, request, wanted, call);
      return runMovement<CashInRequest, CashInResponse>(deps, {
        operation: cashInOperation,
        request,
        requestType: CashInRequest,
        response: CashInResponse,
        call,
        plan: async (movementId) => {
          const decided = await decideCashIn(deps, wanted, call);
          if (decided instanceof Refusal) return decided;
          const { parts: spends, tillMinor: tillMaxMinor, isHeld } = decided;
          const movement = { ...cashMovement(movementId, wanted, true, call), spends, tillMaxMinor };
          return isHeld ? withHeld(movement, account, "CASH_IN") : movement;
        },
      });
    },

    /**
     * Refuses as cashIn, ACCOUNT_FROZEN, TILL_SHORT, and what the credentials lack: the customer's
     * password and one-time code, always.
     */
    async cashOut(request, call) {
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
          const movement = cashMovement(movementId, { till, account, amount }, false, call);
          return part === undefined ? movement : { ...movement, spends: [part] };
        },
      });
    },

    /**
     * Refuses TRANSACTION_NOT_FOUND, TILL_NOT_OPEN, STATE_CONFLICT of what was handed out, and
     * TILL_SHORT before a try of the code is counted; then STATE_CONFLICT, PICKUP_CODE_WRONG,
     * PICKUP_CODE_LOCKED as remittance does, and the till has again what was reserved. A corrected
     * code goes through under the same key.
     */
    async payOutCash(request, call) {
      const transactionCode = textFromWire(request.transactionCode, "transactionCode", { maximum: 40 });
      const pickupCode = textFromWire(request.pickupCode, "pickupCode", { maximum: 40 });
      const cashierId = requireUser(call).userId;
      const found = await deps.remittance.findPickup({ transactionCode }, outgoing(call));
      const { minor, currency } = moneyFromWire(found.amount, "amount");
      const done = await runMovement<PayOutCashRequest, PayOutCashResponse>(deps, {
        operation: "wallet.v1.PayOutCash",
        request,
        requestType: PayOutCashRequest,
        omit: ["pickupCode"],
        response: PayOutCashResponse,
        call,
        told: { pickupCode },
        plan: async () => {
          const till = await deps.store.forTenant(call.tenantId).findTillOf(cashierId, currency);
          if (till?.status !== "OPEN") return notOpen(till?.status);
          if (found.isHandedOut) return new Refusal("STATE_CONFLICT", "the transaction is COMPLETED");
          if (till.expectedMinor < minor) return tillShort();
          return {
            kind: "CASH_PICKUP",
            accountId: "",
            customerId: "",
            ownAccounts: tillAccounts(till),
            transfers: [],
            subjectId: till.tillId,
            subjectMinor: -minor,
            pickup: { transactionId: found.transactionId, transactionCode: found.transactionCode, currency },
          };
        },
      });
      deps.outbox.wakeSoon();
      return { ...done, recipientName: found.recipientName };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}
