import { RequirementState } from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  ada,
  createComplianceWorld,
  manager,
  on,
  question,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import type { Call } from "../../../kernel/grpc/context.js";
import { createForcedOutcomes } from "../../../platform/sandbox/forced-outcome-store.js";
import { waitFor } from "../../../../test/support/index.js";
import { asksIdentityAnew } from "../../../../test/support/time.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("business_date");
});
afterEach(() => world.reset());
afterAll(() => world.close());

/** Moves a sandbox's date on; identity's answer before is used for a second more. */
async function moveOn(tenantId: string, days: number): Promise<void> {
  world.state.daysAhead.set(tenantId, (world.state.daysAhead.get(tenantId) ?? 0) + days);
  await asksIdentityAnew();
}
const check = async (tenantId: string, minor: bigint, customerId = "c1") => {
  const requested = question({ amount: usd(minor), customerId });
  const { decision } = await world.remittance.checkTransaction(requested, on(tenantId));
  return { decision, recorded: (await world.store.forTenant(tenantId).findDecision(requested.transactionId))! };
};

test("days of limits and windows are those of the tenant's business date", async () => {
  const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(100_00n) }] });
  expect((await check(tenantId, 100_00n)).decision).toBe("DECISION_APPROVED");
  expect((await check(tenantId, 1n)).decision).toBe("DECISION_REJECTED");
  await moveOn(tenantId, 3);
  const { decision, recorded } = await check(tenantId, 100_00n);
  expect([decision, recorded.inputs.day]).toEqual(["DECISION_APPROVED", "2026-05-04"]);
  expect(recorded.decidedAt).toEqual(new Date("2026-05-04T12:00:00Z"));
});

test("requirements expire by the business date, and what was flagged long ago is forgotten", async () => {
  const passport = { name: "Passport", requirement: "IDENTITY_DOCUMENT", mandatory: true, validityDays: 30 };
  const tenantId = await world.openTenant({ knowYourCustomerRules: [passport] });
  expect((await check(tenantId, 1n)).decision).toBe("DECISION_APPROVED");
  await moveOn(tenantId, 30);
  const { decision, recorded } = await check(tenantId, 1n);
  expect([decision, recorded.outstandingRequirements]).toEqual(["DECISION_PENDING", ["IDENTITY_DOCUMENT"]]);
  const { customer } = await world.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, manager));
  expect(customer!.requirements.map(({ state }) => state)).toEqual([RequirementState.REQUIREMENT_STATE_EXPIRED]);
  const checklist = await world.gateway.getChecklist(
    { ...question(), customerId: "c1", amount: usd(1n) },
    on(tenantId, manager),
  );
  expect(checklist.items).toMatchObject([{ requirement: "IDENTITY_DOCUMENT", state: "REQUIREMENT_STATE_EXPIRED" }]);
});

test("codes and links live by real time, whatever the business date", async () => {
  const phone = { name: "Phone", requirement: "PHONE_NUMBER", mandatory: true };
  const tenantId = await world.openTenant({ knowYourCustomerRules: [phone] }, { confirm: false });
  await world.gateway.initiateComplianceAction({ customerId: "c1" }, on(tenantId, ada));
  const sms = await waitFor(() => world.sentOf(tenantId, "SMS").at(-1));
  await moveOn(tenantId, 2);
  const { state } = await world.gateway.confirmContact({ code: /^\d{6}/.exec(sms.text)![0] }, on(tenantId, ada));
  expect(state).toBe(RequirementState.REQUIREMENT_STATE_FULFILLED);
});

describe("what a sandbox is told to decide", () => {
  const force = (tenantId: string, id: string, outcome: object) =>
    createForcedOutcomes(world.store, ["COMPLIANCE_DECISION"]).force(
      { id, of: "COMPLIANCE_DECISION", outcome: "REJECT", times: 1, ...outcome },
      { tenantId } as Call,
    );
  const decisions = async (tenantId: string, count: number) => {
    const made: string[] = [];
    for (let each = 0; each < count; each += 1) made.push((await check(tenantId, 1n)).decision);
    return made;
  };

  test("is decided as often as it was told, a customer's own before anybody's, and once under its id", async () => {
    const tenantId = await world.openTenant({}, { asSandbox: true });
    expect(await force(tenantId, "any", { outcome: "REVIEW" })).toBe("new");
    expect(await force(tenantId, "own", { subject: "c1" })).toBe("new");
    expect(await force(tenantId, "another", { subject: "c2" })).toBe("new");
    const rejected = await check(tenantId, 1n);
    expect([rejected.decision, rejected.recorded.reasonCode, rejected.recorded.inputs.forced]).toEqual([
      "DECISION_REJECTED",
      "RULE_REJECTED",
      "REJECT",
    ]);
    expect(await force(tenantId, "own", { subject: "c1" })).toBe("known");
    expect(await force(tenantId, "own", { subject: "c1", times: 2 })).toBe("other");
    expect(await decisions(tenantId, 2)).toEqual(["DECISION_REVIEW", "DECISION_APPROVED"]);
    const outcomes = createForcedOutcomes(world.store, ["COMPLIANCE_DECISION"]);
    const call = { tenantId } as Call;
    expect(await outcomes.list(call)).toEqual([
      { id: "another", of: "COMPLIANCE_DECISION", outcome: "REJECT", subject: "c2", times: 1 },
    ]);
    expect([await outcomes.clear(undefined, call), await outcomes.list(call)]).toEqual([1, []]);
  });

  test("holds for three of ten at the same time, also beside one who has to be assessed first", async () => {
    const tenantId = await world.openTenant({}, { asSandbox: true });
    await force(tenantId, "three", { times: 3 });
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => check(tenantId, 1n, `c${(n % 2) + 1}`)));
    expect(all.filter(({ recorded }) => recorded.inputs.forced === "REJECT")).toHaveLength(3);
  });

  test("holds for no live tenant", async () => {
    const tenantId = await world.openTenant({});
    await force(tenantId, "live", {});
    expect(await decisions(tenantId, 1)).toEqual(["DECISION_APPROVED"]);
  });
});
