import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { Decision, RuleAction, Visibility } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  createComplianceWorld,
  everybody,
  manager,
  on,
  question,
  refused,
  usd,
  ada,
  type ComplianceWorld,
  type PolicyRequest,
} from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";
import { loadGiven } from "../../../../test/support/screening-lists.js";
import { operatorsLists } from "../../lists/domain/list-owner.js";
import { shippedThreshold } from "../../lists/domain/matcher/index.js";
import { platformPolicy } from "../domain/policy.js";
import { recipientSubject } from "../../common/domain/subject.js";

jest.setTimeout(180_000);

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("waiting_name")));
afterAll(() => world.close());

const { DECISION_APPROVED: approved, DECISION_PENDING: pending, DECISION_REVIEW: review } = Decision;
const [sender, someone] = everybody as [(typeof everybody)[0], (typeof everybody)[0]];
const recipient = (name: string) => ({ ...someone, name });
const holder = (name: string) => ({ ...someone, role: "ACCOUNT_HOLDER", kind: "UNKNOWN", name });
const paying = (...payees: (typeof everybody)[0][]) => question({ recipientCode: "B-9", parties: [sender, ...payees] });
const check = (tenantId: string, requested: ReturnType<typeof question>) =>
  world.remittance.checkTransaction(requested, on(tenantId));
const decidedOf = (tenantId: string, transactionId: string) =>
  waitFor(() => world.told(tenantId).decided.find((one) => one.transactionId === transactionId), { timeoutMs: 60_000 });
const stored = (tenantId: string, transactionId: string) =>
  world.db.collection("decisions").findOne({ tenantId, transactionId });
const payee = async (tenantId: string, isHolder = false) =>
  (await world.replicas[0]!.subjects.forTenant(tenantId).find(recipientSubject("c1", "B-9", isHolder)))?.party.names;
const holdsOf = async (tenantId: string) =>
  (await world.store.forTenant(tenantId).findCustomer("c1"))?.holds?.map(
    ({ recipientKey: of, status }) => `${of} ${status}`,
  );

/** A tenant whose lists are CUSTOM, which tests change, and one more. */
async function openTenant(...transactionRules: PolicyRequest["transactionRules"][]): Promise<string> {
  const tenantId = await world.openTenant({
    dailyLimits: [{ amount: usd(9_000_00n) }],
    transactionRules: transactionRules.flat(),
  } as PolicyRequest);
  const policy = { ...platformPolicy(shippedThreshold), version: 1, lists: ["EU", "CUSTOM"] as const };
  const [{ store, screeningPolicies }] = world.replicas as [(typeof world.replicas)[0]];
  await store.transaction(
    async (session) => {
      await screeningPolicies.forTenant(tenantId).insert(policy, session);
      return true;
    },
    async () => undefined,
  );
  for (const one of world.replicas) one.screeningPolicyVersions.forget(tenantId);
  return tenantId;
}

const operators = () => world.replicas[0]!.lists.store.forOwner(operatorsLists);

async function refresh(): Promise<void> {
  for (const { lists } of world.replicas) {
    await lists.wake();
    await lists.snapshots.refresh();
    await lists.snapshots.refresh();
  }
}

/** Nobody is approved from here on. */
async function takeAway(): Promise<void> {
  await operators().seen((await operators().findActive("CUSTOM"))!.listId, new Date("2020-01-01T00:00:00Z"));
  await refresh();
}

const added: string[] = [];
/** A version of the list with one more name, current. */
async function publish(name: string): Promise<void> {
  added.push(`X${added.length},${name},,,,,,,,`);
  const published = readFileSync("deploy/partner/lists/custom.csv", "utf8").trimEnd();
  const content = Buffer.from(`${[published, ...added].join("\n")}\n`);
  const list = await loadGiven(world.replicas[0]!.lists.store, operatorsLists, "CUSTOM", [{ part: "", content }]);
  if (list.status !== "ACTIVE") await operators().swap(list, {});
  await operators().seen(list.listId, new Date("2100-01-01T00:00:00Z"));
  await refresh();
}

test("what waits for lists is compared by the name that it pays, whoever the code stands for since", async () => {
  const tenantId = await openTenant();
  await takeAway();
  const [first, second] = [paying(recipient("Zorba Quillfeather")), paying(recipient("Emeka Okafor"))];
  for (const one of [first, second]) {
    expect(await check(tenantId, one)).toMatchObject({ decision: review, reasonCode: "SCREENING_UNAVAILABLE" });
  }
  expect((await stored(tenantId, first.transactionId))!.parties).toEqual({
    keyId: expect.any(String),
    sealed: expect.any(String),
  });
  expect(inspect(await stored(tenantId, first.transactionId), { depth: 9 })).not.toMatch(/Zorba|Quillfeather/i);
  await publish("Zorba Quillfeather");
  expect((await decidedOf(tenantId, first.transactionId)).decision).not.toBe(approved);
  expect(await holdsOf(tenantId)).toEqual(["B-9 OPEN"]);
  // Who the code stands for now is the newer one.
  expect(await payee(tenantId)).toEqual(["Emeka Okafor"]);
  // A hit of who a code stood for stops what goes to the code until a person has looked.
  expect((await check(tenantId, paying(recipient("Emeka Okafor")))).decision).toBe(review);
});

test("so is the holder of an account, whom each question names for itself", async () => {
  const tenantId = await openTenant();
  await takeAway();
  const emeka = recipient("Emeka Okafor");
  const first = paying(emeka, holder("Quorvin Hasselbrook"));
  await check(tenantId, first);
  await check(tenantId, paying(emeka, holder("Chidi Okafor")));
  await publish("Quorvin Hasselbrook");
  expect((await decidedOf(tenantId, first.transactionId)).decision).not.toBe(approved);
  expect(await holdsOf(tenantId)).toEqual(["B-9/holder OPEN"]);
  expect(await payee(tenantId, true)).toEqual(["Chidi Okafor"]);
});

test("so is what a person would approve: by an ordinary word it is not", async () => {
  const rule = { name: "All", action: RuleAction.RULE_ACTION_REVIEW, visibility: Visibility.VISIBILITY_STAFF };
  const tenantId = await openTenant([rule]);
  const first = paying(recipient("Tamsin Overvliet"));
  expect((await check(tenantId, first)).decision).toBe(review);
  await check(tenantId, paying(recipient("Emeka Okafor")));
  await publish("Tamsin Overvliet");
  const word = { transactionId: first.transactionId, approve: true, reason: "known" };
  expect((await refused(world.gateway.decideReview(word, on(tenantId, manager)))).code).toBe("STATE_CONFLICT");
  // It may be refused, and then nobody is kept with it.
  expect((await world.gateway.decideReview({ ...word, approve: false }, on(tenantId, manager))).decision).toBe(
    Decision.DECISION_REJECTED,
  );
  expect(await stored(tenantId, first.transactionId)).not.toHaveProperty("parties");
});

test("so is what waits for documents of the customer", async () => {
  const tenantId = await openTenant([
    {
      name: "All",
      action: RuleAction.RULE_ACTION_REQUIRE_DOCUMENTS,
      visibility: Visibility.VISIBILITY_PUBLIC,
      requiredDocuments: ["SOURCE_OF_FUNDS"],
    },
  ]);
  const first = paying(recipient("Ottoline Brackwater"));
  expect((await check(tenantId, first)).decision).toBe(pending);
  expect((await check(tenantId, paying(recipient("Emeka Okafor")))).decision).toBe(pending);
  await publish("Ottoline Brackwater");
  const content = Buffer.from("%PDF-1.7\na payslip\n%%EOF\n");
  const upload = { customerId: "c1", uploadKey: "one" };
  await world.gateway.uploadDocumentPart({ ...upload, offset: 0n, content }, on(tenantId, ada));
  const file = { requirement: "SOURCE_OF_FUNDS", fileName: "payslip.pdf", sizeBytes: BigInt(content.length) };
  const { document } = await world.gateway.submitDocument({ ...upload, ...file }, on(tenantId, ada));
  const word = { documentId: document!.documentId, accept: true, reason: "seen" };
  await world.gateway.reviewDocument(word, on(tenantId, manager));
  expect((await decidedOf(tenantId, first.transactionId)).decision).toBe(review);
});

test("who resembles nobody goes on under whatever name, and is not kept once it is decided", async () => {
  const tenantId = await openTenant();
  await takeAway();
  const requested = [paying(recipient("Emeka Okafor")), paying(recipient("Chidi Okafor"))];
  for (const one of requested) await check(tenantId, one);
  await publish("Wendeline Spoorhaven");
  for (const { transactionId } of requested) {
    expect((await decidedOf(tenantId, transactionId)).decision).toBe(approved);
    expect(await stored(tenantId, transactionId)).not.toHaveProperty("parties");
  }
  expect(await payee(tenantId)).toEqual(["Chidi Okafor"]);
  const atOnce = paying(recipient("Chidi Okafor"));
  expect((await check(tenantId, atOnce)).decision).toBe(approved);
  expect(await stored(tenantId, atOnce.transactionId)).not.toHaveProperty("parties");
});

test("what is given up while it waits keeps nobody, and who is erased leaves a person to decide", async () => {
  const tenantId = await openTenant();
  await takeAway();
  const [given, waiting] = [paying(recipient("Emeka Okafor")), paying(recipient("Emeka Okafor"))];
  for (const one of [given, waiting]) await check(tenantId, one);
  await world.remittance.releaseReservation({ transactionId: given.transactionId }, on(tenantId));
  expect(await stored(tenantId, given.transactionId)).not.toHaveProperty("parties");
  const person = { tenantId, userId: "u-c1", customerId: "c1" };
  const { erased } = await world.erase(person, "AFTER_RETENTION");
  expect(erased).toMatchObject({ "parties-of-what-waits": 1 });
  expect(await stored(tenantId, waiting.transactionId)).not.toHaveProperty("parties");
  await publish("Ysolde Kestermann");
  const again = await decidedOf(tenantId, waiting.transactionId);
  expect([again.decision, again.reasonCode]).toEqual([review, ""]);
});
