import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { ReportServiceDefinition } from "../../proto/gen/operations/v1/reports.js";
import { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import { AgentAccountServiceDefinition } from "../../proto/gen/wallet/v1/agent_accounts.js";
import { AgentServiceDefinition } from "../../proto/gen/wallet/v1/agents.js";
import { AgentSettlementServiceDefinition } from "../../proto/gen/wallet/v1/agent_settlements.js";
import { BranchCashServiceDefinition } from "../../proto/gen/wallet/v1/branch_cash.js";
import { CounterServiceDefinition } from "../../proto/gen/wallet/v1/counter.js";
import { TillServiceDefinition } from "../../proto/gen/wallet/v1/tills.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { startWallet } from "../../services/wallet/server.js";
import { createCrashSwitch } from "./crash-switch.js";
import { createEraser, createOpenMoney } from "./erasure.js";
import { testDatabase, testRedisUrl, waitFor, type TestDatabase } from "./index.js";
import { startSandboxPartner } from "./sandbox-partner.js";
import { createServiceNetwork, statedUsers, type ServiceNetwork } from "./service-network.js";
import { calls, createWalletCustomers, type WalletClient } from "./wallet-customers.js";
import { createWalletNeighbours } from "./wallet-neighbours.js";
import { decideAsForeseen } from "./foreseen.js";
import { identityCacheMs } from "./time.js";

export type { PaymentDraft, Person, WalletClient } from "./wallet-customers.js";

export type WalletFixture = Awaited<ReturnType<typeof createWalletFixture>>;

interface FixtureOptions {
  recoverAfterMs?: number;
  redisUrl?: string;
  /** How long answers of identity are used. */
  cacheMs?: number;
  /** In place of the ledger in memory; its address. */
  startLedger?: (network: ServiceNetwork, identityAddress: string) => Promise<string>;
}

/**
 * The wallet on real MongoDB, Redis and gRPC between stand-ins of its neighbours. Recovery is a
 * minute away unless asked for sooner.
 */
export async function createWalletFixture(name: string, options: FixtureOptions = {}) {
  const network = await createServiceNetwork();
  const neighbours = await createWalletNeighbours(network);
  const { addresses } = neighbours;
  const ledgerAddress = await options.startLedger?.(network, addresses.IDENTITY_ADDRESS);
  if (ledgerAddress !== undefined) addresses.LEDGER_ADDRESS = ledgerAddress;
  const database = await testDatabase(name);
  const partner = await startSandboxPartner();
  const { crashPoint, ...crashes } = createCrashSwitch();
  const service = await start({ network, neighbours, database, partner, crashPoint, options });
  const clientOf = (
    as: "gateway" | "operator" | "compliance" | "remittance" | "lending" | "investment",
  ): WalletClient => ({
    ...network.client(WalletServiceDefinition, "wallet", service.port, as),
    ...network.client(TillServiceDefinition, "wallet", service.port, as),
    ...network.client(BranchCashServiceDefinition, "wallet", service.port, as),
    ...network.client(CounterServiceDefinition, "wallet", service.port, as),
    ...network.client(AgentServiceDefinition, "wallet", service.port, as),
    ...network.client(AgentAccountServiceDefinition, "wallet", service.port, as),
    ...network.client(AgentSettlementServiceDefinition, "wallet", service.port, as),
  });
  const [gateway, operator] = [clientOf("gateway"), clientOf("operator")];
  const approvals = network.client(ApprovalOutcomeServiceDefinition, "wallet", service.port, "identity");

  return {
    ...neighbours,
    ...createWalletCustomers({ neighbours, gateway, operator }),
    ...crashes,
    network,
    database,
    erase: createEraser(network, "wallet", service.port),
    openMoney: createOpenMoney(network, "wallet", service.port),
    gateway,
    operator,
    clientOf,
    reports: network.client(ReportServiceDefinition, "wallet", service.port, "gateway"),
    calls,
    bank: partner.control,
    bankUrl: partner.url,
    bankKnows: partner.knows,
    pluginOwner: network.client(PluginOwnerServiceDefinition, "wallet", service.port, "gateway"),
    bankRulesCleared: partner.clearRules,
    /** Identity tells the wallet how an approval was decided. */
    async decide(approvalId: string, status: "APPROVED" | "REFUSED" = "APPROVED") {
      const requested = neighbours.identity.state.approvals.find(({ approval }) => approval.approvalId === approvalId);
      if (requested === undefined) throw new Error(`nobody asked for ${approvalId}`);
      const decided = { ...requested.approval, status, decidedBy: "another manager", decidedAt: new Date() };
      return decideAsForeseen(
        approvals,
        { approval: decided, payloadJson: requested.payloadJson },
        calls({ tenantId: requested.tenantId }),
      );
    },

    /** Rows of a kind that wait for a later time; gone through when it returns. */
    async rowsAreDue(tenantId: string, kind: string): Promise<void> {
      const rows = database.db.collection("outbox");
      const past = new Date(Date.now() - 1_000);
      const mine = { tenantId, kind, state: "DUE" };
      const { matchedCount } = await rows.updateMany(mine, { $set: { dueAt: past, notBefore: past } });
      if (matchedCount === 0) throw new Error(`no ${kind} is due`);
      await eventually(`${kind} to be done`, async () => (await rows.countDocuments(mine)) === 0);
    },

    async close() {
      await service.stop();
      await partner.stop();
      await network.close();
      await database.close();
    },
  };
}

/** The service under test. */
function start(parts: {
  network: ServiceNetwork;
  neighbours: Awaited<ReturnType<typeof createWalletNeighbours>>;
  database: TestDatabase;
  partner: Awaited<ReturnType<typeof startSandboxPartner>>;
  crashPoint: (point: string) => void;
  options: FixtureOptions;
}) {
  const { network, neighbours, database, partner, crashPoint, options } = parts;
  return startWallet(
    {
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      HOST: "127.0.0.1",
      PORT: 0,
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.database,
      REDIS_URL: options.redisUrl ?? testRedisUrl(),
      SERVICE_KEY_FILE: "",
      SERVICE_JWKS_FILE: "",
      PARTNER_URL: partner.url,
      PARTNER_API_KEY: partner.apiKey,
      BANK_TIMEOUT_MS: 1_000,
      BANK_CREDITS_EVERY_S: 1,
      PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*",
      ...neighbours.addresses,
    },
    {
      log: network.log,
      keys: network.keysOf("wallet"),
      verifyUserToken: statedUsers,
      identityCacheMs: options.cacheMs ?? identityCacheMs,
      recoverAfterMs: options.recoverAfterMs ?? 60_000,
      pollMs: 50,
      releases: { everyMs: 100, afterMs: 0 },
      crashPoint,
    },
  );
}

/** What a promise was refused with; throws when it was not. */
export async function refusalOf(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; details?: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error("must be refused");
}

/** Waits for what the relay does; patient, since the machine may be busy with other tests. */
export function eventually<T>(what: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  return waitFor(ask, { timeoutMs: 20_000, what });
}
