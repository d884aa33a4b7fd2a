import { randomBytes } from "node:crypto";
import mongoose, { type mongo } from "mongoose";
import {
  ComplianceServiceDefinition,
  CustomerStatus,
  type SavePolicyDraftRequest,
} from "../../proto/gen/compliance/v1/compliance.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { startCompliance } from "../../services/compliance/server.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { createDataKeys } from "../../services/kernel/keys/data-keys.js";
import { createLocalKey } from "../../services/kernel/keys/file-keys.js";
import { freePort } from "../../deploy/local/ports.js";
import { remittanceEnv } from "../../services/remittance/config.js";
import { startRemittance } from "../../services/remittance/server.js";
import { createComplianceNeighbours, createNeighbourState, manager, secondManager } from "./compliance-neighbours.js";
import { createNeighbourRecords } from "./compliance-records.js";
import { insist } from "./insist.js";
import { testDatabase, testRedisUrl, testTenant } from "./index.js";
import { serverEnv } from "./payout-server-env.js";
import { rowKinds } from "../../services/remittance/row-kinds.js";
import { openTransparency } from "../../services/remittance/sagas/transparency-facts.js";
import { createRemittanceStore } from "../../services/remittance/store/index.js";
import { createPartyCipher } from "../../services/remittance/store/party-cipher.js";
import { createPriceBooks } from "../../services/remittance/store/price-books.js";
import { callbackSecret, partnerKey } from "./payout-partner.js";
import { ada, on } from "./remittance-calls.js";
import { createRemittanceNeighbours } from "./remittance-neighbours.js";
import { openTenant, order } from "./remittance-samples.js";
import { useSandboxLists } from "./screening-lists.js";
import { createServiceNetwork, statedUsers } from "./service-network.js";
import { identityCacheMs } from "./time.js";

export type WaitingOrders = Awaited<ReturnType<typeof createWaitingOrders>>;

/**
 * Remittance and compliance for real, each the other's neighbour over real gRPC, with stand-ins for
 * all others.
 */
export async function createWaitingOrders(name: string, { pollMs = 50 } = {}) {
  const network = await createServiceNetwork();
  const [ofRemittance, ofCompliance] = await Promise.all([
    testDatabase(`remittance_${name}`),
    testDatabase(`compliance_${name}`),
  ]);
  const state = createNeighbourState(new Date());
  const { addresses, ...standIns } = await createRemittanceNeighbours(network);
  const neighbours = await createComplianceNeighbours(network, state, createNeighbourRecords());
  await useSandboxLists(ofCompliance.db);
  const port = await freePort();
  const shared = { log: network.log, verifyUserToken: statedUsers, identityCacheMs, pollMs };
  const wrapper = createLocalKey(randomBytes(32));
  const compliance = await startCompliance(
    {
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      HOST: "127.0.0.1",
      PORT: 0,
      MONGODB_URI: ofCompliance.uri,
      MONGODB_DATABASE: ofCompliance.database,
      REDIS_URL: testRedisUrl(),
      SERVICE_KEY_FILE: "",
      SERVICE_JWKS_FILE: "",
      ...neighbours,
      REMITTANCE_ADDRESS: `127.0.0.1:${port}`,
      PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*",
      EVENTS_ADDRESS: standIns.events.address,
    },
    {
      ...shared,
      wrapper,
      keys: network.keysOf("compliance"),
      notifications: { send: async () => {} },
      contactVerification: { verify: async () => ({ verified: true, raw: "{}" }) },
    },
  );
  const remittance = await startRemittance(
    remittanceEnv.parse({
      ...serverEnv(ofRemittance),
      PORT: String(port),
      ...addresses,
      COMPLIANCE_ADDRESS: `127.0.0.1:${compliance.port}`,
      WALLET_ADDRESS: "127.0.0.1:1",
      PARTNER_URL: "http://127.0.0.1:1",
      PARTNER_API_KEY: partnerKey,
      PARTNER_CALLBACK_SECRET: callbackSecret,
    }),
    { ...shared, wrapper, keys: network.keysOf("remittance"), expiryEveryMs: pollMs },
  );
  const toCompliance = (as: "operator" | "identity" | "gateway") =>
    network.client(ComplianceServiceDefinition, "compliance", compliance.port, as);
  const toRemittance = (as: "operator" | "gateway" | "wallet") =>
    network.client(RemittanceServiceDefinition, "remittance", remittance.port, as);
  const clients = {
    operator: toRemittance("operator"),
    gateway: toRemittance("gateway"),
    wallet: toRemittance("wallet"),
  };
  const [identity, officers, operator] = [toCompliance("identity"), toCompliance("gateway"), toCompliance("operator")];
  const databases = [ofRemittance, ofCompliance];
  const transactions = ofRemittance.db.collection("transactions");
  let revision = 0;

  return {
    ...clients,
    compliance: { operator, officers, identity },
    state,
    standIns: standIns.state,
    transactions,
    decisions: ofCompliance.db.collection("decisions"),
    logged: network.lines,

    /** Written by one manager and published by another. */
    async publish(tenantId: string, draft: WirePartial<SavePolicyDraftRequest>) {
      const saved = await officers.savePolicyDraft({ ...draft }, on(tenantId, manager));
      await officers.publishPolicyDraft({ revision: saved.draft!.revision }, on(tenantId, secondManager));
    },

    /** A tenant whose policy has these profiles, and that takes orders of c1. */
    async open(...transparencyProfiles: object[]): Promise<string> {
      const tenantId = await openTenant(clients, testTenant());
      state.preferences.set(tenantId, { timeZone: "UTC" });
      await operator.putPolicy({}, on(tenantId));
      const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
      await operator.setCustomerStatus({ customerId: "c1", status, reason: "seen" }, on(tenantId));
      if (transparencyProfiles.length > 0) await this.publish(tenantId, { revision: 0, transparencyProfiles });
      return tenantId;
    },

    /** Orders of c1, made six at a time. */
    async create(tenantId: string, count: number, part: object = {}): Promise<string[]> {
      const ids: string[] = [];
      let left = count;
      const one = async () => {
        while (left-- > 0) {
          const requested = order(part);
          const made = await insist(() => clients.gateway.createTransaction(requested, on(tenantId, ada)));
          ids.push(made.transaction!.transactionId);
        }
      };
      await Promise.all(Array.from({ length: 6 }, one));
      return ids;
    },

    /** How many of a tenant's orders are in a state. */
    countOf: (tenantId: string, status: string) => transactions.countDocuments({ tenantId, status }),

    /** How many of a tenant's orders are still to be looked at since they began to wait. */
    countBegun: (tenantId: string) =>
      ofRemittance.db
        .collection("outbox")
        .countDocuments({ tenantId, kind: rowKinds.reviseRecipient, state: { $ne: "DONE" } }),

    /** Works out what compliance is told of an order for its transparency policy. */
    factsOf(tenantId: string, transactionId: string) {
      const { db } = ofRemittance;
      const dataKeys = createDataKeys({ db, wrapper, service: "remittance", purpose: "personal-data" });
      const store = createRemittanceStore(ofRemittance.db, createPartyCipher(dataKeys));
      const profiles = network.client(ComplianceServiceDefinition, "compliance", compliance.port, "remittance");
      const prices = createPriceBooks(store);
      const { transparencyFacts } = openTransparency({ store, prices, compliance: profiles, keepForMs: 600_000 });
      const found = store.forTenant(tenantId).findTransaction(transactionId);
      return async () => transparencyFacts((await found)!, { tenantId, interactionId: "i-1" });
    },

    /** What identity does after c1 gave something. */
    async give(tenantId: string, details: object) {
      revision += 1;
      state.details.set("c1", { ...state.details.get("c1"), ...details });
      await identity.notePersonChange({ customerId: "c1", revision, changed: ["DETAILS"], proven: [] }, on(tenantId));
    },

    /** Commands that both services send to their databases meanwhile, by what they are. */
    async commandsOf(work: () => Promise<void>): Promise<Map<string, number>> {
      const counts = new Map<string, number>();
      const watch = ({ commandName, command, databaseName }: mongo.CommandStartedEvent) => {
        const at = databases.findIndex(({ database }) => database === databaseName);
        const who = at < 0 ? "transaction" : at === 0 ? "remittance" : "compliance";
        const what = `${who} ${commandName} ${at < 0 ? "" : String(command[commandName])}`;
        counts.set(what, (counts.get(what) ?? 0) + 1);
      };
      const connected = mongoose.connections.filter(({ readyState }) => readyState === 1);
      const watched = new Set(connected.map((connection) => connection.getClient()));
      for (const one of watched) one.on("commandStarted", watch);
      try {
        await work();
      } finally {
        for (const one of watched) one.off("commandStarted", watch);
      }
      return counts;
    },

    async close() {
      await remittance.stop();
      await compliance.stop();
      await network.close();
      await Promise.all(databases.map((one) => one.close()));
    },
  };
}
