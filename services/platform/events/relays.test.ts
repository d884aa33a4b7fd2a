import { createOutboxHarness, type OutboxHarness } from "../../../test/support/outbox.js";
import { waitFor } from "../../../test/support/index.js";
import type { Relay } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { startServiceRelays } from "./relays.js";
import { publishKind } from "./row.js";

let harness: OutboxHarness;
let relay: Relay | undefined;
beforeAll(async () => {
  harness = await createOutboxHarness("service_relays");
});
afterAll(() => harness.close());
afterEach(async () => {
  await relay?.stop(0);
  relay = undefined;
  await harness.clean();
});

const event = {
  aggregate: "told:wallet:W1",
  seq: 1,
  kind: publishKind,
  payload: { type: "wallet.frozen", dataJson: "{}" },
};
const other = { aggregate: "payment:1", seq: 1 };
const rowOf = ({ aggregate }: { aggregate: string }) => harness.stored.findOne({ aggregate });

/** Both rows as if they had been tried so often, and what becomes of them at the next try. */
async function triedAgain(attempts: number, events: Parameters<typeof startServiceRelays>[0]["events"]) {
  const outbox = harness.make();
  await harness.add(outbox, event, other);
  await harness.database.db
    .collection("outbox")
    .updateMany({ tenantId: harness.tenantId }, { $set: { attempts, lastError: "" } });
  relay = startServiceRelays({
    outbox,
    events,
    handlers: { note: () => Promise.reject(new Refusal("UNAVAILABLE", "away")) },
    pollMs: 20,
    backoff: () => 60_000,
  });
  return waitFor(async () => {
    const rows = [await rowOf(event), await rowOf(other)];
    return rows.every((row) => row?.lastError !== "") && rows.map((row) => row?.state);
  });
}

test("rows outlive any outage of events and of other neighbours", async () => {
  expect(await triedAgain(900_000, undefined)).toEqual(["DUE", "DUE"]);
});

test("an event whose telling is a bug is parked, for somebody to look at", async () => {
  const publishEvents = () => Promise.reject(new TypeError("a bug"));
  expect(await triedAgain(20, { publishEvents })).toEqual(["PARKED", "DUE"]);
});
