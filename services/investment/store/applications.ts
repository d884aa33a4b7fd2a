import type { Connection } from "mongoose";
import { tenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { Application, ApplicationEnding } from "../domain/application.js";
import { applicationOf, applicationToRow, collections, endingToRow, type ApplicationRow } from "./rows.js";
import type { Session } from "./types.js";

export function applicationStore(db: Connection) {
  const applications = tenantCollection<ApplicationRow>(db, collections.applications);

  return (tenantId: string) => ({
    async insertApplication(application: Application, session: Session): Promise<void> {
      await applications.forTenant(tenantId).insertOne(applicationToRow(application), { session });
    },
    async findApplication(applicationId: string, session?: Session): Promise<Application | undefined> {
      const row = await applications.forTenant(tenantId).findOne({ _id: applicationId }, { session });
      return row === null ? undefined : applicationOf(row);
    },
    /** True when this call noted that its units are reserved. */
    async reserveApplication(applicationId: string, session: Session): Promise<boolean> {
      const waiting = { _id: applicationId, status: "PENDING" as const, isReserved: false };
      const change = { $set: { isReserved: true } };
      return (await applications.forTenant(tenantId).updateOne(waiting, change, { session })).matchedCount === 1;
    },
    /** True when this call ended it; only as long as its units are reserved, or not, as the caller knows it. */
    async endApplication(
      applicationId: string,
      ending: ApplicationEnding,
      isReserved: boolean,
      session: Session,
    ): Promise<boolean> {
      const pending = { _id: applicationId, status: "PENDING" as const, isReserved };
      const change = { $set: { status: ending.status, ending: endingToRow(ending) } };
      return (await applications.forTenant(tenantId).updateOne(pending, change, { session })).matchedCount === 1;
    },
    /** Those whose units are taken: held, or reserved and not refused. */
    streamTaken: () =>
      applications
        .forTenant(tenantId)
        .stream(
          { isReserved: true, status: { $in: ["PENDING", "COMPLETED"] } },
          { batchSize: 1_000, projection: { productId: 1, units: 1, status: 1, customerId: 1 } },
        ),
    countPendingApplications: () => applications.forTenant(tenantId).count({ status: "PENDING" }),
  });
}
