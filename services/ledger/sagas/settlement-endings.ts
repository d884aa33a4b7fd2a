import type { ClientSession, Connection } from "mongoose";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { Settlement, SettlementRefusal } from "../domain/settlement.js";
import { rowKinds } from "../row-kinds.js";
import type { SettlementStore } from "../store/settlements.js";

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

/** Ends one that is not posted; its lines are free soon after. False where it had moved on. */
export async function refuseSettlement(
  { settlements, outbox }: Omit<EndingDeps, "db">,
  { settlementId, status, lineCount, askedBy: actor }: Settlement,
  { refusal, ...more }: Partial<Settlement> & { refusal: SettlementRefusal },
  origin: Origin,
  session: ClientSession,
): Promise<boolean> {
  const change = { ...more, status: "REFUSED" as const, refusal };
  if (!(await settlements.forTenant(origin.tenantId).move(settlementId, status, change, session))) return false;
  const mayHaveLines = lineCount > 0 || status === "PROPOSING";
  if (mayHaveLines) await addStep(outbox, "free", { settlementId, actor }, origin, session);
  return true;
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
