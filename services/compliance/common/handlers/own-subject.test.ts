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
import type { Screening } from "../../screening/domain/screening.js";

jest.setTimeout(240_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("own_subject");
});
afterEach(() => world.reset());
afterAll(() => world.close());

const { listed, at, ofTenant, falsely, surely, release, stateOf, key } = hitWords(() => world);

/** A hit of a manager, with its case, as identity's word of them makes one. */
async function ofStaff(tenantId: string): Promise<Screening> {
  const name = { firstName: listed.name, lastName: "", country: "MEX" };
  const about = { customerId: manager.userId, isStaff: true, revision: 1, changed: ["REGISTERED"], proven: [] };
  await world.identity.notePersonChange({ ...about, ...name }, on(tenantId));
  const [found] = await ofTenant(tenantId).screenings.findOpenOf({ kind: "STAFF", id: manager.userId });
  return found!;
}

test("a manager neither reads nor decides what is found of themselves, and others do", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await ofStaff(tenantId);
  const [own, other] = [on(tenantId, manager), on(tenantId, secondManager)];
  const idsOf = async (by: typeof own) => (await at().listScreenings({}, by)).screenings.map((one) => one.screeningId);
  expect((await refused(at().getScreening({ screeningId }, own))).code).toBe("NOT_FOUND");
  expect(await idsOf(own)).not.toContain(screeningId);
  expect(await idsOf(other)).toContain(screeningId);
  for (const word of [falsely(screeningId), surely(screeningId)])
    expect((await refused(at().decideHit(word, own))).code).toBe("FORBIDDEN");
  const releasing = { ...release(screeningId), ...key() };
  expect((await refused(at().releaseConfirmedHit(releasing, own))).code).toBe("FORBIDDEN");

  const { screening } = await at().decideHit(surely(screeningId), other);
  expect(stateOf({ screening })).toBe("CONFIRMATION_ASKED");
  const requested = [...world.state.approvals.values()].at(-1)!;
  expect(requested).toMatchObject({ approval: { kind: "SCREENING_CONFIRMATION" }, concernedUserId: manager.userId });

  const casesOf = async (by: typeof own) => (await world.cases[0]!.listCases({ queue: "ALL" }, by)).cases;
  const caseId = await waitFor(
    async () =>
      (await casesOf(other)).find(
        ({ subjectKind, subjectId }) => subjectKind === "STAFF" && subjectId === manager.userId,
      )?.caseId,
  );
  expect((await casesOf(own)).map((one) => one.caseId)).not.toContain(caseId);
  expect((await world.cases[0]!.getCase({ caseId }, other)).case!.caseId).toBe(caseId);
  const note = { caseId, text: "not me", ...key() };
  expect((await refused(world.cases[0]!.getCase({ caseId }, own))).code).toBe("NOT_FOUND");
  expect((await refused(world.cases[0]!.addCaseNote(note, own))).code).toBe("NOT_FOUND");
  const exporting = { caseId, form: "JSON", ...key() };
  expect((await refused(world.cases[0]!.exportCase(exporting, own))).code).toBe("NOT_FOUND");
});

test("a manager does not learn of what is found of them by a trial of the policy or by the audit trail", async () => {
  const tenantId = await world.openTenant({});
  const { screeningId } = await ofStaff(tenantId);
  const [own, other] = [on(tenantId, manager), on(tenantId, secondManager)];
  const content = {
    lists: ["UN"],
    threshold: 820,
    otherYearOfBirth: "LOWER",
    yearTolerance: 1,
    staleAfterHours: 72,
    rescreenAfterDays: 0,
    blocksSender: true,
  };
  await at().saveScreeningPolicyDraft({ revision: 0, content }, other);
  const seen = await at().tryScreeningPolicyDraft({}, other);
  expect(seen.differences.map(({ subject }) => subject!.id)).toEqual([manager.userId]);
  expect(await at().tryScreeningPolicyDraft({}, own)).toMatchObject({ subjects: 0, hitsNow: 0, differences: [] });

  await at().decideHit(falsely(screeningId), other);
  const caseId = await waitFor(async () => (await world.cases[0]!.listCases({ queue: "ALL" }, other)).cases[0]?.caseId);
  await waitFor(async () => {
    const { case: one } = await world.cases[0]!.getCase({ caseId }, other);
    const close = { caseId, version: one!.version, outcome: "USEFUL", reason: "seen", ...key() };
    return world.cases[0]!.closeCase(close, other).catch(() => undefined);
  });
  const subject = `staff:${manager.userId}`;
  const read = async (by: typeof own, requested: object) =>
    (await world.gateway.listAuditEntries(requested, by)).entries.map((one) => one.action);
  const recorded = ["case.close", "screening.false-positive"];
  expect(await read(other, { subject })).toEqual(recorded);
  expect(await read(own, { subject })).toEqual([]);
  expect(await read(other, {})).toEqual(expect.arrayContaining(recorded));
  for (const action of recorded) expect(await read(own, {})).not.toContain(action);
});
