import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { MessageType, WirePartial } from "../../kernel/grpc/definition.js";
import { Refusal } from "../../kernel/refusal.js";
import type { LoanEvent } from "../domain/events.js";
import type { Loan } from "../domain/loan.js";
import type { Cause } from "../sagas/loan-book.js";
import type { Session } from "../store/index.js";
import { loanToWire } from "../wire/loans.js";
import type { LendingDeps } from "./deps.js";

/** The cause of a change that a call asks for. */
export function causeOf(call: Call, kind: string, description: string): Cause {
  return { kind, description, interactionId: call.interactionId, createdBy: actorOf(call) };
}

/** A change of one loan that staff ask for. */
interface LoanChange<Request, Response> {
  readonly call: Call;
  readonly rpc: string;
  readonly request: Request;
  readonly requestType: MessageType<Request>;
  readonly response: MessageType<Response>;
  /** Writes the loan as it is from now on, inside the transaction, and gives it. */
  apply(loan: Loan, today: string, session: Session): Promise<Loan>;
}

/**
 * What all changes of a loan by staff share: it is found, changed once per key, and posted before
 * the answer.
 */
export function createLoanChanges({ store, book, runOnce, businessClock }: LendingDeps) {
  const todayOf = async ({ tenantId }: Call) => (await businessClock.forTenant(tenantId)).today().toString();

  async function find(accountId: string, call: Call, session?: Session): Promise<Loan> {
    const loan = await store.forTenant(call.tenantId).findLoan(accountId, session);
    if (loan === undefined) throw new Refusal("LOAN_NOT_FOUND", "no such loan");
    return loan;
  }

  return {
    todayOf,
    /** Refuses LOAN_NOT_FOUND. */
    find,

    /** One change of one loan, once per key. The answer is the loan with its schedule. */
    change<Request extends { idempotencyKey: string; accountId: string }, Response extends { loan?: unknown }>({
      call,
      rpc,
      request,
      requestType,
      response,
      apply,
    }: LoanChange<Request, Response>): Promise<Response> {
      return runOnce<Request, Response, string>({
        call,
        operation: `lending.v1.${rpc}`,
        request,
        requestType,
        response,
        prepare: () => todayOf(call),
        async work(session, today) {
          const loan = await apply(await find(request.accountId, call, session), today, session);
          return { loan: loanToWire(loan, today, { withSchedule: true }) } as unknown as WirePartial<Response>;
        },
        after: () => book.carryOut(call.tenantId, request.accountId),
      });
    },

    /**
     * Adds an event to a loan and books what follows from it; `kind` names the ledger's entries.
     */
    async record(call: Call, loan: Loan, event: LoanEvent, kind: string, today: string, session: Session) {
      const cause = causeOf(call, kind, `${kind.replaceAll("_", " ")} ${loan.reference}`);
      const changed = { ...loan, events: [...loan.events, event] };
      return (await book.settle(call.tenantId, changed, today, cause, session)).loan;
    },
  };
}
