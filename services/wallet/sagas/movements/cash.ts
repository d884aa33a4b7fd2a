import { CashInResponse, CashOutResponse } from "../../../../proto/gen/wallet/v1/money_in.js";
import { moneyToWire } from "../../../kernel/money.js";
import { isStoredAnswer, passing } from "../../../kernel/refusal.js";
import { assertActive } from "../../domain/agent-sale.js";
import type { Movement, MovementKind } from "../../domain/movement.js";
import type { NewTillLine, TillLineKind } from "../../domain/till-line.js";
import { rowKinds } from "../../row-kinds.js";
import type { WalletStore } from "../../store/index.js";
import { checkCash, type CashCheckDeps } from "../cash-check.js";
import { decideAtDesk } from "../desk-decision.js";
import { reserveTillCash } from "../till-cash.js";
import {
  assertPresent,
  bookedOf,
  isDone,
  statusAfter,
  type DoneEnding,
  type MovementRules,
  type RulesOf,
} from "./rules.js";

/** Takes what a manager has allowed. */
export const takeCashInOperation = "wallet.v1.TakeCashIn";

/** Cash between a till and a wallet. */
export function cashRules(deps: CashCheckDeps & { store: WalletStore }): RulesOf<"CASH_IN" | "CASH_OUT"> {
  const { store } = deps;
  const throughTill = { ...tillWrites(store), ...countedBy(deps) };
  return {
    CASH_IN: {
      ...throughTill,
      // Before the money is there: no payment with it is taken for one without cash.
      async onBegin(tenantId, movement, session) {
        await throughTill.onBegin?.(tenantId, movement, session);
        const wallet = store.forTenant(tenantId);
        const { cashInId, accountId, createdAt } = movement;
        if (
          cashInId !== undefined &&
          !(await wallet.moveCashIn(cashInId, "APPROVED", { status: "POSTING" }, session))
        ) {
          throw passing("STATE_CONFLICT", "the cash-in is taken at this moment");
        }
        await wallet.noteCashIn(accountId, createdAt, session);
      },
      operation: "wallet.v1.CashIn",
      operationOf: ({ cashInId }) => (cashInId === undefined ? "wallet.v1.CashIn" : takeCashInOperation),
      // Both answers hold a movement alone, in the same field.
      answer: (movement, { creditBalanceMinor, postedAt }) =>
        CashInResponse.encode({ ...cashAnswer(movement, creditBalanceMinor, postedAt), cashIn: undefined }).finish(),
    },
    CASH_OUT: {
      ...throughTill,
      operation: "wallet.v1.CashOut",
      answer: (movement, { debitBalanceMinor, postedAt }) =>
        CashOutResponse.encode(cashAnswer(movement, debitBalanceMinor, postedAt)).finish(),
    },
  };
}

/**
 * Compliance counts it before it is posted, and no more where it was not or nobody waits for it.
 */
export function countedBy(
  deps: CashCheckDeps & { store: Pick<WalletStore, "forTenant"> },
): Pick<MovementRules, "checkBeforePosting" | "followUps"> {
  return {
    checkBeforePosting(tenantId, { movementId: cashId, customerId, kind, transfers, interactionId }, context) {
      const { amount } = assertPresent(transfers[0]);
      const cash = {
        cashId,
        customerId,
        kind: kind === "CASH_IN" ? ("CASH_IN" as const) : ("CASH_OUT" as const),
        amount,
      };
      return decideAtDesk(
        (decision) => deps.store.forTenant(tenantId).decideMovement(cashId, decision),
        () => checkCash(deps, { tenantId, interactionId }, cash, context),
        context,
      );
    },
    followUps: ({ movementId: paymentId }, ending) =>
      isDone(ending) ? [] : [{ kind: rowKinds.freeLimit, payload: { paymentId } }],
  };
}

/**
 * The till expects the cash from the beginning, and is not closed before the movement has ended.
 */
export function tillWrites(store: WalletStore): Pick<MovementRules, "onBegin" | "onEnd"> {
  return {
    async onBegin(tenantId, movement, session) {
      const { subjectId: tillId = "", subjectMinor: minor = 0n, createdBy: cashierId, tillMaxMinor } = movement;
      const wallet = store.forTenant(tenantId);
      // As at a sale: a suspension that is committed counts on every replica.
      if (movement.createdByRole === "AGENT") assertActive(await wallet.agentAtSale(cashierId, session));
      const cash = { tillId, cashierId, minor, ...(tillMaxMinor !== undefined && { maxMinor: tillMaxMinor }) };
      return reserveTillCash(wallet, cash, session);
    },
    async onEnd(tenantId, movement, ending, session) {
      const { subjectId = "", subjectMinor = 0n, cashInId } = movement;
      const wallet = store.forTenant(tenantId);
      if (isDone(ending)) await wallet.endCash(subjectId, lineOf(movement, ending), session);
      else await wallet.takeBackCash(subjectId, -subjectMinor, session);
      if (cashInId === undefined) return;
      // What passes by itself leaves it as the manager has allowed it.
      const isOver = isDone(ending) || isStoredAnswer(ending.refusal);
      const change = isOver ? statusAfter(ending) : { status: "APPROVED" as const };
      await wallet.moveCashIn(cashInId, "POSTING", change, session);
    },
  };
}

const lineKinds: Partial<Record<MovementKind, TillLineKind>> = {
  CASH_IN: "CASH_IN",
  CASH_OUT: "CASH_OUT",
  CASH_PICKUP: "CASH_PICKUP",
  COUNTER_PAYABLE: "COUNTER_PAYABLE",
};

function lineOf(movement: Movement, ending: DoneEnding): NewTillLine {
  const { movementId, kind, subjectMinor: amountMinor = 0n, createdBy: movedBy, accountId } = movement;
  const { transactionCode } = movement.pickup ?? movement.counterPayable ?? {};
  return {
    kind: assertPresent(lineKinds[kind]),
    amountMinor,
    ...bookedOf(ending),
    movedBy,
    movementId,
    ...(accountId !== "" && { accountId }),
    ...(transactionCode !== undefined && { transactionCode }),
  };
}

function cashAnswer(movement: Movement, newBalanceMinor: bigint, at: Date) {
  const { movementId, subjectId: tillId = "", accountId, transfers } = movement;
  const amount = moneyToWire(assertPresent(transfers[0]).amount);
  return { movement: { movementId, tillId, accountId, amount, newBalanceMinor, at } };
}
