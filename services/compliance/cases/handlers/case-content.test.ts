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
import { commandsOf } from "../../../../test/support/commands.js";

jest.setTimeout(240_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("case_content");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { sender, listed, at, stopped, falsely, confirmed, ofTenant, key } = hitWords(() => world);
const cases = () => world.cases[0]!;

/** The case that a screening has joined. */
async function caseOf(tenantId: string, screeningId: string) {
  return waitFor(async () => {
    const { cases: all } = await cases().listCases({ queue: "ALL", kind: "SCREENING" }, on(tenantId, manager));
    return all.find(({ screeningIds }) => screeningIds.includes(screeningId));
  });
}

const firstHit = {
  source: "OFAC_SDN",
  listVersion: 1,
  matchedName: expect.stringMatching(/tarquesada/i),
  entryId: expect.stringMatching(/\S/),
  state: "OPEN",
};

/** What the call reads, once the cases have heard of all: what joins them reads them, too. */
async function readsOf<T>(tenantId: string, work: () => Promise<T>) {
  const joins = { tenantId, kind: "case.join", state: { $ne: "DONE" } };
  await waitFor(async () => (await world.db.collection("outbox").countDocuments(joins)) === 0);
  const { result, commands } = await commandsOf(world.db, tenantId, work);
  return { result, commands: commands.filter((one) => one.startsWith("find ")) };
}

test("a row of the queue says whom a case is about, what was found and what money waits, in as many reads as one case needs", async () => {
  const tenantId = await world.openTenant({});
  const first = await stopped(tenantId);
  await caseOf(tenantId, first.screeningId);
  const by = on(tenantId, manager);
  world.told(tenantId).described.length = 0;
  const { result: one, commands: ofOne } = await readsOf(tenantId, () => cases().listCases({}, by));
  const row = one.cases.find(({ kind }) => kind === "SCREENING")!;
  expect(row).toMatchObject({
    subjectKind: "RECIPIENT",
    subjectName: "Eliseo Fabricio Tarquesada Obregonte",
    subjectNameState: "KNOWN",
    hitCount: first.screening.hits.length,
    transactionCount: 1,
  });
  const [hit] = row.hits;
  expect(hit).toMatchObject({ ...firstHit, screeningId: first.screeningId, policyVersion: 0 });
  expect(hit!.subject!.name).toBe(row.subjectName);
  expect(hit!.parts.length).toBeGreaterThan(0);
  expect(hit!.parts.reduce((sum, { effect }) => sum + effect, 0)).toBe(hit!.score);
  expect(row.transactions).toMatchObject([
    {
      transactionId: first.transactionId,
      amount: { amountMinor: 100_00n, currency: "USD" },
      originCountry: "USA",
      receivingCountry: "NGA",
      receivingCurrency: "NGN",
      decision: "REVIEW",
      status: "AWAITING_COMPLIANCE",
      transactionCode: `MT-${first.transactionId}`,
      recipientName: "Eliseo Tarquesada",
      askedAt: world.state.now,
    },
  ]);
  // What is written stays by ids alone: names are opened for the reader.
  const stored = JSON.stringify(await world.db.collection("cases").find({ tenantId }).toArray());
  expect(stored).not.toMatch(/Eliseo/);

  for (const code of ["B-2", "B-3", "B-4"]) {
    const { screeningId } = await stopped(tenantId, [sender, listed], { recipientCode: code });
    await caseOf(tenantId, screeningId);
  }
  world.told(tenantId).described.length = 0;
  const { result: all, commands } = await readsOf(tenantId, () => cases().listCases({}, by));
  expect(all.cases.filter(({ kind }) => kind === "SCREENING")).toHaveLength(4);
  expect(commands).toEqual(ofOne);
  expect(commands.toSorted()).toEqual(["find cases", "find decisions", "find screening_subjects", "find screenings"]);
  expect(world.told(tenantId).described).toHaveLength(1);
});

test("an export is enough for whoever has nothing else, and is refused while nobody says where the money is", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId, transactionId, screening } = await stopped(tenantId);
  await confirmed(tenantId, screeningId);
  const { caseId } = await caseOf(tenantId, screeningId);
  const by = on(tenantId, manager);
  const requested = { caseId, form: "JSON", ...key() };
  world.state.isRemittanceAway = true;
  expect((await refused(cases().exportCase(requested, by))).code).toBe("UNAVAILABLE");
  const { case: seen } = await cases().getCase({ caseId }, by);
  expect(seen!.timeline.map(({ kind }) => kind)).not.toContain("EXPORTED");
  expect(seen!.transactions).toMatchObject([{ transactionId, status: "", decision: "REVIEW" }]);

  world.state.isRemittanceAway = false;
  world.told(tenantId).described.length = 0;
  const { result, commands } = await commandsOf(world.db, tenantId, () => cases().exportCase(requested, by));
  const whole = result.case!;
  expect(whole.timeline.at(-1)!.kind).toBe("EXPORTED");
  expect(whole).toMatchObject({ subjectName: "Eliseo Fabricio Tarquesada Obregonte", subjectNameState: "KNOWN" });
  expect(whole.transactions).toMatchObject([{ transactionId, status: "AWAITING_COMPLIANCE", decision: "REVIEW" }]);
  const [found] = whole.screenings;
  expect(found).toMatchObject({ screeningId, trigger: "TRANSACTION", policyVersion: 0, caseId, isCut: false });
  expect(found!.lists.map(({ source }) => source).toSorted()).toEqual(["EU", "OFAC_SDN", "UK", "UN"]);
  const [hit] = found!.hits;
  expect(hit).toMatchObject({ state: "CONFIRMED", listVersion: 1, decidedBy: "MA1", reason: "born in another year" });
  expect(hit!.entry).toMatchObject({ source: "OFAC_SDN", entryId: screening.hits[0]!.entry.entryId });
  expect(hit!.parts).toEqual(screening.hits[0]!.parts.map((part) => ({ note: "", ...part })));
  expect(world.told(tenantId).described).toHaveLength(1);
  const reads = commands.filter((one) => one.startsWith("find ")).filter((one) => !/idempotency|outbox/.test(one));
  expect(reads.filter((one) => one !== "find cases").toSorted()).toEqual([
    "find case_events",
    "find decisions",
    "find screening_subjects",
    "find screenings",
  ]);
});

test("of an erased person a case says that they are, and who did what", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const { caseId } = await caseOf(tenantId, screeningId);
  await world.erase({ tenantId, customerId: "c1", userId: "u-c1" }, "AFTER_RETENTION");
  const by = on(tenantId, manager);
  const { cases: rows } = await cases().listCases({ queue: "ALL" }, by);
  expect(rows.find((one) => one.caseId === caseId)).toMatchObject({
    subjectName: "",
    subjectNameState: "ERASED",
    hits: [],
    hitCount: 0,
  });
  const whole = (await cases().exportCase({ caseId, form: "JSON", ...key() }, by)).case!;
  expect(whole).toMatchObject({ subjectName: "", subjectNameState: "ERASED", screenings: [] });
  expect(JSON.stringify(whole, plain)).not.toMatch(/Eliseo Fabricio/);
  expect(whole.timeline.map(({ kind }) => kind)).toContain("SCREENING_JOINED");
});

test("whom nobody has compared is named as identity has them, where one case is read", async () => {
  const tenantId = await world.openTenant({});
  world.state.names.set("c7", "Amara Nwosu");
  const by = on(tenantId, manager);
  const opened = await cases().openCase({ customerId: "c7", note: "asked about limits", ...key() }, by);
  const { caseId } = opened.case!;
  const { cases: rows } = await cases().listCases({}, by);
  expect(rows[0]).toMatchObject({ caseId, subjectName: "", subjectNameState: "UNKNOWN" });
  const { case: one } = await cases().getCase({ caseId }, by);
  expect(one).toMatchObject({
    subjectName: "Amara Nwosu",
    subjectNameState: "KNOWN",
    screenings: [],
    transactions: [],
  });
});

test("the answers that are kept under keys name nobody", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await stopped(tenantId);
  const { caseId } = await caseOf(tenantId, screeningId);
  const by = on(tenantId, manager);
  await cases().exportCase({ caseId, form: "JSON", ...key() }, by);
  const noted = await cases().addCaseNote({ caseId, text: "seen", ...key() }, by);
  expect(noted.case).toMatchObject({ subjectName: "", hits: [], transactions: [] });
  const names = (await world.db.db!.listCollections().toArray()).map(({ name }) => name);
  const stored = await Promise.all(
    names.filter((name) => /idempot/.test(name)).map((name) => world.db.collection(name).find({ tenantId }).toArray()),
  );
  expect(stored.flat().length).toBeGreaterThan(0);
  expect(JSON.stringify(stored, plain)).not.toMatch(/Eliseo/);
});

test("approvals of hits say whose hit it is and why, in as many reads as one needs; the subject of one is told nothing", async () => {
  const tenantId = await world.openTenant({});
  const by = on(tenantId, manager);
  const other = on(tenantId, secondManager);
  const requested: { approvalId: string; screeningId: string }[] = [];
  for (const code of ["B-1", "B-2", "B-3"]) {
    const { screeningId } = await stopped(tenantId, [sender, listed], { recipientCode: code });
    const { screening } = await at().decideHit({ ...falsely(screeningId), decision: "CONFIRMED" }, by);
    requested.push({ screeningId, approvalId: screening!.hits[0]!.approvalId });
  }
  for (const { screeningId } of requested) await caseOf(tenantId, screeningId);
  const { commands: ofOne } = await commandsOf(world.db, tenantId, () =>
    at().describeHits({ approvals: requested.slice(0, 1) }, other),
  );
  const { result, commands } = await commandsOf(world.db, tenantId, () =>
    at().describeHits({ approvals: requested }, other),
  );
  expect(commands).toEqual(ofOne);
  expect(commands.toSorted()).toEqual(["find cases", "find decisions", "find screenings"]);
  expect(result.approvals.map(({ approvalId }) => approvalId)).toEqual(requested.map(({ approvalId }) => approvalId));
  for (const { hits, caseId, transactions, transactionCount } of result.approvals) {
    expect(hits).toHaveLength(1);
    const [hit] = hits;
    expect(hit).toMatchObject({ ...firstHit, state: "CONFIRMATION_ASKED" });
    expect(hit!.subject!.name).toBe("Eliseo Fabricio Tarquesada Obregonte");
    expect(hit!.parts.length).toBeGreaterThan(0);
    expect(caseId).not.toBe("");
    expect([transactionCount, transactions.length]).toEqual([1, 1]);
    expect(transactions[0]).toMatchObject({ amount: { amountMinor: 100_00n }, status: "AWAITING_COMPLIANCE" });
  }
  const wrong = [{ approvalId: "nothing", screeningId: requested[0]!.screeningId }];
  expect((await at().describeHits({ approvals: wrong }, other)).approvals).toEqual([]);
  const elsewhere = await world.openTenant({});
  expect((await at().describeHits({ approvals: requested }, on(elsewhere, secondManager))).approvals).toEqual([]);

  const about = { customerId: manager.userId, isStaff: true, revision: 1, changed: ["REGISTERED"], proven: [] };
  const name = { firstName: listed.name, lastName: "", country: "MEX" };
  await world.identity.notePersonChange({ ...about, ...name }, on(tenantId));
  const [own] = await ofTenant(tenantId).screenings.findOpenOf({ kind: "STAFF", id: manager.userId });
  const { screeningId } = own!;
  const { screening } = await at().decideHit({ ...falsely(screeningId), decision: "CONFIRMED" }, other);
  const approvals = [{ screeningId, approvalId: screening!.hits[0]!.approvalId }];
  expect((await at().describeHits({ approvals }, by)).approvals).toEqual([]);
  expect((await at().describeHits({ approvals }, other)).approvals).toHaveLength(1);
});

test("an approval of several hits says each of them, and how many they are before its summary is cut", async () => {
  const tenantId = await world.openTenant({});
  const onTwoLists = { ...listed, name: "Ulyana Halvorenko", countries: [] };
  const { screeningId } = await stopped(tenantId, [sender, onTwoLists]);
  const { hitId: _hit, ...word } = falsely(screeningId);
  const asking = { ...word, hitIds: ["1", "2"], decision: "CONFIRMED" };
  const { screening } = await at().decideHits(asking, on(tenantId, manager));
  const { approvalId } = screening!.hits[0]!;
  const approvals = [{ approvalId, screeningId }];
  const described = await at().describeHits({ approvals }, on(tenantId, secondManager));
  expect(described.approvals).toHaveLength(1);
  const [{ hits, transactionCount }] = described.approvals as [(typeof described.approvals)[number]];
  expect(hits.map(({ hitId, state }) => [hitId, state])).toEqual([
    ["1", "CONFIRMATION_ASKED"],
    ["2", "CONFIRMATION_ASKED"],
  ]);
  expect(new Set(hits.map(({ source, entryId }) => `${source} ${entryId}`)).size).toBe(2);
  expect(transactionCount).toBe(1);
  const [stored] = [...world.state.approvals.values()].filter(({ approval }) => approval.approvalId === approvalId);
  expect(stored!.approval.summary).toMatch(/^2 hits: Confirm hits 1 \(/);
});

const plain = (_key: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
