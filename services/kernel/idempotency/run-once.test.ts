import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import {
  hasFailPoints,
  holdFailPoints,
  silentLog,
  testDatabase,
  testMongoUri,
  testRedis,
  testTenant,
  type TestDatabase,
} from "../../../test/support/index.js";
import { systemClock } from "../time/clock.js";
import { connectMongo, type MongoConnection } from "../mongo/connect.js";
import { tenantCollection } from "../mongo/tenant-collection.js";
import { createRedis, type Redis } from "../process/redis.js";
import { Refusal, type RefusalCode } from "../refusal.js";
import {
  createIdempotency,
  createIdempotencyIndexes,
  createRunOnce,
  type AnswerCipher,
  type Idempotency,
  type IdempotencyOptions,
  type OnceRequest,
} from "./index.js";
import { outlast, runsFor, takes } from "../../../test/support/time.js";

interface OpenRequest {
  idempotencyKey: string;
  name: string;
  password: string;
}

const appName = `run-once-${randomUUID()}`;
// Messages with an encoding of their own.
const jsonMessage = <T>() => ({
  encode: (message: T) => ({ finish: () => new TextEncoder().encode(JSON.stringify(message)) }),
  decode: (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as T,
  fromPartial: (message: never) => message as T,
});
const requestType = jsonMessage<OpenRequest>();
const response = jsonMessage<string>();
const cipher: AnswerCipher = {
  seal: async (bytes) => bytes.toReversed(),
  open: async (bytes) => bytes.toReversed(),
};
let database: TestDatabase;
let failing: MongoConnection;
let redis: Redis;
let away: Redis;

beforeAll(async () => {
  database = await testDatabase("run_once");
  const uri = `${testMongoUri()}&appName=${appName}`;
  failing = await connectMongo({ uri, database: database.database, log: silentLog });
  redis = await testRedis();
  away = createRedis({ url: "redis://127.0.0.1:1", log: silentLog });
  await createIdempotencyIndexes(database.db);
  await database.db.createCollection("effects");
});
afterAll(async () => {
  redis.disconnect();
  away.disconnect();
  await failing.close();
  await database.close();
});

describe.each([
  ["with Redis", () => redis],
  ["without Redis", () => away],
])("%s", (_, client) => {
  let idempotency: Idempotency;
  let tenantId: string;
  let idempotencyKey: string;
  let replays: number;
  const create = (more: Partial<IdempotencyOptions> = {}) =>
    createIdempotency({ db: failing.db, redis: client(), clock: systemClock, cipher, log: silentLog, ...more });
  beforeEach(() => {
    idempotency = create();
    tenantId = testTenant();
    idempotencyKey = randomUUID();
    replays = 0;
  });

  const effects = () => tenantCollection<{ _id: string; tenantId: string }>(failing.db, "effects").forTenant(tenantId);
  const open = async (session: ClientSession) => {
    const _id = randomUUID();
    await effects().insertOne({ _id }, { session });
    return _id;
  };
  type More = Partial<OnceRequest<OpenRequest, string, string>>;
  const run = (work: More["work"] = open, name = "f", more: More = {}) =>
    createRunOnce({ db: failing.db, idempotency })<OpenRequest, string, string>({
      operation: "Open",
      request: { idempotencyKey, name, password: randomUUID() },
      requestType,
      omit: ["password"],
      response,
      call: {
        tenantId,
        caller: "gateway",
        user: { userId: "user-1", role: "CUSTOMER", tenantId, sessionId: "s" },
        markReplayed: () => void replays++,
      },
      work,
      ...more,
    });

  test("gives every repetition the first answer and has one effect", async () => {
    const first = await run();
    expect(replays).toBe(0);
    expect([await run(), await run()]).toEqual([first, first]);
    expect(replays).toBe(2);
    expect(await effects().count({})).toBe(1);
  });

  test.each(["", "x".repeat(256), "line\nbreak", "clé"])("refuses the key %j", async (key) => {
    idempotencyKey = key;
    await expect(run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "idempotencyKey" }] },
    });
    expect(await effects().count({})).toBe(0);
  });

  test("a key is its caller's own: another's is another request", async () => {
    const first = await run();
    const other = await run(open, "g", { caller: "customer:7" });
    expect(other).not.toBe(first);
    expect(await run(open, "g", { caller: "customer:7" })).toBe(other);
  });

  test("keeps a secret encrypted", async () => {
    const first = await run(open, "f", { secret: true });
    const records = await failing.db.collection("idempotency").find({ tenantId }).toArray();
    expect(Buffer.from(records[0]!["answer"].bytes.buffer).toString()).not.toContain(first);
    expect(await run(open, "f", { secret: true })).toBe(first);
  });

  test("two equal requests that both got as far as the work have one effect and the same answer", async () => {
    // A lock that has lapsed lets both in, as a Redis that is away does.
    idempotency = create({ lockMs: 1 });
    const bothAreIn = Promise.withResolvers<string>();
    let arrived = 0;
    const prepare = async () => {
      if (++arrived === 2) bothAreIn.resolve("");
      else await takes(20);
      return bothAreIn.promise;
    };
    const first = run(open, "f", { prepare });
    await runsFor(20);
    const [one, other] = await Promise.all([first, run(open, "f", { prepare })]);
    expect(one).toBe(other);
    expect(arrived).toBe(2);
    expect(replays).toBe(1);
    expect(await effects().count({})).toBe(1);
  });

  test("two equal requests that both got as far as a refusal are refused the same", async () => {
    idempotency = create({ lockMs: 1 });
    const bothAreIn = Promise.withResolvers<string>();
    let arrived = 0;
    const prepare = async () => {
      const count = ++arrived;
      if (count === 2) bothAreIn.resolve("");
      await bothAreIn.promise;
      throw new Refusal("INSUFFICIENT_FUNDS", `of try ${count}`);
    };
    const first = run(open, "f", { prepare });
    first.catch(() => undefined);
    await runsFor(20);
    const outcomes = await Promise.allSettled([first, run(open, "f", { prepare })]);
    const [one, other] = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason as Refusal);
    expect(one).toMatchObject({ code: "INSUFFICIENT_FUNDS" });
    expect(other).toMatchObject({ code: "INSUFFICIENT_FUNDS", message: one!.message });
  });

  test("an equal request that is refused because of what the faster one did gets its answer", async () => {
    idempotency = create({ lockMs: 1 });
    const otherHasEnded = Promise.withResolvers<void>();
    const prepare = async () => {
      await otherHasEnded.promise;
      throw new Refusal("BENEFICIARY_NOT_FOUND", "it was removed");
    };
    const slow = run(open, "f", { prepare });
    await runsFor(20);
    const fast = await run();
    otherHasEnded.resolve();
    expect(await slow).toBe(fast);
    expect(replays).toBe(1);
    expect(await effects().count({})).toBe(1);
  });

  test("fifty at once have one effect and one answer; the others wait or get it", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => run()));
    expect(await effects().count({})).toBe(1);
    const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(new Set(answers).size).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "IDEMPOTENCY_IN_FLIGHT" });
    }
    expect(await run()).toBe(answers[0]);
  });

  test("two different requests with one key at once: one answer, one refusal", async () => {
    const outcomes = await Promise.allSettled([run(open, "f"), run(open, "g")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "IDEMPOTENCY_KEY_REUSED" },
    });
    expect(await effects().count({})).toBe(1);
  });

  const refuse = (code: RefusalCode) => async (session: ClientSession) => {
    await open(session);
    throw new Refusal(code, "no", { figures: { limit: "1.00" } });
  };

  test.each<RefusalCode>(["INSUFFICIENT_FUNDS", "STATE_CONFLICT"])(
    "keeps %s as the answer, without its effect",
    async (code) => {
      const expected = { code, message: "no", details: { figures: { limit: "1.00" } } };
      await expect(run(refuse(code))).rejects.toMatchObject(expected);
      await expect(run()).rejects.toMatchObject(expected);
      expect(replays).toBe(1);
      expect(await effects().count({})).toBe(0);
    },
  );

  test.each<RefusalCode>(["INVALID_INPUT", "PASSWORD_WRONG", "NOT_FOUND", "UNAVAILABLE"])(
    "lets a corrected request through after %s",
    async (code) => {
      await expect(run(refuse(code))).rejects.toMatchObject({ code });
      expect(await run(open, "corrected")).toEqual(expect.any(String));
      expect(await effects().count({})).toBe(1);
    },
  );

  test("lets the request through after a fault", async () => {
    await expect(run(() => Promise.reject(new Error("bug")))).rejects.toThrow("bug");
    expect(await run()).toEqual(expect.any(String));
  });

  (hasFailPoints ? test : test.skip)("answers once and the same when the commit's outcome was unknown", async () => {
    const letGo = await holdFailPoints();
    const admin = database.db.getClient().db("admin");
    const data = { appName, failCommands: ["commitTransaction"], writeConcernError: { code: 64, errmsg: "lost" } };
    await admin.command({ configureFailPoint: "failCommand", mode: { times: 3 }, data });
    const first = await run().finally(letGo);
    expect(await run()).toBe(first);
    expect(await effects().count({})).toBe(1);
  });

  describe("before", () => {
    test.each<RefusalCode>(["STATE_CONFLICT", "INSUFFICIENT_FUNDS", "PASSWORD_WRONG"])(
      "leaves the key free when it refuses %s",
      async (code) => {
        const before = () => Promise.reject(new Refusal(code, "no"));
        await expect(run(open, "f", { before })).rejects.toMatchObject({ code });
        expect(await run()).toEqual(expect.any(String));
        expect(replays).toBe(0);
      },
    );

    test("is not asked for a replay", async () => {
      let requested = 0;
      const before = async () => void requested++;
      await run(open, "f", { before });
      await run(open, "f", { before });
      expect(requested).toBe(1);
    });

    test("passes on a neighbour's IDEMPOTENCY_IN_FLIGHT and leaves the key free", async () => {
      const before = () => Promise.reject(new Refusal("IDEMPOTENCY_IN_FLIGHT", "theirs"));
      await expect(run(open, "f", { before })).rejects.toMatchObject({ message: "theirs" });
      expect(await run()).toEqual(expect.any(String));
    });
  });

  describe("prepare", () => {
    test("hands what it found to the work, and is not asked for a replay", async () => {
      let requested = 0;
      const prepare = async () => `found ${++requested}`;
      const work = async (session: ClientSession, prepared: string) => `${await open(session)} ${prepared}`;
      const first = await run(work, "f", { prepare });
      expect(first).toMatch(/found 1$/);
      expect(await run(work, "f", { prepare })).toBe(first);
      expect(requested).toBe(1);
    });

    test("keeps its 409 and 422 as the work's", async () => {
      const prepare = () => Promise.reject(new Refusal("ACCOUNT_CLOSED", "no"));
      await expect(run(open, "f", { prepare })).rejects.toMatchObject({ code: "ACCOUNT_CLOSED" });
      await expect(run()).rejects.toMatchObject({ code: "ACCOUNT_CLOSED" });
      expect(replays).toBe(1);
      expect(await effects().count({})).toBe(0);
    });

    test.each<RefusalCode>(["NOT_FOUND", "UNAVAILABLE"])("leaves the key free when it refuses %s", async (code) => {
      const prepare = () => Promise.reject(new Refusal(code, "no"));
      await expect(run(open, "f", { prepare })).rejects.toMatchObject({ code });
      expect(await run()).toEqual(expect.any(String));
    });
  });

  describe("after", () => {
    test("gets the answer when the commit stands, once and not for a replay", async () => {
      const seen: [string, number][] = [];
      const after = async (answer: string) => void seen.push([answer, await effects().count({})]);
      const first = await run(open, "f", { after });
      await run(open, "f", { after });
      expect(seen).toEqual([[first, 1]]);
    });

    test("is left out for a refusal", async () => {
      let ran = 0;
      const after = async () => void ran++;
      await expect(run(refuse("INSUFFICIENT_FUNDS"), "f", { after })).rejects.toMatchObject({
        code: "INSUFFICIENT_FUNDS",
      });
      expect(ran).toBe(0);
    });

    test("does not undo what is committed when it fails", async () => {
      const after = () => Promise.reject(new Refusal("UNAVAILABLE", "the ledger is away"));
      await expect(run(open, "f", { after })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(await run(open, "f", { after })).toEqual(expect.any(String));
      expect(await effects().count({})).toBe(1);
    });
  });

  describe("a process that dies", () => {
    const never = new Promise<never>(() => undefined);

    test("before its commit leaves nothing: the next try has the one effect", async () => {
      idempotency = create({ lockMs: 50 });
      const reached = Promise.withResolvers<void>();
      const prepare = () => (reached.resolve(), never);
      void run(open, "f", { prepare });
      await reached.promise;
      await outlast(100);
      expect(await run()).toEqual(expect.any(String));
      expect(await effects().count({})).toBe(1);
    });

    test("between its commit and its answer has answered: the next try gets that", async () => {
      const committed = Promise.withResolvers<string>();
      const after = (answer: string) => (committed.resolve(answer), never);
      void run(open, "f", { after });
      const first = await committed.promise;
      expect(await run()).toBe(first);
      expect(replays).toBe(1);
      expect(await effects().count({})).toBe(1);
    });
  });
});
