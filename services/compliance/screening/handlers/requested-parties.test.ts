import {
  createComplianceWorld,
  on,
  question,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("asked_parties")));
afterEach(() => world.reset());
afterAll(() => world.close());

const sender = { role: "SENDER", name: "Ada Obi", kind: "PERSON", dateOfBirth: "1990-04-30", countries: ["USA"] };
const recipient = { role: "RECIPIENT", name: "Ngozi Okafor", kind: "UNKNOWN", dateOfBirth: "", countries: ["NGA"] };
const parties = [sender, recipient];

test("who is somebody else by now, or was born another day, makes no other question of it", async () => {
  const tenantId = await world.openTenant({});
  const requested = question();
  const first = await world.remittance.checkTransaction({ ...requested, parties }, on(tenantId));
  for (const changed of [
    [{ ...sender, name: "Adaeze Obi" }, recipient],
    [sender, { ...recipient, name: "Nneka Okafor", kind: "PERSON", dateOfBirth: "1970-01-01", countries: ["GHA"] }],
    [...parties, { ...recipient, role: "ACCOUNT_HOLDER", name: "Acme Trading Ltd" }],
    [],
  ]) {
    expect(await world.elsewhere.checkTransaction({ ...requested, parties: changed }, on(tenantId))).toEqual(first);
  }
});
