import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { ReportServiceDefinition } from "../../proto/gen/operations/v1/reports.js";
import { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { createEraser, createOpenMoney } from "./erasure.js";
import { testDatabase, testRedisUrl } from "./index.js";
import { on } from "./remittance-calls.js";
import { createRemittanceNeighbours } from "./remittance-neighbours.js";
import { createServiceNetwork, statedUsers } from "./service-network.js";
import { createDataKeys } from "../../services/kernel/keys/data-keys.js";
import { createLocalKey } from "../../services/kernel/keys/file-keys.js";
import { createPartyCipher } from "../../services/remittance/store/party-cipher.js";
import { startRemittance } from "../../services/remittance/server.js";
import { createRemittanceStore } from "../../services/remittance/store/index.js";
import { payableForMs } from "../../services/remittance/domain/payment-window.js";
import { decideAsForeseen } from "./foreseen.js";
import { identityCacheMs } from "./time.js";

/**
 * Remittance for real, on MongoDB and Redis, with stand-ins for its neighbours over real gRPC. Each
 * test file has a database of its own: relay and expiry work across tenants and would do, by this
 * file's clock and stand-ins, what another file waits for.
 */
export async function createWorld(
  name: string,
  { redisUrl = testRedisUrl(), keptForMs: cacheMs = identityCacheMs } = {},
) {
  const network = await createServiceNetwork();
  const { state: neighbours, ...standIns } = await createRemittanceNeighbours(network);
  const database = await testDatabase(`remittance_${name}`);
  const db: Connection = database.db;
  const wrapper = createLocalKey(randomBytes(32));
  let offsetMs = 0;
  const clock = { now: () => new Date(Date.now() + offsetMs) };

  const service = await startRemittance(
    {
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      HOST: "127.0.0.1",
      PORT: 0,
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.database,
      REDIS_URL: redisUrl,
      SERVICE_KEY_FILE: "",
      SERVICE_JWKS_FILE: "",
      PAYMENT_WINDOW_S: payableForMs / 1_000,
      QUOTE_HOLDS_S: 900,
      ...standIns.addresses,
      WALLET_ADDRESS: "127.0.0.1:1",
      // Nobody there: what follows a payment is tested with a real partner, in the tests of
      // payouts.
      PARTNER_URL: "http://127.0.0.1:1",
      PARTNER_API_KEY: "key-of-nobody-at-all",
      PARTNER_CALLBACK_SECRET: `whsec_${Buffer.from("a secret of the tests").toString("base64")}`,
      PARTNER_CONTRACT: 1,
      SANDBOX_PARTNER_CONTRACT: 1,
      PARTNER_CALLBACK_BASE_URL: "",
      PARTNER_TIMEOUT_MS: 1_000,
      PAYOUT_BATCH_S: 1,
      PARTNER_STATEMENT_EVERY_S: 1,
      PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*",
    },
    {
      log: network.log,
      clock,
      keys: network.keysOf("remittance"),
      verifyUserToken: statedUsers,
      identityCacheMs: cacheMs,
      pollMs: 50,
      expiryEveryMs: 50,
      ratePollMs: 50,
      wrapper,
    },
  );
  const client = (as: "operator" | "gateway" | "wallet" | "compliance") =>
    network.client(RemittanceServiceDefinition, "remittance", service.port, as);

  const pluginOwner = network.client(PluginOwnerServiceDefinition, "remittance", service.port, "gateway");
  const outcomes = network.client(ApprovalOutcomeServiceDefinition, "remittance", service.port, "identity");

  return {
    db,
    uri: database.uri,
    database: database.database,
    erase: createEraser(network, "remittance", service.port),
    openMoney: createOpenMoney(network, "remittance", service.port),
    neighbours,
    plugins: standIns.plugins,
    pluginOwner,
    events: standIns.events,
    /** As identity tells how something that remittance asked for was decided. */
    async decide(approvalId: string, status: "APPROVED" | "REFUSED" | "EXPIRED" = "APPROVED", decidedBy = "MA2") {
      const requested = neighbours.asked.find((one) => one.approvalId === approvalId);
      if (requested === undefined) throw new Error(`nobody asked for ${approvalId}`);
      const { kind, subject, payloadJson, tenantId } = requested;
      const approval = { approvalId, kind, subject, status, decidedBy, service: "remittance" };
      return decideAsForeseen(outcomes, { approval, payloadJson }, on(tenantId));
    },
    logged: network.lines,
    reports: network.client(ReportServiceDefinition, "remittance", service.port, "gateway"),
    operator: client("operator"),
    gateway: client("gateway"),
    wallet: client("wallet"),
    compliance: client("compliance"),
    /** Opens what lies sealed, as the service does. */
    store: createRemittanceStore(
      db,
      createPartyCipher(createDataKeys({ db, wrapper, service: "remittance", purpose: "personal-data" })),
    ),
    now: () => clock.now(),
    /** Moves business time on; `reset` puts it back. */
    pass: (ms: number) => void (offsetMs += ms),
    reset() {
      offsetMs = 0;
      standIns.reset();
    },
    async close() {
      await service.stop();
      await network.close();
      await database.close();
    },
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;
