import { randomUUID } from "node:crypto";
import { TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import { createLedgerFixture, tenantCalls, transfer, type WireTransfer } from "../../../test/support/ledger-fixture.js";
import { createStandInEvents, type StandInEvents } from "../../../test/support/stand-in-events.js";
import { insist } from "../../../test/support/insist.js";
import { waitFor } from "../../../test/support/index.js";
import { collections } from "../store/collections.js";
import { createLedgerStore } from "../store/index.js";
import { createTellingStore } from "../store/tellings.js";
import { outlast } from "../../../test/support/time.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let events: StandInEvents;
const bank = "bank_settlement:USD";

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_telling");
  events = await createStandInEvents(fixture.network);
});
afterAll(() => fixture.close());
beforeEach(() => void Object.assign(events.state, { faults: [], isAway: false, refused: new Set() }));

const telling = (env: Record<string, string> = {}) =>
  fixture.start({ EVENTS_ADDRESS: events.address, TELL_SWEEP_MS: "100", ...env });
const publishedIn = (tenantId: string) => events.state.published.filter((one) => one.tenantId === tenantId);
const whenPublished = (tenantId: string, count: number) =>
  waitFor(() => (publishedIn(tenantId).length >= count ? publishedIn(tenantId) : undefined), { timeoutMs: 20_000 });
const dataOf = ({ dataJson }: { dataJson: string }) => JSON.parse(dataJson) as Record<string, unknown>;

test("every entry of a wallet is told, in the order of its statement, and nothing else is", async () => {
  const ledger = await telling();
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  const [opening, hold, gone] = [randomUUID(), randomUUID(), randomUUID()];
  const pending = { mode: TransferMode.TRANSFER_MODE_PENDING };
  const of = (named: WireTransfer) => ({ key: randomUUID(), kind: "test", ...named });
  await tenant.post(ledger, transfer(opening, bank, "w1", 1_000n, { description: "Deposit" }));
  await tenant.post(ledger, transfer(hold, "w1", bank, 300n, pending), transfer(gone, "w1", bank, 100n, pending));
  await tenant.post(ledger, of({ mode: TransferMode.TRANSFER_MODE_VOID_PENDING, pendingKey: gone }));
  await tenant.post(ledger, of({ mode: TransferMode.TRANSFER_MODE_POST_PENDING, pendingKey: hold }));
  await tenant.post(ledger, transfer(randomUUID(), "w1", "w2", 250n));
  const refused = await tenant.post(ledger, transfer(randomUUID(), "w2", "w1", 9_000n));
  expect(refused.refused?.code).toBe("INSUFFICIENT_FUNDS");
  await tenant.post(ledger, of({ mode: TransferMode.TRANSFER_MODE_REVERSAL, reversesKey: opening }));
  await tenant.post(ledger, transfer(randomUUID(), "w2", "w1", 50n));

  const published = await whenPublished(tenant.tenantId, 6);
  const shown = published.map((one) => {
    const { amount, balance, currency, type } = dataOf(one);
    return [one.subjectId, one.type, type, amount, balance, currency].join(" ");
  });
  expect(shown).toEqual([
    "w1 wallet.credited CREDIT 10.00 10.00 USD",
    "w1 wallet.debited DEBIT 3.00 7.00 USD",
    "w1 wallet.debited DEBIT 2.50 4.50 USD",
    "w2 wallet.credited CREDIT 2.50 2.50 USD",
    "w2 wallet.debited DEBIT 0.50 2.00 USD",
    "w1 wallet.credited CREDIT 0.50 5.00 USD",
  ]);
  const [first] = published;
  expect(first).toMatchObject({ customerId: "customer-w1", isConfidential: false, subjectType: "wallet" });
  expect(dataOf(first!)).toMatchObject({ accountId: "w1", description: "Deposit", entryId: "1c", sequence: 1 });
  expect(first!.occurredAt!.toISOString()).toBe(dataOf(first!)["executedAt"]);
});

test("nothing is lost while events are away or their answer is, and nothing is told twice", async () => {
  const ledger = await telling();
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1"]);
  events.state.isAway = true;
  for (let count = 0; count < 3; count++) await tenant.post(ledger, transfer(randomUUID(), bank, "w1", 1n));
  await waitFor(() => events.state.requested.some((one) => one.tenantId === tenant.tenantId));
  events.state.faults = ["LOST", "REFUSED"];
  events.state.isAway = false;
  expect((await whenPublished(tenant.tenantId, 3)).map((one) => dataOf(one)["balance"])).toEqual([
    "0.01",
    "0.02",
    "0.03",
  ]);
  await tenant.post(ledger, transfer(randomUUID(), "w1", bank, 2n));
  await whenPublished(tenant.tenantId, 4);
  const tellings = createTellingStore(fixture.database.db);
  await waitFor(async () => (await tellings.publishedThrough(tenant.tenantId)) === 4n);
  expect(publishedIn(tenant.tenantId)).toHaveLength(4);
});

test("one entry that cannot be told holds up none of its tenant's, and is told once it can be", async () => {
  const tenant = tenantCalls();
  const [poisoned, sound] = [`w${randomUUID()}`, `w${randomUUID()}`];
  events.state.refused.add(poisoned);
  const ledger = await telling();
  await tenant.open(ledger, [poisoned, sound]);
  await tenant.post(
    ledger,
    transfer(randomUUID(), bank, sound, 1n),
    transfer(randomUUID(), bank, poisoned, 1n),
    transfer(randomUUID(), bank, sound, 1n),
  );
  const ofSound = () => publishedIn(tenant.tenantId).filter(({ subjectId }) => subjectId === sound);
  await waitFor(() => ofSound().length === 2, { timeoutMs: 20_000 });
  const tellings = createTellingStore(fixture.database.db);
  await waitFor(async () => (await tellings.leftOf(tenant.tenantId)).length === 1, { timeoutMs: 20_000 });
  await tenant.post(ledger, transfer(randomUUID(), bank, sound, 1n));
  await waitFor(() => ofSound().length === 3, { timeoutMs: 20_000 });
  events.state.refused.clear();
  await waitFor(() => events.of(poisoned).length === 1, { timeoutMs: 20_000 });
  await waitFor(async () => (await tellings.withLeft(100)).length === 0, { timeoutMs: 20_000 });
  expect(ofSound()).toHaveLength(3);
}, 90_000);

test("what a replica leaves untold another finds; what was imported and what is old is not told", async () => {
  const silent = await fixture.start();
  const [tenant, imported, old] = [tenantCalls(), tenantCalls(), tenantCalls()];
  for (const each of [tenant, imported, old]) {
    await each.open(silent, ["w1"]);
    await each.post(silent, transfer(randomUUID(), bank, "w1", 5n));
  }
  await silent.stop();
  const transfers = fixture.database.db.db!.collection(collections.transfers);
  await transfers.updateOne({ tenantId: imported.tenantId }, { $set: { groupId: "import:1" } });
  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  await transfers.updateOne({ tenantId: old.tenantId }, { $set: { decidedAt: longAgo } });
  // Its last transfer is new enough for whoever has committed it to be telling it.
  await outlast(5_100);
  const ledger = await telling();
  await whenPublished(tenant.tenantId, 1);
  const tellings = createTellingStore(fixture.database.db);
  for (const { tenantId } of [imported, old]) {
    await waitFor(async () => (await tellings.publishedThrough(tenantId)) === 1n, { timeoutMs: 20_000 });
    expect(publishedIn(tenantId)).toEqual([]);
  }
  await imported.post(ledger, transfer(randomUUID(), "w1", bank, 2n));
  expect(dataOf((await whenPublished(imported.tenantId, 1))[0]!)).toMatchObject({ type: "DEBIT", balance: "0.03" });
}, 90_000);

test("two replicas that are busy and stopped in turn tell each wallet's entries once, in order", async () => {
  const tenant = tenantCalls();
  const first = await telling();
  const second = await telling();
  await tenant.open(first, ["w1", "w2"]);
  await tenant.post(first, transfer(randomUUID(), bank, "w1", 100n));
  const count = 30;
  for (let round = 0; round < count; round++) {
    if (round === count / 2) await first.stop();
    const at = round < count / 2 && round % 2 === 0 ? first : second;
    const [from, to] = round % 2 === 0 ? ["w1", "w2"] : ["w2", "w1"];
    const one = transfer(randomUUID(), from!, to!, 1n);
    await insist(() => tenant.post(at, one));
  }
  const published = await whenPublished(tenant.tenantId, 1 + 2 * count);
  expect(published).toHaveLength(1 + 2 * count);
  const store = createLedgerStore(fixture.database.db).forTenant(tenant.tenantId);
  for (const wallet of ["w1", "w2"]) {
    const entries = await store.findByAccount(wallet, { after: 0n, limit: 1_000 });
    const own = published.filter(({ subjectId }) => subjectId === wallet);
    expect(own.map((one) => dataOf(one)["sequence"])).toEqual(entries.map(({ seq }) => Number(seq)));
  }
  expect(new Set(published.map(({ eventId }) => eventId)).size).toBe(published.length);
}, 90_000);
