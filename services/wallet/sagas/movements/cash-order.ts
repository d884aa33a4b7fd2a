import { EndCashOrderResponse, SendCashOrderResponse } from "../../../../proto/gen/wallet/v1/branch_cash.js";
import { passing } from "../../../kernel/refusal.js";
import { vaultOfOutcome, type CashOrder, type CashOrderOutcome } from "../../domain/cash-order.js";
import type { Movement } from "../../domain/movement.js";
import type { WalletStore } from "../../store/index.js";
import { cashOrderToWire } from "../../wire/cash-orders.js";
import { assertPresent, bookedOf, isDone, type DoneEnding, type MovementRules, type RulesOf } from "./rules.js";

type Kinds = "CASH_ORDER_SENT" | "CASH_ORDER_RECEIVED" | "CASH_ORDER_RETURNED";

/** Cash from one vault to another. */
export function cashOrderRules(store: WalletStore, crashPoint: (name: string) => void): RulesOf<Kinds> {
  const crashPoints = {
    recorded: () => crashPoint("wallet.cash-order.recorded"),
    posted: () => crashPoint("wallet.cash-order.posted"),
    ended: () => crashPoint("wallet.cash-order.ended"),
  };
  return {
    CASH_ORDER_SENT: { ...sendingRules(store), crashPoints },
    CASH_ORDER_RECEIVED: { ...endingRules(store, "RECEIVED"), crashPoints },
    CASH_ORDER_RETURNED: { ...endingRules(store, "RETURNED"), crashPoints },
  };
}

const sentOf = (order: CashOrder, { createdBy: sentBy }: Movement, { postedAt: sentAt }: DoneEnding) => ({
  ...order,
  status: "SENT" as const,
  sentBy,
  sentAt,
});

function sendingRules(store: WalletStore): MovementRules {
  return {
    operation: "wallet.v1.SendCashOrder",
    answer: (movement, ending) =>
      SendCashOrderResponse.encode({
        order: cashOrderToWire(sentOf(assertPresent(movement.cashOrder), movement, ending)),
      }).finish(),
    async onBegin(tenantId, { subjectId = "" }, session) {
      const isMine = await store
        .forTenant(tenantId)
        .moveCashOrder(subjectId, "REQUESTED", { status: "SENDING" }, session);
      if (!isMine) throw passing("STATE_CONFLICT", "the order is sent or cancelled at this moment");
    },
    async onEnd(tenantId, movement, ending, session) {
      const { subjectId = "", cashOrder, movementId, createdBy: movedBy } = movement;
      const wallet = store.forTenant(tenantId);
      if (!isDone(ending)) {
        await wallet.moveCashOrder(subjectId, "SENDING", { status: "REQUESTED" }, session);
        return;
      }
      const order = assertPresent(cashOrder);
      const { status, sentBy, sentAt } = sentOf(order, movement, ending);
      const booked = bookedOf(ending);
      await wallet.moveCashOrder(subjectId, "SENDING", { status, sentBy, sentAt, sentOn: booked.day }, session);
      const { from: branch, currency, amountMinor } = order;
      const moved = { ...booked, movedBy, movementId, subjectId };
      await wallet.noteVaultLine(
        { branch, currency, kind: "ORDER_SENT", amountMinor: -amountMinor, ...moved },
        session,
      );
    },
  };
}

const endedOf = (order: CashOrder, outcome: CashOrderOutcome, { postedAt: endedAt }: DoneEnding) => ({
  ...order,
  status: outcome,
  endedBy: assertPresent(order.ending).countedBy,
  endedAt,
});

function endingRules(store: WalletStore, outcome: CashOrderOutcome): MovementRules {
  const kind = outcome === "RECEIVED" ? ("ORDER_RECEIVED" as const) : ("ORDER_RETURNED" as const);
  return {
    operation: "wallet.v1.EndCashOrder",
    answer: ({ cashOrder }, ending) =>
      EndCashOrderResponse.encode({
        order: cashOrderToWire(endedOf(assertPresent(cashOrder), outcome, ending)),
      }).finish(),
    async onBegin(tenantId, { subjectId = "", cashOrder }, session) {
      const { ending } = assertPresent(cashOrder);
      const from = assertPresent(ending).status === "APPROVED" ? ("WAITING" as const) : ("SENT" as const);
      const change = { status: "ENDING" as const, ...(ending && { ending }) };
      if (!(await store.forTenant(tenantId).moveCashOrder(subjectId, from, change, session))) {
        throw passing("STATE_CONFLICT", "the order is counted by somebody else at this moment");
      }
    },
    async onEnd(tenantId, movement, ending, session) {
      const { subjectId = "", cashOrder, movementId, createdBy: movedBy } = movement;
      const wallet = store.forTenant(tenantId);
      if (!isDone(ending)) {
        const counted = assertPresent(assertPresent(cashOrder).ending);
        const failed = { ...counted, status: "FAILED" as const, failure: ending.refusal.code };
        await wallet.moveCashOrder(subjectId, "ENDING", { status: "SENT", ending: failed }, session);
        return;
      }
      const order = assertPresent(cashOrder);
      const { status, endedBy, endedAt } = endedOf(order, outcome, ending);
      const booked = bookedOf(ending);
      await wallet.moveCashOrder(subjectId, "ENDING", { status, endedBy, endedAt, endedOn: booked.day }, session);
      const { countedMinor: amountMinor } = assertPresent(order.ending);
      if (amountMinor === 0n) return;
      const of = { branch: vaultOfOutcome(order, outcome), currency: order.currency, subjectId };
      await wallet.noteVaultLine({ ...of, kind, amountMinor, ...booked, movedBy, movementId }, session);
    },
  };
}
