import { createHash } from "node:crypto";
import { outgoing } from "../../kernel/grpc/client.js";
import type { NewRow, Outbox, OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Ledger } from "../clients/neighbours.js";
import type { Posted, Posting } from "../clients/posting.js";
import { agentAccount } from "../domain/agent-accounts.js";
import { linesOfAgentPayment, transfersOfAgentPayment } from "../domain/agent-payment.js";
import {
  differenceInWords,
  linesToCarry,
  noBalances,
  type AgentBalances,
  type AgentPayment,
  type AgentSettlement,
  type AgentStatement,
  type AgentTotals,
} from "../domain/agent-settlement.js";
import { createStatementSums, statementHead, statementLine, statementTail } from "../domain/agent-statement.js";
import { rowKinds } from "../row-kinds.js";
import type { OpenLine } from "../store/agent-lines.js";
import type { WalletStore } from "../store/index.js";
import { agentSettlementEventRow } from "../wire/agent-settlements.js";
import { noteAgentLines } from "./agent-lines.js";
import { bookedDay } from "./booked-day.js";

export interface AgentSettlementDeps {
  store: WalletStore;
  posting: Posting;
  ledger: Pick<Ledger, "getBalance">;
  businessClock: BusinessClock;
  outbox: Pick<Outbox, "add">;
  clock: Clock;
  crashPoint: (name: string) => void;
}

export type AgentSettlements = ReturnType<typeof createAgentSettlements>;

// One transaction's worth: far below what MongoDB writes in the life of one.
const batchLines = 1_000;

/** The row that takes a settlement on from what it is. */
export function agentSettlementRow(
  cause: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  { settlementId, version }: Pick<AgentSettlement, "settlementId" | "version">,
  kind: (typeof rowKinds)[`${"close" | "release" | "pay"}AgentSettlement`],
): NewRow {
  // A close that fails keeps nobody from taking it back.
  const what = kind === rowKinds.releaseAgentSettlement ? "agent-settlement-lines" : "agent-settlement";
  return { ...cause, aggregate: `${what}:${settlementId}`, seq: version, kind, payload: { settlementId } };
}

/** Closes and books settlements of agents behind their requests. */
export function createAgentSettlements(deps: AgentSettlementDeps) {
  const { store, posting, ledger, businessClock, outbox, clock, crashPoint } = deps;
  const commit = <T>(work: Parameters<typeof store.transaction<T>>[0]) =>
    // What was written is read again, and is then nothing to do.
    store.transaction<T>(work, async () => undefined);

  /**
   * Takes what is open of its agent and of days before its end, and closes it once its lines come
   * to what the ledger has: of what has no line yet, a movement is still under way.
   */
  const close: RowHandler = async (row, { signal }) => {
    const wallet = store.forTenant(row.tenantId);
    let after: OpenLine | undefined;
    for (;;) {
      if (signal.aborted) return "later";
      const settlement = await wallet.findAgentSettlement(String(row.payload["settlementId"]));
      if (settlement?.status !== "CLOSING") return undefined;
      const last = await takeLines(settlement, after, row);
      crashPoint("wallet.agent-settlement.lines-taken");
      // Behind the last one it is looked once more from the first: some may have come before it.
      const isMore = last !== undefined || after !== undefined;
      after = last;
      if (isMore) continue;
      const { counted } = settlement;
      if (counted?.taken === settlement.taken && (await waits(settlement, counted, row))) return "later";
      const statement = await statementOf(settlement, row);
      crashPoint("wallet.agent-settlement.counted");
      const { closing, credited, lineCount: taken } = statement;
      // Nothing failed: what it waits for may take a day, and no number of looks is too many.
      if (await waits(settlement, { closing, credited, taken }, row)) return "later";
      await endClosing(settlement, statement, row);
      crashPoint("wallet.agent-settlement.closed");
    }
  };

  /** The last one that is taken; undefined where none was. */
  async function takeLines(
    settlement: AgentSettlement,
    after: OpenLine | undefined,
    { tenantId }: OutboxRow,
  ): Promise<OpenLine | undefined> {
    const { settlementId, taken } = settlement;
    const wallet = store.forTenant(tenantId);
    return commit(async (session) => {
      const open = await wallet.openAgentLines(settlement, after, batchLines, session);
      const last = open.at(-1);
      if (last === undefined) return undefined;
      // Of two that take at once, one looks again at what the other has left.
      if (!(await wallet.noteTaken(settlementId, taken, open.length, session))) return open[0];
      await wallet.takeAgentLines(
        open.map(({ lineId }) => lineId),
        settlementId,
        session,
      );
      return last;
    });
  }

  async function statementOf(settlement: AgentSettlement, { tenantId }: OutboxRow): Promise<AgentStatement> {
    const wallet = store.forTenant(tenantId);
    const { number = 0, settlementId, currency } = settlement;
    const before = number === 1 ? undefined : await wallet.agentSettlementOf(settlement, number - 1);
    const { closing: opening, credited } = before?.statement ?? { closing: noBalances, credited: noBalances };
    const hash = createHash("sha256").update(statementHead(settlement, opening));
    const counted = createStatementSums({ closing: opening, credited });
    for await (const line of wallet.streamSettledLines(settlementId)) {
      counted.add(line);
      hash.update(statementLine(line));
    }
    const sums = counted.sums();
    hash.update(statementTail({ currency, statement: sums }));
    return { opening, ...sums, sha256: hash.digest("hex"), closedAt: clock.now() };
  }

  /**
   * Whether its lines, as they were added up, do not come to what the ledger has, or a hand-out of
   * its days is not booked yet: notes why.
   */
  async function waits(
    settlement: AgentSettlement,
    counted: NonNullable<AgentSettlement["counted"]>,
    row: OutboxRow,
  ): Promise<boolean> {
    const wallet = store.forTenant(row.tenantId);
    // Read before the totals: what is booked in between is in those.
    const unbooked = await wallet.firstUnbookedPickup(settlement);
    const waitsFor =
      unbooked !== undefined && unbooked.businessDay < settlement.to
        ? `PICKUP of ${unbooked.transactionCode} is not booked yet`
        : differenceInWords(counted, await totalsOf(settlement, row));
    if (waitsFor === undefined) return false;
    await wallet.noteWaitsFor(settlement.settlementId, { waitsFor, counted });
    return true;
  }

  /** What the ledger has by the end of its last day. */
  async function totalsOf(settlement: AgentSettlement, row: OutboxRow): Promise<AgentTotals> {
    const effectiveDate = Temporal.PlainDate.from(settlement.to).subtract({ days: 1 }).toString();
    const totals = async (of: keyof AgentBalances): Promise<[closing: bigint, credited: bigint]> => {
      const { accountId } = agentAccount(of, settlement);
      try {
        const found = await ledger.getBalance({ accountId, effectiveDate }, outgoing(row));
        return [found.balanceMinor, (found.creditsPostedMinor ?? 0n) + BigInt(found.rolledOverMinor)];
      } catch (error) {
        if (error instanceof Refusal && error.code === "ACCOUNT_NOT_FOUND") return [0n, 0n];
        throw error;
      }
    };
    const [ACCOUNT, UNSETTLED, COMMISSION] = await Promise.all([
      totals("ACCOUNT"),
      totals("UNSETTLED"),
      totals("COMMISSION"),
    ]);
    const of = (at: 0 | 1): AgentBalances => ({
      ACCOUNT: ACCOUNT[at],
      UNSETTLED: UNSETTLED[at],
      COMMISSION: COMMISSION[at],
    });
    return { closing: of(0), credited: of(1) };
  }

  async function endClosing(settlement: AgentSettlement, statement: AgentStatement, row: OutboxRow): Promise<void> {
    const wallet = store.forTenant(row.tenantId);
    const { settlementId, told } = settlement;
    await commit(async (session) => {
      // It has taken what was counted, and no more.
      if (!(await wallet.noteTaken(settlementId, statement.lineCount, 0, session))) return false;
      const moved = await wallet.movedOpenOf(settlement, session);
      await wallet.carryMoved(moved, session);
      const carried = moved.flatMap(linesToCarry);
      const change = { status: "CLOSED", statement, carried, told: told + 1 } as const;
      const closed = await wallet.moveAgentSettlement(settlement, change, session, ["waitsFor", "counted"]);
      if (closed === undefined) throw new Error(`agent settlement ${settlementId} changed while it was closed`);
      await outbox.add(agentSettlementEventRow(row, "agent_settlement.closed", closed, statement.closedAt), session);
      return true;
    });
  }

  /** Books one that is approved to be paid, whole and once. */
  const pay: RowHandler = async (row) => {
    const { tenantId, interactionId } = row;
    const settlement = await store.forTenant(tenantId).findAgentSettlement(String(row.payload["settlementId"]));
    if (settlement?.status !== "PAYING" || settlement.payment === undefined) return;
    const { payment } = settlement;
    const paying = { ...settlement, payment };
    const { transfers, ownAccounts } = transfersOfAgentPayment(paying);
    let booked: Pick<Posted, "postedAt" | "day"> | undefined;
    if (transfers.length > 0) {
      const origin = { caller: "wallet", idempotencyKey: "", interactionId, createdBy: payment.askedBy };
      await posting.ensureAccounts(tenantId, origin, ownAccounts, {});
      const posted = await posting.post(tenantId, origin, transfers, {});
      if (posted instanceof Refusal) return endPaying(paying, { failure: posted.code }, row);
      booked = posted;
      crashPoint("wallet.agent-settlement.posted");
    }
    const at = booked?.postedAt ?? clock.now();
    const businessDay = booked?.day ?? (await bookedDay(businessClock, tenantId, interactionId, at));
    await endPaying(paying, { at, businessDay }, row);
    crashPoint("wallet.agent-settlement.paid");
  };

  async function endPaying(
    paying: AgentSettlement & { readonly payment: AgentPayment },
    ending: { at: Date; businessDay: string } | { failure: string },
    row: OutboxRow,
  ): Promise<void> {
    const wallet = store.forTenant(row.tenantId);
    const { payment, told } = paying;
    await commit(async (session) => {
      if ("failure" in ending) {
        const change = { status: "APPROVED" as const, payment: { ...payment, ...ending } };
        return wallet.moveAgentSettlement(paying, change, session);
      }
      const { at } = ending;
      const change = { status: "PAID", payment: { ...payment, paidAt: at }, told: told + 1 } as const;
      const paid = await wallet.moveAgentSettlement(paying, change, session);
      // Another driver was first, and has kept the lines.
      if (paid === undefined) return undefined;
      await noteAgentLines(deps, row, linesOfAgentPayment(paying, ending), session);
      await outbox.add(agentSettlementEventRow(row, "agent_settlement.paid", paid, at), session);
      return paid;
    });
  }

  /** Gives back what a cancelled one has taken: its lines are open for another one. */
  const release: RowHandler = async (row, { signal }) => {
    const wallet = store.forTenant(row.tenantId);
    const settlementId = String(row.payload["settlementId"]);
    while (await commit((session) => wallet.releaseAgentLines(settlementId, batchLines, session))) {
      if (signal.aborted) return "later";
      crashPoint("wallet.agent-settlement.lines-released");
    }
    await wallet.noteReleased(settlementId);
    return undefined;
  };

  return { close, pay, release };
}
