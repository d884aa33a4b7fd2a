import type { Clock } from "../../shared/clocks/clock.js";
import type { Outbox, RelayContext, RowHandler } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import type { BankConnector, BankTransfer } from "../clients/bank-connector.js";
import { giveBackToDay } from "../store/day-limit.js";
import type { DayPart } from "../domain/limits.js";
import { ownAccount, type PayableItem, type PayableStatus } from "../domain/payable.js";
import type { Payment } from "../domain/payment.js";
import { bankSettlement, suspense } from "../domain/transfers.js";
import { transfersOfWithdrawal, type WithdrawalStep } from "../domain/withdrawal.js";
import type { Moves } from "../clients/moves.js";
import { paymentRows } from "./payment.js";
import type { Posting } from "../clients/posting.js";
import type { WalletStore } from "../store/index.js";

/** Kinds of outbox rows that take paid withdrawals to the bank, and look for what it sends back. */
export const withdrawalRows = { drive: "drive-withdrawal", watch: "watch-withdrawal" } as const;

export interface WithdrawalDeps {
  store: WalletStore;
  posting: Posting;
  moves: Moves;
  bank: Pick<BankConnector, "transfer" | "findTransfer">;
  outbox: Pick<Outbox, "add">;
  clock: Clock;
  crashPoint: (name: string) => void;
}

export type Withdrawals = ReturnType<typeof createWithdrawals>;

// A bank that sends money back does so within weeks, mostly within days.
const watchForMs = 30 * 86_400_000;
const watchAtMostEveryMs = 6 * 3_600_000;
const askAtMostEveryMs = 15 * 60_000;
// Neutral: the customer reads it.
const stopped: BankTransfer = { status: "REFUSED", reason: "stopped before the bank was asked" };

/**
 * Money on its way from a wallet to a bank account. SENDING is stored with the payment, before the bank is first asked; what it does
 * not say is never a refusal. Right before that first question the customer's status is asked once more. One key of the ledger, `withdrawal:<id>:clear`, decides between paid out and given back.
 */
export function createWithdrawals({ store, posting, moves, bank, outbox, clock, crashPoint }: WithdrawalDeps) {
  async function ask(tenantId: string, item: PayableItem, signal: AbortSignal): Promise<BankTransfer> {
    const { payableId: reference, bankAccountId = "", currency, principalMinor } = item;
    const known = await bank.findTransfer(reference, { tenantId, signal });
    if (known !== undefined) return known;
    const to = await store.forTenant(tenantId).findBankAccount(bankAccountId);
    if (to === undefined) throw new Error(`withdrawal ${reference} goes to a bank account that is not there`);
    const amount = { minor: principalMinor, currency };
    return bank.transfer({ reference, amount, to, narration: item.description || "Withdrawal" }, { tenantId, signal });
  }

  async function post(tenantId: string, item: PayableItem, payment: Payment, step: WithdrawalStep): Promise<void> {
    const { currency } = item;
    const accounts = [
      ownAccount("withdrawal_clearing", currency, "Withdrawals on their way"),
      bankSettlement(currency),
      suspense(currency),
    ];
    await posting.ensureAccounts(tenantId, payment, accounts, {});
    const posted = await posting.post(tenantId, payment, transfersOfWithdrawal(item, payment.accountId, step), {});
    if (!(posted instanceof Refusal)) return;
    const isWalletsFault = posted.code === "ACCOUNT_CLOSED" || posted.code === "AMOUNT_TOO_LARGE";
    if (!isWalletsFault || step === "SETTLED") {
      throw new Error(`withdrawal ${item.payableId} cannot be booked ${step}: ${posted.code}`);
    }
    // The wallet was closed meanwhile, or is full: staff finds the money in suspense.
    const aside = transfersOfWithdrawal(item, suspense(currency).accountId, step, ":suspense");
    const second = await posting.post(tenantId, payment, aside, {});
    if (second instanceof Refusal) throw new Error(`withdrawal ${item.payableId} has nowhere to go: ${second.code}`);
  }

  /** Moves the item on, closes the row and adds what follows, in one commit. */
  async function move(
    row: Parameters<RowHandler>[0],
    complete: RelayContext["complete"],
    change: {
      to?: PayableStatus;
      from: PayableStatus;
      reason?: string;
      isRefunded?: boolean;
      givenBack?: DayPart | undefined;
    },
    next?: { kind: string; inMs: number; until?: Date },
  ): Promise<void> {
    const { tenantId, aggregate, seq, interactionId, actor } = row;
    const { payableId = "", paymentId = "" } = row.payload as { payableId?: string; paymentId?: string };
    const wallet = store.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        if (change.to !== undefined) {
          const isMoved = await wallet.movePayable(payableId, change.from, change.to, session, change.reason);
          if (isMoved) await giveBackToDay(wallet, change.givenBack, session);
        }
        if (change.isRefunded === true) await wallet.refundWhole(paymentId, session);
        await complete(session);
        if (next !== undefined) {
          const dueAt = new Date(clock.now().getTime() + next.inMs);
          const payload = { payableId, paymentId, tries: triesOf(row) + 1, ...(next.until && { until: next.until }) };
          const added = { tenantId, aggregate, seq: seq + 1, kind: next.kind, payload, interactionId, actor, dueAt };
          await outbox.add(added, session);
        }
        return true;
      },
      async () => undefined,
    );
  }

  const drive: RowHandler = async (row, { complete, signal }) => {
    const { item, payment } = await load(row);
    if (item.status !== "SENDING") return;
    const isStopped = await isStoppedFirst(row, item, payment);
    crashPoint("wallet.withdrawal.decided");
    const said = isStopped ? stopped : await ask(row.tenantId, item, signal);
    crashPoint("wallet.withdrawal.asked");
    if (said.status === "ACCEPTED") {
      const inMs = Math.min(askAtMostEveryMs, 500 * 2 ** Math.min(triesOf(row), 12));
      return move(row, complete, { from: "SENDING" }, { kind: withdrawalRows.drive, inMs });
    }
    const isRefused = said.status === "REFUSED";
    await post(row.tenantId, item, payment, isRefused ? "REFUSED" : "SETTLED");
    crashPoint("wallet.withdrawal.posted");
    if (isRefused) {
      const { accountId, spentOn, total: amount } = payment;
      const givenBack = spentOn === undefined ? undefined : { accountId, day: spentOn, amount };
      const { reason } = said;
      const change = { from: "SENDING", to: "REFUSED", reason, isRefunded: true, givenBack } as const;
      // Nothing left: compliance's limit of the day is free again as the wallet's is.
      return move(row, complete, change, { kind: paymentRows.freeLimit, inMs: 0 });
    }
    const until = new Date(clock.now().getTime() + watchForMs);
    await move(row, complete, { from: "SENDING", to: "SENT" }, { kind: withdrawalRows.watch, inMs: 1_000, until });
    crashPoint("wallet.withdrawal.ended");
  };

  /** Nothing leaves for who was blocked since they paid. Its document says for good which of the two came first. */
  async function isStoppedFirst(row: Parameters<RowHandler>[0], item: PayableItem, { customerId }: Payment) {
    const { tenantId, interactionId } = row;
    if (item.sending !== undefined) return item.sending === "STOPPED";
    const { refusal } = await moves.ask({ customerId, kind: "WITHDRAWAL" }, { tenantId, interactionId });
    const sending = refusal === undefined ? "ASKED" : "STOPPED";
    return (await store.forTenant(tenantId).decideSending(item.payableId, sending)) === "STOPPED";
  }

  const watch: RowHandler = async (row, { complete, signal }) => {
    const { item, payment } = await load(row);
    if (item.status !== "SENT") return;
    const said = await bank.findTransfer(item.payableId, { tenantId: row.tenantId, signal });
    if (said?.status !== "RETURNED") {
      const { until } = row.payload as { until?: Date };
      if (until !== undefined && until <= clock.now()) return;
      const inMs = Math.min(watchAtMostEveryMs, 1_000 * 2 ** Math.min(triesOf(row), 15));
      const next = { kind: withdrawalRows.watch, inMs, ...(until === undefined ? {} : { until }) };
      return move(row, complete, { from: "SENT" }, next);
    }
    await post(row.tenantId, item, payment, "RETURNED");
    crashPoint("wallet.withdrawal.returned");
    await move(row, complete, { from: "SENT", to: "RETURNED", reason: said.reason, isRefunded: true });
  };

  async function load({ tenantId, payload }: Parameters<RowHandler>[0]) {
    const { payableId = "", paymentId = "" } = payload as { payableId?: string; paymentId?: string };
    const wallet = store.forTenant(tenantId);
    const [item, payment] = [await wallet.findPayable(payableId), await wallet.findPayment(paymentId)];
    if (item === undefined || payment === undefined) throw new Error(`withdrawal ${payableId} is not there`);
    return { item, payment };
  }

  return { drive, watch };
}

function triesOf({ payload }: Parameters<RowHandler>[0]): number {
  return Number((payload as { tries?: number }).tries ?? 0);
}
