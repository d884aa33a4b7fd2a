import {
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("payout_checks")));
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, ofTenant, stopped, falsely, confirmed, release, key } = hitWords(() => world);

const payout = (recipientCode: string, customerId = "c1") => ({ customerId, recipientCode });
const ask = async (tenantId: string, ...payouts: ReturnType<typeof payout>[]) => {
  const { answers } = await world.remittance.checkPayouts({ payouts }, on(tenantId));
  return answers.map(({ verdict }) => verdict.replace("MOVE_VERDICT_", ""));
};
const resumed = (tenantId: string, customerId: string) =>
  waitFor(() => world.told(tenantId).resumed.includes(customerId), { timeoutMs: 30_000 });

test("what was approved is held once a hit of its recipient comes up, and remittance is told when it is over", async () => {
  const tenantId = await world.openTenant({});
  const approved = await world.remittance.checkTransaction(question(), on(tenantId));
  expect(approved.decision).toBe("DECISION_APPROVED");
  expect(await ask(tenantId, payout("B-1"), payout("B-2"), payout("B-1", "c9"))).toEqual(["PASS", "PASS", "PASS"]);
  const { screeningId } = await stopped(tenantId);
  expect(await ask(tenantId, payout("B-1"), payout("B-2"), payout("B-1", "c9"))).toEqual(["HOLD", "PASS", "PASS"]);
  expect(world.told(tenantId).resumed).toEqual([]);
  await at().decideHit(falsely(screeningId), on(tenantId, manager));
  expect(await ask(tenantId, payout("B-1"))).toEqual(["PASS"]);
  await resumed(tenantId, "c1");
});

test("a hit of the sender holds what goes to anybody, one of an account's holder what goes to that recipient", async () => {
  const tenantId = await world.openTenant({});
  await stopped(tenantId, [
    { ...sender, ...listed, role: "SENDER" },
    { ...listed, name: "Emeka Okafor" },
  ]);
  expect(await ask(tenantId, payout("B-1"), payout("B-2"))).toEqual(["HOLD", "HOLD"]);
  const other = await world.openTenant({});
  const holder = { ...listed, role: "ACCOUNT_HOLDER" };
  await stopped(other, [sender, { ...listed, name: "Emeka Okafor" }, holder]);
  expect(await ask(other, payout("B-1"), payout("B-2"))).toEqual(["HOLD", "PASS"]);
});

test("of two hits the second holds what the release of the first lets go", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  await confirmed(tenantId, screeningId);
  expect(await ask(tenantId, payout("B-1"))).toEqual(["HOLD"]);
  // Another entry turns up while the first is confirmed.
  const other = await secondHit(tenantId);
  const by = on(tenantId, manager);
  const requested = await at().releaseConfirmedHit({ ...release(screeningId), ...key() }, by);
  await world.decideApproval(tenantId, requested.screening!.hits[0]!.approvalId, "MA2");
  expect((await world.store.forTenant(tenantId).findCustomer("c1"))!.holds).toEqual([
    { recipientKey: "B-1", status: "OPEN" },
  ]);
  expect(await ask(tenantId, payout("B-1"))).toEqual(["HOLD"]);
  await at().decideHit(falsely(other), by);
  expect(await ask(tenantId, payout("B-1"))).toEqual(["PASS"]);
  await resumed(tenantId, "c1");
});

test("open hits beside a confirmed one are found as those of a screening that waits", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId, screening } = await stopped(tenantId);
  const [first] = screening.hits;
  const second = { ...first!, hitId: "2", entry: { ...first!.entry, entryId: "another" } };
  await change(tenantId, screeningId, (before) => ({ ...before, hits: [...before.hits, second] }));
  await confirmed(tenantId, screeningId);
  const by = on(tenantId, manager);
  const listOf = async (status: string) =>
    (await at().listScreenings({ status }, by)).screenings.map((one) => [one.screeningId, one.status]);
  expect(await listOf("IN_REVIEW")).toEqual([[screeningId, "CONFIRMED_HIT"]]);
  expect(await listOf("CONFIRMED_HIT")).toEqual([[screeningId, "CONFIRMED_HIT"]]);
  await at().decideHit(falsely(screeningId, { hitId: "2" }), by);
  expect(await listOf("IN_REVIEW")).toEqual([]);
  expect(await listOf("CONFIRMED_HIT")).toEqual([[screeningId, "CONFIRMED_HIT"]]);
});

test("only remittance asks, of 1 to 300 and with both ids; the fault is named", async () => {
  const tenantId = await world.openTenant({});
  const path = async (payouts: object[]) =>
    (await refused(world.remittance.checkPayouts({ payouts }, on(tenantId)))).details?.errors?.[0]?.path;
  expect(await path([])).toBe("payouts");
  expect(await path(Array.from({ length: 301 }, () => payout("B-1")))).toBe("payouts");
  expect(await path([payout("B-1"), payout("B-1", "")])).toBe("payouts.1.customerId");
  expect(await path([payout("")])).toBe("payouts.0.recipientCode");
  expect(await ask(tenantId, ...Array.from({ length: 300 }, () => payout("B-1")))).toHaveLength(300);
  for (const client of [world.gateway, world.wallet]) {
    const work = client.checkPayouts({ payouts: [payout("B-1")] }, on(tenantId));
    expect((await refused(work)).code).toBe("CALLER_NOT_ALLOWED");
  }
});

type Screening = Awaited<ReturnType<typeof stopped>>["screening"];

async function change(tenantId: string, screeningId: string, work: (before: Screening) => Screening): Promise<void> {
  const { screenings } = ofTenant(tenantId);
  await world.replicas[0]!.store.transaction(
    async (session) => {
      const before = (await screenings.find(screeningId, session))!;
      await screenings.update({ ...work(before), version: before.version + 1 }, session);
      return true;
    },
    async () => undefined,
  );
}

/** A screening of the recipient of its own, with a hit that nobody has looked at. */
async function secondHit(tenantId: string): Promise<string> {
  const { screenings } = ofTenant(tenantId);
  const [first] = await screenings.list({ customerId: "c1" }, { limit: 1 });
  const { hits, transactionIds: _ids, ...rest } = first!;
  const { decidedBy: _by, decidedAt: _at, approvalId: _approval, reason: _reason, ...hit } = hits[0]!;
  const screeningId = `${rest.screeningId}-2`;
  const open = { ...hit, state: "OPEN" as const, entry: { ...hit.entry, entryId: "another" } };
  const fresh: Screening = { ...rest, screeningId, status: "IN_REVIEW", hits: [open], transactionIds: [], version: 1 };
  await world.replicas[0]!.store.transaction(
    async (session) => {
      await screenings.insert(fresh, session);
      return true;
    },
    async () => undefined,
  );
  return screeningId;
}
