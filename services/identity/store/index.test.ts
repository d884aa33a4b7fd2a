import { newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";

let identity: TestIdentity;
let tenantId: string;
beforeAll(async () => {
  identity = await startTestIdentity();
  const tenant = await newTenant(identity);
  ({ tenantId } = tenant);
  const agent = await tenant.staff("AGENT");
  for (const name of ["a1", "a2", "a3"]) await tenant.customer(name, { agentId: agent.userId });
});
afterAll(() => identity.stop());

// The store's filters that are not by _id must use an index.
test.each([
  ["users", { emailKey: "a1@x.example" }, {}],
  ["users", { "customer.id": "x" }, {}],
  ["users", { "customer.code": "C-X" }, {}],
  ["users", { "customer.id": { $gt: "" } }, { "customer.id": 1 }],
  ["users", { "customer.id": { $gt: "" }, "customer.agentId": "x" }, { "customer.id": 1 }],
  ["hosts", { _id: { $nin: ["x"] } }, {}],
] as const)("%s by %j are found by an index, in their order", async (collection, filter, sort) => {
  const found = identity.db
    .collection(collection)
    .find({ ...filter, tenantId } as object)
    .sort(sort);
  const plan = JSON.stringify((await found.explain("queryPlanner"))["queryPlanner"].winningPlan);
  expect(plan).toContain("IXSCAN");
  expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
});

test("what Redis has yet to be told is found by its own small index", async () => {
  const found = identity.db.collection("revocations").find({ mirrored: false });
  expect(JSON.stringify(await found.explain("queryPlanner"))).toContain('"indexName":"unmirrored"');
});

test("every unique index begins with the tenant, save where a collection is above tenants", async () => {
  const collections = await identity.db.collections();
  for (const collection of collections) {
    if (["keys", "migrations"].includes(collection.collectionName)) continue;
    for (const index of await collection.indexes()) {
      if (index.unique)
        expect([collection.collectionName, Object.keys(index.key)[0]]).toEqual([collection.collectionName, "tenantId"]);
    }
  }
});
