import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import type { LoanBook } from "../sagas/loan-book.js";
import type { LendingStore } from "../store/index.js";

export interface ResumingDeps {
  store: LendingStore;
  book: Pick<LoanBook, "settle" | "carryOut">;
  businessClock: BusinessClock;
  log: Logger;
}

/**
 * Brings a loan up to today that was set aside, which is one of the others then. Throws where it
 * still cannot be worked.
 */
export function resuming({ store, book, businessClock, log }: ResumingDeps): RowHandler {
  async function resume(tenantId: string, accountId: string, date: string, interactionId: string): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const now = (await businessClock.forTenant(tenantId)).today().toString();
    // Never behind the day that it was set aside on: whoever moved the
    // date may be ahead of this replica.
    const today = now < date ? date : now;
    const cause = { kind: "loan_interest", description: `1 loan to ${today}`, interactionId, createdBy: "lending" };
    await store.transaction(
      async (session) => {
        const loan = await tenant.findLoan(accountId, session);
        // Something else that happened to it has brought it up to a day already.
        if (loan?.setAside === undefined) return true;
        await book.settle(tenantId, loan, today, cause, session);
        return true;
      },
      async () => undefined,
    );
    await book.carryOut(tenantId, accountId);
  }

  return async ({ tenantId, payload, interactionId }) => {
    const accountId = String(payload["accountId"]);
    await resume(tenantId, accountId, String(payload["date"]), interactionId).catch((error: unknown) => {
      leaveRow(log, "accrual", { tenantId, accountId }, error);
      throw error;
    });
  };
}
