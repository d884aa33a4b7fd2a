import {
  ada,
  createComplianceWorld,
  manager,
  on,
  secondManager,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { tracesIn } from "../../../../test/support/erasure.js";
import { hitWords } from "../../../../test/support/hit-words.js";
import { waitFor } from "../../../../test/support/index.js";
import type { Refusal } from "../../../kernel/refusal.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("sealed_words");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { listed, sender, at, stopped, falsely, surely, release, key } = hitWords(() => world);

/** A word that nobody's name or reason has by chance. */
const words = ["Quillonmarra", "Xandervik", "Plimsorrow", "Tessaquent", "Wolverdale", "Brindlemoor"] as const;
const [informs, confirms, agrees, notes, closes, ends] = words;
const listedName = "Tarquesada";

const caseOf = async (tenantId: string, screeningId: string) =>
  waitFor(
    async () => {
      const { caseId } = (await at().getScreening({ screeningId }, on(tenantId, manager))).screening!;
      return caseId === "" ? undefined : caseId;
    },
    { what: "the hit to join a case" },
  );
const read = async (tenantId: string, caseId: string) =>
  (await world.cases[0]!.getCase({ caseId }, on(tenantId, manager))).case!;
const processed = (tenantId: string, caseId: string, what: string) =>
  waitFor(
    async () => {
      const found = await read(tenantId, caseId);
      return found.timeline.some(({ text }) => text.includes(what)) ? found : undefined;
    },
    { what: `the case to hear of ${what}` },
  );

async function close(tenantId: string, caseId: string): Promise<boolean> {
  const { version } = await read(tenantId, caseId);
  const word = { ...key(), caseId, version, outcome: "FALSE_POSITIVE", reason: `was ${closes}` };
  return world.cases[0]!.closeCase(word, on(tenantId, manager)).then(
    () => true,
    (error: Refusal) => {
      if (error.code !== "STATE_CONFLICT") throw error;
      return false;
    },
  );
}

/**
 * One hit that is told apart with an exemption, which is ended; one that is confirmed and released;
 * notes, and a case that is closed.
 */
async function everyComment(tenantId: string) {
  const by = on(tenantId, manager);
  const first = await stopped(tenantId, [sender, listed], { recipientCode: "B-1" });
  const exemptUntil = new Date("2026-12-01T00:00:00Z");
  await at().decideHit(falsely(first.screeningId, { reason: `not ${informs}`, exemptUntil }), by);
  const caseId = await caseOf(tenantId, first.screeningId);
  await world.cases[0]!.addCaseNote({ ...key(), caseId, text: `${notes} telephoned` }, by);
  await processed(tenantId, caseId, informs);
  // What waited is decided anew meanwhile, which the case hears of, too.
  await waitFor(() => close(tenantId, caseId), { what: "the case to be closed" });
  const { exemptions } = await at().listScreeningExemptions({}, by);
  await at().endScreeningExemption({ exemptionId: exemptions[0]!.exemptionId, reason: `is ${ends}` }, by);

  const second = await stopped(tenantId, [sender, listed], { recipientCode: "B-2" });
  const requested = await at().decideHit(surely(second.screeningId, { reason: `is ${confirms}` }), by);
  await world.decideApproval(
    tenantId,
    requested.screening!.hits[0]!.approvalId,
    secondManager.userId,
    "APPROVED",
    agrees,
  );
  await at().releaseConfirmedHit({ ...key(), ...release(second.screeningId), reason: `let ${confirms} go` }, by);
  const other = await caseOf(tenantId, second.screeningId);
  await processed(tenantId, other, `let ${confirms} go`);
  return { caseId, other };
}

test("what people say of hits and in cases lies sealed, in rows, timelines and the audit trail; who may read it, does", async () => {
  const tenantId = await world.openTenant({});
  const { caseId, other } = await everyComment(tenantId);
  expect(await tracesIn(world.db.name, tenantId, [...words, listedName])).toEqual([]);

  const texts = [caseId, other].map(async (id) => (await read(tenantId, id)).timeline.map(({ text }) => text).join());
  const [first, second] = await Promise.all(texts);
  for (const word of [informs, notes, closes, listedName.toUpperCase()])
    expect(first!.toUpperCase()).toContain(word.toUpperCase());
  for (const word of [confirms, agrees]) expect(second).toContain(word);
  const { entries } = await world.gateway.listAuditEntries({ subject: "customer:c1" }, on(tenantId, manager));
  const reasons = entries.map(({ action, reason }) => [action, reason]);
  expect(reasons).toEqual(
    expect.arrayContaining([
      ["screening.false-positive", `not ${informs}`],
      ["screening.confirmation-ask", `is ${confirms}`],
      ["screening.confirmation-approved", agrees],
      ["screening.exemption-end", `is ${ends}`],
      ["case.close", `was ${closes}`],
    ]),
  );
  expect(entries.find(({ action }) => action === "screening.false-positive")!.content).toContain("entryId");
});

test("erased, nothing of it is left that could be opened; who did what and when stays", async () => {
  const tenantId = await world.openTenant({});
  const { caseId } = await everyComment(tenantId);
  await world.erase({ tenantId, ...ada }, "AFTER_RETENTION");
  const sealed = async (collection: string) =>
    world.db.collection(collection).countDocuments({ tenantId, sealed: { $exists: true } });
  expect([await sealed("case_events"), await sealed("audit")]).toEqual([0, 0]);
  const { timeline } = await read(tenantId, caseId);
  expect(timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["HIT_DECIDED", "NOTED", "CLOSED"]));
  expect(timeline.every(({ text }) => text === "" || text === "erased")).toBe(true);
  const { entries } = await world.gateway.listAuditEntries({ subject: "customer:c1" }, on(tenantId, manager));
  expect(entries.every(({ reason }) => reason === "" || reason === "erased")).toBe(true);
});
