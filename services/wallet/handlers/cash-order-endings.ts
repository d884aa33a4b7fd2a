import {
  EndCashOrderRequest,
  EndCashOrderResponse,
  type BranchCashServiceDefinition,
} from "../../../proto/gen/wallet/v1/branch_cash.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, money } from "../../kernel/money.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { amountChangeOf } from "../../platform/approvals/approval-changes.js";
import { stillRefused } from "../../platform/approvals/approvals.js";
import {
  actsFor,
  vaultOfOutcome,
  type CashOrder,
  type CashOrderEnding,
  type VaultPerson,
} from "../domain/cash-order.js";
import { unexplained } from "../domain/till-count.js";
import { rowKinds } from "../row-kinds.js";
import { cashOrderToWire } from "../wire/cash-orders.js";
import { countedFromWire } from "../wire/tills.js";
import { plannedEnding, type CountedOrder } from "./cash-order-counting.js";
import type { WalletDeps } from "./deps.js";
import { decideDifference } from "./differences.js";
import { requestIdOf } from "../../platform/approvals/request-id.js";
import { runMovement } from "./run-movement.js";
import { unaskedRow } from "./unasked-row.js";
import { assertMay, foundCashOrder, vaultPersonOf } from "./vault-people.js";

const operation = "wallet.v1.EndCashOrder";

/** Cash between vaults that is counted where it arrives, by one person or with a second one. */
export function cashOrderEndingHandlers(deps: WalletDeps) {
  return {
    /**
     * Refuses FORBIDDEN, for whoever sent it where it is received or is not what they sent,
     * STATE_CONFLICT unless it is SENT, DIFFERENCE_UNEXPLAINED. Waits for a manager as a till does.
     */
    async endCashOrder(request, call) {
      const { outcome } = request;
      if (outcome !== "RECEIVED" && outcome !== "RETURNED") {
        throw invalidInput("outcome", "must be RECEIVED or RETURNED");
      }
      const order = await foundCashOrder(deps.store, request.orderId, call);
      const person = await vaultPersonOf(deps, call);
      assertMay(actsFor(vaultOfOutcome(order, outcome), person));
      if (outcome === "RECEIVED" && order.sentBy === person.userId) {
        throw new Refusal("FORBIDDEN", "nobody receives what they have sent");
      }
      const { currency } = order;
      const ending = countOf(request, order, outcome, person, call);
      deps.ceilings.checkSum(money(ending.countedMinor, currency));
      const counted = { ...order, ending };
      if (ending.differenceMinor !== 0n && order.sentBy === person.userId) {
        throw new Refusal("FORBIDDEN", "what is short or over is counted by somebody who did not send it");
      }
      const { userId } = person;
      const { isAbove, spends } = await decideDifference(deps, { userId, currency }, ending.differenceMinor, call);
      if (order.status === "WAITING" || (order.status === "SENT" && isAbove && ending.reason !== undefined)) {
        return requestEnding(deps, request, counted, call);
      }
      return runMovement<EndCashOrderRequest, EndCashOrderResponse>(deps, {
        operation,
        request,
        requestType: EndCashOrderRequest,
        response: EndCashOrderResponse,
        call,
        plan: async (movementId) => {
          if (order.status !== "SENT") return notSent(order);
          const refusal = unexplained(money(ending.differenceMinor, currency), ending.reason);
          // No key keeps it: the reason comes under the same one.
          if (refusal !== undefined) throw refusal;
          return { ...plannedEnding(counted, movementId), spends };
        },
      });
    },
  } satisfies Partial<Handlers<BranchCashServiceDefinition>>;
}

function notSent({ status }: CashOrder): Refusal {
  if (status === "SENDING" || status === "ENDING") return passing("STATE_CONFLICT", "it is on its way at this moment");
  return new Refusal("STATE_CONFLICT", `the order is ${status}`);
}

function countOf(
  request: EndCashOrderRequest,
  { orderId, currency, amountMinor }: CashOrder,
  outcome: CashOrderEnding["outcome"],
  { userId: countedBy }: VaultPerson,
  call: Call,
): CashOrderEnding {
  const { minor: countedMinor, denominations } = countedFromWire(request, currency);
  const reason = reasonFromWire(request.reason, "reason", { mayBeEmpty: true }) || undefined;
  return {
    endingId: requestIdOf(request.idempotencyKey, orderId, call),
    outcome,
    status: "COUNTED",
    countedBy,
    countedMinor,
    differenceMinor: countedMinor - amountMinor,
    ...(denominations !== undefined && { denominations }),
    ...(reason !== undefined && { reason }),
  };
}

/**
 * Keeps the count and asks a manager; the order is SENT again where nobody comes to ask. A repeated
 * request asks again: identity knows the key.
 * Refuses as identity does: then the order is SENT again, and a repeat is refused as well.
 */
async function requestEnding(
  deps: WalletDeps,
  request: EndCashOrderRequest,
  counted: CountedOrder,
  call: Call,
): Promise<EndCashOrderResponse> {
  const { orderId, currency, amountMinor, ending } = counted;
  const { endingId, outcome, reason = "", differenceMinor: off } = ending;
  const wallet = deps.store.forTenant(call.tenantId);
  const stored = await keep(deps, request, counted, call);
  // Its first try went through without an approval.
  if (stored.order?.status !== "WAITING") return stored;
  deps.crashPoint("wallet.cash-order.kept");
  const before = (await wallet.findCashOrder(orderId))?.ending;
  const isUnasked = before?.status === "FAILED" && before.approvalId === undefined;
  if (before?.endingId === endingId && isUnasked) throw stillRefused(before.failure ?? "");
  const text = (minor: bigint) => `${formatMoney(money(minor, currency))} ${currency}`;
  const question = {
    idempotencyKey: `wallet-cash-order:${endingId}`,
    kind: "CASH_ORDER" as const,
    subject: `cash-order:${orderId}`,
    summary: `Order ${orderId} ${outcome} with ${text(ending.countedMinor)} where ${text(amountMinor)} was sent`,
    amount: money(off < 0n ? -off : off, currency),
    reason,
    payload: { orderId, endingId },
    // What they sent short is not theirs to approve.
    ...(counted.sentBy !== undefined && { concernedUserId: counted.sentBy }),
    changes: amountChangeOf("order", amountMinor, ending.countedMinor, currency),
  };
  const { approvalId } = await deps.approvals.askAndNote(call, question, (noted) =>
    "approvalId" in noted
      ? wallet.moveCashOrderEnding(orderId, endingId, { approvalId: noted.approvalId }, {})
      : wallet.moveCashOrderEnding(
          orderId,
          endingId,
          { status: "FAILED", failure: noted.refusedBecause },
          { status: "SENT" },
        ),
  );
  return { order: { ...stored.order, approvalId } };
}

function keep(
  deps: WalletDeps,
  request: EndCashOrderRequest,
  counted: CountedOrder,
  call: Call,
): Promise<EndCashOrderResponse> {
  return deps.runOnce<EndCashOrderRequest, EndCashOrderResponse>({
    operation,
    request,
    requestType: EndCashOrderRequest,
    response: EndCashOrderResponse,
    call,
    work: async (session) => {
      if (counted.status !== "SENT") throw notSent(counted);
      const waiting = { status: "WAITING" as const, ending: { ...counted.ending, status: "WAITING" as const } };
      const wallet = deps.store.forTenant(call.tenantId);
      if (!(await wallet.moveCashOrder(counted.orderId, "SENT", waiting, session))) {
        throw passing("STATE_CONFLICT", "the order is counted by somebody else at this moment");
      }
      const { orderId, ending } = counted;
      const ids = { orderId, endingId: ending.endingId };
      const row = unaskedRow(call, rowKinds.forgetUnaskedEnding, `cash-order-ending:${ids.endingId}`, ids);
      await deps.outbox.add(row, session);
      return { order: cashOrderToWire({ ...counted, ...waiting }) };
    },
  });
}
