import { createHash } from "node:crypto";
import {
  agent,
  createComplianceWorld,
  manager,
  on,
  refused,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { testTenant, waitFor } from "../../../../test/support/index.js";
import { sandboxIdOf } from "../../../platform/sandbox/sandbox.js";
import { operatorsLists, operatorsSandboxLists } from "../domain/list-owner.js";

jest.setTimeout(60_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("screening_lists");
});
afterAll(() => world.close());

const own = "id,name\nX1,Made Up\nX2,Also Made Up\n";
let uploads = 0;

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

/** Uploads and loads a list as a manager; the version once it is read. */
async function load(tenantId: string, text: string, { source = "CUSTOM", sha256 = digest(text), by = manager } = {}) {
  const [screening] = world.screening;
  const uploadId = `own-${(uploads += 1)}`;
  await screening!.uploadScreeningListPart({ uploadId, offset: 0n, data: Buffer.from(text) }, on(tenantId, by));
  const request = { source, files: [{ uploadId, sha256 }] };
  const requested = (await screening!.loadScreeningList(request, on(tenantId, by))).list!;
  const list = await waitFor(() => read(tenantId, requested.listId), {
    timeoutMs: 30_000,
    what: "the list to be read",
  });
  return { list, request };
}

async function read(tenantId: string, listId: string) {
  const { list } = await world.screening[1]!.getScreeningList({ listId }, on(tenantId, manager));
  return list!.status === "LOADING" ? undefined : list!;
}

test("one manager loads the organisation's own list, another puts it to use, on both replicas", async () => {
  const tenantId = testTenant();
  const { list } = await load(tenantId, own);
  expect(list).toMatchObject({
    status: "WAITING",
    reason: "takes the place of the operator's list for this organisation",
    version: 1,
    entries: 2,
    added: 2,
    loadedBy: manager.userId,
    isOperators: false,
  });
  const { listId } = list;
  const approve = (by: typeof manager | typeof secondManager) =>
    world.screening[0]!.approveScreeningList({ listId }, on(tenantId, by));
  expect(await refused(approve(manager))).toMatchObject({ code: "FORBIDDEN" });
  // Asked for twice at once, and again, by the same person: one approval.
  const both = await Promise.all([approve(secondManager), approve(secondManager)]);
  expect(both.map(({ list: one }) => one!.status)).toEqual(["ACTIVE", "ACTIVE"]);
  expect((await approve(secondManager)).list).toMatchObject({ status: "ACTIVE", approvedBy: secondManager.userId });
  for (const lists of world.lists) {
    await lists.wake();
    const { lists: found } = lists.snapshots.snapshotOf(tenantId, ["CUSTOM", "UN"]);
    expect(found.map(({ source, index }) => [source, index.entries])).toEqual([
      ["CUSTOM", 2],
      ["UN", 4],
    ]);
  }
  const audit = await world.store.forTenant(tenantId).listAudit({ limit: 10 });
  expect(audit.map(({ action, actor }) => [action, actor])).toEqual([
    ["screening-list.approve", secondManager.userId],
    ["screening-list.load", manager.userId],
  ]);
});

test("what does not wait is not approved: 409; of another organisation: 404; the operator's: 403", async () => {
  const tenantId = testTenant();
  const { list } = await load(tenantId, "id,name\n");
  // A new organisation's policy has CUSTOM off.
  expect(list).toMatchObject({ status: "FAILED", reason: "the list is empty", isUsed: false });
  const [screening] = world.screening;
  const approve = (id: string, tenant = tenantId) =>
    refused(screening!.approveScreeningList({ listId: id }, on(tenant, secondManager)));
  expect(await approve(list.listId)).toMatchObject({ code: "STATE_CONFLICT" });
  expect(await approve(list.listId, testTenant())).toMatchObject({ code: "NOT_FOUND" });
  const elsewhere = screening!.getScreeningList({ listId: list.listId }, on(testTenant(), manager));
  expect(await refused(elsewhere)).toMatchObject({ code: "NOT_FOUND" });
  const { lists } = await screening!.listScreeningLists({ source: "EU" }, on(tenantId, manager));
  expect(lists).toMatchObject([{ source: "EU", status: "ACTIVE", isOperators: true, isUsed: true, entries: 4 }]);
  expect(await approve(lists[0]!.listId)).toMatchObject({ code: "FORBIDDEN" });
});

test("a version of the organisation's own that loses one person or one name, or says more of one, waits for the other manager", async () => {
  const tenantId = testTenant();
  const hundred = Array.from({ length: 100 }, (_, at) => `X${at},Made Up ${at},Alias ${at}`);
  const text = (lines: readonly string[]) => ["id,name,aliases", ...lines, ""].join("\n");
  const first = await load(tenantId, text(hundred));
  await world.screening[0]!.approveScreeningList({ listId: first.list.listId }, on(tenantId, secondManager));
  const more = await load(tenantId, text([...hundred, "X100,Made Up 100,"]));
  expect(more.list).toMatchObject({ status: "ACTIVE", added: 1 });
  const fewer = await load(tenantId, text([...hundred.slice(1), "X100,Made Up 100,"]));
  expect(fewer.list).toMatchObject({ status: "WAITING", reason: "removes 1 of 101 entries (1 %)" });
  const bare = await load(tenantId, text(["X0,Made Up 0,", ...hundred.slice(1), "X100,Made Up 100,"]));
  expect(bare.list).toMatchObject({
    status: "WAITING",
    reason: "changes 1 of 101 entries (1 %); takes names from 1 of 101 entries (1 %), such as X0",
    changed: 1,
  });
  // Nothing is lost: a date of birth that is not a customer's tells them apart from the entry.
  const dated = [
    "id,name,aliases,dates_of_birth",
    ...hundred.map((line, at) => `${line},${at === 0 ? "1961-02-14" : ""}`),
  ];
  const apart = await load(tenantId, [...dated, "X100,Made Up 100,,", ""].join("\n"));
  expect(apart.list).toMatchObject({ status: "WAITING", reason: "changes 1 of 101 entries (1 %)", changed: 1 });
});

test("a load of what was not uploaded, or not whole, is refused, and the parts stay for another", async () => {
  const tenantId = testTenant();
  const [screening] = world.screening;
  const by = on(tenantId, manager);
  const data = Buffer.from(own);
  const ask = (uploadId: string, sha256 = digest(own), as = by) =>
    screening!.loadScreeningList({ source: "CUSTOM", files: [{ uploadId, sha256 }] }, as);
  const fault = async (requested: Promise<unknown>) => {
    const { code, details } = await refused(requested);
    return [code, details?.errors?.[0]?.path, details?.errors?.[0]?.message];
  };
  const unknown = ["INVALID_INPUT", "files.0.uploadId", "has no uploaded parts: upload them first, as the same person"];
  expect(await fault(ask("u1"))).toEqual(unknown);
  await screening!.uploadScreeningListPart({ uploadId: "u1", offset: 10n, data: data.subarray(10) }, by);
  expect(await fault(ask("u1"))).toEqual(["INVALID_INPUT", "files.0.uploadId", "has no part that begins at byte 0"]);
  await screening!.uploadScreeningListPart({ uploadId: "u1", offset: 0n, data: data.subarray(0, 10) }, by);
  expect(await fault(ask("u1", digest("other")))).toEqual([
    "INVALID_INPUT",
    "files.0.sha256",
    `is not that of the ${data.length} bytes that were uploaded`,
  ]);
  // Another manager's upload of that name is another upload.
  expect(await fault(ask("u1", digest(own), on(tenantId, secondManager)))).toEqual(unknown);
  const { lists } = await screening!.listScreeningLists({ source: "CUSTOM" }, by);
  expect(lists.filter(({ isOperators }) => !isOperators)).toEqual([]);
  const { listId } = (await ask("u1")).list!;
  const list = await waitFor(() => read(tenantId, listId), { timeoutMs: 30_000, what: "the list to be read" });
  expect(list).toMatchObject({ status: "WAITING", entries: 2 });
  // The parts are gone, and the same request is answered by what it made.
  expect((await ask("u1")).list).toMatchObject({ listId, status: "WAITING" });
  expect(await fault(ask("u1", digest("other")))).toEqual(unknown);
});

test("a load asked for twice is one version and one entry of the audit trail", async () => {
  const tenantId = testTenant();
  const { list, request } = await load(tenantId, own);
  const again = await world.screening[1]!.loadScreeningList(request, on(tenantId, manager));
  expect(again.list!.listId).toBe(list.listId);
  expect(await world.store.forTenant(tenantId).listAudit({ limit: 10 })).toHaveLength(1);
});

test("a part again changes nothing, other bytes in its place are refused", async () => {
  const [screening] = world.screening;
  const by = on(testTenant(), manager);
  const part = { uploadId: "parts", offset: 0n, data: Buffer.from("id,name\n") };
  await screening!.uploadScreeningListPart(part, by);
  await screening!.uploadScreeningListPart(part, by);
  const other = { ...part, data: Buffer.from("id,nom\n") };
  expect(await refused(screening!.uploadScreeningListPart(other, by))).toMatchObject({ code: "KEY_REUSED" });
  const far = { ...part, offset: 64n * 1024n * 1024n };
  expect(await refused(screening!.uploadScreeningListPart(far, by))).toMatchObject({ code: "BODY_TOO_LARGE" });
});

test.each([
  ["source", { source: "NOBODY" }],
  ["files", { files: [] }],
  ["files.0.sha256", { files: [{ uploadId: "u", sha256: "abc" }] }],
  ["files.0.part", { files: [{ uploadId: "u", sha256: digest(""), part: "SDN" }] }],
  ["files", { source: "OFAC_SDN", files: [{ uploadId: "u", sha256: digest(""), part: "ALT" }] }],
  [
    "files.1.part",
    { source: "OFAC_SDN", files: ["u", "v"].map((uploadId) => ({ uploadId, sha256: digest(""), part: "SDN" })) },
  ],
  ["publishedAt", { publishedAt: new Date("2999-01-01T00:00:00Z") }],
  ["operator", { operator: "me" }],
])("what is wrong with a load is named: %s", async (path, wrong) => {
  const request = { source: "EU", files: [{ uploadId: "u", sha256: digest("") }], ...wrong };
  const requested = world.screening[0]!.loadScreeningList(request, on(testTenant(), manager));
  const { code, details } = await refused(requested);
  expect({ code, path: details?.errors?.[0]?.path }).toEqual({ code: "INVALID_INPUT", path });
});

test("lists are for managers, and the operator's are loaded and approved by two of the operator's people", async () => {
  expect(await refused(world.screening[0]!.listScreeningLists({}, on(testTenant(), agent)))).toMatchObject({
    code: "FORBIDDEN",
  });
  const operator = world.screeningOperator;
  const by = on(operatorsSandboxLists);
  // Two of three entries, one of them new: half of those in use would go.
  const text = "id,name,aliases\nOWN-902,Zephyrline Example Exchange,Zephyrline FX\nOWN-903,Somebody Else,\n";
  await operator.uploadScreeningListPart({ uploadId: "o1", offset: 0n, data: Buffer.from(text) }, by);
  const request = { source: "CUSTOM", files: [{ uploadId: "o1", sha256: digest(text) }] };
  expect(await refused(operator.loadScreeningList(request, by))).toMatchObject({ code: "INVALID_INPUT" });
  const { listId } = (await operator.loadScreeningList({ ...request, operator: "ann" }, by)).list!;
  const waiting = await waitFor(
    async () => {
      const { list } = await operator.getScreeningList({ listId }, by);
      return list!.status === "LOADING" ? undefined : list;
    },
    { timeoutMs: 30_000 },
  );
  expect(waiting).toMatchObject({
    status: "WAITING",
    reason: "removes 1 of 2 entries (50 %)",
    loadedBy: "operator:ann",
  });
  expect(await refused(operator.approveScreeningList({ listId, operator: "ann" }, by))).toMatchObject({
    code: "FORBIDDEN",
  });
  const { list } = await operator.approveScreeningList({ listId, operator: "bob" }, by);
  expect(list).toMatchObject({ status: "ACTIVE", version: 2, approvedBy: "operator:bob" });
  // Who of the operator's people it was is not an organisation's to know.
  const tenants = on(sandboxIdOf(testTenant()), manager);
  const seen = (await world.screening[0]!.getScreeningList({ listId }, tenants)).list;
  expect(seen).toMatchObject({ loadedBy: "operator", approvedBy: "operator", isOperators: true });
  const page = await world.screening[0]!.listScreeningLists({ source: "CUSTOM" }, tenants);
  expect(page.lists.map(({ loadedBy }) => loadedBy)).toEqual(["operator", "connector"]);
  // Of live tenants nothing has changed.
  const { lists } = await operator.listScreeningLists({ source: "CUSTOM" }, on(operatorsLists));
  expect(lists).toMatchObject([{ version: 1, status: "ACTIVE" }]);
});

test("versions are read by page, the organisation's own and the operator's in one order", async () => {
  const tenantId = testTenant();
  const { list } = await load(tenantId, own);
  const seen: string[] = [];
  let cursor = "";
  do {
    const page = await world.screening[0]!.listScreeningLists({ pageSize: 2, cursor }, on(tenantId, manager));
    seen.push(...page.lists.map(({ listId }) => listId));
    cursor = page.nextCursor;
  } while (cursor !== "");
  expect(seen[0]).toBe(list.listId);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThanOrEqual(7);
  const wrong = world.screening[0]!.listScreeningLists({ cursor: "x" }, on(tenantId, manager));
  expect(await refused(wrong)).toMatchObject({ code: "INVALID_INPUT" });
});
