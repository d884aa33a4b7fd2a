import {
  createLedgerFixture,
  tenantCalls,
  transfer,
  type LedgerReplica,
} from "../../../test/support/ledger-fixture.js";
import type { RemoteLedger } from "./journal.js";
import { verifyTenants, type VerifyTenants } from "./verify-tenants.js";

let here: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
const bank = "bank_settlement:USD";

beforeAll(async () => {
  here = await createLedgerFixture("ledger_verify_all");
  ledger = await here.start();
});
afterAll(() => here.close());

const remote = ({ tenantId, call }: ReturnType<typeof tenantCalls>): RemoteLedger => ({
  client: ledger.as("operator"),
  tenantId,
  call: () => call(),
});

const verified = async (tenants: readonly string[], published: VerifyTenants["published"] = []) => {
  const lines: string[] = [];
  const ledgerOf = (tenantId: string) => remote(tenantCalls(tenantId));
  const result = await verifyTenants(ledgerOf, { tenants, published, print: (line) => void lines.push(line) });
  return { ...result, lines };
};

test("the ledger's own list has everybody, page by page, in the order of their ids; the operator alone may read it", async () => {
  const own = await Promise.all([1, 2, 3].map(() => posted()));
  const list = async (limit: number) => {
    const found: string[] = [];
    for (let afterTenantId = ""; ;) {
      const { tenantIds } = await ledger.as("operator").listJournals({ afterTenantId, limit }, tenantCalls().call());
      if (tenantIds.length === 0) return found;
      expect(tenantIds.length).toBeLessThanOrEqual(limit);
      found.push(...tenantIds);
      afterTenantId = tenantIds.at(-1)!;
    }
  };
  const all = await list(1_000);
  expect(all).toEqual([...new Set(all)].sort());
  expect(all).toEqual(expect.arrayContaining(own.map(({ tenantId }) => tenantId)));
  expect(await list(2)).toEqual(all);
  const asWallet = ledger.wallet.listJournals({}, tenantCalls().call());
  await expect(asWallet).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
  const tooMany = ledger.as("operator").listJournals({ limit: 1_001 }, tenantCalls().call());
  await expect(tooMany).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("goes over every one of them, and names the one whose books do not fit, and one that is gone", async () => {
  const [whole, edited, cut] = await Promise.all([posted(), posted(), posted()]);
  expect((await verified([])).unfit).toEqual([]);
  await here.database.db
    .collection("accounts")
    .updateOne(
      { _id: `${edited.tenantId}:w1` as never, tenantId: edited.tenantId },
      { $inc: { creditsPostedMinor: 1n } },
    );
  await here.database.db.collection("heads").deleteOne({ _id: cut.tenantId as never, tenantId: cut.tenantId });
  const gone = { tenantId: "zz-gone", seq: 3n, hash: Buffer.alloc(32), records: 0n, recordsHash: Buffer.alloc(32) };
  const { unfit, lines, verified: count } = await verified([], [gone]);
  expect(unfit.toSorted()).toEqual([edited.tenantId, cut.tenantId, "zz-gone"].toSorted());
  expect(count).toBeGreaterThanOrEqual(4);
  expect(lines).toContain(`${whole.tenantId}: 1 transfers, all fit`);
  expect(await verified([whole.tenantId])).toMatchObject({ verified: 1, unfit: [] });
});

/** A tenant with one transfer. */
async function posted() {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1"]);
  await tenant.post(ledger, transfer("fund", bank, "w1", 1_000n));
  return tenant;
}
