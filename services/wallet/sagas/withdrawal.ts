import type { BankConnector, BankTransfer } from "../../platform/banks/bank-connector.js";
import type { PartiesOf } from "../../platform/banks/transfer-parties.js";
import type { Takers } from "../../platform/banks/partners-of-kind.js";
import type { CustomerMoves } from "../../platform/neighbours/customer-moves.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { NewRow, Outbox, RelayContext, RowHandler, RowKind } from "../../kernel/outbox/index.js";
import { PluginGone } from "../../platform/plugins/installed-partners.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Posting } from "../clients/posting.js";
import type { DayPart } from "../domain/wallet-daily-limit.js";
import { ownAccount, type PayableItem, type PayableStatus } from "../domain/payable.js";
import type { Payment } from "../domain/payment.js";
import { bankSettlement, suspense } from "../domain/transfers.js";
import { transfersOfWithdrawal, type WithdrawalStep } from "../domain/withdrawal.js";
import type { WalletStore } from "../store/index.js";
import { releaseDayLimit } from "./wallet-daily-limit.js";
import { rowKinds } from "../row-kinds.js";
import { paymentEventRow } from "../wire/event-rows.js";

export interface WithdrawalDeps {
  store: WalletStore;
  posting: Posting;
  moves: CustomerMoves;
  bank: Pick<BankConnector, "transfer" | "findTransfer">;
  banks: Pick<Takers, "takerOf">;
  /** Who the customer is, as the bank is told it. */
  partiesOf: PartiesOf;
  outbox: Pick<Outbox, "addAll">;
  clock: Clock;
  crashPoint: (name: string) => void;
}

export interface Withdrawals {
  drive: RowHandler;
  watch: RowHandler;
}

type Row = Parameters<RowHandler>[0];

/** One step of the item: its new state, what is given back with it, and the row of what follows. */
interface Step {
  readonly from: PayableStatus;
  readonly to?: PayableStatus;
  readonly reason?: string;
  readonly isRefunded?: boolean;
  readonly givenBack?: DayPart | undefined;
  readonly next?: { kind: RowKind; inMs: number; until?: Date | undefined };
}

// A bank that sends money back does so within weeks, mostly within days.
const watchForMs = 30 * 86_400_000;
const maxWatchPauseMs = 6 * 3_600_000;
const maxAskPauseMs = 15 * 60_000;
// Neutral: the customer reads it.
const stopped: BankTransfer = { status: "REFUSED", reason: "stopped before the bank was asked" };

/**
 * Money on its way from a wallet to a bank account. SENDING is stored with the payment, before the
 * bank is first asked; what it does not say is never a refusal. Right before that first question
 * the customer's status is asked once more. One key of the ledger, `withdrawal:<id>:clear`, decides
 * between paid out and given back.
 */
export function createWithdrawals(deps: WithdrawalDeps): Withdrawals {
  const { clock, crashPoint } = deps;

  const drive: RowHandler = async (row, { complete, signal }) => {
    const { item, payment } = await load(deps, row);
    if (item.status !== "SENDING") return;
    const decided = await decideOnce(deps, row, item, payment);
    crashPoint("wallet.withdrawal.decided");
    const transfer = decided.sending === "STOPPED" ? stopped : await askBank(deps, row, decided, payment, signal);
    crashPoint("wallet.withdrawal.asked");
    if (transfer.status === "ACCEPTED") {
      const inMs = Math.min(maxAskPauseMs, 500 * 2 ** Math.min(triesOf(row), 12));
      return advance(deps, row, complete, { from: "SENDING", next: { kind: rowKinds.driveWithdrawal, inMs } });
    }
    const isRefused = transfer.status === "REFUSED";
    await book(deps, row.tenantId, decided, payment, isRefused ? "REFUSED" : "SETTLED");
    crashPoint("wallet.withdrawal.posted");
    if (isRefused) return advance(deps, row, complete, refusedStep(payment, transfer.reason));
    const until = new Date(clock.now().getTime() + watchForMs);
    const next = { kind: rowKinds.watchWithdrawal, inMs: 1_000, until };
    await advance(deps, row, complete, { from: "SENDING", to: "SENT", next });
    crashPoint("wallet.withdrawal.ended");
  };

  const watch: RowHandler = async (row, { complete, signal }) => {
    const { item, payment } = await load(deps, row);
    if (item.status !== "SENT") return;
    const transfer = await pollAgain(deps, row.tenantId, item, signal);
    // What a bank sends back that is no partner any more, nobody hears of.
    if (transfer === "gone") return;
    if (transfer?.status !== "RETURNED") {
      const { until } = row.payload as { until?: Date };
      if (until !== undefined && until <= clock.now()) return;
      const inMs = Math.min(maxWatchPauseMs, 1_000 * 2 ** Math.min(triesOf(row), 15));
      return advance(deps, row, complete, { from: "SENT", next: { kind: rowKinds.watchWithdrawal, inMs, until } });
    }
    await book(deps, row.tenantId, item, payment, "RETURNED");
    crashPoint("wallet.withdrawal.returned");
    const { reason } = transfer;
    await advance(deps, row, complete, { from: "SENT", to: "RETURNED", reason, isRefunded: true });
  };

  return { drive, watch };
}

async function load({ store }: WithdrawalDeps, row: Row): Promise<{ item: PayableItem; payment: Payment }> {
  const { payableId, paymentId } = idsOf(row);
  const wallet = store.forTenant(row.tenantId);
  const [item, payment] = [await wallet.findPayable(payableId), await wallet.findPayment(paymentId)];
  if (item === undefined || payment === undefined) throw new Error(`withdrawal ${payableId} is not there`);
  return { item, payment };
}

/**
 * Nothing leaves for who was blocked since they paid. Its document says for good which of
 * the two came first, and which bank makes it: that one is asked from then on, whatever
 * the tenant installs meanwhile.
 */
async function decideOnce(
  { store, moves, banks }: WithdrawalDeps,
  row: Row,
  item: PayableItem,
  { customerId }: Payment,
) {
  const { tenantId, interactionId } = row;
  if (item.sending !== undefined) return item;
  const { refusal } = await moves.ask({ customerId, kind: "WITHDRAWAL" }, { tenantId, interactionId });
  const wallet = store.forTenant(tenantId);
  const decided =
    refusal === undefined
      ? await wallet.decideSending(item.payableId, "ASKED", await banks.takerOf(tenantId, interactionId))
      : await wallet.decideSending(item.payableId, "STOPPED");
  if (decided?.sending === undefined) throw new Error(`withdrawal ${item.payableId} is not SENDING any more`);
  return decided;
}

/**
 * What the bank says of it: looked up under our reference first, ordered where it does not know
 * that.
 */
async function askBank(
  { store, bank, partiesOf }: WithdrawalDeps,
  { tenantId, interactionId }: Row,
  item: PayableItem,
  { customerId }: Payment,
  signal: AbortSignal,
): Promise<BankTransfer> {
  const { payableId: reference, bankAccountId = "", currency, principalMinor, partner: at } = item;
  const call = { tenantId, at, signal };
  const known = await bank.findTransfer(reference, call);
  if (known !== undefined) return known;
  const to = await store.forTenant(tenantId).findBankAccount(bankAccountId);
  if (to === undefined) throw new Error(`withdrawal ${reference} goes to a bank account that is not there`);
  const amount = { minor: principalMinor, currency };
  const parties = await partiesOf({ reference, customerId, to }, { tenantId, interactionId });
  return bank.transfer({ reference, amount, to, narration: item.description || "Withdrawal", parties }, call);
}

/** What has become of one that was paid. */
async function pollAgain(
  { bank }: WithdrawalDeps,
  tenantId: string,
  { payableId, partner: at }: PayableItem,
  signal: AbortSignal,
): Promise<BankTransfer | "gone" | undefined> {
  try {
    return await bank.findTransfer(payableId, { tenantId, at, signal });
  } catch (error) {
    if (error instanceof PluginGone) return "gone";
    throw error;
  }
}

/**
 * Posts a step once. What a wallet that was closed meanwhile, or is full, cannot get goes to
 * suspense for staff.
 */
async function book(
  { posting }: WithdrawalDeps,
  tenantId: string,
  item: PayableItem,
  payment: Payment,
  step: WithdrawalStep,
): Promise<void> {
  const { currency, payableId, partner } = item;
  const clearing = ownAccount("withdrawal_clearing", currency, "Withdrawals on their way");
  const accounts = [clearing, bankSettlement(currency, partner), suspense(currency)];
  await posting.ensureAccounts(tenantId, payment, accounts, {});
  const posted = await posting.post(tenantId, payment, transfersOfWithdrawal(item, payment.accountId, step), {});
  if (!(posted instanceof Refusal)) return;
  const isWalletsFault = posted.code === "ACCOUNT_CLOSED" || posted.code === "AMOUNT_TOO_LARGE";
  if (!isWalletsFault || step === "SETTLED") {
    throw new Error(`withdrawal ${payableId} cannot be booked ${step}: ${posted.code}`);
  }
  const aside = transfersOfWithdrawal(item, suspense(currency).accountId, step, ":suspense");
  const second = await posting.post(tenantId, payment, aside, {});
  if (second instanceof Refusal) throw new Error(`withdrawal ${payableId} has nowhere to go: ${second.code}`);
}

/**
 * Nothing left: the wallet's day gets its part back, and compliance's limit of the day is freed by
 * the row that follows.
 */
function refusedStep({ accountId, spentOn, total: amount }: Payment, reason: string): Step {
  const givenBack = spentOn === undefined ? undefined : { accountId, day: spentOn, amount };
  const next = { kind: rowKinds.freeLimit, inMs: 0 };
  return { from: "SENDING", to: "REFUSED", reason, isRefunded: true, givenBack, next };
}

/** Moves the item on, closes the row and adds what follows, in one commit. */
async function advance(
  { store, outbox, clock }: WithdrawalDeps,
  row: Row,
  complete: RelayContext["complete"],
  { from, to, reason, isRefunded = false, givenBack, next }: Step,
): Promise<void> {
  const { tenantId, aggregate, seq, interactionId, actor } = row;
  const { payableId, paymentId } = idsOf(row);
  const wallet = store.forTenant(tenantId);
  await store.transaction(
    async (session) => {
      const isMoved = to !== undefined && (await wallet.movePayable(payableId, from, to, session, reason));
      if (isMoved) await releaseDayLimit(wallet, givenBack, session);
      const refunded = isRefunded ? await wallet.refundWhole(paymentId, session) : undefined;
      await complete(session);
      const rows: NewRow[] = [];
      if (refunded !== undefined) rows.push(paymentEventRow(row, "payment.refunded", refunded, clock.now()));
      if (next !== undefined) {
        const dueAt = new Date(clock.now().getTime() + next.inMs);
        const payload = { payableId, paymentId, tries: triesOf(row) + 1, ...(next.until && { until: next.until }) };
        rows.push({ tenantId, aggregate, seq: seq + 1, kind: next.kind, payload, interactionId, actor, dueAt });
      }
      await outbox.addAll(rows, session);
      return true;
    },
    async () => undefined,
  );
}

function idsOf({ payload }: Row): { payableId: string; paymentId: string } {
  const { payableId = "", paymentId = "" } = payload as { payableId?: string; paymentId?: string };
  return { payableId, paymentId };
}

function triesOf({ payload }: Row): number {
  return Number((payload as { tries?: number }).tries ?? 0);
}
