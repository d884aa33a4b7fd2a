import { readFileSync } from "node:fs";
import {
  createComplianceWorld,
  manager,
  on,
  question,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";
import { loadGiven } from "../../../../test/support/screening-lists.js";
import { operatorsLists } from "../../lists/domain/list-owner.js";
import { shippedThreshold } from "../../lists/domain/matcher/index.js";
import { platformPolicy } from "../domain/policy.js";
import { recipientSubject } from "../../common/domain/subject.js";
import { rescreenRow } from "../../common/store/outbox-rows.js";

jest.setTimeout(240_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("rest");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, ofTenant, stopped, falsely, customerOf, decisionOf, key } = hitWords(() => world);

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

test("whoever resembles more entries than a person looks through is stopped until all of them are told apart", async () => {
  const name = "Brunhilde Quextafar";
  await publish(name);
  const tenantId = await openTenant();
  const { screeningId, screening, transactionId } = await stopped(tenantId, [sender, { ...listed, name }]);
  expect(screening.hits).toHaveLength(20);
  // Asked about again nothing is added before somebody has looked.
  await stopped(tenantId, [sender, { ...listed, name }]);
  const all = () => ofTenant(tenantId).screenings.list({ customerId: "c1" }, { limit: 10 });
  expect(await all()).toHaveLength(1);
  const by = on(tenantId, manager);
  for (const { hitId } of screening.hits) {
    expect((await customerOf(tenantId)).stops).toEqual([{ recipientKey: "B-1", standing: "OPEN" }]);
    await at().decideHit(falsely(screeningId, { hitId }), by);
  }
  expect((await customerOf(tenantId)).stops).toEqual([{ recipientKey: "B-1", standing: "OPEN" }]);
  const [rest] = await waitFor(
    async () => {
      const found = await all();
      return found.length > 1 ? found : undefined;
    },
    { timeoutMs: 30_000, what: "the rest to be compared" },
  );
  expect(rest!.hits).toHaveLength(many - 20);
  const told = new Set([...screening.hits, ...rest!.hits].map(({ entry }) => entry.entryId));
  expect(told.size).toBe(many);
  expect(await decisionOf(tenantId, transactionId)).toBe("REVIEW");
  for (const { hitId } of rest!.hits) await at().decideHit(falsely(rest!.screeningId, { hitId }), by);
  await waitFor(async () => (await decisionOf(tenantId, transactionId)) === "APPROVED");
  expect((await customerOf(tenantId)).stops).toEqual([]);
});

test("a rest that nobody resembles any more ends the stop, and what waited goes on", async () => {
  const name = "Ottokar Vlimprest";
  await publish(name);
  const tenantId = await openTenant();
  const { screeningId, screening, transactionId } = await stopped(tenantId, [sender, { ...listed, name }]);
  expect(screening.hits).toHaveLength(20);
  // All of them are somebody else from now on.
  await publish("Hildegund Prestovar");
  for (const { hitId } of screening.hits) await at().decideHit(falsely(screeningId, { hitId }), on(tenantId, manager));
  await waitFor(async () => (await decisionOf(tenantId, transactionId)) === "APPROVED", { timeoutMs: 30_000 });
  expect((await customerOf(tenantId)).stops).toEqual([]);
});

test("what was left out of somebody whose code was given to another since is compared all the same, and stops", async () => {
  const name = "Philomena Grastorv";
  await publish(name);
  const tenantId = await openTenant();
  const first = await stopped(tenantId, [sender, { ...listed, name }]);
  const { screeningId, screening, transactionId } = first;
  // Nothing waits under the first name any more, so that no transaction has it compared.
  await world.remittance.releaseReservation({ transactionId }, on(tenantId));
  const renamed = question({ parties: [sender, { ...listed, name: "Emeka Okafor" }] });
  await world.remittance.checkTransaction(renamed, on(tenantId));
  const subject = await ofTenant(tenantId).subjects.find(recipientSubject("c1", "B-1"));
  expect(subject!.party.names).toEqual(["Emeka Okafor"]);

  const hitIds = screening.hits.map(({ hitId }) => hitId);
  const { hitId: _one, ...word } = falsely(screeningId);
  await at().decideHits({ ...word, hitIds }, on(tenantId, manager));
  const all = () => ofTenant(tenantId).screenings.list({ customerId: "c1" }, { limit: 10 });
  const [rest] = await waitFor(
    async () => {
      const found = await all();
      return found.length > 1 ? found : undefined;
    },
    { timeoutMs: 30_000, what: "the rest to be compared" },
  );
  expect(rest).toMatchObject({ name, status: "IN_REVIEW" });
  expect(rest!.hits).toHaveLength(many - 20);
  expect((await customerOf(tenantId)).stops).toEqual([{ recipientKey: "B-1", standing: "OPEN" }]);
  const others = rest!.hits.map(({ hitId }) => hitId);
  await at().decideHits({ ...word, screeningId: rest!.screeningId, hitIds: others, ...key() }, on(tenantId, manager));
  await waitFor(async () => (await decisionOf(tenantId, renamed.transactionId)) === "APPROVED", { timeoutMs: 30_000 });
  expect((await customerOf(tenantId)).stops).toEqual([]);
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
  expect((await customerOf(tenantId)).stops).toEqual([{ recipientKey: "B-1", standing: "OPEN" }]);
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
