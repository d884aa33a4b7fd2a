import { v7 as uuidv7 } from "uuid";
import {
  CancelCashOrderRequest,
  CancelCashOrderResponse,
  RequestCashOrderRequest,
  RequestCashOrderResponse,
  SendCashOrderRequest,
  SendCashOrderResponse,
  type BranchCashServiceDefinition,
} from "../../../proto/gen/wallet/v1/branch_cash.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { money } from "../../kernel/money.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { accountsOfSending, actsFor, transferOfSending, type CashOrder } from "../domain/cash-order.js";
import { checkPositive } from "../domain/payment.js";
import { house } from "../domain/vault.js";
import { cashOrderToWire } from "../wire/cash-orders.js";
import { countedFromWire } from "../wire/tills.js";
import { assertBranch } from "./branches.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";
import { assertMay, foundCashOrder, vaultPersonOf } from "./vault-people.js";

/** Cash between vaults: asked for, sent, cancelled, listed. */
export function cashOrderHandlers(deps: WalletDeps) {
  const { store, runOnce, clock } = deps;
  return {
    /** Refuses FORBIDDEN, INVALID_INPUT, AMOUNT_NOT_POSITIVE, AMOUNT_ABOVE_CEILING. */
    async requestCashOrder(request, call) {
      const currency = assertCurrency(request.currency, "currency");
      const { fromBranchCode, toBranchCode, amount: counted } = request;
      if (fromBranchCode === toBranchCode) throw invalidInput("toBranchCode", "must be another one than it is from");
      const { minor: amountMinor, denominations } = countedFromWire({ ...request, counted }, currency, "amount");
      checkPositive(money(amountMinor, currency));
      const person = await vaultPersonOf(deps, call);
      assertMay(actsFor(fromBranchCode, person) || actsFor(toBranchCode, person));
      return runOnce<RequestCashOrderRequest, RequestCashOrderResponse>({
        operation: "wallet.v1.RequestCashOrder",
        request,
        requestType: RequestCashOrderRequest,
        response: RequestCashOrderResponse,
        call,
        prepare: async () => {
          await deps.ceilings.check(call, money(amountMinor, currency));
          // What a branch still has leaves it once it is switched off, too.
          await assertBranch(deps, fromBranchCode, "fromBranchCode", call, { mayBeOff: true });
          await assertBranch(deps, toBranchCode, "toBranchCode", call);
          const wallet = store.forTenant(call.tenantId);
          await Promise.all([fromBranchCode, toBranchCode].map((branch) => wallet.openVault(branch, currency)));
        },
        work: async (session) => {
          const order: CashOrder = {
            orderId: uuidv7(),
            from: fromBranchCode,
            to: toBranchCode,
            currency,
            amountMinor,
            ...(denominations !== undefined && { denominations }),
            status: "REQUESTED",
            requestedBy: person.userId,
            requestedAt: clock.now(),
          };
          await store.forTenant(call.tenantId).insertCashOrder(order, session);
          return { order: cashOrderToWire(order) };
        },
      });
    },

    /**
     * Refuses FORBIDDEN, STATE_CONFLICT unless it is REQUESTED, INVALID_INPUT where the branch that
     * it is for was switched off since.
     */
    async sendCashOrder(request, call) {
      const order = await foundCashOrder(store, request.orderId, call);
      assertMay(actsFor(order.from, await vaultPersonOf(deps, call)));
      return runMovement<SendCashOrderRequest, SendCashOrderResponse>(deps, {
        operation: "wallet.v1.SendCashOrder",
        request,
        requestType: SendCashOrderRequest,
        response: SendCashOrderResponse,
        call,
        plan: async (movementId) => {
          const { status, orderId } = order;
          if (status === "SENDING") return passing("STATE_CONFLICT", "it is sent at this moment");
          if (status !== "REQUESTED") return new Refusal("STATE_CONFLICT", `the order is ${status}`);
          await assertBranch(deps, order.to, "toBranchCode", call);
          return {
            kind: "CASH_ORDER_SENT",
            accountId: "",
            customerId: "",
            ownAccounts: accountsOfSending(order),
            transfers: [transferOfSending(order, movementId)],
            subjectId: orderId,
            cashOrder: order,
          };
        },
      });
    },

    /** Refuses FORBIDDEN, STATE_CONFLICT once it was sent, or is over. */
    async cancelCashOrder(request, call) {
      const order = await foundCashOrder(store, request.orderId, call);
      const person = await vaultPersonOf(deps, call);
      assertMay(order.requestedBy === person.userId || actsFor(order.from, person));
      return runOnce<CancelCashOrderRequest, CancelCashOrderResponse>({
        operation: "wallet.v1.CancelCashOrder",
        request,
        requestType: CancelCashOrderRequest,
        response: CancelCashOrderResponse,
        call,
        work: async (session) => {
          const ended = { status: "CANCELLED" as const, endedBy: person.userId, endedAt: clock.now() };
          if (!(await store.forTenant(call.tenantId).moveCashOrder(order.orderId, "REQUESTED", ended, session))) {
            throw new Refusal("STATE_CONFLICT", "only an order that nobody has sent is cancelled");
          }
          return { order: cashOrderToWire({ ...order, ...ended }) };
        },
      });
    },

    async listCashOrders(request, call) {
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      textFromWire(request.cursor, "cursor", { minimum: 0 });
      const named = textFromWire(request.branchCode, "branchCode", { minimum: 0, maximum: 64 });
      const { isManager, branch } = await vaultPersonOf(deps, call);
      // The house's are managers' matter.
      if (!isManager && branch === house) return { orders: [], nextCursor: "" };
      const vaults = [...new Set([...(isManager ? [] : [branch]), ...(named === "" ? [] : [named])])];
      const fit = { openOnly: request.openOnly, vaults: vaults.length > 0 ? vaults : undefined };
      const all = await store.forTenant(call.tenantId).listCashOrders(fit, request.cursor, size + 1);
      const orders = all.slice(0, size);
      return {
        orders: orders.map(cashOrderToWire),
        nextCursor: all.length > size ? (orders.at(-1)?.orderId ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<BranchCashServiceDefinition>>;
}
