import { createServer } from "node:net";
import { BatchServiceDefinition } from "../../../proto/gen/batching/v1/batching.js";
import { OutboxServiceDefinition, RetryRowRequest } from "../../../proto/gen/operations/v1/outbox.js";
import { silentLog, testDatabase, testRedisUrl, waitFor, type TestDatabase } from "../../../test/support/index.js";
import { createClient, outgoing } from "../grpc/client.js";
import type { Access, Handlers } from "../grpc/server.js";
import { warmUpTenantId } from "../process/warm-up-tenant.js";
import { refusalFromTrailer } from "../grpc/refusal-trailer.js";
import { Refusal } from "../refusal.js";
import { startService, type Opened, type ServiceConfig, type ServiceParts } from "./start-service.js";
import { processMetrics } from "../telemetry/metrics.js";
import { warmUp } from "./warm-up.js";
import { makeServiceKeys } from "../tokens/make-service-keys.js";
import { createServiceTokenSigner, type ServiceKeys } from "../tokens/service-tokens.js";

type Definition = OutboxServiceDefinition;
type Config = ServiceConfig & { IDENTITY_ADDRESS: string };

const operators = { callers: ["operator"], tenant: "none" } as const;
const access: Access<Definition> = { listRows: operators, showRow: operators, retryRow: operators, dropRow: operators };
let database: TestDatabase;
let keys: ServiceKeys;
let operatorKeys: ServiceKeys;
let ports: { grpc: number; admin: number };

beforeAll(async () => {
  database = await testDatabase("start_service");
  const made = await makeServiceKeys(["wallet", "operator"]);
  keys = { privateJwk: made.private.wallet, jwks: made.jwks };
  operatorKeys = { privateJwk: made.private.operator, jwks: made.jwks };
});
afterAll(() => database.close());
beforeEach(async () => {
  ports = { grpc: await freePort(), admin: await freePort() };
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const answersTo = (opened: Opened<Config>): Handlers<Definition> => ({
  listRows: async () => ({ rows: [{ rowId: String(opened.db.name) }] }),
  showRow: async () => ({}),
  retryRow: async () => ({}),
  dropRow: async () => ({}),
});

function start(
  change: Partial<ServiceParts<Definition, Config, Opened<Config>>> = {},
  warmUpS = 0,
  more: Partial<Config> = {},
) {
  const config: Config = {
    WARM_UP_S: warmUpS,
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    HOST: "127.0.0.1",
    PORT: ports.grpc,
    ADMIN_PORT: ports.admin,
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: database.database,
    REDIS_URL: testRedisUrl(),
    SERVICE_KEY_FILE: "",
    SERVICE_JWKS_FILE: "",
    // Nobody is there: a start waits for identity no longer than BOOT_WAIT_S.
    IDENTITY_ADDRESS: "127.0.0.1:1",
    ...more,
  };
  return startService<Definition, Config, Opened<Config>>({
    name: "wallet",
    config,
    deps: { keys, log: silentLog },
    definition: OutboxServiceDefinition,
    access,
    migrations: [{ id: "0001", up: (db) => db.createCollection("things").then(() => undefined) }],
    resources: (opened) => opened,
    handlers: answersTo,
    ...change,
  });
}

async function list(port: number): Promise<string | undefined> {
  const signer = createServiceTokenSigner({ service: "operator", privateJwk: operatorKeys.privateJwk });
  const client = createClient(OutboxServiceDefinition, { address: `127.0.0.1:${port}`, audience: "wallet", signer });
  try {
    const call = outgoing({ tenantId: "", interactionId: "i" }, { timeoutMs: 5_000 });
    return (await client.listRows({}, call)).rows[0]?.rowId;
  } finally {
    client.close();
  }
}

// Identity, which has the keys of tokens, is away: warm-ups would wait
// for it until their time is over.
const withoutIdentity = () => ({
  deps: {
    keys,
    log: silentLog,
    verifyUserToken: () => Promise.reject(new Refusal("UNAUTHENTICATED", "the token is nobody's")),
  },
});

const readiness = () => fetch(`http://127.0.0.1:${ports.admin}/readyz`).then(({ status }) => status);

test("serves calls with its database migrated, and is ready until it stops", async () => {
  const service = await start();
  expect(await list(service.port)).toBe(database.database);
  expect(await service.resources.port).toBe(service.port);
  expect(await database.db.db!.listCollections({ name: "things" }).toArray()).toHaveLength(1);
  expect(await readiness()).toBe(200);
  await service.stop();
  await expect(readiness()).rejects.toThrow();
  await expect(list(service.port)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(service.resources.db.readyState).toBe(0);
  expect(service.resources.redis.status).toBe("end");
  await service.stop();
});

test("while the disk is nearly full what writes is refused, in a batch too, and what reads is answered", async () => {
  let used = 0.91;
  const disk = { read: async () => used, everyMs: 10 };
  const retried: string[] = [];
  const service = await start(
    {
      deps: { keys, log: silentLog, disk },
      batched: { retryRow: { callers: ["operator"], maxCalls: 2 }, showRow: { callers: ["operator"], maxCalls: 2 } },
      handlers: (opened) => ({ ...answersTo(opened), retryRow: async ({ rowId }) => (retried.push(rowId), {}) }),
    },
    0,
    { DISK_FULL_SHARE: 0.9 },
  );
  const signer = createServiceTokenSigner({ service: "operator", privateJwk: operatorKeys.privateJwk });
  const at = { address: `127.0.0.1:${service.port}`, audience: "wallet", signer } as const;
  const [client, batches] = [createClient(OutboxServiceDefinition, at), createClient(BatchServiceDefinition, at)];
  const call = () => outgoing({ tenantId: "t", interactionId: "i" }, { timeoutMs: 5_000 });
  const inBatch = async (rpc: string) => {
    const calls = [{ interactionId: "i", request: RetryRowRequest.encode(request).finish() }];
    const { answers } = await batches.callBatch({ rpc, calls }, call());
    return answers[0]?.refusal ? refusalFromTrailer(answers[0].refusal)?.code : "answered";
  };
  const request = RetryRowRequest.fromPartial({ rowId: "r", who: "ada", why: "a test" });
  await expect(client.retryRow(request, call())).rejects.toMatchObject({
    code: "STORAGE_FULL",
    details: { retryAfterS: 30 },
  });
  expect(await inBatch("RetryRow")).toBe("STORAGE_FULL");
  expect([await inBatch("ShowRow"), await list(service.port)]).toEqual(["answered", database.database]);
  expect(retried).toEqual([]);
  used = 0.89;
  await waitFor(() => client.retryRow(request, call()).catch(() => undefined));
  expect(await inBatch("RetryRow")).toBe("answered");
  expect(retried).toEqual(["r", "r"]);
  client.close();
  batches.close();
  await service.stop();
});

test("stops in reverse order: what drains while calls are taken, the rest when the last is answered", async () => {
  const steps: string[] = [];
  const service = await start({
    resources(opened) {
      const { onClose, onDrain, port } = opened;
      onClose(() => void steps.push("store"));
      onDrain(async () => void steps.push(`first drained, ${(await list(await port)) ? "served" : "gone"}`));
      onClose(async () => {
        const isServed = await list(await port).then(
          () => true,
          () => false,
        );
        steps.push(`relay, ${isServed ? "served" : "not served"}`);
      });
      onDrain(async () => void steps.push(`last drained, ready ${await readiness()}`));
      return opened;
    },
  });
  await service.stop();
  expect(steps).toEqual(["last drained, ready 503", "first drained, served", "relay, not served", "store"]);
});

test("a start that fails in its resources closes what was opened, and says why", async () => {
  const steps: string[] = [];
  let seen: Opened<Config> | undefined;
  const starting = start({
    resources(opened) {
      seen = opened;
      opened.onClose(() => void steps.push("first"));
      opened.onClose(() => void steps.push("second"));
      throw new Error("no master key");
    },
  });
  await expect(starting).rejects.toThrow("no master key");
  expect(steps).toEqual(["second", "first"]);
  expect(seen?.db.readyState).toBe(0);
  expect(seen?.redis.status).toBe("end");
  await expect(readiness()).rejects.toThrow();
});

test("a start whose port is taken closes what was opened", async () => {
  const first = await start();
  const steps: string[] = [];
  ports = { ...ports, admin: await freePort() };
  const second = start({
    resources(opened) {
      opened.onClose(() => void steps.push("closed"));
      opened.onDrain(() => void steps.push("drained"));
      return opened;
    },
  });
  await expect(second).rejects.toThrow();
  expect(steps).toEqual(["drained", "closed"]);
  await expect(readiness()).rejects.toThrow();
  await first.stop();
});

const listFor = (tenantId: string) => outgoing({ tenantId, interactionId: "" }, { timeoutMs: 5_000 });

test("says that it serves only after its warm-ups, which may call it for the reserved tenant alone", async () => {
  const seen: number[] = [];
  let [answered, refused]: [number?, string?] = [];
  let own: Parameters<NonNullable<ServiceParts<Definition, Config, Opened<Config>>["warmUps"]>>[1] | undefined;
  const service = await start(
    {
      ...withoutIdentity(),
      warmUps(_resources, self) {
        own = self;
        return [
          { name: "ready", times: 2, run: async () => seen.push(await readiness()) },
          {
            name: "own rpc",
            run: async () => void (answered = (await self.listRows({}, listFor(warmUpTenantId))).rows.length),
          },
          {
            name: "another tenant",
            run: () => self.listRows({}, listFor("demo")).catch((error: Refusal) => void (refused = error.code)),
          },
        ];
      },
    },
    10,
  );
  expect([seen, answered, refused]).toEqual([[503, 503], 1, "CALLER_NOT_ALLOWED"]);
  expect(await readiness()).toBe(200);
  await expect(own!.listRows({}, listFor(warmUpTenantId))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const signer = createServiceTokenSigner({ service: "wallet", privateJwk: keys.privateJwk });
  const later = createClient(OutboxServiceDefinition, {
    address: `127.0.0.1:${service.port}`,
    audience: "wallet",
    signer,
  });
  await expect(later.listRows({}, listFor(warmUpTenantId))).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
  later.close();
  await service.stop();
});

test("calls of the reserved tenant are not counted, at either side", async () => {
  const service = await start(
    {
      ...withoutIdentity(),
      warmUps: (_resources, self) => [{ name: "own rpc", run: () => self.showRow({}, listFor(warmUpTenantId)) }],
    },
    10,
  );
  expect((await processMetrics.text()).body).not.toContain("OutboxService/ShowRow");
  await service.stop();
});

test("warm-ups that fail or never end are left behind when the time is over", async () => {
  const ran: string[] = [];
  const service = await start(
    {
      warmUps: () => [
        { name: "fails", run: () => Promise.reject(new Error("a bug")) },
        {
          name: "is refused",
          times: 2,
          run: async () => Promise.reject(new Refusal("NOT_FOUND", `${ran.push("refused")}`)),
        },
        { name: "never ends", run: () => new Promise(() => ran.push("begun")) },
      ],
    },
    1,
  );
  expect(ran.toSorted()).toEqual(["begun", "refused", "refused"]);
  expect(await readiness()).toBe(200);
  await service.stop();
});

test("a warm-up asks again who is away, until it answers", async () => {
  let requested = 0;
  const ask = () => {
    requested += 1;
    return requested < 3 ? Promise.reject(new Refusal("UNAVAILABLE", "is starting")) : Promise.resolve();
  };
  await warmUp([{ name: "a neighbour", run: ask }], 10, silentLog);
  expect(requested).toBe(3);
});

test("a step that fails to close does not keep the others, and is thrown at the end", async () => {
  let closed = 0;
  const service = await start({
    resources(opened) {
      opened.onClose(() => void closed++);
      opened.onClose(() => Promise.reject(new Error("the relay hangs")));
      return opened;
    },
  });
  await expect(service.stop()).rejects.toThrow("the relay hangs");
  expect(closed).toBe(1);
  expect(service.resources.db.readyState).toBe(0);
  await expect(list(service.port)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("a neighbour's client is closed with the service", async () => {
  const service = await start();
  const other = service.resources.connect(OutboxServiceDefinition, "ledger", "127.0.0.1:1");
  await service.stop();
  await expect(
    other.listRows({}, outgoing({ tenantId: "", interactionId: "i" }, { timeoutMs: 2_000 })),
  ).rejects.toBeInstanceOf(Error);
});
