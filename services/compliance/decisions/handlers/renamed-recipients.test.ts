import {
  createComplianceWorld,
  everybody,
  on,
  question,
  refused,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { recipientSubject } from "../../common/domain/subject.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import { createScreeningRuns } from "../../screening/engine/runs.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("renamed_recipients")));
afterAll(() => world.close());

/** On the sandbox partner's OFAC, EU and UK lists. */
const listed = "Yaromil Ostapovich Vorskutin";
const subject = recipientSubject("c1", "B-9");
const [now, later] = [new Date("2026-05-01T12:00:00Z"), new Date("2026-05-02T12:00:00Z")];
const partyOf = (name: string): ScreenedParty => ({ kind: "PERSON", names: [name], countries: [], documents: [] });
const originOf = (tenantId: string) => ({ tenantId, interactionId: "i-1", actor: "remittance" });
const openTenant = () => world.openTenant({ dailyLimits: [{ amount: usd(9_000_00n) }] });
const known = (tenantId: string) => world.replicas[0]!.subjects.forTenant(tenantId).find(subject);
const holdsOf = async (tenantId: string) => (await world.store.forTenant(tenantId).findCustomer("c1"))?.holds ?? [];

/**
 * Each replica as it compares, with what it has noted, by a clock of its
 * own; `ask` is a question to B-9.
 */
async function replicas() {
  const tenantId = await openTenant();
  const clock = { ms: 1_000_000 };
  const runs = world.replicas.map(({ engine, judge, subjects, screeningCipher, screeningPolicyVersions }) => {
    const stores = { subjects, cipher: screeningCipher, policies: screeningPolicyVersions };
    return createScreeningRuns({ engine, judge, store: world.store, ...stores, elapsed: () => clock.ms });
  });
  let requested = 0;
  return {
    tenantId,
    clock,
    async ask(at: 0 | 1, name: string) {
      requested += 1;
      const amount = { minor: 1_00n, currency: "USD" };
      const facts = {
        transactionId: `t${requested}`,
        customerId: "c1",
        operation: "REMITTANCE",
        amount,
        recipient: "B-9",
      };
      const parties = [
        { role: "SENDER", party: partyOf("Ada Lovelace") },
        { role: "RECIPIENT", party: partyOf(name) },
      ];
      const one = { origin: originOf(tenantId), facts, parties } as never;
      const { notes } = await runs[at]!.runQuestions(tenantId, [one], now);
      await notes.write();
      notes.keep();
      return (await known(tenantId))!.party.names;
    },
  };
}

test("who was noted a while ago is written again: another replica may have noted somebody else since", async () => {
  const { ask, clock } = await replicas();
  expect(await ask(0, "Emeka Okafor")).toEqual(["Emeka Okafor"]);
  expect(await ask(1, "Chidi Okafor")).toEqual(["Chidi Okafor"]);
  // Not for each question.
  clock.ms += 9_999;
  expect(await ask(0, "Emeka Okafor")).toEqual(["Chidi Okafor"]);
  clock.ms += 1;
  expect(await ask(0, "Emeka Okafor")).toEqual(["Emeka Okafor"]);
});

test("who was noted before somebody else was found under the code is written again at once", async () => {
  const { ask, tenantId } = await replicas();
  expect(await ask(0, "Emeka Okafor")).toEqual(["Emeka Okafor"]);
  expect(await ask(0, listed)).toEqual([listed]);
  expect(await ask(0, "Emeka Okafor")).toEqual(["Emeka Okafor"]);
  expect(await holdsOf(tenantId)).toEqual([{ recipientKey: "B-9", status: "OPEN" }]);
});

test("of somebody who was named anew while they were compared again nothing is kept", async () => {
  const tenantId = await openTenant();
  const [{ engine, judge, subjects, screenings, screeningCipher, screeningPolicyVersions }] = world.replicas as [
    (typeof world.replicas)[0],
  ];
  const policy = await screeningPolicyVersions.current(tenantId);
  const note = async (party: ScreenedParty) => {
    const fingerprints = await screeningCipher.fingerprintsOf(tenantId, party);
    await subjects.forTenant(tenantId).upsertMany([{ subject, party, ...fingerprints, basis: "old", screenedAt: now }]);
    return (await known(tenantId))!;
  };
  const again = ({ party, fingerprint }: { party: ScreenedParty; fingerprint: string }) => {
    const about = { subject, party, compared: engine.screen(tenantId, policy, party), policyVersion: policy.version };
    return judge(originOf(tenantId), { ...about, trigger: "LIST_UPDATED", asRead: fingerprint }, later);
  };
  const read = await note(partyOf(listed));
  const renamed = await note(partyOf("Emeka Okafor"));
  expect(await again(read)).toBeUndefined();
  expect(await known(tenantId)).toEqual(renamed);
  expect(await screenings.forTenant(tenantId).list({}, { limit: 5 })).toEqual([]);
  expect(await holdsOf(tenantId)).toEqual([]);
  // Of somebody who is still the same it is.
  expect(await again(await note(partyOf(listed)))).toBe("OPEN");
  expect(await holdsOf(tenantId)).toEqual([{ recipientKey: "B-9", status: "OPEN" }]);
});

test("a day that is none, and a country that is none, are refused by their path", async () => {
  const tenantId = await openTenant();
  const faults: [object, string][] = [
    [{ dateOfBirth: "1990-13-45" }, "parties.1.dateOfBirth"],
    [{ dateOfBirth: "1990-02-30" }, "parties.1.dateOfBirth"],
    [{ dateOfBirth: "1990-13" }, "parties.1.dateOfBirth"],
    [{ countries: ["", "NGA", "XXXX"] }, "parties.1.countries.2"],
  ];
  const asking = (part: object) => question({ parties: [everybody[0]!, { ...everybody[1]!, ...part }] });
  for (const [part, path] of faults) {
    const { details } = await refused(world.remittance.checkTransaction(asking(part), on(tenantId)));
    expect(details?.errors?.map((one) => one.path)).toEqual([path]);
  }
  for (const dateOfBirth of ["1990-02-28", "1990-02", "1990"]) {
    await world.remittance.checkTransaction(asking({ dateOfBirth }), on(tenantId));
  }
});
