import { randomUUID } from "node:crypto";
import { everyTenant } from "../../../services/kernel/mongo/held-tenants.js";
import { comment, nativeOf, type Place } from "../places.js";

const batch = 500;
// Access tokens live for an hour; a revocation that lives longer ends no more of them.
const revocationLivesMs = 24 * 3_600_000;

interface Of {
  _id: string;
  tenantId: string;
}

/**
 * Ends all that people of a tenant, or of all, are signed in by, also where the tenant is held:
 * whatever was issued until their sessions had ended. For a database that was restored: what had
 * ended since the copy was made would live again, and identity, whose Redis knows of later days,
 * does not start. Gives the number of sessions; safe to run again, and while identity runs.
 */
export async function endSessions(place: Place, tenantId: string, now = () => new Date()): Promise<number> {
  const identity = nativeOf(place.databases.get("identity")!);
  const of = tenantId === everyTenant ? {} : { tenantId };
  const options = { bypassDocumentValidation: true, comment };
  // Sessions end first: until then a refresh gives out tokens, and the revocations cover those too.
  const ended = { $set: { revokedAt: now(), revokedBecause: "the database was restored" } };
  const open = { ...of, revokedAt: { $exists: false } };
  const { matchedCount } = await identity.collection<Of>("sessions").updateMany(open, ended, options);
  const issuedBefore = now();
  const expiresAt = new Date(issuedBefore.getTime() + revocationLivesMs);
  const revoke = async (users: readonly Of[]): Promise<void> => {
    if (users.length === 0) return;
    const writes = users.map(({ _id: subjectId, tenantId: owner }) => {
      const revocation = { tenantId: owner, kind: "user", subjectId, issuedBefore, expiresAt, mirrored: false };
      return {
        replaceOne: { filter: { _id: `user:${subjectId}`, tenantId: owner }, replacement: revocation, upsert: true },
      };
    });
    await identity.collection<Of>("revocations").bulkWrite(writes, options);
  };
  let gathered: Of[] = [];
  for await (const user of identity.collection<Of>("users").find(of, { projection: { tenantId: 1 }, comment })) {
    gathered.push(user);
    if (gathered.length < batch) continue;
    await revoke(gathered);
    gathered = [];
  }
  await revoke(gathered);
  // From here on identity starts: what Redis knows of the life before says nothing about this one.
  if (tenantId === everyTenant) {
    const begun = { $set: { life: randomUUID(), beat: 0n } };
    await identity
      .collection<{ _id: string }>("lives")
      .updateOne({ _id: "identity" }, begun, { upsert: true, comment });
  }
  return matchedCount;
}
