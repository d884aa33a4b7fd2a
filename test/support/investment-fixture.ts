import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  InvestmentServiceDefinition,
  type ApplyRequest,
  type Product,
} from "../../proto/gen/investment/v1/investment.js";
import type { StoredRow } from "../../services/kernel/outbox/row.js";
import { businessTime } from "../../services/platform/preferences/business-clock.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { tenantCollection } from "../../services/kernel/mongo/tenant-collection.js";
import { startInvestment, type InvestmentServer } from "../../services/investment/server.js";
import { createCrashSwitch } from "./crash-switch.js";
import { createOpenMoney } from "./erasure.js";
import { testDatabase, testRedisUrl, testTenant, waitFor } from "./index.js";
import { createInvestmentNeighbours } from "./investment-neighbours.js";
import { createServiceNetwork, stateUser, statedUsers } from "./service-network.js";

export type InvestmentFixture = Awaited<ReturnType<typeof createInvestmentFixture>>;

/** A customer with a wallet. */
export interface Investor {
  tenantId: string;
  userId: string;
  customerId: string;
  name: string;
  walletId: string;
  token: string;
}

const dayMs = 86_400_000;

/**
 * Investment on real MongoDB, Redis and gRPC between stand-ins of its neighbours. A tenant's first
 * day is 1 January 2025.
 */
export async function createInvestmentFixture(
  name: string,
  options: { recoverAfterMs?: number; replicas?: number; env?: { REDIS_URL?: string } } = {},
) {
  const network = await createServiceNetwork();
  const neighbours = await createInvestmentNeighbours(network);
  const database = await testDatabase(name);
  const moved = new Map<string, number>();
  const first = Date.parse("2025-01-01T12:00:00Z");
  const businessClock = {
    forTenant: async (tenantId: string) =>
      businessTime({ now: () => new Date(first + (moved.get(tenantId) ?? 0) * dayMs) }, 0, "UTC"),
  };
  const { crashPoint, ...crashes } = createCrashSwitch();
  const config = {
    NODE_ENV: "test" as const,
    LOG_LEVEL: "silent" as const,
    HOST: "127.0.0.1",
    PORT: 0,
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: database.database,
    REDIS_URL: testRedisUrl(),
    SERVICE_KEY_FILE: "",
    SERVICE_JWKS_FILE: "",
    INVESTMENT_DAY_EVERY_S: 3_600,
    ...neighbours.addresses,
    ...options.env,
  };
  const services: InvestmentServer[] = [];
  for (let replica = 0; replica < (options.replicas ?? 1); replica++) {
    services.push(
      await startInvestment(config, {
        log: network.log,
        keys: network.keysOf("investment"),
        verifyUserToken: statedUsers,
        businessClock,
        recoverAfterMs: options.recoverAfterMs ?? 60_000,
        pollMs: 50,
        recheckAfterMs: 20,
        crashPoint,
      }),
    );
  }
  const [service] = services as [InvestmentServer];
  const clientOf = (as: "gateway" | "operator" | "wallet") =>
    network.client(InvestmentServiceDefinition, "investment", service.port, as);
  const [gateway, operator] = [clientOf("gateway"), clientOf("operator")];
  const calls = (person: { tenantId: string; token?: string }) =>
    outgoing({
      tenantId: person.tenantId,
      interactionId: randomUUID(),
      ...(person.token === undefined ? {} : { userToken: person.token }),
    });
  const staff = (tenantId: string, role: Role = "MANAGER", userId: string = randomUUID()) => ({
    tenantId,
    userId,
    token: stateUser({ tenantId, role, userId }),
  });

  const outboxRows = tenantCollection<StoredRow>(database.db, "outbox");
  const openRows = async (tenantId: string) => {
    const rows = await outboxRows.forTenant(tenantId).find({ state: { $in: ["DUE", "PARKED"] } });
    const parked = rows.find(({ state }) => state === "PARKED");
    if (parked !== undefined) throw new Error(`${parked.kind} is parked: ${parked.lastError ?? ""}`);
    // What waits for compliance is asked about for days.
    return rows.filter(({ kind }) => kind !== "await-compliance").length;
  };

  return {
    ...neighbours,
    network,
    database,
    config,
    services,
    gateway,
    operator,
    clientOf,
    openMoney: createOpenMoney(network, "investment", service.port),
    calls,
    staff,
    ...crashes,

    /** A customer whose wallet holds so much. */
    async investor(
      given: { tenantId?: string; currency?: string; balance?: bigint; agentId?: string } = {},
    ): Promise<Investor> {
      const { tenantId = testTenant(), currency = "USD", balance = 1_000_000_00n, agentId = "" } = given;
      const [userId, customerId, walletId] = [randomUUID(), randomUUID(), randomUUID()];
      neighbours.customers.set(customerId, {
        tenantId,
        customerId,
        userId,
        firstName: "Amina",
        lastName: "Okafor",
        agentId,
      });
      neighbours.wallet.accounts.set(walletId, { tenantId, accountId: walletId, customerId, currency, status: "OPEN" });
      const empty = { name: "", ownerId: "", metadata: {}, currency };
      const accounts = [
        { ...empty, accountId: `bank:${currency}`, code: "bank_settlement", flags: [] },
        {
          ...empty,
          accountId: walletId,
          code: "customer_wallet",
          flags: ["ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS" as const],
        },
      ];
      const call = { tenantId, interactionId: randomUUID() } as never;
      await neighbours.ledger.handlers.createAccounts!({ accounts }, call);
      neighbours.ledger.account(tenantId, walletId)!.credits += balance;
      const token = stateUser({ tenantId, role: "CUSTOMER", userId, customerId });
      return { tenantId, userId, customerId, name: "Amina Okafor", walletId, token };
    },

    /** Closes an empty wallet, as its owner may. */
    async closeWallet({ tenantId, walletId }: Investor): Promise<void> {
      neighbours.wallet.accounts.get(walletId)!.status = "CLOSED";
      await neighbours.ledger.handlers.closeAccount!({ accountId: walletId }, { tenantId } as never);
    },

    reopenWallet({ tenantId, walletId }: Investor): void {
      neighbours.wallet.accounts.get(walletId)!.status = "OPEN";
      neighbours.ledger.reopen(tenantId, walletId);
    },

    /** A further wallet of the same customer; the same investor with it. */
    async withWallet(investor: Investor, currency = "USD", balance = 0n): Promise<Investor> {
      const { tenantId, customerId } = investor;
      const walletId = randomUUID();
      neighbours.wallet.accounts.set(walletId, { tenantId, accountId: walletId, customerId, currency, status: "OPEN" });
      const account = { accountId: walletId, code: "customer_wallet", currency, name: "", ownerId: "" };
      const accounts = [{ ...account, flags: [], metadata: {} }];
      await neighbours.ledger.handlers.createAccounts!({ accounts }, { tenantId } as never);
      neighbours.ledger.account(tenantId, walletId)!.credits += balance;
      return { ...investor, walletId };
    },

    applicationOf: async (investor: Investor, applicationId: string) =>
      (await gateway.getApplication({ applicationId }, calls(investor))).application!,

    balanceOf: ({ tenantId, walletId }: Investor) => neighbours.ledger.balance(tenantId, walletId),
    accountOf: (tenantId: string, code: string, currency = "USD") => {
      const id = `${code}:${currency}`;
      return neighbours.ledger.account(tenantId, id) === undefined ? 0n : neighbours.ledger.balance(tenantId, id);
    },

    /** Puts a product of 100.00 a unit, a year at 6 %, simple, unless said otherwise. */
    async product(tenantId: string, given: WirePartial<Product> = {}): Promise<Product> {
      const request = { product: { ...productDraft(), ...given } };
      const { product } = await operator.putProduct(request, calls({ tenantId }));
      return product!;
    },

    apply(investor: Investor, product: Pick<Product, "productId">, draft: WirePartial<ApplyRequest> = {}) {
      const request = {
        idempotencyKey: randomUUID(),
        productId: product.productId,
        units: 10n,
        walletAccountId: investor.walletId,
        customerId: investor.customerId,
        customerName: investor.name,
        ...draft,
      };
      return gateway.apply(request, calls(investor));
    },

    /**
     * Moves the tenant's date on and does the work of the day in every replica at once, to its end.
     */
    async passDays(tenantId: string, days: number): Promise<void> {
      moved.set(tenantId, (moved.get(tenantId) ?? 0) + days);
      await this.workOfDay(tenantId);
    },
    async workOfDay(tenantId: string): Promise<void> {
      for (let isDone = false; !isDone;) {
        const done = await Promise.all(services.map(({ days: { workOn } }) => workOn(tenantId)));
        isDone = done.some((replica) => replica.isDone);
        if (!isDone) await sleep(20);
      }
      await this.settled(tenantId);
    },
    moveDate(tenantId: string, days: number): void {
      moved.set(tenantId, (moved.get(tenantId) ?? 0) + days);
    },
    /** Until nothing is left to do. */
    settled: (tenantId: string) =>
      waitFor(async () => (await openRows(tenantId)) === 0, { timeoutMs: 30_000, what: "the outbox to be empty" }),

    /** Holdings, sums, units and ledger agree. */
    async agree(tenantId: string): Promise<void> {
      await this.settled(tenantId);
      const { differences, inFlight } = await operator.reconcileInvestments({}, calls({ tenantId }));
      expect({ differences, inFlight }).toEqual({ differences: [], inFlight: 0n });
    },

    async close() {
      for (const each of services) await each.stop();
      await network.close();
      await database.close();
    },
  };
}

/** 100.00 USD a unit, a year at 6 %, simple, ACT/365. */
export function productDraft(): Product {
  return {
    productId: randomUUID(),
    name: "Fixed deposit",
    description: "",
    currency: "USD",
    unitPriceMinor: 100_00n,
    unitsOffered: 1_000n,
    minimumUnits: 1n,
    maximumUnitsPerCustomer: 1_000n,
    tiers: [{ fromMinor: 0n, ratePercent: "6" }],
    compounding: "NONE",
    dayCount: "ACT_365",
    termMonths: 12,
    termDays: 0,
    lockInDays: 0,
    penalty: { kind: "NONE", bps: 0, percent: "" },
    payout: "AT_MATURITY",
    reinvestment: "NONE",
    withholdingTaxBps: 0,
    status: "OPEN",
    version: 0,
    unitsLeft: 0n,
  };
}

/** What a promise was refused with; throws when it was not. */
export async function refusalOf(promise: Promise<unknown>): Promise<{
  code: string;
  message: string;
  details?: { errors?: { path: string }[]; figures?: Record<string, string> };
}> {
  try {
    await promise;
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error("must be refused");
}
