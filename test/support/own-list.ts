import { createHash } from "node:crypto";
import type { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { manager, on, secondManager } from "./compliance-fixture.js";
import { waitFor } from "./index.js";

/** A list of the tenant's own, loaded by one manager and approved by another. */
export async function putListToUse(
  screening: Client<typeof ScreeningServiceDefinition>,
  tenantId: string,
  insist: <T extends object>(ask: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const data = Buffer.from("id,name\nX1,Somebody Made Up\n");
  const sha256 = createHash("sha256").update(data).digest("hex");
  const by = on(tenantId, manager);
  await insist(() => screening.uploadScreeningListPart({ uploadId: "own", offset: 0n, data }, by));
  const files = [{ uploadId: "own", sha256 }];
  const { list } = await insist(() => screening.loadScreeningList({ source: "CUSTOM", files }, by));
  const { listId } = list!;
  const read = async () => (await insist(() => screening.getScreeningList({ listId }, by))).list!;
  await waitFor(async () => (await read()).status === "WAITING", { timeoutMs: 60_000, what: "the list to be read" });
  await insist(() => screening.approveScreeningList({ listId }, on(tenantId, secondManager)));
  expect(await read()).toMatchObject({ status: "ACTIVE", version: 1, entries: 1, approvedBy: secondManager.userId });
}
