import {
  ConfirmHoldResponse,
  CreateHoldResponse,
  ExecuteExchangeResponse,
  ReleaseHoldResponse,
} from "../../../proto/gen/wallet/v1/holds.js";
import {
  AssignCreditResponse,
  CashInResponse,
  CashOutResponse,
  CloseTillResponse,
  MoveVaultCashResponse,
  OpenTillResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import { DebitWalletResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { outgoing } from "../../shared/grpc/client.js";
import { moneyToWire } from "../../shared/money.js";
import { passing, Refusal, type RefusalCode } from "../../shared/refusal.js";
import { giveBackToDay } from "../store/day-limit.js";
import { givenBackBy } from "../domain/hold.js";
import type { Movement, MovementEnding, MovementKind } from "../domain/movement.js";
import { notOpen } from "../domain/till.js";
import type { DoneEnding, MovementRules } from "./movement.js";
import { refusedNeutrally, type Moves } from "../clients/moves.js";
import { decisionOr, type Compliance } from "../clients/neighbours.js";
import { complianceRefusal, paymentRows } from "./payment.js";
import { deadlineOf } from "../clients/posting.js";
import type { TenantStore, WalletStore } from "../store/index.js";
import { creditToWire, holdToWire, quoteToWire, tillToWire } from "../wire/money-in.js";

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
  compliance: Pick<Compliance, "checkWalletPayment">;
  moves: Moves;
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
    ...holdRules(deps.store, deps.compliance, deps.clock),
    ...exchangeRules(deps.store, deps.clock),
    CREDIT_ASSIGNMENT: {
      operation: "wallet.v1.AssignCredit",
      answer: ({ credit }) => AssignCreditResponse.encode({ credit: creditToWire(there(credit)) }).finish(),
      async begun(tenantId, { subjectId = "" }, session) {
        const wallet = deps.store.forTenant(tenantId);
        if (await wallet.moveCredit(subjectId, "UNMATCHED", { status: "ASSIGNING" }, session)) return;
        // It is free again where the other assignment fails.
        throw passing("STATE_CONFLICT", "the credit has just been given to somebody");
      },
      async ended(tenantId, { subjectId = "", accountId }, ending, session) {
        const change = isDone(ending) ? { status: "ASSIGNED" as const, accountId } : { status: "UNMATCHED" as const };
        await deps.store.forTenant(tenantId).moveCredit(subjectId, "ASSIGNING", change, session);
      },
    },
    REFUND: {
      operation: "",
      answer: () => new Uint8Array(),
      async refused(tenantId, { movementId, verdict, subjectId = "", interactionId }) {
        const wallet = deps.store.forTenant(tenantId);
        const refund = there(await wallet.findRefund(subjectId));
        const payment = there(await wallet.findPayment(refund.paymentId));
        const isFromWallet = payment.plan?.transfers.some(({ kind }) => kind === "wallet_transfer") === true;
        if (!isFromWallet || verdict === "PASS") return;
        const { payeeCustomerId: customerId } = there(payment.plan);
        const { refusal } = await deps.moves.ask({ customerId, kind: "REFUND_GIVEN" }, { tenantId, interactionId });
        // Stored before it is posted: who drives it on later, or beside this one, goes by the same, whoever was blocked since.
        const decided = await wallet.decideMovement(movementId, refusal === undefined ? "PASS" : "REFUSE");
        return decided === "REFUSE" ? (refusal ?? refusedNeutrally()) : undefined;
      },
      async ended(tenantId, { subjectId = "", subjectMinor = 0n }, ending, session) {
        const wallet = deps.store.forTenant(tenantId);
        const refund = await wallet.findRefund(subjectId, session);
        const change = isDone(ending)
          ? { status: "DONE" as const }
          : { status: "FAILED" as const, failure: ending.refusal.code };
        await wallet.moveRefund(subjectId, "POSTING", change, session);
        await wallet.endRefund(there(refund).paymentId, subjectMinor, ending.status, session);
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
        throw passing("STATE_CONFLICT", "cash is moving through the till; count it anew");
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
      const { subjectId = "", subjectMinor = 0n, createdBy, tillMostMinor } = movement;
      const wallet = store.forTenant(tenantId);
      if (await wallet.beginCash(subjectId, createdBy, subjectMinor, session, tillMostMinor)) return;
      const status = (await wallet.findTill(subjectId, session))?.status;
      if (status !== "OPEN") throw notOpen(status);
      if (subjectMinor > 0n) throw new Refusal("AMOUNT_OUT_OF_LIMITS", "the till has no room for so much");
      throw new Refusal("STATE_CONFLICT", "the till has not so much cash");
    },
    async ended(
      tenantId: string,
      { subjectId = "", subjectMinor = 0n, cashInId }: Movement,
      ending: MovementEnding,
      session: Parameters<TenantStore["beginCash"]>[3],
    ) {
      const wallet = store.forTenant(tenantId);
      await wallet.endCash(subjectId, isDone(ending) ? 0n : -subjectMinor, session);
      if (cashInId === undefined) return;
      const change = isDone(ending)
        ? { status: "DONE" as const }
        : { status: "FAILED" as const, failure: ending.refusal.code };
      await wallet.moveCashIn(cashInId, "POSTING", change, session);
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
        CashInResponse.encode({ ...shown(movement, creditBalanceMinor, postedAt), cashIn: undefined }).finish(),
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
  compliance: Pick<Compliance, "checkWalletPayment">,
  clock: Clock,
): Pick<Record<MovementKind, MovementRules>, "HOLD" | "HOLD_CONFIRMATION" | "HOLD_RELEASE"> {
  const holdOver = (refusal: Refusal): Refusal =>
    pendingDecisions.has(refusal.code) ? new Refusal("HOLD_NOT_OPEN", "the hold is over") : refusal;
  const ends = (to: "CONFIRMING" | "RELEASING", done: "CONFIRMED" | "RELEASED") => ({
    decisions: pendingDecisions,
    told: holdOver,
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
      const wallet = store.forTenant(tenantId);
      const { confirmedMinor } = there(hold);
      const more = isDone(ending) && confirmedMinor !== undefined ? { confirmedMinor } : {};
      if (!(await wallet.moveHold(subjectId, to, isDone(ending) ? done : "EXPIRED", session, more))) return;
      await giveBackToDay(wallet, givenBackBy(there(hold), more.confirmedMinor), session);
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
      // Decided once, and now, for when it is confirmed: then only the two customers' statuses count.
      async refused(tenantId, { hold, interactionId }, pass) {
        const { holdId: paymentId, customerId, payeeCustomerId, amount } = there(hold);
        const kind = "MOVE_KIND_HOLD" as const;
        const asked = { paymentId, customerId, payeeCustomerId, amount: moneyToWire(amount), kind };
        const call = outgoing({ tenantId, interactionId, ...deadlineOf(pass) });
        const answer = await compliance.checkWalletPayment(asked, call).catch((error: unknown) => {
          throw decisionOr(error, new Set(), "a check of a hold");
        });
        return answer.approved ? undefined : complianceRefusal(answer);
      },
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
