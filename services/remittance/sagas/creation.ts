import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { CreateTransactionResponse } from "../../../proto/gen/remittance/v1/remittance.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { encodeMessage } from "../../kernel/grpc/definition.js";
import { answerOfRefusal, type Idempotency, type StoredAnswer, type Ticket } from "../../kernel/idempotency/index.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import { Refusal, type RefusalCode } from "../../kernel/refusal.js";
import type { DriveContext, SagaIdentity, Sagas } from "../../kernel/sagas/index.js";
import { revisedRow } from "../jobs/revised-recipients.js";
import { afterCompliance, rejectionOf } from "../domain/compliance-outcome.js";
import { eventOfCreation } from "../domain/transaction-events.js";
import { changed, type Change, type Transaction } from "../domain/transaction.js";
import { keptFacts, waitsForRecipient, type TransparencyFacts } from "../domain/transparency.js";
import type { RemittanceStore, Session } from "../store/index.js";
import { checkToWire, outcomeFromWire } from "../wire/compliance.js";
import { transactionEventRow } from "../wire/event-rows.js";
import { transactionToWire } from "../wire/transactions.js";
import { transactionAggregate, transactionOf } from "./outbox-rows.js";
import type { TransparencyFactsOf } from "./transparency-facts.js";
import { rowKinds } from "../row-kinds.js";

export interface CreationDeps {
  store: RemittanceStore;
  compliance: Client<ComplianceServiceDefinition>;
  idempotency: Idempotency;
  sagas: Sagas;
  facts: TransparencyFactsOf;
  clock: Clock;
  /** Business time, by which a transaction waits for its payment; `clock` where absent. */
  times?: BusinessClock;
  /** How long a transaction waits for its payment, ms; 30 minutes when absent. */
  payableForMs?: number;
}

export type Creation = ReturnType<typeof createCreation>;

export const createOperation = "create-transaction";

/**
 * The saga that makes a transaction (docs/decisions/0006): `begin` stores it with its price,
 * `drive` asks compliance and stores what came of it. The request, its retry and the recovery row
 * may all drive it; the work happens once.
 */
export function createCreation(deps: CreationDeps) {
  const { store, compliance, idempotency, sagas, facts, clock, times, payableForMs } = deps;
  /** Stores the transaction; `takeOffer` takes what its price needs in the same commit. */
  async function begin(
    tenantId: string,
    transaction: Transaction,
    ticket: Ticket,
    takeOffer: (session: Session) => Promise<void>,
  ): Promise<void> {
    const { transactionId, terms } = transaction;
    const tenant = store.forTenant(tenantId);
    await sagas.begin(identityOf(tenantId, transaction), {
      ticket,
      id: transactionId,
      async insert(session) {
        await takeOffer(session);
        await tenant.insertTransaction(transaction, session);
        return true;
      },
      readBack: async () => ((await tenant.findTransaction(transactionId)) ? true : undefined),
      // Uses of a promotion are read.
      onlyWrites: terms.promoCode === undefined,
    });
    crashPoint("remittance.create.stored");
  }

  /**
   * Drives a transaction that has begun to its answer; `stored` is how whoever has just stored it
   * knows it. Refuses UNAVAILABLE and the like where compliance is away: it waits for the next who
   * drives it.
   */
  async function drive(
    transactionId: string,
    call: OutgoingContext,
    stored: Transaction | undefined,
    context: DriveContext,
  ): Promise<StoredAnswer> {
    const { tenantId } = call;
    const tenant = store.forTenant(tenantId);
    const begun = stored ?? (await tenant.findTransaction(transactionId));
    if (begun === undefined) throw new Error(`transaction ${transactionId} was begun and is gone`);
    const readBack = () => idempotency.answerOf(recordOf(tenantId, begun));
    if (begun.compliance !== undefined) {
      const answer = await readBack();
      if (answer === undefined) throw new Error(`transaction ${transactionId} is decided but has no answer`);
      return answer;
    }
    const { outcome, known } = await askCompliance(begun, call);
    crashPoint("remittance.create.decided");
    const time = times === undefined ? clock : await times.forTenant(tenantId, call.interactionId);
    const now = time.now();
    const change = withFacts(afterCompliance(outcome, now, payableForMs), known);
    const by = { at: now, actor: "compliance" };
    const decided = changed(begun, change, by);
    const cause = { tenantId, interactionId: begun.interactionId, actor: begun.createdBy };
    const answer = await sagas.end(
      identityOf(tenantId, begun),
      {
        answer: answerOf(decided),
        eventRows: [
          transactionEventRow(cause, eventOfCreation(change), decided, now),
          // The recipient may have been changed since the order was made.
          ...(waitsForRecipient(decided) ? [revisedRow(cause, recipientOf(decided), transactionId)] : []),
        ],
        // Until compliance has decided, only another driver changes it: the answer is that one's
        // then.
        apply: async (session) => (await tenant.change(begun, change, by, session)) !== undefined,
        readBack,
        onlyWrites: true,
      },
      context,
    );
    crashPoint("remittance.create.answered");
    return answer;
  }

  /**
   * Asks compliance, with what the transparency policy goes by: anew where a policy was published
   * since its profiles were asked for.
   */
  async function askCompliance(begun: Transaction, call: OutgoingContext) {
    for (let atLeast = 0; ;) {
      const known = await facts(begun, call, { atLeast });
      // Rules decide, in nobody's name: checks of several callers go together.
      const answer = await compliance.checkTransaction(checkToWire(begun, known), outgoingUnnamed(call));
      if (!answer.isOutdated) return { outcome: outcomeFromWire(answer), known };
      if (answer.policyVersion <= atLeast) throw new Refusal("UNAVAILABLE", "the policy is changing at this moment");
      atLeast = answer.policyVersion;
    }
  }

  /**
   * The recovery row: drives on what a process that died, or a compliance that was away, left
   * behind.
   */
  const recover: RowHandler = async (row, { signal, complete }) => {
    const call = { tenantId: row.tenantId, interactionId: row.interactionId, signal };
    await drive(transactionOf(row), call, undefined, { closeRecovery: complete });
  };

  return {
    payableForMs,
    begin,
    adopt: sagas.adopt,
    drive: (transactionId: string, call: OutgoingContext, known?: Transaction): Promise<StoredAnswer> =>
      drive(transactionId, call, known, {}).catch((error: unknown) => {
        throw asOwnFault(error);
      }),
    recover,
  };
}

const recipientOf = ({ sender: { customerId }, recipient: { customerCode: code } }: Transaction) => ({
  customerId,
  code,
});

/** Keeps what compliance was told for its transparency policy, where a profile was for it. */
function withFacts(change: Change, known: TransparencyFacts): Change {
  const transparency = keptFacts(known);
  return transparency === undefined ? change : { ...change, set: { ...change.set, transparency } };
}

function identityOf(tenantId: string, { transactionId, interactionId, createdBy, request }: Transaction): SagaIdentity {
  return {
    tenantId,
    caller: request.caller,
    idempotencyKey: request.key,
    interactionId,
    createdBy,
    operation: createOperation,
    aggregate: transactionAggregate(transactionId),
    recovery: rowKinds.recoverCreation,
    payload: { transactionId },
  };
}

function recordOf(tenantId: string, { request: { caller, key, fingerprint } }: Transaction) {
  return { scope: { tenantId, caller, operation: createOperation, key }, fingerprint };
}

const momentary: readonly RefusalCode[] = [
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "OVERLOADED",
  "STORAGE_FULL",
  "RATE_LIMITED",
];

/**
 * Compliance refuses to answer only for the moment; any other refusal of it is not the caller's
 * doing.
 */
function asOwnFault(error: unknown): unknown {
  if (!(error instanceof Refusal) || momentary.includes(error.code)) return error;
  return new Error(`compliance refused to decide: ${error.code}`, { cause: error });
}

function answerOf(transaction: Transaction): StoredAnswer {
  if (transaction.status === "REJECTED") return answerOfRefusal(rejectionOf(transaction.compliance!));
  const response = { transaction: transactionToWire(transaction, false) };
  // It names the recipient's account.
  return { kind: "response", secret: true, bytes: encodeMessage(CreateTransactionResponse, response) };
}
