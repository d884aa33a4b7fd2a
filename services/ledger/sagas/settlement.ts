import type { ClientSession, Connection } from "mongoose";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { Outbox, OutboxRow, RelayContext, RowHandler } from "../../kernel/outbox/index.js";
import { isRefusalCode } from "../../kernel/refusal.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { NewTransfer } from "../domain/model.js";
import { ownAccount } from "../domain/own-accounts.js";
import { aboveOwed, type Settlement, type SettlementRefusal } from "../domain/settlement.js";
import { accountsNeeded, reversalTransfers, settlementTransfers } from "../domain/settlement-transfers.js";
import type { OwnPosting } from "../journal/own-posting.js";
import type { LedgerStore } from "../store/index.js";
import type { SettlementStore } from "../store/settlements.js";
import { settlementEventRow } from "../wire/event-rows.js";
import { addStep, giveUpSettlement, refuseSettlement } from "./settlement-endings.js";

export interface SettlementSagaDeps {
  readonly db: Connection;
  readonly store: LedgerStore;
  readonly settlements: SettlementStore;
  readonly ownPosting: OwnPosting;
  readonly outbox: Pick<Outbox, "add">;
  readonly clock: Clock;
}

const toldAs = { POSTED: "settlement.posted", REVERSED: "settlement.reversed" } as const;

/** How rows go on with what was approved; each may run again: keys in the journal decide once. */
export function createSettlementSaga(deps: SettlementSagaDeps) {
  const { db, store, settlements, ownPosting, clock } = deps;

  async function known({ tenantId, payload }: OutboxRow): Promise<Settlement> {
    const settlementId = String(payload["settlementId"]);
    const found = await settlements.forTenant(tenantId).find(settlementId);
    if (found === undefined) throw new Error(`settlement ${settlementId} is gone`);
    return found;
  }

  /** Posts one linked group; what it is refused for is an answer, too. */
  async function posted(
    { tenantId, interactionId }: OutboxRow,
    transfers: NewTransfer[],
    { decidedBy = "ledger" }: { readonly decidedBy?: string | undefined },
    { signal }: RelayContext,
  ) {
    const [result] = await ownPosting.post(tenantId, [{ transfers, createdBy: decidedBy, interactionId }], { signal });
    if (result?.posted === undefined && result?.refused === undefined) throw new Error("the journal decided nothing");
    return result;
  }

  /** The change and the row's end in one commit; nothing where another run was first. */
  async function commit(context: RelayContext, work: (session: ClientSession) => Promise<unknown>) {
    await inTransaction(
      db,
      async (session) => {
        await work(session);
        await context.complete(session);
        return true;
      },
      { readBack: async () => undefined },
    );
  }

  /** With the event that tells it; false where it had moved on. */
  async function moved(
    row: OutboxRow,
    settlement: Settlement,
    change: Partial<Settlement> & { status: keyof typeof toldAs },
    session: ClientSession,
  ): Promise<boolean> {
    const { settlementId, status } = settlement;
    const isFirst = await settlements.forTenant(row.tenantId).move(settlementId, status, change, session);
    const told = settlementEventRow(row, toldAs[change.status], { ...settlement, ...change }, clock.now());
    if (isFirst) await deps.outbox.add(told, session);
    return isFirst;
  }

  const post: RowHandler = async (row, context) => {
    const settlement = await known(row);
    if (settlement.status !== "APPROVED") return;
    const { accountId } = settlement;
    const tenant = store.forTenant(row.tenantId);
    const [account] = await tenant.findAccounts([accountId]);
    if (account === undefined) throw new Error(`account ${accountId} is gone`);
    const needed = accountsNeeded(settlement).map((one) => ownAccount(one, clock.now()));
    await tenant.ensureAccounts(needed);
    crashPoint("ledger.settlement.accounts-made");
    const transfers = settlementTransfers(settlement, account.info);
    const result = await posted(row, transfers, settlement, context);
    crashPoint("ledger.settlement.posted");
    await commit(context, (session) => {
      if (result.refused) {
        const refusal = refusalOf(settlement, transfers, result.refused);
        return refuseSettlement(deps, settlement, { refusal }, row, session);
      }
      const transferKeys = transfers.map(({ key }) => key);
      return moved(row, settlement, { status: "POSTED", transferKeys, postedAt: clock.now() }, session);
    });
  };

  const reverse: RowHandler = async (row, context) => {
    const settlement = await known(row);
    const { settlementId, reversal, transferKeys = [], lineCount, askedBy: actor } = settlement;
    if (reversal === undefined || reversal.reversalId !== row.payload["reversalId"]) return;
    if (reversal.status !== "APPROVED") return;
    const transfers = reversalTransfers(settlement, transferKeys);
    const result = await posted(row, transfers, reversal, context);
    crashPoint("ledger.settlement.reversed");
    const ofTenant = settlements.forTenant(row.tenantId);
    await commit(context, async (session) => {
      if (result.refused) {
        const refusal = refusalOf(settlement, [], result.refused);
        const change = { ...reversal, status: "REFUSED" as const, refusal };
        return ofTenant.moveReversal(settlementId, "APPROVED", change, session);
      }
      const keys = transfers.map(({ key }) => key);
      const done = { ...reversal, status: "POSTED" as const, transferKeys: keys, postedAt: clock.now() };
      const isFirst = await moved(row, settlement, { status: "REVERSED", reversal: done }, session);
      if (isFirst && lineCount > 0) await addStep(deps.outbox, "free", { settlementId, actor }, row, session);
      return isFirst;
    });
  };

  const free: RowHandler = async (row) => {
    const { settlementId, accountId, isLiving } = await known(row);
    if (isLiving !== undefined) return;
    const ofTenant = settlements.forTenant(row.tenantId);
    await ofTenant.freeLines(settlementId);
    crashPoint("ledger.settlement.lines-freed");
    const [first] = await ofTenant.linesAfter(settlementId, 0n, 1);
    if (first !== undefined) await ofTenant.lowerMark(accountId, first.seq);
  };

  const forget: RowHandler = async (row) => {
    const { settlementId, reversal } = await known(row);
    const refusal = { code: "UNAVAILABLE" as const, message: "nobody was asked to approve it" };
    const { reversalId } = row.payload;
    if (reversalId === undefined) return giveUpSettlement(deps, row, settlementId, refusal);
    if (reversal === undefined || reversal.reversalId !== reversalId || reversal.approvalId !== undefined) return;
    const change = { ...reversal, status: "REFUSED" as const, refusal };
    await settlements.forTenant(row.tenantId).moveReversal(settlementId, "PROPOSED", change);
  };

  return { post, reverse, free, forget };
}

type Refused = NonNullable<WirePartial<GroupResult>["refused"]>;

/** What the journal refused, in the words of a settlement. */
function refusalOf(
  settlement: Settlement,
  transfers: readonly NewTransfer[],
  { code = "", message = "", transferIndex = 0, availableMinor = 0n }: Refused,
): SettlementRefusal {
  if (code !== "INSUFFICIENT_FUNDS") return { code: isRefusalCode(code) ? code : "STATE_CONFLICT", message };
  // What earlier transfers of the group took from the account was owed as well.
  const { accountId } = settlement;
  const before = transfers
    .slice(0, transferIndex)
    .filter(({ debitAccountId, creditAccountId }) => debitAccountId === accountId || creditAccountId === accountId)
    .reduce((sum, { amount }) => sum + (amount?.minor ?? 0n), 0n);
  const { message: text, details } = aboveOwed(settlement, availableMinor + before);
  return { code: "ABOVE_OWED", message: text, ...(details && { details }) };
}
