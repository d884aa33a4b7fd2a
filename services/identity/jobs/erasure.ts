import type { Connection } from "mongoose";
import { ErasureStage as WireStage } from "../../../proto/gen/identity/v1/erasure.js";
import type { Clock } from "../../kernel/time/clock.js";
import { createPersonEraser } from "../../platform/erasure/erasure.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { NewRow, Outbox, OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { nextErasureRequest, type ErasureRequest, type PersonalDataKeeper } from "../domain/erasure.js";
import { rowKinds } from "../row-kinds.js";
import type { PersonalDataClients } from "../clients/neighbours.js";
import type { IdentityStore } from "../store/index.js";

interface Payload extends Pick<ErasureRequest, "stage" | "round"> {
  customerId: string;
  userId: string;
  service: PersonalDataKeeper;
}

/** Who is erased, and on whose behalf. */
type ErasureOrigin = Pick<OutboxRow, "tenantId" | "interactionId" | "actor"> & { customerId: string; userId: string };

/**
 * Asks one service once. Each has an aggregate of its own: one that is away holds up nobody else.
 */
export function erasureRow(
  origin: ErasureOrigin,
  service: string,
  seq: number,
  { dueAt, ...next }: ErasureRequest,
): NewRow {
  const { tenantId, interactionId, actor, customerId, userId } = origin;
  return {
    tenantId,
    interactionId,
    actor,
    aggregate: `erasure:${customerId}:${service}`,
    seq,
    kind: rowKinds.erasePerson,
    payload: { customerId, userId, service, ...next },
    dueAt,
  };
}

/**
 * Tells the services that a person is erased, and keeps what they answer with the row that comes
 * next.
 */
export function erasureRows(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  keepers: PersonalDataClients;
  clock: Clock;
}): Record<string, RowHandler> {
  const { db, store, outbox, keepers, clock } = deps;
  const own = createPersonEraser({ db, atOnce: [], afterRetention: [store.approvalWords] });
  return {
    async [rowKinds.erasePerson](row, { signal, complete }) {
      const { tenantId, interactionId } = row;
      const { customerId, userId, service, stage, round } = row.payload as unknown as Payload;
      const ofTenant = store.forTenant(tenantId);
      const erasure = await ofTenant.findErasure(customerId);
      if (erasure === undefined) throw new Error(`the erasure of ${customerId} is gone`);
      const client = keepers[service];
      if (client === undefined && service !== "identity")
        throw new Refusal("UNAVAILABLE", `identity has no address of ${service}`);
      const request = { customerId, userId, stage: WireStage[`ERASURE_STAGE_${stage}`] };
      const ask = () =>
        client === undefined
          ? own({ tenantId, customerId, userId }, stage)
          : client.erasePerson(request, outgoing({ tenantId, interactionId, signal }));
      let answer = await ask();
      while (answer.more) answer = await ask();
      const now = clock.now();
      const { erased, kept } = answer;
      const next = nextErasureRequest({ stage, round }, kept.length === 0, erasure.retainedUntil, now);
      await inTransaction(
        db,
        async (session) => {
          await ofTenant.noteErasureAnswer(customerId, { service, stage, at: now, erased, kept }, session);
          const origin = { ...row, customerId, userId };
          if (next !== undefined) await outbox.add(erasureRow(origin, service, row.seq + 1, next), session);
          await complete(session);
        },
        { readBack: async () => undefined },
      );
      outbox.wake();
    },
  };
}
