import {
  ConfirmHoldResponse,
  CreateHoldResponse,
  ExecuteExchangeResponse,
  ReleaseHoldResponse,
} from "../../proto/gen/wallet/v1/holds.js";
import {
  AssignCreditResponse,
  CashInResponse,
  CashOutResponse,
  CloseTillResponse,
  MoveVaultCashResponse,
  OpenTillResponse,
} from "../../proto/gen/wallet/v1/money_in.js";
import { DebitWalletResponse } from "../../proto/gen/wallet/v1/wallet.js";
import type { Clock } from "../shared/clock.js";
import { moneyToWire } from "../shared/money.js";
import { Refusal, type RefusalCode } from "../shared/refusal.js";
import type { Movement, MovementEnding, MovementKind } from "./domain/movement.js";
import type { DoneEnding, MovementRules } from "./movement-saga.js";
import { paymentRows } from "./payment-saga.js";
import type { TenantStore, WalletStore } from "./store.js";
import { creditToWire, holdToWire, quoteToWire, tillToWire } from "./wire-money-in.js";

export const debitWalletOperation = "wallet.v1.DebitWallet";
export const expireHold = "expire-hold";

const pendingDecisions: ReadonlySet<RefusalCode> = new Set([
  "PENDING_EXPIRED",
  "PENDING_ALREADY_RESOLVED",
  "PENDING_NOT_FOUND",
] as const);

/** What each kind of movement answers, and what it writes beside itself. */
export function createMovementRules(deps: {
  store: WalletStore;
  clock: Clock;
}): Readonly<Record<MovementKind, MovementRules>> {
  return {
    WALLET_DEBIT: {
      operation: debitWalletOperation,
      answer: (_movement, { debitBalanceMinor: newBalanceMinor, postedAt, transferIds }) =>
        DebitWalletResponse.encode({ newBalanceMinor, postedAt, transferIds: [...transferIds] }).finish(),
    },
    ...tillRules(deps.store),
    ...cashRules(deps.store),
    ...vaultRules,
    ...holdRules(deps.store, deps.clock),
    ...exchangeRules(deps.store, deps.clock),
    CREDIT_ASSIGNMENT: {
      operation: "wallet.v1.AssignCredit",
      answer: ({ credit }) => AssignCreditResponse.encode({ credit: creditToWire(there(credit)) }).finish(),
      async begun(tenantId, { subjectId = "" }, session) {
        const wallet = deps.store.forTenant(tenantId);
        if (await wallet.moveCredit(subjectId, "UNMATCHED", { status: "ASSIGNING" }, session)) return;
        throw new Refusal("STATE_CONFLICT", "the credit is somebody's already");
      },
      async ended(tenantId, { subjectId = "", accountId }, ending, session) {
        const change = isDone(ending) ? { status: "ASSIGNED" as const, accountId } : { status: "UNMATCHED" as const };
        await deps.store.forTenant(tenantId).moveCredit(subjectId, "ASSIGNING", change, session);
      },
    },
    REFUND: {
      operation: "",
      answer: () => new Uint8Array(),
      async ended(tenantId, { subjectId = "", subjectMinor = 0n }, ending, session) {
        const wallet = deps.store.forTenant(tenantId);
        const refund = await wallet.findRefund(subjectId, session);
        const change = isDone(ending)
          ? { status: "DONE" as const }
          : { status: "FAILED" as const, failure: ending.refusal.code };
        await wallet.moveRefund(subjectId, "POSTING", change, session);
        await wallet.endRefund(there(refund).paymentId, subjectMinor, isDone(ending), session);
      },
    },
  };
}

function tillRules(store: WalletStore): Pick<Record<MovementKind, MovementRules>, "TILL_OPENING" | "TILL_CLOSING"> {
  return {
    TILL_OPENING: {
      operation: "wallet.v1.OpenTill",
      answer: ({ till }) => OpenTillResponse.encode({ till: tillToWire({ ...there(till), status: "OPEN" }) }).finish(),
      begun: (tenantId, { till }, session) => store.forTenant(tenantId).insertTill(there(till), session),
      async ended(tenantId, { subjectId = "" }, ending, session) {
        const wallet = store.forTenant(tenantId);
        const opening = { status: "OPENING" as const };
        if (isDone(ending)) await wallet.moveTill(subjectId, opening, { status: "OPEN" }, session);
        else await wallet.moveTill(subjectId, opening, { status: "CLOSED" }, session, true);
      },
    },
    TILL_CLOSING: {
      operation: "wallet.v1.CloseTill",
      answer: ({ till }) => CloseTillResponse.encode({ till: tillToWire(there(till)) }).finish(),
      async begun(tenantId, { subjectId = "", till }, session) {
        const wallet = store.forTenant(tenantId);
        const { expectedMinor } = there(till);
        const asPlanned = { status: "OPEN" as const, moving: 0, expectedMinor };
        if (await wallet.moveTill(subjectId, asPlanned, { status: "CLOSING" }, session)) return;
        throw new Refusal("STATE_CONFLICT", "cash is moving through the till; count it anew");
      },
      async ended(tenantId, { subjectId = "", till }, ending, session) {
        const wallet = store.forTenant(tenantId);
        const closing = { status: "CLOSING" as const };
        if (!isDone(ending)) return void (await wallet.moveTill(subjectId, closing, { status: "OPEN" }, session));
        const { countedMinor = 0n, differenceMinor = 0n, closedAt } = there(till);
        const closed = { status: "CLOSED" as const, countedMinor, differenceMinor, ...(closedAt && { closedAt }) };
        await wallet.moveTill(subjectId, closing, closed, session, true);
      },
    },
  };
}

const moveVaultCashOperation = "wallet.v1.MoveVaultCash";
const vaultAnswer = ({ movementId, transfers }: Movement, { postedAt: at }: DoneEnding) => {
  const { amount, kind } = there(transfers[0]);
  const direction = kind === "vault_from_bank" ? "FROM_BANK" : "TO_BANK";
  return MoveVaultCashResponse.encode({
    movement: { movementId, amount: moneyToWire(amount), direction, at },
  }).finish();
};
const vaultRules: Pick<Record<MovementKind, MovementRules>, "VAULT_FROM_BANK" | "VAULT_TO_BANK"> = {
  VAULT_FROM_BANK: { operation: moveVaultCashOperation, answer: vaultAnswer },
  VAULT_TO_BANK: { operation: moveVaultCashOperation, answer: vaultAnswer },
};

function cashRules(store: WalletStore): Pick<Record<MovementKind, MovementRules>, "CASH_IN" | "CASH_OUT"> {
  const common = {
    async begun(tenantId: string, movement: Movement, session: Parameters<TenantStore["beginCash"]>[3]) {
      const { subjectId = "", subjectMinor = 0n, createdBy } = movement;
      if (await store.forTenant(tenantId).beginCash(subjectId, createdBy, subjectMinor, session)) return;
      throw new Refusal("TILL_NOT_OPEN", "the till is not open, or has not so much cash");
    },
    async ended(
      tenantId: string,
      { subjectId = "", subjectMinor = 0n }: Movement,
      ending: MovementEnding,
      session: Parameters<TenantStore["beginCash"]>[3],
    ) {
      await store.forTenant(tenantId).endCash(subjectId, isDone(ending) ? 0n : -subjectMinor, session);
    },
  };
  const shown = (movement: Movement, newBalanceMinor: bigint, at: Date) => {
    const { movementId, subjectId: tillId = "", accountId, transfers } = movement;
    const amount = moneyToWire(there(transfers[0]).amount);
    return { movement: { movementId, tillId, accountId, amount, newBalanceMinor, at } };
  };
  return {
    CASH_IN: {
      ...common,
      operation: "wallet.v1.CashIn",
      answer: (movement, { creditBalanceMinor, postedAt }) =>
        CashInResponse.encode(shown(movement, creditBalanceMinor, postedAt)).finish(),
    },
    CASH_OUT: {
      ...common,
      operation: "wallet.v1.CashOut",
      answer: (movement, { debitBalanceMinor, postedAt }) =>
        CashOutResponse.encode(shown(movement, debitBalanceMinor, postedAt)).finish(),
    },
  };
}

function holdRules(
  store: WalletStore,
  clock: Clock,
): Pick<Record<MovementKind, MovementRules>, "HOLD" | "HOLD_CONFIRMATION" | "HOLD_RELEASE"> {
  const notOpen = (refusal: Refusal): Refusal =>
    pendingDecisions.has(refusal.code) ? new Refusal("HOLD_NOT_OPEN", "the hold is over") : refusal;
  const ends = (to: "CONFIRMING" | "RELEASING", done: "CONFIRMED" | "RELEASED") => ({
    decisions: pendingDecisions,
    told: notOpen,
    async begun(tenantId: string, { subjectId = "" }: Movement, session: Parameters<TenantStore["moveHold"]>[3]) {
      const wallet = store.forTenant(tenantId);
      if (await wallet.moveHold(subjectId, "HELD", to, session, { openAt: clock.now() })) return;
      throw new Refusal("HOLD_NOT_OPEN", "the hold is over, or somebody has just decided about it");
    },
    async ended(
      tenantId: string,
      { subjectId = "", hold }: Movement,
      ending: MovementEnding,
      session: Parameters<TenantStore["moveHold"]>[3],
    ) {
      const { confirmedMinor } = there(hold);
      const more = isDone(ending) && confirmedMinor !== undefined ? { confirmedMinor } : {};
      await store.forTenant(tenantId).moveHold(subjectId, to, isDone(ending) ? done : "EXPIRED", session, more);
    },
  });
  return {
    HOLD: {
      operation: "wallet.v1.CreateHold",
      answer: ({ hold }) => {
        const held = { ...there(hold), status: "HELD" as const };
        return CreateHoldResponse.encode({ hold: holdToWire(held, held.createdAt) }).finish();
      },
      begun: (tenantId, { hold }, session) => store.forTenant(tenantId).insertHold(there(hold), session),
      async ended(tenantId, { subjectId = "" }, ending, session) {
        const to = isDone(ending) ? "HELD" : "FAILED";
        await store.forTenant(tenantId).moveHold(subjectId, "HOLDING", to, session);
      },
      next: ({ subjectId: holdId = "", hold }, ending) =>
        isDone(ending)
          ? [{ kind: expireHold, payload: { holdId }, dueAt: there(hold).expiresAt }]
          : [{ kind: paymentRows.freeLimit, payload: { paymentId: holdId } }],
    },
    HOLD_CONFIRMATION: {
      ...ends("CONFIRMING", "CONFIRMED"),
      operation: "wallet.v1.ConfirmHold",
      answer: ({ hold, createdAt }) =>
        ConfirmHoldResponse.encode({ hold: holdToWire(there(hold), createdAt) }).finish(),
      next: ({ subjectId: paymentId = "" }, ending) => [
        { kind: isDone(ending) ? paymentRows.confirmLimit : paymentRows.freeLimit, payload: { paymentId } },
      ],
    },
    HOLD_RELEASE: {
      ...ends("RELEASING", "RELEASED"),
      operation: "wallet.v1.ReleaseHold",
      answer: ({ hold, createdAt }) =>
        ReleaseHoldResponse.encode({ hold: holdToWire(there(hold), createdAt) }).finish(),
      next: ({ subjectId: paymentId = "" }) => [{ kind: paymentRows.freeLimit, payload: { paymentId } }],
    },
  };
}

function exchangeRules(store: WalletStore, clock: Clock): Pick<Record<MovementKind, MovementRules>, "EXCHANGE"> {
  return {
    EXCHANGE: {
      operation: "wallet.v1.ExecuteExchange",
      answer: ({ quote, createdAt }, { firstDebitBalanceMinor, creditBalanceMinor, postedAt }: DoneEnding) =>
        ExecuteExchangeResponse.encode({
          quote: quoteToWire(there(quote), createdAt),
          newFromBalanceMinor: firstDebitBalanceMinor,
          newToBalanceMinor: creditBalanceMinor,
          postedAt,
        }).finish(),
      async begun(tenantId, { subjectId = "" }, session) {
        if (await store.forTenant(tenantId).useQuote(subjectId, clock.now(), session)) return;
        throw new Refusal("QUOTE_NOT_OPEN", "the quote was used, or its time is over");
      },
    },
  };
}

function isDone(ending: MovementEnding): ending is DoneEnding {
  return ending.status === "DONE";
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a movement without what it is about");
  return value;
}
