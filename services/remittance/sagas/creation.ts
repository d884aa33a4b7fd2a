import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { CreateTransactionResponse } from "../../../proto/gen/remittance/v1/remittance.js";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { crashPoint } from "../../shared/crash-point.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../shared/grpc/client.js";
import { encodeMessage } from "../../shared/grpc/definition.js";
import { answerOfRefusal, type Idempotency, type StoredAnswer } from "../../shared/idempotency/index.js";
import { Refusal, type RefusalCode } from "../../shared/refusal.js";
import type { Outbox, RowHandler } from "../../shared/outbox/index.js";
import { recoverCreation, transactionAggregate, transactionOf } from "./outbox-rows.js";
import type { RemittanceStore, Session } from "../store/index.js";
import { afterCompliance, rejectionOf } from "../domain/compliance-outcome.js";
import { changed, type Transaction } from "../domain/transaction.js";
import { checkToWire, outcomeFromWire } from "../wire/compliance.js";
import { transactionToWire } from "../wire/transactions.js";

interface CreationDeps {
  store: RemittanceStore;
  compliance: Client<ComplianceServiceDefinition>;
  idempotency: Idempotency;
  outbox: Outbox;
  clock: Clock;
  /** Business time, by which a transaction waits for its payment; `clock` where absent. */
  times?: BusinessClock;
  /** How long a transaction waits for its payment, ms; 30 minutes when absent. */
  payableForMs?: number;
}

// The first of the transaction's rows, as its version is then.
const recoverySeq = 1;
/** How long the request itself has before its recovery row takes over. */
const recoverAfterMs = 10_000;

export type Creation = ReturnType<typeof createCreation>;

/**
 * The saga that makes a transaction (docs/decisions/0006): `begin` stores it with its price, its request's record and its recovery
 * row; `drive` asks compliance and stores what came of it with the request's answer. Whoever comes by may drive: the
 * request, its retry, the recovery row; the work happens once.
 */
export function createCreation({ store, compliance, idempotency, outbox, clock, times, payableForMs }: CreationDeps) {
  const recordOf = (tenantId: string, { request: { caller, key, fingerprint } }: Transaction) => ({
    scope: { tenantId, caller, operation: createOperation, key },
    fingerprint,
  });

  /** First transaction. `start` writes the request's record inside it. */
  async function begin(
    tenantId: string,
    transaction: Transaction,
    start: (session: Session) => Promise<void>,
  ): Promise<void> {
    const { transactionId, interactionId, createdBy } = transaction;
    const tenant = store.forTenant(tenantId);
    const work = async (session: Session) => {
      await start(session);
      await tenant.insertTransaction(transaction, session);
      await outbox.add(
        {
          tenantId,
          aggregate: transactionAggregate(transactionId),
          seq: recoverySeq,
          kind: recoverCreation,
          payload: { transactionId },
          interactionId,
          actor: createdBy,
          dueAt: new Date(clock.now().getTime() + recoverAfterMs),
        },
        session,
      );
      return true;
    };
    const readBack = async () => ((await tenant.findTransaction(transactionId)) ? true : undefined);
    // Uses of a promotion are read.
    const lane = transaction.terms.promoCode === undefined ? `${tenantId} begin` : undefined;
    await store.transaction(work, readBack, lane);
    crashPoint("remittance.create.stored");
  }

  /**
   * Drives a transaction that has begun to its answer; `known` is how whoever has just stored it knows it. `closeRow` closes the
   * recovery row inside the last transaction.
   * Refuses UNAVAILABLE and the like where compliance is away: the transaction waits for the next who drives it.
   */
  async function drive(
    transactionId: string,
    call: OutgoingContext,
    closeRow: (session: Session) => Promise<void>,
    known?: Transaction,
  ): Promise<StoredAnswer> {
    const { tenantId } = call;
    const tenant = store.forTenant(tenantId);
    const begun = known ?? (await tenant.findTransaction(transactionId));
    if (begun === undefined) throw new Error(`transaction ${transactionId} was begun and is gone`);
    const record = recordOf(tenantId, begun);
    const kept = async () => {
      const answer = await idempotency.answerOf(record);
      if (answer === undefined) throw new Error(`transaction ${transactionId} is decided but has no answer`);
      return answer;
    };
    if (begun.compliance !== undefined) return kept();

    // Rules decide, in nobody's name: checks of several callers go together.
    const outcome = outcomeFromWire(await compliance.checkTransaction(checkToWire(begun), outgoingUnnamed(call)));
    crashPoint("remittance.create.decided");
    const time = times === undefined ? clock : await times.forTenant(tenantId, call.interactionId);
    const answer = await store.transaction(
      async (session) => {
        const now = time.now();
        const step = afterCompliance(outcome, now, payableForMs);
        const by = { at: now, actor: "compliance" };
        const written = answerOf(changed(begun, step, by));
        // Until compliance has decided, only another driver changes it: the answer is that one's then.
        if (!(await tenant.change(begun, step, by, session))) return undefined;
        await idempotency.complete(record, written, session);
        await closeRow(session);
        return written;
      },
      () => idempotency.answerOf(record),
      `${tenantId} answer`,
    );
    crashPoint("remittance.create.answered");
    return answer ?? kept();
  }

  /** The recovery row: drives on what a process that died, or a compliance that was away, left behind. */
  const recover: RowHandler = async (row, context) => {
    const call = { tenantId: row.tenantId, interactionId: row.interactionId, signal: context.signal };
    await drive(transactionOf(row), call, context.complete);
  };

  return {
    payableForMs,
    begin,
    drive: (transactionId: string, call: OutgoingContext, known?: Transaction): Promise<StoredAnswer> => {
      const ref = { aggregate: transactionAggregate(transactionId), kind: recoverCreation, seq: recoverySeq };
      return drive(transactionId, call, (session) => outbox.finish(call.tenantId, ref, session), known);
    },
    recover,
  };
}

export const createOperation = "create-transaction";

const answers: readonly RefusalCode[] = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "OVERLOADED", "RATE_LIMITED"];

/** Compliance refuses to answer only for the moment; any other refusal of it is not the caller's doing. */
export function asOwnFault(error: unknown): unknown {
  if (!(error instanceof Refusal) || answers.includes(error.code)) return error;
  return new Error(`compliance refused to decide: ${error.code}`, { cause: error });
}

function answerOf(transaction: Transaction): StoredAnswer {
  if (transaction.status === "REJECTED") return answerOfRefusal(rejectionOf(transaction.compliance!));
  const response = { transaction: transactionToWire(transaction, false) };
  return { kind: "response", bytes: encodeMessage(CreateTransactionResponse, response) };
}
