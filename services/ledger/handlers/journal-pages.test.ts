import { TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { LedgerReplica } from "../../../test/support/ledger-fixture.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
const bank = "bank_settlement:USD";
let now = new Date("2026-11-20T12:00:00Z");

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_pages");
  ledger = await fixture.start({}, { clock: { now: () => now } });
});
afterAll(() => fixture.close());

/** Ten transfers, a minute after each other, of which the last one only reserves. */
async function filled() {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  now = new Date("2026-11-20T12:00:00Z");
  for (let n = 1; n <= 9; n++) {
    now = new Date(now.getTime() + 60_000);
    await tenant.post(ledger, transfer(`k${n}`, bank, "w1", 10n));
  }
  now = new Date(now.getTime() + 60_000);
  await tenant.post(ledger, transfer("k10", "w1", "w2", 1n, { mode: TransferMode.TRANSFER_MODE_PENDING }));
  // Nobody is told of what was decided against.
  await tenant.post(ledger, transfer("refused", "w1", "w2", 1_000n));
  const user = { tenantId: tenant.tenantId, role: "MANAGER", userId: "m" } as const;
  const pages = async (request: object) => {
    const keys: string[][] = [];
    for (let cursor = ""; ;) {
      const page = await ledger.as("gateway").listJournalTransfers({ ...request, cursor }, tenant.call({ user }));
      keys.push(page.transfers.map(({ key }) => key));
      if (page.nextCursor === "") return { keys, lastSequence: page.lastSequence };
      cursor = page.nextCursor;
    }
  };
  return { ...tenant, user, pages };
}

const minute = (n: number, ms = 0) => new Date(Date.parse("2026-11-20T12:00:00Z") + n * 60_000 + ms);
const keysOf = (...numbers: number[]) => numbers.map((n) => `k${n}`);

test("the whole journal, page by page and with what only reserves", async () => {
  const { pages } = await filled();
  const keys = [keysOf(1, 2, 3, 4), keysOf(5, 6, 7, 8), keysOf(9, 10)];
  expect(await pages({ pageSize: 4 })).toEqual({ keys, lastSequence: 10n });
  expect(await pages({ pageSize: 5 })).toEqual({
    keys: [keysOf(1, 2, 3, 4, 5), keysOf(6, 7, 8, 9, 10)],
    lastSequence: 10n,
  });
});

test.each<[string, object, number[], bigint]>([
  ["from a time on", { from: minute(8) }, [8, 9, 10], 10n],
  ["until a time, without it", { until: minute(3) }, [1, 2], 2n],
  ["between two", { from: minute(2, 1), until: minute(4, 1) }, [3, 4], 4n],
  ["of no time", { from: minute(3), until: minute(3) }, [], 0n],
  ["from after all", { from: minute(60) }, [], 0n],
  ["until before all", { until: minute(0) }, [], 0n],
  ["with its ends exchanged", { from: minute(5), until: minute(2) }, [], 0n],
])("%s", async (_what, range, numbers, lastSequence) => {
  const { pages } = await filled();
  const { keys, lastSequence: last } = await pages({ ...range, pageSize: 2 });
  expect([keys.flat(), last]).toEqual([keysOf(...numbers), lastSequence]);
});

test("each has what a reader of the chain needs, and nothing that a key is recognised by", async () => {
  const tenant = await filled();
  const { transfers } = await ledger
    .as("gateway")
    .listJournalTransfers({ pageSize: 1 }, tenant.call({ user: tenant.user }));
  const { transfers: audited } = await ledger.as("operator").readJournal({ limit: 1 }, tenant.call());
  expect(transfers).toEqual([{ ...audited[0]!, fingerprint: new Uint8Array() }]);
});

test("an empty journal has one empty page; another tenant's cursor is refused", async () => {
  const empty = tenantCalls();
  const call = (tenantId: string) => tenantCalls(tenantId).call({ user: { tenantId, role: "MANAGER", userId: "m" } });
  const client = ledger.as("gateway");
  expect(await client.listJournalTransfers({}, call(empty.tenantId))).toEqual({
    transfers: [],
    nextCursor: "",
    lastSequence: 0n,
  });
  const one = await filled();
  const { nextCursor } = await client.listJournalTransfers({ pageSize: 1 }, call(one.tenantId));
  const foreign = client.listJournalTransfers({ pageSize: 1, cursor: nextCursor }, call(empty.tenantId));
  await expect(foreign).rejects.toMatchObject({ code: "INVALID_INPUT" });
  for (const pageSize of [-1, 1_001]) {
    const beyond = client.listJournalTransfers({ pageSize }, call(one.tenantId));
    await expect(beyond).rejects.toMatchObject({ code: "INVALID_INPUT" });
  }
});
