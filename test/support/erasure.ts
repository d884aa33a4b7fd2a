import { randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import {
  ErasureStage,
  OpenMoneyServiceDefinition,
  PersonalDataServiceDefinition,
  type CountedRecords,
} from "../../proto/gen/identity/v1/erasure.js";
import { testMongoUri } from "./index.js";
import type { ServiceNetwork } from "./service-network.js";

const counts = (records: readonly CountedRecords[]) =>
  Object.fromEntries(records.map(({ kind, records: count }) => [kind, Number(count)]));

/**
 * Tells a service that a person is erased, as identity does, until it has nothing more to erase;
 * what it answered.
 */
export function createEraser(
  network: ServiceNetwork,
  service: "compliance" | "remittance" | "wallet" | "lending" | "events",
  port: number,
) {
  const as = (caller: "identity" | "gateway") => network.client(PersonalDataServiceDefinition, service, port, caller);
  const [identity, gateway] = [as("identity"), as("gateway")];
  return Object.assign(
    async (
      { tenantId, customerId, userId }: { tenantId: string; customerId: string; userId: string },
      stage: "AT_ONCE" | "AFTER_RETENTION",
    ) => {
      const request = { customerId, userId, stage: ErasureStage[`ERASURE_STAGE_${stage}`] };
      const ask = () => identity.erasePerson(request, { tenantId, interactionId: randomUUID() });
      let answer = await ask();
      while (answer.more) answer = await ask();
      return { erased: counts(answer.erased), kept: counts(answer.kept) };
    },
    { identity, gateway },
  );
}

/** What of a person's money is not settled with a service, as identity asks it. */
export function createOpenMoney(
  network: ServiceNetwork,
  service: "remittance" | "wallet" | "lending" | "investment",
  port: number,
) {
  const as = (caller: "identity" | "gateway") => network.client(OpenMoneyServiceDefinition, service, port, caller);
  const [identity, gateway] = [as("identity"), as("gateway")];
  const ask = (client: typeof identity) => async (person: { tenantId: string; customerId: string }) => {
    const { tenantId, customerId } = person;
    return counts((await client.listOpenMoney({ customerId }, { tenantId, interactionId: randomUUID() })).open);
  };
  return Object.assign(ask(identity), { asGateway: ask(gateway) });
}

/**
 * Which of the texts a tenant's documents hold, with their collections: in fields, bytes and names,
 * however deep.
 */
export async function tracesIn(database: string, tenantId: string, texts: readonly string[]): Promise<string[]> {
  // A client of its own: the tenant guard and its monitor watch those of mongoose.
  const client = await new mongo.MongoClient(testMongoUri()).connect();
  const found = new Set<string>();
  for (const collection of await client.db(database).collections()) {
    for await (const document of collection.find({ tenantId })) {
      const bytes = Buffer.from(mongo.BSON.serialize(document));
      for (const text of texts) if (bytes.includes(text)) found.add(`${collection.collectionName}: ${text}`);
    }
  }
  await client.close();
  return [...found].toSorted();
}
