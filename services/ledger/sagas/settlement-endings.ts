import type { ClientSession, Connection } from "mongoose";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Settlement, SettlementRefusal } from "../domain/settlement.js";
import { rowKinds } from "../row-kinds.js";
import type { SettlementStore } from "../store/settlements.js";
import { settlementEventRow } from "../wire/event-rows.js";

/** Rows of a settlement run one after the other, in this order. */
const steps = {
  gather: { seq: 1, kind: rowKinds.gatherSettlementLines },
  post: { seq: 2, kind: rowKinds.postSettlement },
  free: { seq: 3, kind: rowKinds.freeSettlementLines },
} as const;

export interface EndingDeps {
  readonly db: Connection;
  readonly settlements: SettlementStore;
  readonly outbox: Pick<Outbox, "add">;
  readonly clock: Clock;
}

export interface Origin {
  readonly tenantId: string;
  readonly interactionId: string;
}

/** The row that goes on with a settlement. */
export async function addStep(
  outbox: Pick<Outbox, "add">,
  step: keyof typeof steps,
  { settlementId, actor }: { settlementId: string; actor: string },
  origin: Origin,
  session: ClientSession,
): Promise<void> {
  const { tenantId, interactionId } = origin;
  const row = { tenantId, interactionId, aggregate: `settlement:${settlementId}`, actor };
  await outbox.add({ ...row, ...steps[step], payload: { settlementId } }, session);
}

/** The row that reverses one. */
export async function addReversal(
  outbox: Pick<Outbox, "add">,
  { settlementId, reversalId, actor }: { settlementId: string; reversalId: string; actor: string },
  { tenantId, interactionId }: Origin,
  session: ClientSession,
): Promise<void> {
  const row = { tenantId, interactionId, aggregate: `settlement-reversal:${reversalId}`, actor, seq: 1 };
  await outbox.add({ ...row, kind: rowKinds.reverseSettlement, payload: { settlementId, reversalId } }, session);
}

/** The row that has nobody approve what is over: identity may be away. */
async function addWithdrawal(
  outbox: Pick<Outbox, "add">,
  { settlementId, askedBy: actor }: Settlement,
  approvalId: string,
  { tenantId, interactionId }: Origin,
  session: ClientSession,
): Promise<void> {
  const row = { tenantId, interactionId, actor, aggregate: `settlement-approval:${settlementId}`, seq: 1 };
  await outbox.add({ ...row, kind: rowKinds.withdrawSettlementApproval, payload: { approvalId } }, session);
}

/**
 * Ends one that is not posted; its lines are free soon after, and its approval is withdrawn where
 * it was not that which ended it. False where it had moved on.
 */
export async function refuseSettlement(
  { settlements, outbox, clock }: Omit<EndingDeps, "db">,
  settlement: Settlement,
  { refusal, isDecided = false }: { refusal: SettlementRefusal; isDecided?: boolean },
  origin: Origin,
  session: ClientSession,
): Promise<boolean> {
  const { settlementId, status, lineCount, askedBy: actor, approvalId, decidedBy } = settlement;
  const change = { status: "REFUSED" as const, refusal };
  if (!(await settlements.forTenant(origin.tenantId).move(settlementId, status, change, session))) return false;
  const mayHaveLines = lineCount > 0 || status === "PROPOSING";
  if (mayHaveLines) await addStep(outbox, "free", { settlementId, actor }, origin, session);
  const waits = approvalId !== undefined && decidedBy === undefined && !isDecided;
  if (waits) await addWithdrawal(outbox, settlement, approvalId, origin, session);
  const after = { ...settlement, ...change };
  await outbox.add(settlementEventRow({ ...origin, actor }, "settlement.refused", after, clock.now()), session);
  return true;
}

/** Notes who decides about one; one that is over meanwhile waits for nobody. */
export async function noteSettlementApproval(
  { db, settlements, outbox }: Omit<EndingDeps, "clock">,
  origin: Origin,
  settlementId: string,
  approvalId: string,
): Promise<void> {
  const ofTenant = settlements.forTenant(origin.tenantId);
  await inTransaction(
    db,
    async (session) => {
      const before = await ofTenant.find(settlementId, session);
      if (before === undefined || before.approvalId !== undefined) return true;
      await ofTenant.noteApproval(settlementId, approvalId, session);
      const isOver = before.status === "REFUSED" && before.refusal?.code !== "NOT_APPROVED";
      if (isOver) await addWithdrawal(outbox, before, approvalId, origin, session);
      return true;
    },
    { readBack: async () => ((await ofTenant.find(settlementId))?.approvalId === undefined ? undefined : true) },
  );
}

/** Ends one that nobody was asked about. */
export async function giveUpSettlement(
  deps: EndingDeps,
  origin: Origin,
  settlementId: string,
  refusal: SettlementRefusal,
): Promise<void> {
  const ofTenant = deps.settlements.forTenant(origin.tenantId);
  await inTransaction(
    deps.db,
    async (session) => {
      const found = await ofTenant.find(settlementId, session);
      const isOpen = found?.status === "PROPOSED" || found?.status === "PROPOSING";
      if (found === undefined || !isOpen || found.approvalId !== undefined) return true;
      return refuseSettlement(deps, found, { refusal }, origin, session);
    },
    { readBack: async () => ((await ofTenant.find(settlementId))?.status === "REFUSED" ? true : undefined) },
  );
}
