import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { parseDay } from "../domain/days.js";
import type { LedgerDeps } from "./deps.js";

/** Opens the days from one on again, once two people wanted it. */
export function reopeningOutcome({ periods }: Pick<LedgerDeps, "periods">): OutcomeHandler {
  return async ({ approvalId, status, payload, decidedAt }, session, call, effects) => {
    if (status !== "APPROVED") return;
    const fromDate = String(payload["fromDate"]);
    effects.add({ kind: "PERIOD_REOPENED", subject: `period:${fromDate}` });
    const by = { supersededBy: approvalId, supersededAt: decidedAt };
    await periods.forTenant(call.tenantId).reopen(parseDay(fromDate)!, by, session);
  };
}
