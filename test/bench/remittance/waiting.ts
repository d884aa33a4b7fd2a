// `node --import ./test/bench/edge/hooks.mjs test/bench/remittance/waiting.ts` [--orders 1000]
// [--cause sender | recipient | policy | sums]: how long orders that wait for data take to go on
// by themselves.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startMongo, startRedis } from "../../../deploy/local/servers.js";
import { on } from "../../support/remittance-calls.js";
import { beneficiary } from "../../support/remittance-samples.js";
import { createWaitingOrders, type WaitingOrders } from "../../support/waiting-orders.js";

const { values } = parseArgs({
  options: { orders: { type: "string", default: "1000" }, cause: { type: "string", multiple: true } },
});
const count = Number(values.orders);
const usBsa = { profile: "US_BSA", originCountries: ["USA"] };
const address = { lines: ["4 Zubair Lane"], city: "Lagos", country: "NGA" };
const rows = [{ amount: { amountMinor: 10_00n, currency: "USD" }, members: ["RECIPIENT_ADDRESS"] }];
const most = { amount: { amountMinor: 90_000_000_00n, currency: "USD" }, members: ["NATIONALITY"] };
const higher = { ...usBsa, profile: "OWN", currency: "USD", rows: [most] };
const details = { kind: "PERSON", address };

const causes: Record<string, { profile: object; happens(world: WaitingOrders, tenantId: string): Promise<unknown> }> = {
  sender: {
    profile: usBsa,
    happens: (world, tenantId) => world.give(tenantId, { dateOfBirth: "1990-04-30", address }),
  },
  recipient: {
    // Of a named one its own rows would ask for more from a sum of them on.
    profile: { ...usBsa, profile: "OWN", currency: "USD", rows },
    happens: (world, tenantId) =>
      world.operator.changeBeneficiary({ ...beneficiary, idempotencyKey: randomUUID(), details }, on(tenantId)),
  },
  policy: {
    profile: usBsa,
    happens: (world, tenantId) => world.publish(tenantId, { revision: 1, transparencyProfiles: [] }),
  },
  // What remittance tells of each is made anew, with all that is linked to it.
  sums: {
    profile: usBsa,
    happens: (world, tenantId) => world.publish(tenantId, { revision: 1, transparencyProfiles: [higher] }),
  },
};

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-waiting-"));
const [mongo, redis] = await Promise.all([
  startMongo({ dir: join(dir, "mongo") }),
  startRedis({ dir: join(dir, "redis") }),
]);
Object.assign(process.env, { MONGODB_URI: mongo.uri, REDIS_URL: redis.url, TEST_RUN: "bench" });
const world = await createWaitingOrders("waiting");
try {
  for (const name of values.cause ?? Object.keys(causes)) {
    world.state.details.clear();
    const { profile, happens } = causes[name]!;
    const tenantId = await world.open(profile);
    await world.create(tenantId, count, { sendAmount: name === "recipient" ? "100.00" : "3000.00" });
    const waited = await world.countOf(tenantId, "AWAITING_COMPLIANCE");
    const startedAt = performance.now();
    await happens(world, tenantId);
    let firstMs = 0;
    for (let released = 0; released < count; await sleep(50)) {
      released = await world.countOf(tenantId, "AWAITING_PAYMENT");
      if (released > 0) firstMs ||= performance.now() - startedAt;
    }
    const [first, all] = [firstMs, performance.now() - startedAt].map((ms) => (ms / 1_000).toFixed(1));
    const load = loadavg()[0]!.toFixed(1);
    process.stdout.write(`| ${waited} orders go on, ${name} | first ${first} s | all ${all} s | load ${load} |\n`);
  }
} finally {
  await world.close();
  await Promise.all([mongo.stop(), redis.stop()]);
  rmSync(dir, { recursive: true, force: true });
}
process.exit(0);
