import { countCrossing, planPrepare, planZone, shardFaults } from "./plan.js";

const collections = ["heads", "migrations", "transfers"];
const key = { tenantId: 1 };

test("prepare shards what is not sharded yet, and nothing a second time", () => {
  const heads = { _id: "manilla_ledger.heads", key };
  expect(planPrepare("manilla_ledger", collections, [heads])).toEqual([
    { database: "manilla_ledger", command: { createIndexes: "transfers", indexes: [{ key, name: "shard" }] } },
    { database: "admin", command: { shardCollection: "manilla_ledger.transfers", key } },
  ]);
  expect(planPrepare("manilla_ledger", collections, [heads, { _id: "manilla_ledger.transfers", key }])).toEqual([]);
});

test("a zone's range holds one tenant, in every collection of tenants", () => {
  const steps = planZone("manilla_ledger", collections, { tenantId: "acme", zone: "big" }, []);
  expect(steps.map(({ command }) => command)).toEqual([
    { updateZoneKeyRange: "manilla_ledger.heads", min: { tenantId: "acme" }, max: { tenantId: "acme\0" }, zone: "big" },
    {
      updateZoneKeyRange: "manilla_ledger.transfers",
      min: { tenantId: "acme" },
      max: { tenantId: "acme\0" },
      zone: "big",
    },
  ]);
  // By bytes, as MongoDB compares texts.
  const [min, max] = [Buffer.from("acme"), Buffer.from("acme\0")];
  for (const other of ["acmd", "acme1", "acme-2", "acmf"]) {
    const bytes = Buffer.from(other);
    expect(Buffer.compare(bytes, min) >= 0 && Buffer.compare(bytes, max) < 0).toBe(false);
  }
});

test("a tenant that changes its zone leaves the old one first; one that has its zone needs nothing", () => {
  const range = { ns: "manilla_ledger.heads", min: { tenantId: "acme" }, max: { tenantId: "acme\0" }, tag: "old" };
  const moved = planZone("manilla_ledger", ["heads"], { tenantId: "acme", zone: "big" }, [range]);
  expect(moved.map(({ command }) => command["zone"])).toEqual([null, "big"]);
  expect(planZone("manilla_ledger", ["heads"], { tenantId: "acme", zone: "old" }, [range])).toEqual([]);
});

test("check names what is not sharded, what is by another key, and what should be whole", () => {
  const sharded = [
    { _id: "manilla_ledger.heads", key: { tenantId: "hashed" } },
    { _id: "manilla_ledger.migrations", key },
  ];
  expect(shardFaults("manilla_ledger", collections, sharded)).toEqual([
    'manilla_ledger.heads is sharded by {"tenantId":"hashed"}',
    "manilla_ledger.migrations is sharded and must be whole",
    "manilla_ledger.transfers is not sharded",
  ]);
});

test("commits of more than one shard are counted apart from those of one", () => {
  const before = { singleShard: { initiated: 5 }, twoPhaseCommit: { initiated: 1 } };
  const after = { singleShard: { initiated: 25n }, twoPhaseCommit: { initiated: 3n }, readOnly: { initiated: 1 } };
  expect(countCrossing(before, after)).toEqual({ crossed: 3n, all: 23n });
});
