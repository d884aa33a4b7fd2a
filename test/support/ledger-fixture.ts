import { randomUUID } from "node:crypto";
import {
  AccountFlag,
  LedgerServiceDefinition,
  TransferMode,
  type GroupResult,
  type PostTransfersRequest,
} from "../../proto/gen/ledger/v1/ledger.js";
import { ledgerEnv } from "../../services/ledger/config.js";
import { startLedger, type LedgerServerDeps } from "../../services/ledger/server.js";
import { outgoing, type Client } from "../../services/kernel/grpc/client.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { createServiceNetwork, stateUser, statedUsers } from "./service-network.js";
import { utcBusinessClock } from "./utc-clock.js";
import { testDatabase, testRedisUrl, testTenant } from "./index.js";

type Transfers = WirePartial<PostTransfersRequest>["groups"];
export type WireTransfer = NonNullable<NonNullable<NonNullable<Transfers>[number]["transfers"]>[number]>;

/** Real ledger replicas on one database of the run, spoken to over gRPC. */
export async function createLedgerFixture(name: string) {
  const network = await createServiceNetwork();
  const database = await testDatabase(name);
  const stops: (() => Promise<void>)[] = [];

  async function start(env: Record<string, string> = {}, deps: LedgerServerDeps = {}) {
    const config = ledgerEnv.parse({
      NODE_ENV: "test",
      PORT: "0",
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.database,
      REDIS_URL: testRedisUrl(),
      SERVICE_KEY_FILE: "given",
      SERVICE_JWKS_FILE: "given",
      IDENTITY_ADDRESS: "127.0.0.1:1",
      LEASE_TTL_MS: "10000",
      EXPIRY_SWEEP_MS: "100",
      // Where a test does not ask for it, no journal moves to another replica.
      SHARE_EVERY_MS: "3600000",
      ...env,
    });
    const given = {
      keys: network.keysOf("ledger"),
      log: network.log,
      verifyUserToken: statedUsers,
      businessClock: utcBusinessClock(deps.clock),
    };
    const ledger = await startLedger(config, { ...given, ...deps });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= ledger.stop());
    stops.push(stop);
    const as = (caller: "wallet" | "remittance" | "lending" | "gateway" | "operator" | "identity" | "ledger") =>
      network.client(LedgerServiceDefinition, "ledger", ledger.port, caller);
    return { port: ledger.port, stop, as, wallet: as("wallet"), remittance: as("remittance") };
  }

  return {
    start,
    database,
    network,
    async close() {
      for (const stop of stops) await stop();
      await network.close();
      await database.close();
    },
  };
}

export type LedgerReplica = Awaited<ReturnType<Awaited<ReturnType<typeof createLedgerFixture>>["start"]>>;

type Posting = { wallet: Client<LedgerServiceDefinition> };

/** A tenant's calls: fresh tenant and interaction id, and the accounts most tests need. */
export function tenantCalls(tenantId = testTenant()) {
  const call = (extra: { interactionId?: string; user?: Parameters<typeof stateUser>[0] } = {}) =>
    outgoing({
      tenantId,
      interactionId: extra.interactionId ?? randomUUID(),
      ...(extra.user === undefined ? {} : { userToken: stateUser(extra.user) }),
    });
  return {
    tenantId,
    call,

    /** `bank_settlement:USD`, and a wallet per name that cannot go below zero. */
    async open({ wallet }: Posting, names: string[], currency = "USD") {
      const bank = { accountId: `bank_settlement:${currency}`, code: "bank_settlement", currency, name: "Bank" };
      const wallets = names.map((accountId) => ({
        accountId,
        code: "customer_wallet",
        currency,
        name: `${currency} wallet ${accountId}`,
        ownerId: `customer-${accountId}`,
        flags: [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS],
      }));
      await wallet.createAccounts({ accounts: [bank, ...wallets] }, call());
    },

    /** One linked group. */
    async post({ wallet }: Posting, ...transfers: WireTransfer[]): Promise<GroupResult> {
      const { results } = await wallet.postTransfers({ groups: [{ transfers }], createdBy: "user-1" }, call());
      return results[0]!;
    },

    async balance({ wallet }: Posting, accountId: string): Promise<bigint> {
      const { account } = await wallet.getAccount({ accountId }, call());
      return account!.creditsPostedMinor - account!.debitsPostedMinor;
    },
  };
}

/** A transfer of `amountMinor` USD, posted at once. */
export function transfer(key: string, debit: string, credit: string, amountMinor: bigint, more: WireTransfer = {}) {
  return {
    key,
    debitAccountId: debit,
    creditAccountId: credit,
    amount: { amountMinor, currency: "USD" },
    kind: "test",
    mode: TransferMode.TRANSFER_MODE_POSTED,
    ...more,
  } satisfies WireTransfer;
}
