import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPartner } from "../../deploy/partner/server.js";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { WalletServiceDefinition, type MakePaymentRequest } from "../../proto/gen/wallet/v1/wallet.js";
import type { Client, OutgoingExtra } from "../../services/shared/grpc/client.js";
import type { Role } from "../../services/shared/grpc/context.js";
import { startWallet } from "../../services/wallet/server.js";
import { createEraser } from "./erasure.js";
import { testDatabase, testRedisUrl, testTenant, waitFor } from "./index.js";
import { createServiceNetwork, stateUser, statedUsers } from "./service-network.js";
import { createWalletNeighbours } from "./wallet-neighbours.js";
import { rightPassword } from "./stand-in-identity.js";
import type { StandInTransaction } from "./stand-in-remittance.js";

const partnerKey = "test-key-of-the-sandbox";

export type WalletFixture = Awaited<ReturnType<typeof createWalletFixture>>;
export type WalletClient = Client<WalletServiceDefinition>;
export type PaymentDraft = Partial<MakePaymentRequest>;

export interface Person {
  tenantId: string;
  userId: string;
  customerId: string;
  token: string;
}

/**
 * The wallet on real MongoDB, Redis and gRPC between stand-ins of its neighbours. Recovery is a
 * minute away unless asked for sooner.
 */
export async function createWalletFixture(name: string, options: { recoverAfterMs?: number; redisUrl?: string } = {}) {
  const network = await createServiceNetwork();
  const neighbours = await createWalletNeighbours(network);
  const database = await testDatabase(name);
  const partner = await startPartner({
    host: "127.0.0.1",
    port: 0,
    booksFile: join(await mkdtemp(join(tmpdir(), "bank-")), "books.db"),
    apiKey: partnerKey,
    callbackSecret: `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`,
    settleMs: 20,
    windowMs: 1_000,
  });
  const partnerUrl = `http://127.0.0.1:${partner.port}`;
  let armed: string | undefined;
  const service = await startWallet(
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
      PARTNER_URL: partnerUrl,
      PARTNER_API_KEY: partnerKey,
      BANK_TIMEOUT_MS: 1_000,
      BANK_CREDITS_EVERY_S: 1,
      ...neighbours.addresses,
    },
    {
      log: network.log,
      keys: network.keysOf("wallet"),
      verifyUserToken: statedUsers,
      recoverAfterMs: options.recoverAfterMs ?? 60_000,
      relayPollMs: 50,
      crashPoint(point) {
        if (point !== armed) return;
        armed = undefined;
        throw new Error(`crashed at ${point}`);
      },
    },
  );
  const clientOf = (as: "gateway" | "operator" | "remittance" | "lending" | "investment"): WalletClient =>
    network.client(WalletServiceDefinition, "wallet", service.port, as);
  const [gateway, operator] = [clientOf("gateway"), clientOf("operator")];
  const approvals = network.client(ApprovalOutcomeServiceDefinition, "wallet", service.port, "identity");
  const calls = (
    person: Partial<Pick<Person, "token">> & { tenantId: string },
    extra: OutgoingExtra & { interactionId?: string } = {},
  ) => ({
    interactionId: randomUUID(),
    ...extra,
    tenantId: person.tenantId,
    ...(person.token === undefined ? {} : { userToken: person.token }),
  });

  return {
    ...neighbours,
    network,
    database,
    erase: createEraser(network, "wallet", service.port),
    gateway,
    operator,
    clientOf,
    calls,
    /** Tells the sandbox bank what is to happen there. */
    async bank(path: string, body: object): Promise<void> {
      const response = await fetch(`${partnerUrl}/control${path}`, { method: "POST", body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`the bank answered ${response.status}: ${await response.text()}`);
    },
    async bankRulesCleared(account: string): Promise<void> {
      await fetch(`${partnerUrl}/control/rules?account=${account}`, { method: "DELETE" });
    },
    /** Identity tells the wallet how an approval was decided. */
    async decide(approvalId: string, status: "APPROVED" | "REFUSED" = "APPROVED"): Promise<void> {
      const asked = neighbours.identity.state.approvals.find(({ approval }) => approval.approvalId === approvalId);
      if (asked === undefined) throw new Error(`nobody asked for ${approvalId}`);
      const decided = { ...asked.approval, status, decidedBy: "another manager", decidedAt: new Date() };
      await approvals.decideApproval(
        { approval: decided, payloadJson: asked.payloadJson },
        calls({ tenantId: asked.tenantId }),
      );
    },
    /** The saga is thrown out of its process's hands, once, where this point is. */
    crashAt(point: string | undefined): void {
      armed = point;
    },
    crashedAt: (point: string): boolean => armed !== point,

    person(tenantId = testTenant(), role: Role = "CUSTOMER"): Person {
      const [userId, customerId] = [randomUUID(), randomUUID()];
      const user = { tenantId, role, userId, ...(role === "CUSTOMER" ? { customerId } : {}) };
      if (role === "CUSTOMER") neighbours.identity.customers.set(customerId, { tenantId, userId });
      return { tenantId, userId, customerId, token: stateUser(user) };
    },

    /** Opens a wallet through the rpcs that the operator uses, and puts money into it. */
    async wallet(person: Person, currency: string, depositMinor = 0n) {
      const { tenantId, customerId } = person;
      const request = { idempotencyKey: randomUUID(), customerId, currency };
      const { account } = await operator.openWalletAccount(request, calls({ tenantId }));
      if (account === undefined) throw new Error("no account");
      if (depositMinor > 0n) {
        const amount = { amountMinor: depositMinor, currency };
        const deposit = { idempotencyKey: randomUUID(), accountId: account.accountId, amount, reference: "BANK-1" };
        await operator.recordDeposit(deposit, calls({ tenantId }));
      }
      return account;
    },

    transaction({ tenantId, customerId }: Person, given: Partial<StandInTransaction> = {}) {
      const id = randomUUID();
      const parts = { currency: "USD", principalMinor: 10_000n, feesMinor: 250n, taxesMinor: 19n };
      const transaction = {
        tenantId,
        customerId,
        ...parts,
        status: "AWAITING_PAYMENT" as const,
        released: [],
        ...given,
      };
      neighbours.remittance.transactions.set(id, transaction);
      return { id, transaction: transaction as StandInTransaction, total: "102.69", totalMinor: 10_269n };
    },

    pay(person: Person, draft: PaymentDraft, extra: OutgoingExtra & { interactionId?: string } = {}) {
      const request = {
        idempotencyKey: "",
        payableType: "PAYABLE_TYPE_TRANSACTION" as const,
        paymentGatewayRef: `ref-${randomUUID()}`,
        password: rightPassword,
        ...draft,
      };
      return gateway.makePayment(request, calls(person, extra));
    },

    async close() {
      await service.stop();
      await partner.stop();
      await network.close();
      await database.close();
    },
  };
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
