import {
  createComplianceWorld,
  manager,
  on,
  refused,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("hits_together");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, ofTenant, stopped, falsely, surely, release, customerOf, decisionOf, key } = hitWords(
  () => world,
);
/** Somebody whom two lists have. */
const onTwoLists = { ...listed, name: "Ulyana Halvorenko", countries: [] };
const both = ["1", "2"];
const word = (screeningId: string, part: object = {}) => {
  const { hitId: _hit, ...stated } = falsely(screeningId);
  return { ...stated, hitIds: both, ...part };
};
const hitsOf = async (tenantId: string, screeningId: string) =>
  (await ofTenant(tenantId).screenings.find(screeningId))!.hits;
const statesOf = async (tenantId: string, screeningId: string) =>
  (await hitsOf(tenantId, screeningId)).map(({ state }) => state);
const audited = async (tenantId: string) =>
  (await world.store.forTenant(tenantId).listAudit({ limit: 50, subject: "customer:c1" })).map(({ action }) => action);

test("hits of one person on two lists are told apart with one word, all or none, and what waited goes on", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId, transactionId } = await stopped(tenantId, [sender, onTwoLists]);
  const by = on(tenantId, manager);
  for (const [part, path] of [
    [{ hitIds: [] }, "hitIds"],
    [{ hitIds: ["1", "1"] }, "hitIds.1"],
    [{ hitIds: ["1", ""] }, "hitIds.1"],
    [{ decision: "MAYBE" }, "decision"],
    [{ reason: " " }, "reason"],
  ] as const) {
    const refusal = await refused(at().decideHits(word(screeningId, part), by));
    expect([refusal.code, refusal.details?.errors?.[0]?.path]).toEqual(["INVALID_INPUT", path]);
  }
  const unknown = await refused(at().decideHits(word(screeningId, { hitIds: ["1", "9"] }), by));
  expect([unknown.code, unknown.message]).toEqual(["NOT_FOUND", "no hit 9 of this screening"]);
  expect(await statesOf(tenantId, screeningId)).toEqual(["OPEN", "OPEN"]);

  const exemptUntil = new Date("2026-06-30T00:00:00Z");
  const stated = word(screeningId, { exemptUntil });
  const { screening } = await at().decideHits(stated, by);
  expect(screening).toMatchObject({
    status: "NO_HIT",
    hits: both.map(() => ({ state: "FALSE_POSITIVE", decidedBy: "MA1", exemptUntil })),
  });
  expect(await at(1).decideHits(stated, by)).toMatchObject({ screening: { status: "NO_HIT" } });
  expect(await at(1).decideHits(word(screeningId, { exemptUntil }), by)).toMatchObject({
    screening: { status: "NO_HIT" },
  });
  const made = await ofTenant(tenantId).exemptions.list({ now: world.state.now }, { limit: 10 });
  expect(made.map(({ exemptionId }) => exemptionId).toSorted()).toEqual(
    screening!.hits.map(({ exemptionId }) => exemptionId).toSorted(),
  );
  expect((await audited(tenantId)).filter((action) => action === "screening.false-positive")).toHaveLength(2);
  await waitFor(async () => (await decisionOf(tenantId, transactionId)) === "APPROVED");
});

test("where one of them is decided, none is, and the refusal names each that is", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId, [sender, onTwoLists]);
  const by = on(tenantId, manager);
  await at().decideHit(falsely(screeningId, { hitId: "2" }), on(tenantId, secondManager));
  for (const decision of ["FALSE_POSITIVE", "CONFIRMED"]) {
    const refusal = await refused(at().decideHits(word(screeningId, { decision }), by));
    expect([refusal.code, refusal.message]).toEqual(["STATE_CONFLICT", "hit 2 is FALSE_POSITIVE: it is decided"]);
    expect(await statesOf(tenantId, screeningId)).toEqual(["OPEN", "FALSE_POSITIVE"]);
  }
  await at().decideHit(surely(screeningId), by);
  const refusal = await refused(at().decideHits(word(screeningId), by));
  expect(refusal.message).toBe(
    "whether hit 1 is confirmed waits for a second manager; hit 2 is FALSE_POSITIVE: it is decided",
  );
});

test("a confirmation of several is one approval: a second manager's word confirms all, a block each, and a refused one opens all", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId, [sender, onTwoLists]);
  const by = on(tenantId, manager);
  const requested = async () => {
    const { screening } = await at().decideHits(word(screeningId, { decision: "CONFIRMED" }), by);
    const [id, ...others] = new Set(screening!.hits.map(({ approvalId }) => approvalId));
    expect([screening!.hits.map(({ state }) => state), others]).toEqual([both.map(() => "CONFIRMATION_ASKED"), []]);
    return id!;
  };
  await world.decideApproval(tenantId, await requested(), secondManager.userId, "REFUSED");
  expect(await statesOf(tenantId, screeningId)).toEqual(["OPEN", "OPEN"]);
  await world.decideApproval(tenantId, await requested(), secondManager.userId);
  expect(await statesOf(tenantId, screeningId)).toEqual(["CONFIRMED", "CONFIRMED"]);
  expect((await audited(tenantId)).filter((action) => action === "screening.confirmation-approved")).toHaveLength(2);

  // One block holds both, and is told of once.
  const blockId = `${screeningId}.1`;
  expect((await customerOf(tenantId)).blocks).toMatchObject([{ blockId }]);
  const rows = { tenantId, aggregate: /^block-/ } as never;
  const aggregates = async () => (await world.db.collection("outbox").distinct("aggregate", rows)).toSorted();
  expect(await aggregates()).toEqual([`block-transactions:${blockId}`, `block-wallets:${blockId}`]);
  await waitFor(() => world.told(tenantId).blocked.length > 0 && world.told(tenantId).frozen.length > 0);
  expect(world.told(tenantId).blocked.map((one) => one.blockId)).toEqual([blockId]);

  // So does one release, whichever hit it names.
  const asking = { ...release(screeningId), hitId: "2", ...key() };
  const toRelease = (await at().releaseConfirmedHit(asking, by)).screening!.hits;
  expect(toRelease).toMatchObject(both.map(() => ({ state: "CONFIRMED", release: { transactions: "CONTINUE" } })));
  const again = await at().releaseConfirmedHit({ ...release(screeningId), ...key() }, by);
  expect(again.screening!.hits[0]!.approvalId).toBe(toRelease[1]!.approvalId);
  await world.decideApproval(tenantId, toRelease[1]!.approvalId, secondManager.userId);
  expect(await statesOf(tenantId, screeningId)).toEqual(["RELEASED", "RELEASED"]);
  expect((await customerOf(tenantId)).blocks).toEqual([]);
  await waitFor(() => world.told(tenantId).released.length > 0);
  expect(world.told(tenantId).released).toEqual([{ blockId, outcome: "CONTINUE" }]);
});

test("hits that are confirmed with a word each have a block each, and one release ends both", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId, [sender, onTwoLists]);
  const by = on(tenantId, manager);
  for (const hitId of both) {
    const { screening } = await at().decideHit(surely(screeningId, { hitId }), by);
    const { approvalId } = screening!.hits.find((hit) => hit.hitId === hitId)!;
    await world.decideApproval(tenantId, approvalId, secondManager.userId);
  }
  expect((await customerOf(tenantId)).blocks).toHaveLength(2);
  const { screening } = await at().releaseConfirmedHit({ ...release(screeningId), ...key() }, by);
  await world.decideApproval(tenantId, screening!.hits[0]!.approvalId, secondManager.userId);
  expect(await statesOf(tenantId, screeningId)).toEqual(["RELEASED", "RELEASED"]);
  expect(await customerOf(tenantId)).toMatchObject({ blocks: [], status: "CONFIRMED" });
  await waitFor(() => world.told(tenantId).released.length === 2);
  expect(
    world
      .told(tenantId)
      .released.map(({ blockId }) => blockId)
      .toSorted(),
  ).toEqual(both.map((id) => `${screeningId}.${id}`));
});

test("what a release says does not take the place of what was said when the hit was confirmed", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const { screening } = await at().decideHit(
    surely(screeningId, { reason: "the same passport" }),
    on(tenantId, manager),
  );
  world.state.now = new Date(world.state.now.getTime() + 60_000);
  const confirmation = screening!.hits[0]!;
  await world.decideApproval(tenantId, confirmation.approvalId, secondManager.userId);
  const confirmed = {
    decidedBy: "MA1",
    reason: "the same passport",
    decidedAt: confirmation.decidedAt,
    agreed: { by: "MA2", reason: "so do I", at: world.state.now },
  };
  world.state.now = new Date(world.state.now.getTime() + 60_000);
  const requestedAt = world.state.now;
  const asking = { ...release(screeningId), ...key() };
  const toRelease = await at().releaseConfirmedHit(asking, on(tenantId, secondManager));
  const requested = { by: "MA2", reason: "the authority agreed", at: requestedAt };
  expect(toRelease.screening!.hits[0]).toMatchObject({
    state: "CONFIRMED",
    ...confirmed,
    release: { transactions: "CONTINUE", asked: requested },
  });
  world.state.now = new Date(world.state.now.getTime() + 60_000);
  await world.decideApproval(tenantId, toRelease.screening!.hits[0]!.approvalId, manager.userId);
  const read = await at(1).getScreening({ screeningId }, on(tenantId, manager));
  expect(read.screening!.hits[0]).toMatchObject({
    state: "RELEASED",
    ...confirmed,
    release: {
      transactions: "CONTINUE",
      asked: requested,
      agreed: { by: "MA1", reason: "so do I", at: world.state.now },
    },
  });
});

test("an approval that was asked for in vain is taken back, and leaves nobody waiting", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const [by, other] = [on(tenantId, manager), on(tenantId, secondManager)];
  // Somebody is faster while identity is asked.
  world.state.onAsk = () => at(1).decideHit(surely(screeningId), other);
  expect((await refused(at().decideHit(surely(screeningId), by))).code).toBe("STATE_CONFLICT");
  const idsOf = (userId: string) =>
    [...world.state.approvals.entries()]
      .filter(([of]) => of.startsWith(`${tenantId} ${userId} `))
      .map(([, { approval }]) => approval.approvalId!);
  const [inVain] = idsOf(manager.userId);
  await waitFor(() => world.told(tenantId).withdrawn.length > 0);
  expect(world.told(tenantId).withdrawn).toEqual([inVain]);
  // As identity tells of it then.
  await world.decideApproval(tenantId, inVain!, "compliance", "REFUSED");
  const [current] = await hitsOf(tenantId, screeningId);
  expect(current).toMatchObject({ state: "CONFIRMATION_ASKED", decidedBy: "MA2", approvalId: idsOf("MA2")[0] });

  await world.decideApproval(tenantId, idsOf("MA2")[0]!, manager.userId, "REFUSED");
  expect(await statesOf(tenantId, screeningId)).toEqual(["OPEN"]);
  // Two words of one person at once: the second was noted under the first.
  world.state.onAsk = () => at(1).decideHit(surely(screeningId), by);
  const { screening } = await at().decideHit(surely(screeningId), by);
  const noted = screening!.hits[0]!.approvalId;
  await waitFor(() => world.told(tenantId).withdrawn.length > 1);
  const pending = idsOf(manager.userId).filter((id) => !world.told(tenantId).withdrawn.includes(id));
  expect(pending).toEqual([noted]);
});

test("an approval that was ended before it was noted is refused, and another key asks anew", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const [by, other] = [on(tenantId, manager), on(tenantId, secondManager)];
  const asking = surely(screeningId);
  // While identity's answer is on its way, another is asked for, this one is
  // taken back, and that one refused.
  world.state.onAsk = async () => {
    const [mine] = [...world.state.approvals].filter(([of]) => of === `${tenantId} MA1 ${asking.idempotencyKey}`);
    const { screening } = await at(1).decideHit(surely(screeningId), other);
    await world.decideApproval(tenantId, mine![1].approval.approvalId!, "compliance", "REFUSED");
    await world.decideApproval(tenantId, screening!.hits[0]!.approvalId, manager.userId, "REFUSED");
  };
  const refusal = await refused(at().decideHit(asking, by));
  expect([refusal.code, refusal.message]).toEqual([
    "STATE_CONFLICT",
    "the approval was ended: ask again with another key",
  ]);
  expect(await statesOf(tenantId, screeningId)).toEqual(["OPEN"]);
  await at().decideHit(surely(screeningId), by);
  expect(await statesOf(tenantId, screeningId)).toEqual(["CONFIRMATION_ASKED"]);
});

test("a release that somebody else has asked for meanwhile leaves no approval of its own either", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const { screening } = await at().decideHit(surely(screeningId), on(tenantId, manager));
  await world.decideApproval(tenantId, screening!.hits[0]!.approvalId, secondManager.userId);
  const asking = () => ({ ...release(screeningId), ...key() });
  world.state.onAsk = () => at(1).releaseConfirmedHit(asking(), on(tenantId, secondManager));
  const refusal = await refused(at().releaseConfirmedHit(asking(), on(tenantId, manager)));
  expect(refusal.message).toContain("is asked for already");
  await waitFor(() => world.told(tenantId).withdrawn.length > 0);
  const [hit] = await hitsOf(tenantId, screeningId);
  expect(world.told(tenantId).withdrawn).not.toContain(hit!.approvalId);
  await world.decideApproval(tenantId, hit!.approvalId!, manager.userId);
  expect(await statesOf(tenantId, screeningId)).toEqual(["RELEASED"]);
});
