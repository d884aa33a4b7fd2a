// What tells events, as a process of its own for tests that kill it: the relay of a service's
// outbox, or a replica of the ledger. Forked with its configuration, it tells its port.
import { pino } from "pino";
import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { ledgerEnv } from "../../services/ledger/config.js";
import { startLedger } from "../../services/ledger/server.js";
import { systemClock } from "../../services/kernel/time/clock.js";
import { createEventPublisher } from "../../services/platform/events/publisher.js";
import { createClient } from "../../services/kernel/grpc/client.js";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { createOutbox, startRelay } from "../../services/kernel/outbox/index.js";
import { createServiceTokenSigner, type ServiceKeys } from "../../services/kernel/tokens/service-tokens.js";
import { statedUsers } from "./service-network.js";
import { utcBusinessClock } from "./utc-clock.js";
import { standBy } from "./stand-by.js";

export type PublishingProcess =
  | (EventsTarget & { readonly kind: "ledger"; readonly env: Readonly<Record<string, string>> })
  | (EventsTarget & { readonly kind: "outbox"; readonly mongoUri: string; readonly database: string });

interface EventsTarget {
  /** Of replicas of events, with commas between. */
  readonly address: string;
  readonly keys: ServiceKeys;
}

const log = pino({ level: "silent" });

async function startOutbox({ mongoUri, database, address, keys }: PublishingProcess & { kind: "outbox" }) {
  const { db } = await connectMongo({ uri: mongoUri, database, log });
  const outbox = createOutbox({ db, clock: systemClock, log, service: "remittance", leaseMs: 1_500 });
  const signer = createServiceTokenSigner({ service: "remittance", privateJwk: keys.privateJwk });
  const events = createClient(EventsServiceDefinition, { address, audience: "events", signer });
  const handlers = createEventPublisher({ events });
  const relay = startRelay({
    outbox,
    handlers,
    concurrency: 32,
    backoff: () => 100,
    pollMs: 100,
  });
  return { port: 0, stop: () => relay.stop() };
}

standBy(async () => {
  const given = JSON.parse(process.env["TOLD_PROCESS"] ?? "{}") as PublishingProcess;
  if (given.kind === "outbox") return startOutbox(given);
  const config = { ...ledgerEnv.parse(given.env), EVENTS_ADDRESS: given.address };
  return startLedger(config, {
    log,
    keys: given.keys,
    verifyUserToken: statedUsers,
    businessClock: utcBusinessClock(),
  });
});
