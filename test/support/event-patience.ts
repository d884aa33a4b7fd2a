import { randomUUID } from "node:crypto";
import { waitFor } from "./index.js";
import { createOutboxHarness, type OutboxHarness } from "./outbox.js";
import { systemClock } from "../../services/kernel/time/clock.js";
import { eventRow } from "../../services/platform/events/row.js";
import type { Outbox, Relay } from "../../services/kernel/outbox/index.js";

// Far more than a bug is tried.
const attemptsBefore = 5_000;

/**
 * Has a service's relay try, once more, an event's row that was tried 5,000 times while events was
 * away; the row afterwards.
 */
export async function triedOnceMore(
  service: string,
  start: (deps: { db: OutboxHarness["database"]["db"]; outbox: Outbox; clock: typeof systemClock }) => Relay,
) {
  const harness = await createOutboxHarness(`${service}_relay`);
  try {
    const { db } = harness.database;
    const { tenantId } = harness;
    const outbox = harness.make({ service });
    const data = { accountId: "W1", accountNumber: "3017760001", currency: "USD", status: "FROZEN" } as const;
    await harness.add(
      outbox,
      eventRow(
        { tenantId, interactionId: randomUUID(), actor: "u1" },
        { type: "wallet.frozen", subjectId: "W1", version: 1, at: new Date(), customerId: "c1", data },
      ),
    );
    const rows = db.db!.collection("outbox");
    await rows.updateOne({ tenantId }, { $set: { attempts: attemptsBefore, lastError: "earlier" } });
    const tried = () => rows.findOne({ tenantId, lastError: { $ne: "earlier" } });
    const relay = start({ db, outbox, clock: systemClock });
    try {
      const { state, kind, attempts } = await waitFor(tried, { timeoutMs: 25_000 });
      return { state, kind, triesMore: Number(attempts) - attemptsBefore };
    } finally {
      await relay.stop();
    }
  } finally {
    await harness.close();
  }
}

/** What the row is then. */
export const stillDue = { state: "DUE", kind: "event.publish", triesMore: 1 };
