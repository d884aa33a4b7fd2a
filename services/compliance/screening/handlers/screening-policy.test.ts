import {
  createComplianceWorld,
  manager,
  on,
  question,
  refused,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { testTenant } from "../../../../test/support/index.js";
import { shippedThreshold } from "../../lists/domain/matcher/index.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("screening_policy");
});
afterAll(() => world.close());

const desk = (at = 0) => world.screening[at]!;
const content = {
  lists: ["UN", "EU"],
  threshold: 820,
  otherYearOfBirth: "EXCLUDE",
  yearTolerance: 2,
  staleAfterHours: 48,
  rescreenAfterDays: 0,
  blocksSender: false,
};
const save = (tenantId: string, revision: number, user: typeof manager | typeof secondManager, change: object = {}) =>
  desk().saveScreeningPolicyDraft({ revision, content: { ...content, ...change } }, on(tenantId, user));
const publish = (tenantId: string, revision: number, user: typeof manager | typeof secondManager, at = 0) =>
  desk(at).publishScreeningPolicyDraft({ revision }, on(tenantId, user));
const rescreens = (tenantId: string) =>
  world.db.collection("outbox").countDocuments({ tenantId, kind: "screening.rescreen" });

test("the platform's own policy holds until a draft is published, by another manager than its author", async () => {
  const tenantId = testTenant();
  const own = (await desk().getScreeningPolicy({}, on(tenantId, manager))).policy!;
  expect(own).toMatchObject({
    version: 0,
    lists: ["OFAC_SDN", "EU", "UN", "UK"],
    threshold: shippedThreshold,
    publishedBy: "",
  });
  expect(own.publishedAt).toBeUndefined();
  const unsaved = (await desk().getScreeningPolicyDraft({}, on(tenantId, manager))).draft!;
  expect(unsaved).toMatchObject({ revision: 0, basedOn: 0, savedBy: "", content: { threshold: shippedThreshold } });
  const { draft } = await save(tenantId, 0, manager);
  expect(draft).toMatchObject({ revision: 1, basedOn: 0, savedBy: "MA1", content: { lists: ["EU", "UN"] } });
  expect((await desk().getScreeningPolicyDraft({}, on(tenantId, secondManager))).draft).toEqual(draft);
  expect((await refused(publish(tenantId, 1, manager))).code).toBe("FORBIDDEN");
  expect(await rescreens(tenantId)).toBe(0);
  const { policy } = await publish(tenantId, 1, secondManager);
  expect(policy).toMatchObject({ version: 1, threshold: 820, publishedBy: "MA2", draftedBy: "MA1" });
  expect((await desk(1).getScreeningPolicy({}, on(tenantId, manager))).policy).toEqual(policy);
  const { entries } = await world.gateway.listAuditEntries({ subject: "screening-policy" }, on(tenantId, manager));
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ["screening-policy.publish", "MA2"],
    ["screening-policy.draft", "MA1"],
  ]);
});

test("nobody who wrote any of its revisions publishes it, until one says what is in force", async () => {
  const tenantId = testTenant();
  await save(tenantId, 0, manager);
  const { draft } = await save(tenantId, 1, secondManager, { threshold: 830 });
  expect(draft).toMatchObject({ revision: 2, savedBy: "MA2", authors: ["MA1", "MA2"] });
  for (const user of [manager, secondManager])
    expect((await refused(publish(tenantId, 2, user))).code).toBe("FORBIDDEN");
  const { policy } = await desk().getScreeningPolicy({}, on(tenantId, manager));
  const { lists, threshold, otherYearOfBirth, yearTolerance, staleAfterHours, rescreenAfterDays, blocksSender } =
    policy!;
  const inForce = {
    lists,
    threshold,
    otherYearOfBirth,
    yearTolerance,
    staleAfterHours,
    rescreenAfterDays,
    blocksSender,
  };
  expect((await save(tenantId, 2, manager, inForce)).draft!.authors).toEqual(["MA1"]);
  await save(tenantId, 3, manager, { threshold: 840 });
  expect((await publish(tenantId, 4, secondManager)).policy).toMatchObject({ version: 1, threshold: 840 });
});

test("once it is published there is no draft, and the next one begins anew", async () => {
  const tenantId = testTenant();
  await save(tenantId, 0, manager);
  await publish(tenantId, 1, secondManager);
  const by = on(tenantId, manager);
  const { draft: unsaved } = await desk().getScreeningPolicyDraft({}, by);
  expect(unsaved).toMatchObject({ revision: 0, basedOn: 1, savedAt: undefined });
  expect((await refused(desk().tryScreeningPolicyDraft({}, by))).code).toBe("NOT_FOUND");
  expect((await refused(publish(tenantId, 2, secondManager))).code).toBe("NOT_FOUND");
  expect(await refused(save(tenantId, 5, manager))).toMatchObject({
    code: "STATE_CONFLICT",
    message: "there is no draft any more: begin a new one with revision 0",
  });
  // The same content again is a draft of its own, whose revision no other has had.
  const { draft } = await save(tenantId, 0, manager);
  expect(draft).toMatchObject({ revision: 2, basedOn: 1 });
  expect((await desk(1).getScreeningPolicyDraft({}, by)).draft).toEqual(draft);
  expect((await publish(tenantId, 2, secondManager)).policy?.version).toBe(2);
});

test("published twice, and by two replicas at once, it is one version and one re-screening", async () => {
  const tenantId = testTenant();
  await save(tenantId, 0, manager);
  const answers = await Promise.all([publish(tenantId, 1, secondManager), publish(tenantId, 1, secondManager, 1)]);
  expect(answers.map(({ policy }) => policy?.version)).toEqual([1, 1]);
  expect((await publish(tenantId, 1, secondManager)).policy?.version).toBe(1);
  expect(await rescreens(tenantId)).toBe(1);
});

test("of two who write onto one revision the second is told so; who repeats the same is not", async () => {
  const tenantId = testTenant();
  const [first, second] = await Promise.allSettled([
    save(tenantId, 0, manager),
    save(tenantId, 0, secondManager, { threshold: 830 }),
  ]);
  const lost = [first, second].filter((one) => one.status === "rejected");
  expect(lost).toMatchObject([{ reason: { code: "STATE_CONFLICT" } }]);
  const { draft } = await desk().getScreeningPolicyDraft({}, on(tenantId, manager));
  const winner = draft!.savedBy === "MA1" ? manager : secondManager;
  const again = await save(tenantId, 0, winner, { threshold: draft!.content!.threshold });
  expect(again.draft).toEqual(draft);
  expect((await refused(save(tenantId, 0, winner, { threshold: 840 }))).code).toBe("STATE_CONFLICT");
  expect((await save(tenantId, 1, winner, { threshold: 840 })).draft?.revision).toBe(2);
  expect((await refused(publish(tenantId, 1, manager))).code).toBe("STATE_CONFLICT");
});

test("every fault is named by its path", async () => {
  const tenantId = testTenant();
  const wrong = { lists: ["UN", "FBI", "UN"], threshold: 20, otherYearOfBirth: "GUESS", yearTolerance: 21 };
  const { code, details } = await refused(
    save(tenantId, 0, manager, { ...wrong, staleAfterHours: 0, rescreenAfterDays: -1 }),
  );
  expect([code, details?.errors?.map(({ path }) => path)]).toEqual([
    "INVALID_INPUT",
    ["lists.1", "lists.2", "threshold", "otherYearOfBirth", "yearTolerance", "staleAfterHours", "rescreenAfterDays"],
  ]);
  const nothing = await refused(desk().saveScreeningPolicyDraft({ revision: 0 }, on(tenantId, manager)));
  expect(nothing.details?.errors).toMatchObject([{ path: "content" }]);
  expect((await refused(save(tenantId, 0, manager, { lists: [] }))).details?.errors).toMatchObject([{ path: "lists" }]);
});

test("a draft is tried on those who were compared last, and nothing comes of it", async () => {
  const tenantId = await world.openTenant({});
  const sent = (name: string, code: string) => {
    const parties = [{ role: "RECIPIENT", name, kind: "PERSON", dateOfBirth: "", countries: [] }];
    return world.remittance.checkTransaction(question({ recipientCode: code, parties }), on(tenantId));
  };
  await sent("Ulyana Halvorenko", "B-1");
  await sent("Emeka Okafor", "B-2");
  expect((await refused(desk().tryScreeningPolicyDraft({}, on(tenantId, manager)))).code).toBe("NOT_FOUND");
  await save(tenantId, 0, manager, { lists: ["UN"] });
  const trial = await desk().tryScreeningPolicyDraft({}, on(tenantId, manager));
  expect(trial).toMatchObject({ subjects: 2, hitsByDraft: 0 });
  expect(trial.differences).toMatchObject([
    {
      subject: { kind: "RECIPIENT", customerId: "c1", name: "Ulyana Halvorenko" },
      entriesNow: expect.arrayContaining([expect.stringMatching(/^EU:/)]) as string[],
      entriesByDraft: [],
    },
  ]);
  expect(trial.hitsNow).toBe(trial.differences[0]!.entriesNow.length);
  expect((await desk().getScreeningPolicy({}, on(tenantId, manager))).policy?.version).toBe(0);
  const some = await desk().tryScreeningPolicyDraft({ subjects: 1 }, on(tenantId, manager));
  expect(some.subjects).toBe(1);
  const many = await refused(desk().tryScreeningPolicyDraft({ subjects: 10_001 }, on(tenantId, manager)));
  expect(many.details?.errors).toMatchObject([{ path: "subjects" }]);
});
