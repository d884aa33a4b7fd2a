import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { TopUp, TopUpEnding } from "../domain/top-up.js";
import type { Session } from "./collections.js";

export type StoredTopUp = TopUp & { status: "PENDING" | "DONE" | "FAILED" };

export function topUpStore(topUps: RecordCollection<StoredTopUp, "topUpId">) {
  return {
    insertTopUp: (topUp: TopUp, session: Session): Promise<void> =>
      topUps.insertOne({ ...topUp, status: "PENDING" }, { session }),
    findTopUp: (topUpId: string): Promise<TopUp | undefined> => topUps.findOne({ _id: topUpId }),
    /** Whether a charge is on its way at that acquirer. */
    async isChargingAt(installationId: string): Promise<boolean> {
      const filter = { "partner.installationId": installationId, status: "PENDING" as const };
      return (await topUps.findOne(filter as never)) !== undefined;
    },
    /** True when this call ended it. The card's token is forgotten with it. */
    async endTopUp(topUpId: string, ending: TopUpEnding, session: Session): Promise<boolean> {
      const change = { $set: { status: ending.status, ending, cardToken: "" } };
      const pending = { _id: topUpId, status: "PENDING" as const };
      return (await topUps.updateOne(pending, change, { session })).matchedCount === 1;
    },
  };
}
