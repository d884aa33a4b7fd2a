import { CloseTillRequest, CloseTillResponse, type TillServiceDefinition } from "../../../proto/gen/wallet/v1/tills.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, money } from "../../kernel/money.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { amountChangeOf } from "../../platform/approvals/approval-changes.js";
import { stillRefused } from "../../platform/approvals/approvals.js";
import { unexplained, type TillCount } from "../domain/till-count.js";
import { notOpen, type Till, type TillClosing } from "../domain/till.js";
import { rowKinds } from "../row-kinds.js";
import { notAsCounted } from "../sagas/till-cash.js";
import { countedFromWire, tillToWire, type Counted } from "../wire/tills.js";
import { readableTill } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { decideDifference } from "./differences.js";
import { requestIdOf } from "../../platform/approvals/request-id.js";
import { runMovement } from "./run-movement.js";
import { countOf, plannedClosing } from "./till-counting.js";
import { unaskedRow } from "./unasked-row.js";

const operation = "wallet.v1.CloseTill";

/** A till that is to be closed as it was counted. */
interface WantedClosing {
  readonly till: Till;
  readonly counted: Counted;
  readonly reason: string | undefined;
  /** User id: whoever holds it, or a manager for them. */
  readonly countedBy: string;
}

/** Tills that are counted and closed, by their holders alone, or with a second person. */
export function tillClosingHandlers(deps: WalletDeps) {
  return {
    /**
     * Refuses TILL_NOT_OPEN, STATE_CONFLICT while cash moves through it, DIFFERENCE_UNEXPLAINED.
     * Where its holder is above the tenant's amount in that business day it waits for a manager,
     * and takes and gives nothing meanwhile. What a manager has counted for somebody else always
     * waits for a second one, who is not the holder.
     */
    async closeTill(request, call) {
      const till = await readableTill(deps.store, request.tillId, call);
      const { cashierId: userId, currency } = till;
      const countedBy = requireUser(call).userId;
      const isOwn = countedBy === userId;
      const counted = countedFromWire(request, currency);
      const reason = reasonFromWire(request.reason, "reason", { mayBeEmpty: isOwn }) || undefined;
      const wanted = { till, counted, reason, countedBy };
      if (!isOwn) return requestClosing(deps, request, wanted, call);
      const { isAbove, spends } = await decideDifference(
        deps,
        { userId, currency },
        counted.minor - till.expectedMinor,
        call,
      );
      if (till.status === "WAITING" || (till.status === "OPEN" && isAbove && reason !== undefined)) {
        return requestClosing(deps, request, wanted, call);
      }
      return runMovement<CloseTillRequest, CloseTillResponse>(deps, {
        operation,
        request,
        requestType: CloseTillRequest,
        response: CloseTillResponse,
        call,
        plan: async () => {
          if (till.status !== "OPEN") return notOpen(till.status);
          const count = closingCount(deps, wanted);
          await checkCount(deps, wanted, count, call);
          const { countedMinor, differenceMinor } = count;
          return { ...plannedClosing(deps.clock, { ...till, countedMinor, differenceMinor }, reason), count, spends };
        },
      });
    },
  } satisfies Partial<Handlers<TillServiceDefinition>>;
}

/** As it is kept. */
const closingCount = (deps: WalletDeps, { till, counted, reason, countedBy }: WantedClosing): TillCount => ({
  ...countOf(deps, till, counted, countedBy),
  isClosing: true,
  ...(reason !== undefined && { reason }),
});

/**
 * Keeps a count that is refused too, so that nobody finds out by trying what should be in the till.
 * Throws DIFFERENCE_UNEXPLAINED, which no key keeps: the reason comes under the same one.
 */
async function checkCount(
  deps: WalletDeps,
  { till, counted, reason }: WantedClosing,
  count: TillCount,
  call: Call,
): Promise<void> {
  const { currency, tillId, cashierId } = till;
  deps.ceilings.checkSum(money(counted.minor, currency));
  const refusal = unexplained(money(count.differenceMinor, currency), reason);
  if (refusal === undefined) return;
  const wallet = deps.store.forTenant(call.tenantId);
  await deps.store.transaction(
    async (session) => {
      if ((await wallet.countTill(tillId, cashierId, counted.minor, session)) === undefined) return;
      await wallet.insertTillCount(count, session);
    },
    async () => undefined,
  );
  throw refusal;
}

/**
 * Keeps the count, stops the till and asks a manager; it is open again where nobody comes to ask.
 * A repeated request asks again: identity knows the key. Refuses as identity does: then the till is
 * open again, and a repeat is refused as well.
 */
async function requestClosing(
  deps: WalletDeps,
  request: CloseTillRequest,
  wanted: WantedClosing,
  call: Call,
): Promise<CloseTillResponse> {
  const { currency, tillId, cashierId } = wanted.till;
  const closingId = requestIdOf(request.idempotencyKey, tillId, call);
  const stored = await stop(deps, request, { ...wanted, closingId }, call);
  // Its first try went through without an approval.
  if (stored.till?.status !== "WAITING") return stored;
  deps.crashPoint("wallet.till-closing.kept");
  const wallet = deps.store.forTenant(call.tenantId);
  const before = (await wallet.findTill(tillId))?.closing;
  const isUnasked = before?.status === "FAILED" && before.approvalId === undefined;
  if (before?.closingId === closingId && isUnasked) throw stillRefused(before.failure ?? "");
  const { countedMinor = 0n, expectedMinor = 0n, differenceMinor = 0n, reason } = stored.till;
  const text = (minor: bigint) => `${formatMoney(money(minor, currency))} ${currency}`;
  const question = {
    idempotencyKey: `wallet-till-closing:${closingId}`,
    kind: "TILL_CLOSING" as const,
    subject: `till:${tillId}`,
    summary: `Till of ${cashierId} with ${text(countedMinor)} where ${text(expectedMinor)} should be`,
    // Without an amount none is small enough for one person, as what somebody else counted is not.
    ...(wanted.countedBy === cashierId
      ? { amount: money(differenceMinor < 0n ? -differenceMinor : differenceMinor, currency) }
      : { concernedUserId: cashierId }),
    reason,
    payload: { tillId, closingId },
    changes: amountChangeOf("till", expectedMinor, countedMinor, currency),
  };
  const { approvalId } = await deps.approvals.askAndNote(call, question, (noted) =>
    "approvalId" in noted
      ? wallet.moveClosing(tillId, { closingId, status: "WAITING", approvalId: noted.approvalId }, {})
      : wallet.moveClosing(tillId, { closingId, status: "FAILED", failure: noted.refusedBecause }, { status: "OPEN" }),
  );
  return { till: { ...stored.till, approvalId } };
}

function stop(
  deps: WalletDeps,
  request: CloseTillRequest,
  wanted: WantedClosing & { closingId: string },
  call: Call,
): Promise<CloseTillResponse> {
  const { till, counted, reason, closingId } = wanted;
  const wallet = deps.store.forTenant(call.tenantId);
  return deps.runOnce<CloseTillRequest, CloseTillResponse>({
    operation,
    request,
    requestType: CloseTillRequest,
    response: CloseTillResponse,
    call,
    work: async (session) => {
      if (till.status !== "OPEN") throw notOpen(till.status);
      deps.ceilings.checkSum(money(counted.minor, till.currency));
      const { tillId, expectedMinor } = till;
      const count = closingCount(deps, wanted);
      const waiting = {
        status: "WAITING" as const,
        // What somebody else counted shows its holder nothing.
        ...(wanted.countedBy === till.cashierId && { isCounted: true as const }),
        countedMinor: counted.minor,
        differenceMinor: count.differenceMinor,
        ...(reason !== undefined && { reason }),
        closing: { closingId, status: "WAITING" } satisfies TillClosing,
      };
      if (!(await wallet.moveTill(tillId, { status: "OPEN", moving: 0, expectedMinor }, waiting, session))) {
        throw await notAsCounted(wallet, till, session);
      }
      await wallet.insertTillCount(count, session);
      const row = unaskedRow(call, rowKinds.forgetUnaskedClosing, `till-closing:${closingId}`, { tillId, closingId });
      await deps.outbox.add(row, session);
      return { till: tillToWire({ ...till, ...waiting }) };
    },
  });
}
