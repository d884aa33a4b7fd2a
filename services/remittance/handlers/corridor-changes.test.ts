import { DeliveryMethod, type Corridor } from "../../../proto/gen/remittance/v1/remittance.js";
import { testTenant } from "../../../test/support/index.js";
import { agent, cashier, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { corridor } from "../../../test/support/remittance-samples.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { Refusal } from "../../kernel/refusal.js";

let world: World;
beforeAll(async () => void (world = await createWorld("corridor_changes")));
afterAll(() => world.close());

const method = DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT;

async function tenantWithCorridor() {
  const tenantId = testTenant();
  await world.operator.putCorridor({ corridor }, on(tenantId));
  return tenantId;
}
const put = (tenantId: string, part: WirePartial<Corridor>, reason = "") =>
  world.gateway.putCorridor({ corridor: { ...corridor, ...part }, reason }, on(tenantId, manager));
const requestedOf = (of: string) => world.neighbours.asked.filter(({ tenantId }) => tenantId === of);
const held = async (tenantId: string) => (await world.operator.listCorridors({}, on(tenantId))).corridors[0]!;

describe("a manager's change of limits or partners", () => {
  test("waits, and holds as a whole once another manager has approved it", async () => {
    const tenantId = await tenantWithCorridor();
    const fees = [{ ...corridor.fees[0]!, fixedMinor: 3_00n }];
    const answer = await put(tenantId, { maximumMinor: 500_00n, fees }, "agreed with the bank");
    expect(answer).toMatchObject({ approvalStatus: "PENDING", corridor: { version: 1, maximumMinor: 10_000_00n } });
    expect(requestedOf(tenantId)).toMatchObject([
      {
        tenantId,
        kind: "LIMIT_CHANGE",
        approvalId: answer.approvalId,
        summary: "USA-USD-NGA-NGN: 1.00 to 500.00 USD",
        reason: "agreed with the bank",
      },
    ]);
    expect(await held(tenantId)).toMatchObject({ version: 1, maximumMinor: 10_000_00n, fees: [{ fixedMinor: 2_00n }] });
    const { noted } = await world.decide(answer.approvalId);
    const set = `CORRIDOR_SET ${requestedOf(tenantId)[0]!.subject}`;
    expect(noted).toEqual([`${set} fees.0.fixed: 2.00 → 3.00 USD`, `${set} maximumAmount: 10000.00 → 500.00 USD`]);
    await world.decide(answer.approvalId);
    expect(await held(tenantId)).toMatchObject({ version: 2, maximumMinor: 500_00n, fees: [{ fixedMinor: 3_00n }] });
    const { changes } = await world.gateway.listChanges(
      { kind: "CORRIDOR", key: "USA-USD-NGA-NGN" },
      on(tenantId, manager),
    );
    expect(changes[0]).toMatchObject({ version: 2, changedBy: "MA1", content: { approvedBy: "MA2" } });
  });

  test.each([
    ["a partner", { deliveries: [{ method, partner: "Mojaloop", estimateMinutes: 30 }] }, "PARTNER_CHANGE"],
    ["a method's own limit", { deliveries: [{ method, estimateMinutes: 30, maximumMinor: 5n }] }, "LIMIT_CHANGE"],
    ["the least amount", { minimumMinor: 0n }, "LIMIT_CHANGE"],
  ])("%s needs two persons", async (_what, part, kind) => {
    const tenantId = await tenantWithCorridor();
    expect((await put(tenantId, part)).approvalStatus).toBe("PENDING");
    expect(requestedOf(tenantId)).toMatchObject([{ kind }]);
    expect((await held(tenantId)).version).toBe(1);
  });

  test("fees, estimates, methods and the switch need one", async () => {
    const tenantId = await tenantWithCorridor();
    const deliveries = [{ method, estimateMinutes: 30 }];
    await put(tenantId, { fees: [] });
    await put(tenantId, { fees: [], deliveries });
    await put(tenantId, { fees: [], deliveries, deliveryMethods: [method] });
    const answer = await put(tenantId, { fees: [], deliveries, deliveryMethods: [method], enabled: false });
    expect(answer).toMatchObject({ approvalId: "", corridor: { version: 5, enabled: false } });
    expect(requestedOf(tenantId)).toEqual([]);
  });

  test("a new corridor needs two persons: nothing can be sent on it before another manager has approved it", async () => {
    const tenantId = testTenant();
    const answer = await put(tenantId, { maximumMinor: 999_999_00n }, "a new bank");
    expect(answer).toMatchObject({ approvalStatus: "PENDING", corridor: { version: 0, enabled: false } });
    expect(requestedOf(tenantId)).toMatchObject([{ kind: "CORRIDOR_CHANGE", reason: "a new bank" }]);
    expect((await world.operator.listCorridors({}, on(tenantId))).corridors).toEqual([]);
    await world.decide(answer.approvalId);
    expect(await held(tenantId)).toMatchObject({ version: 1, enabled: true, maximumMinor: 999_999_00n });
    expect((await world.operator.putCorridor({ corridor }, on(testTenant()))).corridor).toMatchObject({ version: 1 });
  });

  test("asked again it is the same question; the operator's credential asks nobody", async () => {
    const tenantId = await tenantWithCorridor();
    const answers = await Promise.all([1, 2, 3].map(() => put(tenantId, { maximumMinor: 9n * 10_000n })));
    expect(new Set(answers.map(({ approvalId }) => approvalId)).size).toBe(1);
    const byOperator = await world.operator.putCorridor(
      { corridor: { ...corridor, maximumMinor: 8_00n } },
      on(tenantId),
    );
    expect(byOperator).toMatchObject({ approvalId: "", corridor: { version: 2, maximumMinor: 8_00n } });
  });

  test("approved after something else was changed it does not hold: nobody has seen both together", async () => {
    const tenantId = await tenantWithCorridor();
    const { approvalId } = await put(tenantId, { maximumMinor: 500_00n });
    await put(tenantId, { enabled: false });
    const { subject } = requestedOf(tenantId)[0]!;
    expect((await world.decide(approvalId)).noted).toEqual([`NOTHING_DONE ${subject}`]);
    expect(await held(tenantId)).toMatchObject({ version: 2, maximumMinor: 10_000_00n, enabled: false });
    const { approvalId: again } = await put(tenantId, { maximumMinor: 500_00n, enabled: false });
    await world.decide(again);
    expect(await held(tenantId)).toMatchObject({ version: 3, maximumMinor: 500_00n });
  });

  test.each(["REFUSED", "EXPIRED"] as const)("%s it changes nothing, and may be asked anew", async (status) => {
    const tenantId = await tenantWithCorridor();
    const { approvalId } = await put(tenantId, { maximumMinor: 500_00n });
    await world.decide(approvalId, status);
    expect((await held(tenantId)).version).toBe(1);
    const again = await put(tenantId, { maximumMinor: 500_00n });
    expect(again.approvalId).not.toBe(approvalId);
    await world.decide(again.approvalId);
    expect((await held(tenantId)).maximumMinor).toBe(500_00n);
  });

  test("one that identity takes no question about waits for nobody, and a repeat is refused as well", async () => {
    const tenantId = await tenantWithCorridor();
    const { mayAsk } = world.neighbours;
    world.neighbours.mayAsk = () => {
      throw new Refusal("INVALID_INPUT", "is not asked about");
    };
    const codes: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      codes.push((await refused(put(tenantId, { maximumMinor: 500_00n }))).code);
    }
    world.neighbours.mayAsk = mayAsk;
    expect(codes).toEqual(["INVALID_INPUT", "INVALID_INPUT"]);
    const stored = await world.db.collection("corridor_changes").find({ tenantId }).toArray();
    expect(stored.map(({ status }) => String(status))).toEqual(["REFUSED", "REFUSED"]);
    expect((await held(tenantId)).version).toBe(1);
    expect((await put(tenantId, { maximumMinor: 500_00n })).approvalStatus).toBe("PENDING");
  });

  test("one whom identity does not let ask changes nothing; the next one is asked for by itself", async () => {
    const tenantId = await tenantWithCorridor();
    world.neighbours.mayAsk = () => {
      throw new Refusal("FORBIDDEN", "this MANAGER may not ask for it");
    };
    expect((await refused(put(tenantId, { maximumMinor: 500_00n }))).code).toBe("FORBIDDEN");
    world.neighbours.mayAsk = () => {};
    expect((await put(tenantId, { maximumMinor: 500_00n })).approvalStatus).toBe("PENDING");
    const changes = await world.db.collection("corridor_changes").find({ tenantId }).sort({ askedAt: 1 }).toArray();
    expect(changes.map(({ status }) => status)).toEqual(["REFUSED", "ASKED"]);
    expect((await refused(world.gateway.putCorridor({ corridor }, on(tenantId, cashier)))).code).toBe("FORBIDDEN");
  });
});

describe("an agent manages corridors with a manager", () => {
  const byAgent = (tenantId: string, part: WirePartial<Corridor>, reason = "") =>
    world.gateway.putCorridor({ corridor: { ...corridor, ...part }, reason }, on(tenantId, agent));

  test("any change of one that is there waits, and holds once a manager has approved it", async () => {
    const tenantId = await tenantWithCorridor();
    const answer = await byAgent(tenantId, { enabled: false }, "the bank is closed");
    expect(answer).toMatchObject({ approvalStatus: "PENDING", corridor: { version: 1, enabled: true } });
    expect(requestedOf(tenantId)).toMatchObject([{ kind: "CORRIDOR_CHANGE", reason: "the bank is closed" }]);
    expect(await held(tenantId)).toMatchObject({ version: 1, enabled: true });
    await world.decide(answer.approvalId);
    expect(await held(tenantId)).toMatchObject({ version: 2, enabled: false });
  });

  test("so does one that is new; it is stale where somebody else was faster", async () => {
    const tenantId = testTenant();
    const answer = await byAgent(tenantId, {});
    expect(answer).toMatchObject({ approvalStatus: "PENDING", corridor: { version: 0, enabled: false } });
    expect((await world.operator.listCorridors({}, on(tenantId))).corridors).toEqual([]);
    await world.decide(answer.approvalId);
    expect(await held(tenantId)).toMatchObject({ version: 1, enabled: true, maximumMinor: 10_000_00n });

    const another = await byAgent(tenantId, { receivingCountry: "GHA", receivingCurrency: "GHS" });
    const put = { corridor: { ...corridor, receivingCountry: "GHA", receivingCurrency: "GHS", maximumMinor: 7_00n } };
    await world.operator.putCorridor(put, on(tenantId));
    await world.decide(another.approvalId);
    const { corridors } = await world.operator.listCorridors({}, on(tenantId));
    expect(corridors.find(({ receivingCountry }) => receivingCountry === "GHA")).toMatchObject({
      version: 1,
      maximumMinor: 7_00n,
    });
  });
});
