import { readFileSync } from "node:fs";
import {
  createComplianceWorld,
  manager,
  on,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";
import { loadGiven } from "../../../../test/support/screening-lists.js";
import { operatorsLists } from "../../lists/domain/list-owner.js";
import { shippedThreshold } from "../../lists/domain/matcher/index.js";
import { platformPolicy } from "../domain/policy.js";
import { rescreenRow } from "../../common/store/outbox-rows.js";

jest.setTimeout(240_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("many_hits");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, ofTenant, stopped, falsely, customerOf, decisionOf } = hitWords(() => world);

const many = 25;

/**
 * A version of the list with as many people of one name, always under the same
 * ids; current at both replicas.
 */
async function publish(name: string, count = many): Promise<number> {
  const published = readFileSync("deploy/partner/lists/custom.csv", "utf8").trimEnd();
  const added = Array.from({ length: many }, (_, index) =>
    // Others take the places of those who leave: a list that loses most of its entries is refused.
    index < count ? `R${index},${name},,,,,,,,` : `F${index},Zyxqua Fillermann,,,,,,,,`,
  );
  const content = Buffer.from(`${[published, ...added].join("\n")}\n`);
  const { store } = world.lists[0]!;
  const list = await loadGiven(store, operatorsLists, "CUSTOM", [{ part: "", content }]);
  if (list.status !== "ACTIVE") await store.forOwner(operatorsLists).swap(list, {});
  await store.forOwner(operatorsLists).seen(list.listId, new Date("2100-01-01T00:00:00Z"));
  for (const lists of world.lists) {
    await lists.wake();
    await lists.snapshots.refresh();
    await lists.snapshots.refresh();
  }
  return list.version;
}

/** Publishes it, and has this tenant's people compared anew as the swap of a version asks for. */
async function publishFor(tenantId: string, name: string, count: number): Promise<void> {
  const version = await publish(name, count);
  const [{ outbox, store }] = world.replicas as [(typeof world.replicas)[number]];
  const origin = { tenantId, interactionId: "i-1", actor: "compliance" };
  await store.transaction(
    (session) => outbox.add(rescreenRow(origin, "list:CUSTOM", version), session).then(() => true),
    async () => undefined,
  );
  outbox.wake();
}

async function openTenant(): Promise<string> {
  const tenantId = await world.openTenant({});
  const policy = { ...platformPolicy(shippedThreshold), version: 1, lists: ["EU", "CUSTOM"] as const };
  await world.replicas[0]!.store.transaction(
    (session) => ofTenant(tenantId).policies.insert({ ...policy, lists: [...policy.lists] }, session),
    async () => undefined,
  );
  for (const one of world.replicas) one.screeningPolicyVersions.forget(tenantId);
  return tenantId;
}

test("whoever resembles many entries is stopped until all of them are told apart, and then goes on", async () => {
  const name = "Brunhilde Quextafar";
  await publish(name);
  const tenantId = await openTenant();
  const { screeningId, screening, transactionId } = await stopped(tenantId, [sender, { ...listed, name }]);
  expect(screening.hits).toHaveLength(many);
  // Asked about again nothing is added before somebody has looked.
  await stopped(tenantId, [sender, { ...listed, name }]);
  expect(await ofTenant(tenantId).screenings.list({ customerId: "c1" }, { limit: 10 })).toHaveLength(1);
  const { hitId: last, ...word } = falsely(screeningId, { hitId: String(many) });
  const hitIds = screening.hits.map(({ hitId }) => hitId).filter((hitId) => hitId !== last);
  await at().decideHits({ ...word, hitIds }, on(tenantId, manager));
  expect((await customerOf(tenantId)).holds).toEqual([{ recipientKey: "B-1", status: "OPEN" }]);
  await at().decideHit(falsely(screeningId, { hitId: last }), on(tenantId, manager));
  await waitFor(async () => (await decisionOf(tenantId, transactionId)) === "APPROVED");
  expect((await customerOf(tenantId)).holds).toEqual([]);
});

test("a hit whose entry leaves the list says since when, is found by a filter, noted in its case, and lets nobody go", async () => {
  const name = "Ottokar Wenzimir";
  await publish(name, 3);
  const tenantId = await openTenant();
  const { screeningId, screening } = await stopped(tenantId, [sender, { ...listed, name }]);
  expect(screening.hits).toHaveLength(3);
  const by = on(tenantId, manager);
  const offList = async () => {
    const { screenings } = await at().listScreenings({ offList: true }, by);
    return screenings.map((one) => [one.screeningId, one.status, one.hits.map((hit) => hit.offListSince > 0)]);
  };
  expect(await offList()).toEqual([]);
  await publishFor(tenantId, name, 1);
  await waitFor(async () => (await offList()).length > 0);
  expect(await offList()).toEqual([[screeningId, "IN_REVIEW", [false, true, true]]]);
  expect((await customerOf(tenantId)).holds).toEqual([{ recipientKey: "B-1", status: "OPEN" }]);
  const noted = await waitFor(async () => {
    const { cases } = await world.cases[0]!.listCases({}, by);
    const whole = cases[0] && (await world.cases[0]!.getCase({ caseId: cases[0].caseId }, by));
    return whole?.case!.timeline.find(({ kind }) => kind === "LIST_CHANGED");
  });
  expect(noted.text).toMatch(
    /^CUSTOM R1 is not on the list since version \d+; CUSTOM R2 is not on the list since version \d+\. /,
  );
  // Once it is back, the hit is as it was.
  await publishFor(tenantId, name, 3);
  await waitFor(async () => (await offList()).length === 0);
  await publishFor(tenantId, name, 1);
  await waitFor(async () => (await offList()).length > 0);
  for (const hitId of ["1", "2", "3"]) await at().decideHit(falsely(screeningId, { hitId }), by);
  expect(await offList()).toEqual([]);
});
