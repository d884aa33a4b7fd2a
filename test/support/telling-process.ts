// Tells middle rates to a ledger in a process of its own, for tests that kill it.
import { pino } from "pino";
import { PositionServiceDefinition } from "../../proto/gen/ledger/v1/positions.js";
import { createClient } from "../../services/kernel/grpc/client.js";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { createServiceTokenSigner, type ServiceKeys } from "../../services/kernel/tokens/service-tokens.js";
import { businessTime } from "../../services/platform/preferences/business-clock.js";
import { startMiddleRates } from "../../services/remittance/jobs/middle-rates.js";
import { createRemittanceStore } from "../../services/remittance/store/index.js";

export interface TellingWork {
  readonly uri: string;
  readonly database: string;
  /** The ledger's. */
  readonly address: string;
  readonly keys: ServiceKeys;
  readonly timeZone: string;
  readonly nowMs: number;
}

async function work({ uri, database, address, keys, timeZone, nowMs }: TellingWork): Promise<void> {
  const log = pino({ level: "silent" });
  const { db } = await connectMongo({ uri, database, log });
  const signer = createServiceTokenSigner({ service: "remittance", ...keys });
  const clock = { now: () => new Date(nowMs) };
  startMiddleRates({
    store: createRemittanceStore(db),
    positions: createClient(PositionServiceDefinition, { address, audience: "ledger", signer }),
    times: { forTenant: async () => businessTime(clock, 0, timeZone) },
    clock,
    log,
    pollMs: 20,
  });
}

process.once("message", (requested) => void work(requested as TellingWork));
