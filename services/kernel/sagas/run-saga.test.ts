import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { silentLog, testDatabase, testRedis, testTenant, type TestDatabase } from "../../../test/support/index.js";
import { kindOf } from "../../../test/support/outbox.js";
import { systemClock } from "../time/clock.js";
import {
  createIdempotency,
  createIdempotencyIndexes,
  type Idempotency,
  type StoredAnswer,
  type Ticket,
} from "../idempotency/index.js";
import { tenantCollection } from "../mongo/tenant-collection.js";
import { inTransaction } from "../mongo/transaction.js";
import { createOutbox, createOutboxIndexes, type Outbox } from "../outbox/index.js";
import { createRedis, type Redis } from "../process/redis.js";
import { Refusal, type RefusalCode } from "../refusal.js";
import { createSagas, keepingRefusals, runSaga, type SagaIdentity, type SagaRequest, type Sagas } from "./index.js";
import { outlast, runsFor } from "../../../test/support/time.js";

interface MakeRequest {
  idempotencyKey: string;
  name: string;
}
interface Thing {
  _id: string;
  tenantId: string;
  status: "PENDING" | "DONE";
}

const jsonMessage = <T>() => ({
  encode: (message: T) => ({ finish: () => new TextEncoder().encode(JSON.stringify(message)) }),
  decode: (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as T,
  fromPartial: (message: never) => message as T,
});
const response = jsonMessage<string>();
const answerOf = (id: string): StoredAnswer => ({ kind: "response", bytes: response.encode(id).finish() });

let database: TestDatabase;
let redis: Redis;
let away: Redis;
let outbox: Outbox;
let idempotency: Idempotency;
let sagas: Sagas;
let tenantId: string;
let idempotencyKey: string;
let replays: number;

beforeAll(async () => {
  database = await testDatabase("run_saga");
  redis = await testRedis();
  away = createRedis({ url: "redis://127.0.0.1:1", log: silentLog });
  await createIdempotencyIndexes(database.db);
  await createOutboxIndexes(database.db);
  await database.db.createCollection("things");
});
afterAll(async () => {
  redis.disconnect();
  away.disconnect();
  await database.close();
});

const things = () => tenantCollection<Thing>(database.db, "things").forTenant(tenantId);
const store = {
  transaction: <T>(work: (session: ClientSession) => Promise<T>, readBack: () => Promise<T | undefined>) =>
    inTransaction(database.db, work, { readBack }),
};
const identityOf = (id: string): SagaIdentity => ({
  tenantId,
  caller: "user-1",
  idempotencyKey,
  interactionId: "interaction",
  createdBy: "user-1",
  operation: "Make",
  aggregate: `thing:${id}`,
  recovery: kindOf("drive-thing"),
  payload: { id },
});

async function begin(ticket: Ticket): Promise<string> {
  const id = randomUUID();
  const found = async () => ((await things().findOne({ _id: id })) ? true : undefined);
  const insert = (session: ClientSession) =>
    things()
      .insertOne({ _id: id, status: "PENDING" }, { session })
      .then(() => true);
  await sagas.begin(identityOf(id), { ticket, id, insert, readBack: found });
  return id;
}

const drive = (id: string, answer = answerOf(id)): Promise<StoredAnswer> =>
  sagas.end(
    identityOf(id),
    {
      answer,
      apply: async (session) => {
        const change = { $set: { status: "DONE" as const } };
        const { matchedCount } = await things().updateOne({ _id: id, status: "PENDING" }, change, { session });
        return matchedCount === 1;
      },
      readBack: async () => ((await things().findOne({ _id: id, status: "DONE" })) ? answer : undefined),
    },
    {},
  );

type More = Partial<SagaRequest<MakeRequest, string>>;
const run = (more: More = {}, name = "f") =>
  runSaga<MakeRequest, string>({
    idempotency,
    sagas,
    operation: "Make",
    request: { idempotencyKey, name },
    requestType: jsonMessage<MakeRequest>(),
    response,
    call: {
      tenantId,
      caller: "gateway",
      user: { userId: "user-1", role: "CUSTOMER", tenantId, sessionId: "s" },
      markReplayed: () => void replays++,
    },
    start: async (ticket) => {
      const id = await begin(ticket);
      return { drive: () => drive(id) };
    },
    resume: (id) => drive(id),
    ...more,
  });

describe.each([
  ["with Redis", () => redis],
  ["without Redis", () => away],
])("%s", (_, client) => {
  const use = (lockMs?: number) => {
    const clock = systemClock;
    outbox = createOutbox({ db: database.db, clock, log: silentLog, service: "wallet" });
    idempotency = createIdempotency({
      db: database.db,
      redis: client(),
      clock,
      log: silentLog,
      ...(lockMs !== undefined && { lockMs }),
    });
    sagas = createSagas({ store, idempotency, outbox, clock, recoverAfterMs: 60_000 });
  };
  beforeEach(() => {
    use();
    tenantId = testTenant();
    idempotencyKey = randomUUID();
    replays = 0;
  });
  const openRows = () => database.db.collection("outbox").countDocuments({ tenantId, state: { $ne: "DONE" } });

  test("gives every repetition the first answer and makes one thing", async () => {
    const first = await run();
    expect([await run(), await run()]).toEqual([first, first]);
    expect(replays).toBe(2);
    expect(await things().count({})).toBe(1);
  });

  test("closes its recovery row with its answer", async () => {
    const begun = Promise.withResolvers<number>();
    await run({
      start: async (ticket) => {
        const id = await begin(ticket);
        begun.resolve(await openRows());
        return { drive: () => drive(id) };
      },
    });
    expect(await begun.promise).toBe(1);
    expect(await openRows()).toBe(0);
  });

  test("one that was cut off is driven on by its retry", async () => {
    const start = async (ticket: Ticket) => {
      await begin(ticket);
      return { drive: () => Promise.reject(new Refusal("UNAVAILABLE", "the ledger is away")) };
    };
    await expect(run({ start })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const answer = await run();
    expect(await things().findOne({})).toMatchObject({ _id: answer, status: "DONE" });
    expect(await things().count({})).toBe(1);
  });

  test("an equal request that loses to one that has ended gets its answer", async () => {
    use(1);
    const otherHasEnded = Promise.withResolvers<void>();
    const slow = run({
      start: async (ticket) => {
        await otherHasEnded.promise;
        const id = await begin(ticket);
        return { drive: () => drive(id) };
      },
    });
    await runsFor(20);
    const fast = await run();
    otherHasEnded.resolve();
    expect(await slow).toBe(fast);
    expect(replays).toBe(1);
    expect(await things().count({})).toBe(1);
  });

  test("an equal request that loses to one that still runs is refused IDEMPOTENCY_IN_FLIGHT", async () => {
    use(200);
    const letEnd = Promise.withResolvers<void>();
    const otherHasBegun = Promise.withResolvers<void>();
    const slow = run({
      start: async (ticket) => {
        await otherHasBegun.promise;
        const id = await begin(ticket);
        return { drive: () => drive(id) };
      },
    });
    slow.catch(() => undefined);
    await outlast(250);
    const fast = run({
      start: async (ticket) => {
        const id = await begin(ticket);
        otherHasBegun.resolve();
        await letEnd.promise;
        return { drive: () => drive(id) };
      },
    });
    await expect(slow).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_FLIGHT" });
    letEnd.resolve();
    expect(await run().catch(() => fast)).toBe(await fast);
    expect(await things().count({})).toBe(1);
  });

  test("a neighbour's IDEMPOTENCY_IN_FLIGHT is passed on, and the retry drives on", async () => {
    const start = async (ticket: Ticket) => {
      await begin(ticket);
      return { drive: () => Promise.reject(new Refusal("IDEMPOTENCY_IN_FLIGHT", "theirs")) };
    };
    await expect(run({ start })).rejects.toMatchObject({ message: "theirs" });
    expect(await run()).toBe((await things().findOne({}))?._id);
  });

  test.each<RefusalCode>(["ACCOUNT_CLOSED", "INSUFFICIENT_FUNDS"])(
    "keeps %s that start decides on, and thrown where refusals are kept",
    async (code) => {
      const refusal = new Refusal(code, "no");
      await expect(run({ start: () => keepingRefusals(() => Promise.reject(refusal)) })).rejects.toMatchObject({
        code,
      });
      await expect(run()).rejects.toMatchObject({ code });
      expect(replays).toBe(1);
      idempotencyKey = randomUUID();
      await expect(run({ start: async () => ({ refusal }) })).rejects.toMatchObject({ code });
      await expect(run()).rejects.toMatchObject({ code });
      expect(await things().count({})).toBe(0);
    },
  );

  test.each<RefusalCode>(["NOT_FOUND", "UNAVAILABLE", "INVALID_INPUT"])(
    "lets a corrected request through after %s",
    async (code) => {
      const start = () => keepingRefusals(() => Promise.reject(new Refusal(code, "no")));
      await expect(run({ start })).rejects.toMatchObject({ code });
      expect(await run({}, "corrected")).toEqual(expect.any(String));
    },
  );

  test("a refusal of its end that is not kept leaves the key free for another", async () => {
    const answer: StoredAnswer = { kind: "refusal", code: "ACCOUNT_NOT_FOUND", message: "no" };
    const start = async (ticket: Ticket) => {
      const id = await begin(ticket);
      return { drive: () => drive(id, answer) };
    };
    await expect(run({ start })).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
    expect(await run({}, "corrected")).toEqual(expect.any(String));
    expect(await things().count({ status: "DONE" })).toBe(2);
  });

  test("another key for what an earlier one made gets that one's answer, as a replay", async () => {
    const first = await run();
    idempotencyKey = randomUUID();
    const start = async () => ({ isEarlier: true, drive: async () => answerOf(first) });
    expect(await run({ start })).toBe(first);
    expect(replays).toBe(1);
    expect(await run()).toBe(first);
    expect(await things().count({})).toBe(1);
  });
});
