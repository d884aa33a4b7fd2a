import { randomUUID } from "node:crypto";
import { atDepth } from "../../../test/support/depth.js";
import { waitFor } from "../../../test/support/index.js";
import { ada, on } from "../../../test/support/remittance-calls.js";
import { beneficiary, corridor } from "../../../test/support/remittance-samples.js";
import { createWaitingOrders, type WaitingOrders } from "../../../test/support/waiting-orders.js";

const count = atDepth({ quick: 20, ci: 20, long: 1_000 }, "WAITING_ORDERS");
const timeoutMs = 60_000 + count * 400;
const address = { lines: ["4 Zubair Lane"], city: "Lagos", country: "NGA" };
const usBsa = { profile: "US_BSA", originCountries: ["USA"] };
const isMeasured = process.env["WAITING_ORDERS"] !== undefined;

let world: WaitingOrders;
beforeAll(async () => void (world = await createWaitingOrders("waiting")));
beforeEach(() => world.state.details.clear());
afterAll(() => world.close());

/**
 * Until all orders of a tenant, which waited, may be paid. However many they are, compliance locks
 * their sender a few times, and not once for each.
 */
async function goOn(tenantId: string, what: string, cause: () => Promise<unknown>): Promise<void> {
  expect(await world.countOf(tenantId, "AWAITING_COMPLIANCE")).toBe(count);
  // What each has begun with would be told by itself where the cause came before it.
  await waitFor(async () => (await world.countBegun(tenantId)) === 0, { timeoutMs });
  const startedAt = performance.now();
  const firstMs = { of: 0 };
  const commands = await world.commandsOf(async () => {
    await cause();
    await waitFor(
      async () => {
        const released = await world.countOf(tenantId, "AWAITING_PAYMENT");
        if (released > 0) firstMs.of ||= performance.now() - startedAt;
        return released === count;
      },
      { timeoutMs },
    );
  });
  const locks = commands.get("compliance findAndModify customer_statuses") ?? 0;
  expect(locks).toBeGreaterThan(0);
  expect(locks).toBeLessThan(count / 3 + 4);
  if (!isMeasured) return;
  const tookMs = Math.round(performance.now() - startedAt);
  const each = [...commands.values()].reduce((sum, sent) => sum + sent, 0) / count;
  const figures = `the first in ${Math.round(firstMs.of)} ms, ${each.toFixed(1)} round trips each`;
  process.stdout.write(`${what}: ${count} in ${tookMs} ms, ${figures}\n`);
}

describe("all that waits goes on", () => {
  const limitMs = timeoutMs * 2;

  test(
    "once the sender has given what is asked for",
    async () => {
      const tenantId = await world.open(usBsa);
      await world.create(tenantId, count, { sendAmount: "3000.00" });
      await goOn(tenantId, "sender", () => world.give(tenantId, { dateOfBirth: "1990-04-30", address }));
    },
    limitMs,
  );

  test(
    "once a policy is published that does not ask for it; what another one still asks for waits by its names",
    async () => {
      const tenantId = await world.open(usBsa);
      await world.create(tenantId, count, { sendAmount: "3000.00" });
      const rows = [{ amount: { amountMinor: 10_00n, currency: "USD" }, members: ["NATIONALITY"] }];
      await world.publish(tenantId, { revision: 1, transparencyProfiles: [{ ...usBsa, rows }] });
      const asked = { "compliance.outstandingRequirements": ["ADDRESS", "NATIONALITY"] };
      await waitFor(async () => (await world.transactions.countDocuments({ tenantId, ...asked })) === count, {
        timeoutMs,
      });
      await goOn(tenantId, "policy", () => world.publish(tenantId, { revision: 2, transparencyProfiles: [] }));
    },
    limitMs,
  );

  test(
    "once the recipient has what is asked for, of whom nothing is told while nothing changes",
    async () => {
      const rows = [{ amount: { amountMinor: 10_00n, currency: "USD" }, members: ["RECIPIENT_ADDRESS"] }];
      // Of a named one its own rows would ask for more from a sum of them on.
      const tenantId = await world.open({ ...usBsa, profile: "OWN", currency: "USD", rows });
      await world.create(tenantId, count);
      const change = { ...beneficiary, idempotencyKey: randomUUID(), details: { kind: "PERSON", address } };
      await goOn(tenantId, "recipient", () => world.operator.changeBeneficiary(change, on(tenantId)));
    },
    limitMs,
  );
});

describe("an order that waits", () => {
  const rounds = atDepth({ quick: 12, ci: 24, long: 1_000 }, "WAITING_ROUNDS");
  const refusals = ["TRANSACTION_NOT_PAYABLE", "STATE_CONFLICT"];
  const causes = ["ADDRESS", "CANCEL", "BOTH", "POLICY", "NOTHING", "POLICY AND CANCEL"] as const;

  /** What becomes of one that waits for its sender's address, with payments for it meanwhile. */
  async function race(cause: (typeof causes)[number], round: number): Promise<string> {
    world.state.details.clear();
    const tenantId = await world.open(usBsa);
    const [transactionId = ""] = await world.create(tenantId, 1, { sendAmount: "3000.00" });
    const stored = async () => (await world.transactions.findOne({ tenantId, transactionId }))!;
    const { price, status } = await stored();
    expect(status).toBe("AWAITING_COMPLIANCE");
    const { minor: amountMinor, currency } = price.total as { minor: bigint; currency: string };
    const order = { transactionId, customerId: "c1", funding: "WALLET", totalAmount: { amountMinor, currency } };
    let mayGoOn = false;
    const granted: boolean[] = [];
    const claim = async () => {
      await world.wallet.claimTransaction({ ...order, paymentId: randomUUID() }, on(tenantId, ada)).then(
        () => granted.push(mayGoOn),
        ({ code }: { code: string }) => expect(refusals).toContain(code),
      );
    };
    const claims = async () => {
      for (let at = 0; at < 6; at += 1) await claim();
    };
    const free = async () => {
      for (let at = 0; at < round % 4; at += 1) await claim();
      if (cause === "ADDRESS" || cause === "BOTH") {
        mayGoOn = true;
        await world.give(tenantId, { dateOfBirth: "1990-04-30", address });
      }
      if (cause.startsWith("POLICY")) {
        mayGoOn = true;
        await world.publish(tenantId, { revision: 1, transparencyProfiles: [] });
      }
    };
    const cancel = async () => {
      if (!cause.endsWith("CANCEL") && cause !== "BOTH") return;
      const request = { transactionId, idempotencyKey: randomUUID(), reason: "" };
      await world.gateway.cancelTransaction(request, on(tenantId, ada)).catch(() => undefined);
    };
    await Promise.all([claims(), free(), claims(), cancel()]);
    // Claimed more than once, or while nothing was there, it would be wrong whatever came of it.
    expect([granted.length <= 1, granted.every((one) => one)]).toEqual([true, true]);
    const end = await waitFor(async () => {
      const now = (await stored())["status"] as string;
      return now === "AWAITING_COMPLIANCE" && mayGoOn ? undefined : now;
    });
    await claim();
    expect(granted.length <= 1).toBe(true);
    return (await stored())["paymentId"] === undefined ? end : "CLAIMED";
  }

  test(
    "is claimed once what it waits for is there, once and never before, whatever comes at once",
    async () => {
      const ends = new Map<string, Set<string>>();
      for (let round = 0; round < rounds; round += 1) {
        const cause = causes[round % causes.length]!;
        const end = await race(cause, round);
        ends.set(cause, (ends.get(cause) ?? new Set()).add(end));
      }
      expect([...ends.get("NOTHING")!]).toEqual(["AWAITING_COMPLIANCE"]);
      expect([...ends.get("CANCEL")!]).toEqual(["CANCELLED"]);
      for (const cause of ["ADDRESS", "POLICY"]) expect([...ends.get(cause)!]).toEqual(["CLAIMED"]);
      for (const cause of ["BOTH", "POLICY AND CANCEL"]) {
        expect(["CANCELLED", "CLAIMED"]).toEqual(expect.arrayContaining([...ends.get(cause)!]));
      }
    },
    120_000 + rounds * 3_000,
  );
});

test("what waits is decided by a published policy from sums that are made by it, and not by an older one's", async () => {
  const rows = [{ amount: { amountMinor: 10_00n, currency: "USD" }, members: ["RECIPIENT_ADDRESS"] }];
  const tenantId = await world.open({ profile: "OWN", originCountries: ["USA"], currency: "USD", rows });
  const [earlier = ""] = await world.create(tenantId, 1, { sendAmount: "1600.00" });
  const [later = ""] = await world.create(tenantId, 1, { sendAmount: "1500.00" });
  const stored = async (transactionId: string) => (await world.transactions.findOne({ tenantId, transactionId }))!;
  // Above every row by itself: what was sent before is not read.
  expect(await stored(later)).toMatchObject({
    status: "AWAITING_COMPLIANCE",
    transparency: { linkedAmount: { minor: 1_500_00n } },
  });
  const { policyVersion } = (await stored(later))["compliance"];
  await world.publish(tenantId, { revision: 1, transparencyProfiles: [usBsa] });
  await waitFor(async () => (await stored(earlier))["status"] === "AWAITING_PAYMENT");
  await waitFor(async () => (await stored(later))["compliance"].policyVersion > policyVersion);
  expect(await stored(later)).toMatchObject({
    status: "AWAITING_COMPLIANCE",
    compliance: { outstandingRequirements: ["ADDRESS"] },
    transparency: { profile: "US_BSA", policyVersion: policyVersion + 1, linkedAmount: { minor: 3_100_00n } },
  });
});

describe("an order in another currency than the first profile's, made while remittance goes by no profile", () => {
  const pounds = { ...corridor, originCountry: "GBR", sendCurrency: "GBP", minimumMinor: 1n };
  const sent = {
    sendCurrency: "GBP",
    internationalTransferInformation: {
      originCountry: "GBR",
      receivingCountry: "NGA",
      remittancePurpose: "family",
      sourceOfFunds: "salary",
    },
  };
  const profile = { ...usBsa, originCountries: ["GBR"] };
  const decidedOf = async (tenantId: string, ids: string[]) => {
    const found = await world.transactions.find({ tenantId, transactionId: { $in: ids } }).toArray();
    return found.map(({ compliance }) => [
      compliance.decision,
      compliance.reasonCode,
      compliance.outstandingRequirements,
    ]);
  };
  async function open() {
    const tenantId = await world.open();
    await world.operator.putCorridor({ corridor: pounds }, on(tenantId));
    for (const [receivingCurrency, rate] of [
      ["NGN", "2000"],
      ["USD", "1.34"],
    ] as const) {
      await world.operator.putRate({ sendCurrency: "GBP", receivingCurrency, rate, source: "test" }, on(tenantId));
    }
    return tenantId;
  }

  test("counts as it comes to, in as many of them as race the publication", async () => {
    const tenantId = await open();
    // From here on it is known for a moment that there is no profile.
    const before = await world.create(tenantId, 1, { ...sent, sendAmount: "1.00" });
    const racing = world.create(tenantId, 16, { ...sent, sendAmount: "2.00" });
    await world.publish(tenantId, { revision: 0, transparencyProfiles: [profile] });
    const behind = await world.create(tenantId, 8, { ...sent, sendAmount: "3.00" });
    const below = [...before, ...(await racing), ...behind];
    const above = await world.create(tenantId, 1, { ...sent, sendAmount: "2240.00" });
    expect(await decidedOf(tenantId, below)).toEqual(below.map(() => ["APPROVED", "", []]));
    expect(await decidedOf(tenantId, above)).toEqual([["PENDING", "", ["ADDRESS"]]]);
    const first = await world.transactions.findOne({ tenantId, transactionId: behind[0]! });
    expect(first).toMatchObject({ transparency: { profile: "US_BSA" } });
  });

  test("is claimed by what it comes to", async () => {
    const tenantId = await open();
    const [transactionId = ""] = await world.create(tenantId, 1, { ...sent, sendAmount: "5.00" });
    await world.publish(tenantId, { revision: 0, transparencyProfiles: [profile] });
    const order = await world.transactions.findOne({ tenantId, transactionId });
    const { minor: amountMinor, currency } = order!["price"].total as { minor: bigint; currency: string };
    const paying = { transactionId, paymentId: randomUUID(), customerId: "c1", funding: "WALLET" };
    const claim = { ...paying, totalAmount: { amountMinor, currency } };
    await expect(world.wallet.claimTransaction(claim, on(tenantId, ada))).resolves.toMatchObject({
      principal: { currency: "GBP" },
    });
  });
});
