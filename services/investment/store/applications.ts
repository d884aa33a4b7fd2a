import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Application, ApplicationEnding, Waiting, WaitingFor } from "../domain/application.js";
import { applicationFromDocument, applicationToDocument, endingToDocument } from "./application-rows.js";
import { collections, type ApplicationRow } from "./collections.js";
import type { Page, Session } from "./types.js";

export function applicationStore(db: Connection) {
  const applications = tenantCollection<ApplicationRow>(db, collections.applications);

  return (tenantId: string) => ({
    async insertApplication(application: Application, session: Session): Promise<void> {
      await applications.forTenant(tenantId).insertOne(applicationToDocument(application), { session });
    },
    async findApplication(applicationId: string, session?: Session): Promise<Application | undefined> {
      const row = await applications.forTenant(tenantId).findOne({ _id: applicationId }, { session });
      return row === null ? undefined : applicationFromDocument(row);
    },
    /** True when this call noted that its units are reserved. */
    async reserveApplication(applicationId: string, session: Session): Promise<boolean> {
      const waiting = { _id: applicationId, status: "PENDING" as const, isReserved: false };
      const change = { $set: { isReserved: true } };
      return (await applications.forTenant(tenantId).updateOne(waiting, change, { session })).matchedCount === 1;
    },
    /**
     * True when this call ended it; only as long as its units are reserved, or not, as the caller
     * knows it.
     */
    async endApplication(
      applicationId: string,
      ending: ApplicationEnding,
      isReserved: boolean,
      session: Session,
    ): Promise<boolean> {
      const pending = { _id: applicationId, status: "PENDING" as const, isReserved };
      const change = { $set: { status: ending.status, ending: endingToDocument(ending) } };
      return (await applications.forTenant(tenantId).updateOne(pending, change, { session })).matchedCount === 1;
    },
    /** Newest first. */
    async listApplications(customerId: string, { limit, cursor }: Page): Promise<Application[]> {
      const filter = { customerId, ...(cursor !== undefined && { _id: { $lt: cursor } }) };
      const rows = await applications.forTenant(tenantId).find(filter, { sort: { _id: -1 }, limit });
      return rows.map(applicationFromDocument);
    },

    /** True when this call set it aside until compliance decides: no units are its own yet. */
    async beginWaiting(applicationId: string, waiting: Waiting, session: Session): Promise<boolean> {
      const fresh = { _id: applicationId, status: "PENDING" as const, isReserved: false, waiting: { $exists: false } };
      const change = {
        $set: { status: "WAITING" as const, waiting: { ...waiting, until: waiting.until.toString() } as never },
      };
      return (await applications.forTenant(tenantId).updateOne(fresh, change, { session })).matchedCount === 1;
    },
    /** What it waits for now. */
    async updateWaiting(applicationId: string, waitingFor: WaitingFor, session: Session): Promise<void> {
      const { decision, outstandingRequirements } = waitingFor;
      const waiting = { _id: applicationId, status: "WAITING" as const };
      const change = {
        "waiting.decision": decision,
        "waiting.outstandingRequirements": [...outstandingRequirements],
      };
      await applications.forTenant(tenantId).updateOne(waiting, { $set: change }, { session });
    },
    /** True when this call let it go on: it is bought on this day. */
    async resumeApplication(applicationId: string, on: { day: Temporal.PlainDate; at: Date }): Promise<boolean> {
      const waiting = { _id: applicationId, status: "WAITING" as const };
      const change = { $set: { status: "PENDING" as const, appliedOn: on.day.toString(), resumedAt: on.at } };
      return (await applications.forTenant(tenantId).updateOne(waiting, change)).matchedCount === 1;
    },
    /** True when this call ended it while it waited. */
    async endWaiting(applicationId: string, ending: ApplicationEnding, session: Session): Promise<boolean> {
      const waiting = { _id: applicationId, status: "WAITING" as const };
      const change = { $set: { status: ending.status, ending: endingToDocument(ending) } };
      return (await applications.forTenant(tenantId).updateOne(waiting, change, { session })).matchedCount === 1;
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
