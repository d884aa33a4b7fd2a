import type { BankConnector, BankTransfer } from "../../platform/banks/bank-connector.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { PluginGone } from "../../platform/plugins/installed-partners.js";
import { Refusal } from "../../kernel/refusal.js";
import type { LoanBook } from "./loan-book.js";
import type { LendingStore } from "../store/index.js";
import type { Verification } from "./verification.js";

// Banks return what they cannot credit within days.
const watchForMs = 30 * 86_400_000;
const atMostEveryMs = 6 * 3_600_000;
const firstAfterMs = 1_000;

interface Paid extends Record<string, unknown> {
  loanApplicationId: string;
  accountId: string;
  reference: string;
  /** Whom it was paid by; the operator's bank where absent. */
  at?: OwnPartner;
}

type Watched = Paid & { tries: number; until: Date };

/**
 * The row that a loan which a bank has paid out begins with: the bank is asked until it cannot come
 * back any more.
 */
export function firstWatch(now: Date, paid: Paid): { aggregate: string; seq: number; payload: Watched; dueAt: Date } {
  const payload = { ...paid, tries: 0, until: new Date(now.getTime() + watchForMs) };
  const dueAt = new Date(now.getTime() + firstAfterMs);
  return { aggregate: `disbursement:${paid.loanApplicationId}`, seq: 1, payload, dueAt };
}

export interface DisbursementReturnDeps {
  store: LendingStore;
  book: LoanBook;
  verification: Pick<Verification, "rejectAllOf">;
  bank: Pick<BankConnector, "findTransfer">;
  businessClock: BusinessClock;
  outbox: Outbox;
  clock: Clock;
  crashPoint: (name: string) => void;
}

export type DisbursementReturns = ReturnType<typeof createDisbursementReturns>;

/**
 * Watches disbursements that a bank has paid: one that comes back ends the loan as if it had never
 * been.
 */
export function createDisbursementReturns(deps: DisbursementReturnDeps) {
  const { store, book, verification, bank, businessClock, outbox, clock, crashPoint } = deps;

  /** Closes the row and, where it is not over, adds the next look in the same commit. */
  async function pollAgain(
    row: Parameters<RowHandler>[0],
    { complete }: Parameters<RowHandler>[1],
    watched: Watched,
  ): Promise<void> {
    const { tenantId, aggregate, seq, kind, interactionId, actor } = row;
    if (watched.until <= clock.now()) return;
    const payload = { ...watched, tries: watched.tries + 1 };
    const dueAt = new Date(clock.now().getTime() + Math.min(atMostEveryMs, firstAfterMs * 2 ** (payload.tries % 30)));
    await store.transaction(
      async (session) => {
        await complete(session);
        await outbox.add({ tenantId, aggregate, seq: seq + 1, kind, payload, interactionId, actor, dueAt }, session);
        return true;
      },
      async () => undefined,
    );
  }

  async function takeBack(
    { tenantId, interactionId }: Parameters<RowHandler>[0],
    { loanApplicationId, accountId }: Watched,
    { reason }: BankTransfer,
  ): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const today = (await businessClock.forTenant(tenantId)).today().toString();
    const failure = `the bank returned it${reason === "" ? "" : `: ${reason}`}`;
    const isBooked = async () => (await tenant.findApplication(loanApplicationId))?.disbursement?.status === "RETURNED";
    await store.transaction(
      async (session) => {
        const application = await tenant.findApplication(loanApplicationId, session);
        const loan = await tenant.findLoan(accountId, session);
        if (application?.disbursement?.status !== "DONE" || loan === undefined) return true;
        if (loan.claimedBy !== undefined) throw new Refusal("UNAVAILABLE", "the loan is being paid off");
        const event = { type: "DISBURSEMENT_RETURNED" as const, id: loanApplicationId, on: today };
        const because = { at: clock.now(), reason: failure, interactionId };
        const rejected = await verification.rejectAllOf(tenantId, loan, because, session);
        const changed = { ...loan, events: [...loan.events, event], pendingMinor: loan.pendingMinor - rejected };
        const cause = {
          kind: "loan_disbursement_return",
          description: `Loan ${loan.reference} came back`,
          interactionId,
          createdBy: "lending",
        };
        await book.settle(tenantId, changed, today, cause, session);
        const disbursement = { ...application.disbursement, status: "RETURNED" as const, failure };
        await tenant.replaceApplication({ ...application, disbursement, version: application.version + 1 }, session);
        return true;
      },
      async () => ((await isBooked()) ? true : undefined),
    );
    crashPoint("lending.return.booked");
    await book.carryOut(tenantId, accountId);
  }

  const watch: RowHandler = async (row, context) => {
    const watched = row.payload as Watched;
    const { reference, at } = watched;
    const call = { tenantId: row.tenantId, at, signal: context.signal };
    const transfer = await bank.findTransfer(reference, call).catch((error: unknown) => {
      if (error instanceof PluginGone) return "gone" as const;
      throw error;
    });
    // What a bank sends back that is no partner any more, nobody hears of.
    if (transfer === "gone") return;
    if (transfer?.status === "RETURNED") await takeBack(row, watched, transfer);
    else await pollAgain(row, context, watched);
  };

  return { watch };
}
