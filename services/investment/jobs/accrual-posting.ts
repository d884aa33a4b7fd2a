import type { Money } from "../../kernel/money.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Posting } from "../clients/posting.js";
import { accrualTransfer } from "../domain/transfers.js";

export interface AccrualPayload {
  readonly batchId: string;
  readonly date: string;
  /** The tenant's time when it was counted. */
  readonly at: Date;
  readonly amounts: readonly Money[];
}

/** Posts what a batch earned; its keys decide once, so it may run again from any point. */
export function createAccrualPosting(deps: { posting: Posting; crashPoint: (name: string) => void }): RowHandler {
  const { posting, crashPoint } = deps;
  return async (row, { signal }) => {
    const { batchId, date, at, amounts } = row.payload as unknown as AccrualPayload;
    const call = { tenantId: row.tenantId, interactionId: row.interactionId, createdBy: row.actor, signal };
    for (const { currency } of amounts) await posting.ensureAccounts(currency, call);
    const groups = amounts.map((amount) => [accrualTransfer(batchId, amount, date, at)]);
    const results = await posting.post(groups, call);
    const refused = results.find((result) => result instanceof Refusal);
    if (refused !== undefined) throw refused;
    crashPoint("investment.accrual.posted");
  };
}
