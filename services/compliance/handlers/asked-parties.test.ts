import { ComplianceServiceDefinition, Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import { createComplianceWorld, on, question, type ComplianceWorld } from "../../../test/support/compliance-fixture.js";
import { asReleaseBefore } from "../../../test/support/release-before.js";

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("asked_parties")));
afterEach(() => world.reset());
afterAll(() => world.close());

const questionType = "compliance.v1.CheckTransactionRequest";
/** What a remittance says that knows of no parties. */
const before = asReleaseBefore(
  ComplianceServiceDefinition,
  { checkTransaction: questionType, checkBatchedTransactions: "compliance.v1.CheckBatchedTransactionsRequest" },
  { [questionType]: [10] },
);
const sender = { role: "SENDER", name: "Ada Obi", kind: "PERSON", dateOfBirth: "1990-04-30", countries: ["USA"] };
const recipient = { role: "RECIPIENT", name: "Ngozi Okafor", kind: "UNKNOWN", dateOfBirth: "", countries: ["NGA"] };
const parties = [sender, recipient];
// Whether a person has to decide on what names nobody is the policy's affair.
const decisions = [Decision.DECISION_APPROVED, Decision.DECISION_REVIEW];

type Checks = { interactionId: string; request: ReturnType<typeof question> }[];

/** What is gathered and slow is left to be asked by itself. */
async function gathered(client: ComplianceWorld["remittance"], tenantId: string, checks: Checks) {
  const { answers } = await client.checkBatchedTransactions({ checks }, on(tenantId));
  expect(answers.map(({ refusal }) => refusal)).toEqual(checks.map(() => undefined));
  return Promise.all(
    answers.map(
      async ({ response }, index) => response ?? client.checkTransaction(checks[index]!.request, on(tenantId)),
    ),
  );
}

test("a remittance of the release before is answered, alone and with others, and its question is the one of the next release", async () => {
  const tenantId = await world.openTenant({});
  const old = world.clientOf(before, "remittance");
  const asked = question();
  const first = await old.checkTransaction({ ...asked, parties }, on(tenantId));
  expect(decisions).toContain(first.decision);
  // The same transaction, asked again after remittance was replaced.
  expect(await world.remittance.checkTransaction({ ...asked, parties }, on(tenantId))).toEqual(first);
  const checks = [question(), question()].map((request) => ({ interactionId: "i", request: { ...request, parties } }));
  const decided = await gathered(old, tenantId, checks);
  expect(decisions).toContain(decided[0]!.decision);
  expect(await gathered(world.remittance, tenantId, checks)).toEqual(decided);
});

test("who is somebody else by now, or was born another day, makes no other question of it", async () => {
  const tenantId = await world.openTenant({});
  const asked = question();
  const first = await world.remittance.checkTransaction({ ...asked, parties }, on(tenantId));
  for (const changed of [
    [{ ...sender, name: "Adaeze Obi" }, recipient],
    [sender, { ...recipient, name: "Nneka Okafor", kind: "PERSON", dateOfBirth: "1970-01-01", countries: ["GHA"] }],
    [...parties, { ...recipient, role: "ACCOUNT_HOLDER", name: "Acme Trading Ltd" }],
    [],
  ]) {
    expect(await world.elsewhere.checkTransaction({ ...asked, parties: changed }, on(tenantId))).toEqual(first);
  }
});
