import {
  ada,
  agent,
  cashier,
  createComplianceWorld,
  everybody,
  manager,
  on,
  question,
  secondManager,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("screening_neutral");
});
afterAll(() => world.close());

/**
 * What tells somebody that a list, and no rule, is why they wait; beside
 * names and ids of what was found.
 */
const tellTales =
  /screen|sanction|watch.?list|black.?list|\blisted\b|\blists?\b|\bhits?\b|match|resembl|OFAC|SDN|\bEU\b|\bUN\b|\bUK\b|\bPEP\b|embargo|terror|freez|frozen|\bstops?\b|tarquesada|90006/i;

const [sender, recipient] = everybody as [(typeof everybody)[number], (typeof everybody)[number]];
const listed = { ...recipient, name: "Eliseo Fabricio Tarquesada Obregonte", countries: ["MEX"] };
const printed = (answer: unknown) =>
  JSON.stringify(answer, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));

/** All that compliance answers to somebody who is no manager, and about whom it is. */
async function stated(tenantId: string): Promise<string[]> {
  const checklist = {
    customerId: "c1",
    amount: usd(100_00n),
    originCountry: "USA",
    receivingCountry: "NGA",
    receivingCurrency: "NGN",
    recipientCode: "B-1",
  };
  const { gateway } = world;
  const answers = [
    ...[ada, agent].map((who) => gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, who))),
    ...[ada, agent, cashier].map((who) => gateway.getChecklist(checklist, on(tenantId, who))),
    gateway.listRiskScores({ customerId: "c1" }, on(tenantId, agent)),
    gateway.listDocuments({ customerId: "c1" }, on(tenantId, ada)),
    world.wallet.checkMoves({ moves: [{ customerId: "c1", kind: "MOVE_KIND_PAYMENT" }] }, on(tenantId, ada)),
    world.lending.checkCustomerAction(
      { actionId: `loan-${tenantId}`, customerId: "c1", kind: "LOAN_APPLICATION", amount: usd(100_00n) },
      on(tenantId, ada),
    ),
  ];
  return Promise.all(answers.map(async (answer) => printed(await answer.catch((error: unknown) => String(error)))));
}

test("neither customer, agent nor cashier, nor a service for them, is told that a list is why", async () => {
  const tenantId = await world.openTenant({});
  const requested = question({ parties: [sender, listed] });
  const clean = question({ parties: everybody, recipientCode: "B-2" });
  const published: string[] = [];
  const read = async () => void published.push(...(await stated(tenantId)));
  await read();

  const answer = await world.remittance.checkTransaction(requested, on(tenantId, ada));
  expect(answer.decision).toBe("DECISION_REVIEW");
  published.push(printed(answer));
  await read();

  const by = on(tenantId, manager);
  const { screenings } = await world.screening[0]!.listScreenings({ transactionId: requested.transactionId }, by);
  const { screeningId } = screenings[0]!;
  const word = { idempotencyKey: "k1", screeningId, hitId: "1", decision: "CONFIRMED", reason: "the same passport" };
  const confirming = await world.screening[0]!.decideHit(word, by);
  await world.decideApproval(tenantId, confirming.screening!.hits[0]!.approvalId, secondManager.userId);
  await waitFor(() => world.told(tenantId).noted.some(({ status }) => status === "BLOCKED"));
  await read();
  published.push(printed(await world.remittance.checkTransaction(clean, on(tenantId, ada))));
  published.push(
    printed(world.told(tenantId).noted),
    printed(world.sentOf(tenantId)),
    printed(world.told(tenantId).decided),
  );

  expect(published.length).toBeGreaterThan(25);
  expect(published.filter((text) => tellTales.test(text))).toEqual([]);
  // A manager reads all of it.
  const { screening } = await world.screening[0]!.getScreening({ screeningId }, by);
  expect(printed(screening)).toMatch(/OFAC_SDN/);
});

test("a review by a rule and one by a list are answered with the same words", async () => {
  const tenantId = await world.openTenant({
    transactionRules: [
      {
        name: "Large",
        action: "RULE_ACTION_REVIEW",
        visibility: "VISIBILITY_STAFF",
        condition: { amountAtLeast: usd(500_00n) },
      },
    ],
  });
  const byRule = question({ amount: usd(500_00n), parties: everybody });
  const byList = question({ parties: [sender, listed], recipientCode: "B-2" });
  const answers = await Promise.all(
    [byRule, byList].map((requested) => world.remittance.checkTransaction(requested, on(tenantId, ada))),
  );
  expect(answers[0]).toMatchObject({ decision: "DECISION_REVIEW" });
  expect(answers[1]).toEqual(answers[0]);
});
