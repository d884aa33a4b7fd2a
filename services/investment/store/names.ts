import type { Connection, mongo } from "mongoose";
import { ApplyResponse } from "../../../proto/gen/investment/v1/investment.js";
import { idempotencyCollection } from "../../shared/idempotency/index.js";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import { applyOperation } from "../sagas/application-identity.js";
import { collections } from "./collections.js";

const reason = "migration: names of customers are identity's";

interface Kept {
  _id: unknown;
  tenantId: string;
  operation: string;
  answer?: { kind: string; bytes?: Uint8Array | mongo.Binary };
}

/** Takes the names of customers, which identity erases on request, out of applications and of answers that were kept. Safe to repeat. */
export async function forgetNames(db: Connection): Promise<void> {
  const applications = acrossTenants<{ tenantId: string; customerName?: string }>(db, collections.applications, reason);
  await applications.updateMany({ customerName: { $exists: true } }, { $unset: { customerName: true } });
  const kept = acrossTenants<Kept>(db, idempotencyCollection, reason);
  const responses = { operation: applyOperation, "answer.kind": "response" } as object;
  for await (const { _id, tenantId, answer } of kept.stream(responses, { batchSize: 500 })) {
    if (answer?.bytes === undefined) continue;
    const { application } = ApplyResponse.decode(bytesOf(answer.bytes));
    if (application === undefined || application.customerName === "") continue;
    const bytes = ApplyResponse.encode({ application: { ...application, customerName: "" } }).finish();
    await kept.updateOne({ _id, tenantId } as object, { $set: { "answer.bytes": bytes } } as object);
  }
}

function bytesOf(stored: Uint8Array | mongo.Binary): Uint8Array {
  return stored instanceof Uint8Array ? stored : new Uint8Array(stored.buffer.subarray(0, stored.position));
}
