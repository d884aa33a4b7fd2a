import { randomBytes, randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import {
  silentLog,
  testDatabase,
  testRedis,
  testTenant,
  waitFor,
  workerRedisUrl,
  type TestDatabase,
} from "../../../test/support/index.js";
import { systemClock } from "../time/clock.js";
import { acrossTenants } from "../mongo/tenant-collection.js";
import { inTransaction } from "../mongo/transaction.js";
import { createRedis, type Redis } from "../process/redis.js";
import {
  createIdempotency,
  createIdempotencyIndexes,
  idempotencyCollection,
  type Idempotency,
  type IdempotencyOptions,
  type Scope,
  type StoredAnswer,
  type Ticket,
} from "./index.js";
import { outlast } from "../../../test/support/time.js";

let database: TestDatabase;
let redis: Redis;
let away: Redis;

beforeAll(async () => {
  database = await testDatabase("idempotency");
  redis = await testRedis(workerRedisUrl());
  away = createRedis({ url: "redis://127.0.0.1:1", log: silentLog });
  await createIdempotencyIndexes(database.db);
});
afterAll(async () => {
  redis.disconnect();
  away.disconnect();
  await database.close();
});

const make = (options: Partial<IdempotencyOptions> = {}): Idempotency =>
  createIdempotency({ db: database.db, redis, clock: systemClock, log: silentLog, ...options });
const scope = (change: Partial<Scope> = {}): Scope => ({
  tenantId: testTenant(),
  caller: "user-1",
  operation: "MakePayment",
  key: randomUUID(),
  ...change,
});
const response = (bytes: Uint8Array = randomBytes(40)): StoredAnswer => ({
  kind: "response",
  bytes: new Uint8Array(bytes),
});
const refusal: StoredAnswer = {
  kind: "refusal",
  code: "INSUFFICIENT_FUNDS",
  message: "too little",
  details: { figures: { balance: "1.00" } },
};
const commit = (work: Parameters<typeof inTransaction<void>>[1]) =>
  inTransaction(database.db, work, { readBack: async () => undefined });
const inFlight = { code: "IDEMPOTENCY_IN_FLIGHT", details: { retryAfterS: 1 } };
const keyReused = { code: "IDEMPOTENCY_KEY_REUSED" };

async function claimNew(idempotency: Idempotency, of: Scope, fingerprint = "f"): Promise<Ticket> {
  const claim = await idempotency.claim(of, fingerprint);
  if (claim.kind !== "new") throw new Error(`expected a new claim, not ${claim.kind}`);
  return claim.ticket;
}

describe.each([
  ["with Redis", () => redis],
  ["without Redis", () => away],
])("%s", (_, client) => {
  let idempotency: Idempotency;
  beforeEach(() => {
    idempotency = make({ redis: client() });
  });

  test.each([
    ["a response, byte for byte", response()],
    ["an empty response", response(new Uint8Array())],
    ["a refusal", refusal],
  ])("replays %s", async (_name, answer) => {
    const of = scope();
    const ticket = await claimNew(idempotency, of);
    await commit((session) => idempotency.begin(ticket, "payment-1", session));
    await commit((session) => idempotency.complete(ticket, answer, session));
    // From MongoDB, then from the cache, whether or not the first request has settled.
    for (let i = 0; i < 2; i++) expect(await idempotency.claim(of, "f")).toEqual({ kind: "replay", answer });
    await idempotency.settled(ticket);
    for (let i = 0; i < 2; i++) expect(await idempotency.claim(of, "f")).toEqual({ kind: "replay", answer });
  });

  test("refuses the key for another request: running, begun and done", async () => {
    const of = scope();
    const ticket = await claimNew(idempotency, of);
    if (client() === redis) await expect(idempotency.claim(of, "other")).rejects.toMatchObject(keyReused);
    await commit((session) => idempotency.begin(ticket, "payment-1", session));
    await expect(idempotency.claim(of, "other")).rejects.toMatchObject(keyReused);
    await commit((session) => idempotency.complete(ticket, refusal, session));
    await expect(idempotency.claim(of, "other")).rejects.toMatchObject(keyReused);
    await idempotency.settled(ticket);
    await expect(idempotency.claim(of, "other")).rejects.toMatchObject(keyReused);
    expect((await idempotency.claim(of, "f")).kind).toBe("replay");
  });

  test("knows nothing of the key in another tenant, of another caller or for another operation", async () => {
    const of = scope();
    const ticket = await claimNew(idempotency, of);
    await commit((session) => idempotency.completeAtOnce(ticket, refusal, session));
    for (const change of [{ tenantId: testTenant() }, { caller: "user-2" }, { operation: "Deposit" }, { key: "k" }]) {
      expect((await idempotency.claim({ ...of, ...change }, "other")).kind).toBe("new");
    }
  });

  test("a begun request runs alone, and is resumed when its process has died", async () => {
    let now = Date.now();
    const clock = { now: () => new Date(now) };
    const [first, second] = [
      make({ redis: client(), clock, lockMs: 300 }),
      make({ redis: client(), clock, lockMs: 300 }),
    ];
    const of = scope();
    const ticket = await claimNew(first, of);
    await commit((session) => first.begin(ticket, "payment-1", session));
    await expect(second.claim(of, "f")).rejects.toMatchObject(inFlight);
    await outlast(350);
    await expect(second.claim(of, "f")).rejects.toMatchObject(inFlight);
    now += 301;
    const claims = await Promise.allSettled([second.claim(of, "f"), first.claim(of, "f"), second.claim(of, "f")]);
    const resumed = claims.filter(({ status }) => status === "fulfilled");
    expect(resumed).toEqual([
      { status: "fulfilled", value: expect.objectContaining({ kind: "resume", ownerId: "payment-1" }) },
    ]);
    // Both drive the same work on; the first to end gives the answer that stands.
    const answer = response();
    await commit((session) => second.complete({ scope: of }, answer, session));
    await expect(commit((session) => first.complete(ticket, refusal, session))).rejects.toMatchObject(inFlight);
    expect(await second.claim(of, "f")).toEqual({ kind: "replay", answer });
  });

  test("of two that were told to run, one begins", async () => {
    const of = scope();
    const tickets = [await claimNew(make({ redis: away }), of), await claimNew(idempotency, of)] as const;
    const begun = await Promise.allSettled(
      tickets.map((ticket, i) => commit((session) => idempotency.begin(ticket, `payment-${i}`, session))),
    );
    expect(begun.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(begun.find(({ status }) => status === "rejected")).toMatchObject({ reason: inFlight });
  });

  test("a failure that is not stored leaves the key free at once", async () => {
    const of = scope();
    await idempotency.forget(await claimNew(idempotency, of));
    const ticket = await claimNew(idempotency, of);
    await commit((session) => idempotency.begin(ticket, "payment-1", session));
    await idempotency.forget(ticket);
    const claim = await idempotency.claim(of, "f");
    expect(claim).toMatchObject({ kind: "resume", ownerId: "payment-1" });
    // A ticket that was overtaken has no say any more.
    await idempotency.forget(ticket);
    await expect(idempotency.claim(of, "f")).rejects.toMatchObject(inFlight);
  });

  test("a withdrawn request leaves the key free for another", async () => {
    const of = scope();
    const ticket = await claimNew(idempotency, of);
    await commit((session) => idempotency.begin(ticket, "payment-1", session));
    await commit((session) => idempotency.withdraw(of, session));
    await idempotency.forget(ticket);
    expect((await idempotency.claim(of, "other")).kind).toBe("new");
  });

  test("reads back the answer of the same request only", async () => {
    const of = scope();
    const ticket = await claimNew(idempotency, of);
    expect(await idempotency.answerOf(ticket)).toBeUndefined();
    await commit((session) => idempotency.begin(ticket, "payment-1", session));
    expect(await idempotency.answerOf(ticket)).toBeUndefined();
    await commit((session) => idempotency.complete(ticket, refusal, session));
    expect(await idempotency.answerOf(ticket)).toEqual(refusal);
    expect(await idempotency.answerOf({ scope: of, fingerprint: "other" })).toBeUndefined();
  });
});

test("fifty identical requests at once: one runs", async () => {
  const processes = [make(), make(), make()];
  const of = scope();
  const claims = await Promise.allSettled(
    Array.from({ length: 50 }, (_, i) => (processes[i % 3] as Idempotency).claim(of, "f")),
  );
  const kinds = claims.map((claim) =>
    claim.status === "fulfilled" ? claim.value.kind : (claim.reason as { code: string }).code,
  );
  expect(kinds.filter((kind) => kind === "new")).toHaveLength(1);
  expect(kinds.filter((kind) => kind === "IDEMPOTENCY_IN_FLIGHT")).toHaveLength(49);
});

test("Redis may lose everything in between", async () => {
  const idempotency = make();
  const of = scope();
  const ticket = await claimNew(idempotency, of);
  const lose = async () => {
    const keys = await redis.keys("idempotency:*");
    if (keys.length > 0) await redis.del(...keys);
  };
  await lose();
  const twin = await claimNew(idempotency, of);
  await commit((session) => idempotency.begin(ticket, "payment-1", session));
  await expect(commit((session) => idempotency.begin(twin, "payment-2", session))).rejects.toMatchObject(inFlight);
  await lose();
  await expect(idempotency.claim(of, "f")).rejects.toMatchObject(inFlight);
  await commit((session) => idempotency.complete(ticket, refusal, session));
  await lose();
  expect(await idempotency.claim(of, "f")).toEqual({ kind: "replay", answer: refusal });
});

test("nothing is cached before its commit is known", async () => {
  const idempotency = make();
  const of = scope();
  const ticket = await claimNew(idempotency, of);
  const aborted = commit(async (session) => {
    await idempotency.completeAtOnce(ticket, refusal, session);
    throw new Error("no");
  });
  await expect(aborted).rejects.toThrow("no");
  await idempotency.forget(ticket);
  expect((await idempotency.claim(of, "f")).kind).toBe("new");
});

test("what a restored database never did is not answered as done, although Redis was kept", async () => {
  const idempotency = make();
  const of = scope();
  const ticket = await claimNew(idempotency, of);
  await commit((session) => idempotency.completeAtOnce(ticket, refusal, session));
  await idempotency.settled(ticket);
  expect((await idempotency.claim(of, "f")).kind).toBe("replay");
  // As an older copy has it.
  await database.db.collection("idempotency").deleteOne({ tenantId: of.tenantId, key: of.key });
  expect((await idempotency.claim(of, "f")).kind).toBe("new");
});

test.each<[string, StoredAnswer]>([
  ["a secret", { kind: "response", secret: true, bytes: new TextEncoder().encode("the api token") }],
  ["whom a refusal names", { ...refusal, details: { figures: { name: "the api token" }, isPersonal: true } }],
])("answers that hold %s are kept encrypted", async (_what, answer) => {
  const cipher = {
    seal: async (bytes: Uint8Array, { key }: Scope) => xor(bytes, key),
    open: async (bytes: Uint8Array, { key }: Scope) => xor(bytes, key),
  };
  const xor = (bytes: Uint8Array, key: string) => bytes.map((byte, i) => byte ^ key.charCodeAt(i % key.length));
  const idempotency = make({ cipher });
  const ticket = await claimNew(idempotency, scope());
  await commit((session) => idempotency.completeAtOnce(ticket, answer, session));
  await idempotency.settled(ticket);
  expect(await idempotency.claim(ticket.scope, "f")).toEqual({ kind: "replay", answer });
  const { bytes, sealed = bytes } = (await rows().findOne({ key: ticket.scope.key }))!["answer"] as {
    bytes: mongo.Binary;
    sealed?: mongo.Binary;
  };
  expect(Buffer.from(sealed.buffer).toString("latin1")).not.toContain("token");
  const other = await claimNew(make(), scope());
  await expect(commit((session) => make().completeAtOnce(other, answer, session))).rejects.toThrow(/cipher/);
});

describe("records are kept", () => {
  const expiry = async (idempotency: Idempotency) => {
    const ticket = await claimNew(idempotency, scope());
    await commit((session) => idempotency.begin(ticket, "payment-1", session));
    const pending = await rows().findOne({ key: ticket.scope.key });
    expect(pending).not.toHaveProperty("expiresAt");
    await commit((session) => idempotency.complete(ticket, refusal, session));
    return (await rows().findOne({ key: ticket.scope.key }))?.["expiresAt"];
  };

  test("for a day after their answer, and while they are pending", async () => {
    expect(Number(await expiry(make())) - Date.now()).toBeGreaterThan(24 * 3_600_000 - 60_000);
  });

  test("for ever between services", async () => {
    expect(await expiry(make({ keepForMs: "for ever" }))).toBeUndefined();
  });

  test("never for less than a day", () => {
    expect(() => make({ keepForMs: 60_000 })).toThrow(/24 h/);
  });

  test("until MongoDB removes them", async () => {
    const clock = { now: () => new Date(Date.now() - 25 * 3_600_000) };
    const ticket = await claimNew(make({ clock }), scope());
    await commit((session) => make({ clock }).completeAtOnce(ticket, refusal, session));
    await waitFor(async () => (await rows().count({ key: ticket.scope.key })) === 0, { timeoutMs: 10_000 });
  });
});

test("costs one read of MongoDB beside the work's own transaction, and a replay as much", async () => {
  const idempotency = make();
  const sent: string[] = [];
  const watch = ({ commandName }: mongo.CommandStartedEvent) => void sent.push(commandName);
  database.db.getClient().on("commandStarted", watch);
  const ticket = await claimNew(idempotency, scope());
  expect(sent).toEqual(["find"]);
  await commit((session) => idempotency.completeAtOnce(ticket, refusal, session));
  await idempotency.settled(ticket);
  await idempotency.claim(ticket.scope, "f");
  expect(sent).toEqual(["find", "insert", "commitTransaction", "find"]);
  database.db.getClient().off("commandStarted", watch);
});

const rows = () => acrossTenants<{ _id: string } & Record<string, unknown>>(database.db, idempotencyCollection, "test");
