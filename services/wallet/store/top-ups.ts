import type { TopUp, TopUpEnding } from "../domain/top-up.js";
import type { Collection, Session } from "./collections.js";

export type TopUpRow = Omit<TopUp, "topUpId"> & {
  _id: string;
  tenantId: string;
  status: "PENDING" | "DONE" | "FAILED";
};

export function topUpStore(topUps: Collection<TopUpRow>) {
  return {
    async insertTopUp({ topUpId, ...rest }: TopUp, session: Session): Promise<void> {
      await topUps.insertOne({ _id: topUpId, ...rest, status: "PENDING" }, { session });
    },
    async findTopUp(topUpId: string): Promise<TopUp | undefined> {
      const row = await topUps.findOne({ _id: topUpId });
      if (row === null) return undefined;
      const { _id, tenantId: _tenantId, status: _status, ...rest } = row;
      return { topUpId: _id, ...rest };
    },
    /** Whether a charge is on its way at that acquirer. */
    async isChargingAt(installationId: string): Promise<boolean> {
      const filter = { "partner.installationId": installationId, status: "PENDING" as const };
      return (await topUps.findOne(filter as never)) !== null;
    },
    /** True when this call ended it. The card's token is forgotten with it. */
    async endTopUp(topUpId: string, ending: TopUpEnding, session: Session): Promise<boolean> {
      const change = { $set: { status: ending.status, ending, cardToken: "" } };
      const pending = { _id: topUpId, status: "PENDING" as const };
      return (await topUps.updateOne(pending, change, { session })).matchedCount === 1;
    },
  };
}
