import type { Application } from "../domain/application.js";
import { replace, under, type Entities, type Session } from "./rows.js";

export function createApplicationStore(applications: Entities<Application>) {
  return {
    insertApplication: (application: Application, session: Session) =>
      applications.insertOne(under(application.loanApplicationId, application), { session }),
    findApplication: (id: string, session?: Session) => applications.findOne({ _id: id }, { session }),
    /** Throws when it changed meanwhile: the transaction runs again. */
    replaceApplication: (application: Application, session: Session) =>
      replace(
        applications,
        { _id: application.loanApplicationId, version: application.version - 1 },
        application,
        session,
      ),
    /** Asks about it later, unless it was asked about or decided meanwhile. */
    async postponeReview(loanApplicationId: string, { from, to }: { from: Date; to: Date }): Promise<void> {
      await applications.updateOne({ loanApplicationId, askAgainAt: from }, { $set: { askAgainAt: to } });
    },
    /** Whether a disbursement is on its way at that bank. */
    async isPayingAt(installationId: string): Promise<boolean> {
      const filter = { "disbursement.partner.installationId": installationId, "disbursement.status": "PAYING" };
      return (await applications.findOne(filter as never)) !== undefined;
    },
    /** The newest first. */
    listApplications: (by: { status?: string; customerIds?: readonly string[]; before?: string }, limit: number) =>
      applications.find(
        {
          ...(by.status === undefined ? {} : { status: by.status as Application["status"] }),
          ...(by.customerIds === undefined ? {} : { customerId: { $in: by.customerIds } }),
          ...(by.before === undefined ? {} : { _id: { $lt: by.before } }),
        },
        { sort: { _id: -1 }, limit },
      ),
  };
}
