import type { ClientSession } from "mongoose";
import { testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import {
  createForcedOutcomeIndexes,
  createForcedOutcomes,
  forcedOutcomeStore,
  type StoredForcedOutcome,
} from "./forced-outcome-store.js";
import type { Call } from "../../kernel/grpc/context.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { inTransaction, retryDuplicates } from "../../kernel/mongo/transaction.js";

let database: TestDatabase;
let tenantId: string;
let time = Date.now();
const clock = { now: () => new Date(time) };
const name = "kept_outcomes";

beforeAll(async () => {
  database = await testDatabase("kept_outcomes");
  await createForcedOutcomeIndexes(database.db, name);
});
beforeEach(() => void (tenantId = testTenant()));
afterAll(async () => {
  await database.db.dropDatabase();
  await database.close();
});

const outcomes = () => recordCollection<StoredForcedOutcome>(database.db, name);
const store = {
  transaction: <T>(work: (session: ClientSession) => Promise<T>, readBack: () => Promise<T | undefined>) =>
    retryDuplicates(() => inTransaction(database.db, work, { readBack })),
  forTenant: (id: string) => forcedOutcomeStore(outcomes().forTenant(id), clock),
};
const keeper = createForcedOutcomes(store, ["PAYOUT"]);
const call = () => ({ tenantId }) as Call;
const force = (id: string, part: object = {}) =>
  keeper.force({ id, of: "PAYOUT", outcome: "REFUSE", times: 1, ...part }, call());
const take = (subjects: string[] = []) =>
  store.transaction(
    async (session) => ({ taken: await store.forTenant(tenantId).takeForced(subjects, session) }),
    async () => undefined,
  );
const takenId = async (subjects?: string[]) => (await take(subjects)).taken?.outcomeId;

test("the first subject that has anything comes first, then anybody's, the latest of each", async () => {
  for (const [id, subject] of [["any"], ["wide", "b"], ["narrow", "a"]] as const) {
    await force(id, subject === undefined ? {} : { subject });
    time += 1;
  }
  await force("later", { subject: "b" });
  const ids: (string | undefined)[] = [];
  for (let each = 0; each < 5; each += 1) ids.push(await takenId(["a", "b"]));
  expect(ids).toEqual(["narrow", "later", "wide", "any", undefined]);
});

test("as often as it was told, and of ten at once one takes the last", async () => {
  await force("two", { times: 2 });
  await force("two", { times: 2 });
  expect(await keeper.list(call())).toMatchObject([{ id: "two", times: 2 }]);
  expect(await takenId()).toBe("two");
  const all = await Promise.all(Array.from({ length: 10 }, () => takenId()));
  expect(all.filter((id) => id !== undefined)).toEqual(["two"]);
});

test("under its id once, also of ten at once and when it is used up", async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => force("one")));
  expect(all.toSorted()).toEqual([...Array.from({ length: 9 }, () => "known"), "new"]);
  expect(await force("one", { reason: "another" })).toBe("other");
  await take();
  expect([await force("one"), await takenId()]).toEqual(["known", undefined]);
});

test("one without a number stands until it is taken back, for 30 days, and for its tenant alone", async () => {
  const current = { id: "stands", of: "PAYOUT", outcome: "STALL" } as const;
  await keeper.force(current, call());
  expect([await takenId(), await takenId()]).toEqual(["stands", "stands"]);
  expect(await keeper.list(call())).toEqual([current]);
  expect(await keeper.list({ tenantId: testTenant() } as Call)).toEqual([]);
  const before = time;
  time += 30 * 86_400_000;
  expect([await takenId(), await keeper.list(call()), await keeper.clear(undefined, call())]).toEqual([
    undefined,
    [],
    0,
  ]);
  time = before;
  expect(await keeper.clear("another", call())).toBe(0);
  expect([await keeper.clear("stands", call()), await takenId()]).toEqual([1, undefined]);
});
