import type { ClientSession } from "mongoose";
import type { Call } from "../../kernel/grpc/context.js";
import type { EffectLog } from "../../platform/approvals/approval-effects.js";
import type { ApprovalOutcome, OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { accountEffects, linesOf } from "../domain/account-effects.js";
import { balanceMinor } from "../domain/planning.js";
import { aboveOwed, type Settlement } from "../domain/settlement.js";
import { settlementTransfers } from "../domain/settlement-transfers.js";
import { addReversal, addStep, refuseSettlement } from "../sagas/settlement-endings.js";
import type { LedgerDeps } from "./deps.js";

type OutcomeDeps = Pick<LedgerDeps, "store" | "settlements" | "outbox" | "clock">;
/** In the transaction that remembers the outcome. */
interface Told {
  readonly outcome: ApprovalOutcome;
  readonly session: ClientSession;
  readonly call: Call;
  readonly effects: EffectLog;
}

/**
 * What a second person decided of a settlement or of its reversal: a row posts it, or it is over.
 */
export function settlementOutcome(deps: OutcomeDeps): OutcomeHandler {
  return async (outcome, session, call, effects) => {
    const { payload, subject } = outcome;
    const settlement = await deps.settlements.forTenant(call.tenantId).find(String(payload["settlementId"]), session);
    const told = { outcome, session, call, effects };
    const isDone =
      settlement !== undefined &&
      (typeof payload["reversalId"] === "string"
        ? await reversalDecided(deps, settlement, payload["reversalId"], told)
        : await proposalDecided(deps, settlement, told));
    if (!isDone && outcome.status === "APPROVED") effects.add({ kind: "NOTHING_DONE", subject });
  };
}

/** False where nothing is posted for it. */
async function proposalDecided(deps: OutcomeDeps, settlement: Settlement, told: Told): Promise<boolean> {
  const { outcome, session, call, effects } = told;
  const { settlementId, status, accountId, amount, isPrefund, decidedBy } = settlement;
  if ((status !== "PROPOSED" && status !== "PROPOSING") || decidedBy !== undefined) return false;
  if (outcome.status !== "APPROVED") {
    await refuseSettlement(deps, settlement, { refusal: notApproved(outcome), isDecided: true }, call, session);
    return false;
  }
  const [account] = await deps.store.forTenant(call.tenantId).findAccounts([accountId], session);
  if (account === undefined) throw new Error(`account ${accountId} is gone`);
  const owedMinor = balanceMinor(account);
  if (!isPrefund && amount.minor > owedMinor) {
    const { code, message } = aboveOwed(settlement, owedMinor);
    const refusal = { code: code as "ABOVE_OWED", message };
    await refuseSettlement(deps, settlement, { refusal, isDecided: true }, call, session);
    return false;
  }
  const change = { decidedBy: outcome.decidedBy, ...(status === "PROPOSED" && { status: "APPROVED" as const }) };
  await deps.settlements.forTenant(call.tenantId).move(settlementId, status, change, session);
  await addStep(deps.outbox, "post", { settlementId, actor: outcome.decidedBy }, call, session);
  effects.add(...accountEffects(linesOf(settlementTransfers(settlement, account.info))));
  return true;
}

/** False where nothing is reversed for it. */
async function reversalDecided(
  deps: OutcomeDeps,
  settlement: Settlement,
  reversalId: string,
  { outcome, session, call, effects }: Told,
): Promise<boolean> {
  const { settlementId, reversal, accountId } = settlement;
  if (reversal?.reversalId !== reversalId || reversal.status !== "PROPOSED") return false;
  const ofTenant = deps.settlements.forTenant(call.tenantId);
  if (outcome.status !== "APPROVED") {
    const change = { ...reversal, status: "REFUSED" as const, refusal: notApproved(outcome) };
    await ofTenant.moveReversal(settlementId, "PROPOSED", change, session);
    return false;
  }
  const change = { ...reversal, status: "APPROVED" as const, decidedBy: outcome.decidedBy };
  if (!(await ofTenant.moveReversal(settlementId, "PROPOSED", change, session))) return false;
  await addReversal(deps.outbox, { settlementId, reversalId, actor: outcome.decidedBy }, call, session);
  const [account] = await deps.store.forTenant(call.tenantId).findAccounts([accountId], session);
  const back = settlementTransfers(settlement, account!.info).map((transfer) => ({
    ...transfer,
    debitAccountId: transfer.creditAccountId,
    creditAccountId: transfer.debitAccountId,
  }));
  effects.add(...accountEffects(linesOf(back)));
  return true;
}

function notApproved({ status, decidedBecause }: ApprovalOutcome) {
  return { code: "NOT_APPROVED" as const, message: decidedBecause || status };
}
