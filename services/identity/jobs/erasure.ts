import type { Connection } from "mongoose";
import { ErasureStage as WireStage, PersonalDataServiceDefinition } from "../../../proto/gen/identity/v1/erasure.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { createClient, outgoing, type Client } from "../../shared/grpc/client.js";
import type { ServiceName } from "../../shared/grpc/context.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { NewRow, Outbox, OutboxRow, RowHandler } from "../../shared/outbox/index.js";
import type { ServiceTokenSigner } from "../../shared/tokens/service-tokens.js";
import { nextTurn, personalDataKeepers, type ErasureTurn } from "../domain/erasure.js";
import { rowKinds } from "./relay.js";
import type { IdentityStore } from "../store/index.js";

type Keeper = (typeof personalDataKeepers)[number];
type ErasePerson = Pick<Client<PersonalDataServiceDefinition>, "erasePerson"> & { close(): void };
export type PersonalDataClients = Partial<Record<Keeper, ErasePerson>>;

/** Clients of the services that keep personal data, by the addresses that are known. */
export function createPersonalDataClients(
  addresses: Partial<Record<ServiceName, string | undefined>>,
  signer: ServiceTokenSigner,
): PersonalDataClients {
  const clients: PersonalDataClients = {};
  for (const service of personalDataKeepers) {
    const address = addresses[service];
    if (address === undefined) continue;
    clients[service] = createClient(PersonalDataServiceDefinition, { address, audience: service, signer });
  }
  return clients;
}

interface Payload extends Pick<ErasureTurn, "stage" | "round"> {
  customerId: string;
  userId: string;
  service: Keeper;
}

type Told = Pick<OutboxRow, "tenantId" | "interactionId" | "actor"> & { customerId: string; userId: string };

/** Asks one service for one turn. Each has a lane of its own: one that is away holds up nobody else. */
export function erasureRow(told: Told, service: string, seq: number, { dueAt, ...turn }: ErasureTurn): NewRow {
  const { tenantId, interactionId, actor, customerId, userId } = told;
  return {
    tenantId,
    interactionId,
    actor,
    aggregate: `erasure:${customerId}:${service}`,
    seq,
    kind: rowKinds.erasePerson,
    payload: { customerId, userId, service, ...turn },
    dueAt,
  };
}

/** Tells the services that a person is erased, and keeps what they answer with the row that comes next. */
export function erasureRows(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  keepers: PersonalDataClients;
  clock: Clock;
}): Record<string, RowHandler> {
  const { db, store, outbox, keepers, clock } = deps;
  return {
    async [rowKinds.erasePerson](row, { signal, complete }) {
      const { tenantId, interactionId } = row;
      const { customerId, userId, service, stage, round } = row.payload as unknown as Payload;
      const ofTenant = store.forTenant(tenantId);
      const erasure = await ofTenant.findErasure(customerId);
      if (erasure === null) throw new Error(`the erasure of ${customerId} is gone`);
      const client = keepers[service];
      if (client === undefined) throw new Error(`identity has no address of ${service}`);
      const request = { customerId, userId, stage: WireStage[`ERASURE_STAGE_${stage}`] };
      const ask = () => client.erasePerson(request, outgoing({ tenantId, interactionId, signal }));
      let answer = await ask();
      while (answer.more) answer = await ask();
      const now = clock.now();
      const { erased, kept } = answer;
      const turn = nextTurn({ stage, round }, kept.length === 0, erasure.retainedUntil, now);
      await inTransaction(
        db,
        async (session) => {
          await ofTenant.noteErasureAnswer(customerId, { service, stage, at: now, erased, kept }, session);
          const told = { ...row, customerId, userId };
          if (turn !== undefined) await outbox.add(erasureRow(told, service, row.seq + 1, turn), session);
          await complete(session);
        },
        { readBack: async () => undefined },
      );
      outbox.wake();
    },
  };
}
