import type { Deposit, DepositEnding } from "../domain/deposit.js";
import type { Collection, Session } from "./index.js";

export type DepositRow = Omit<Deposit, "depositId" | "amount" | "ending"> & {
  _id: string;
  tenantId: string;
  amountMinor: bigint;
  currency: string;
  status: "PENDING" | "DONE" | "FAILED";
  ending?: DepositEnding;
};

export function depositStore(deposits: Collection<DepositRow>) {
  return {
    async insertDeposit({ depositId, amount, ...rest }: Deposit, session: Session): Promise<void> {
      const row = { _id: depositId, ...rest, amountMinor: amount.minor, currency: amount.currency };
      await deposits.insertOne({ ...row, status: "PENDING" }, { session });
    },
    async findDeposit(depositId: string): Promise<Deposit | undefined> {
      return depositOf(await deposits.findOne({ _id: depositId }));
    },
    /** True when this call ended it. */
    async endDeposit(depositId: string, ending: DepositEnding, session: Session): Promise<boolean> {
      const pending = { _id: depositId, status: "PENDING" as const };
      const ended = await deposits.updateOne(pending, { $set: { status: ending.status, ending } }, { session });
      return ended.matchedCount === 1;
    },
  };
}

export function depositOf(row: DepositRow | null): Deposit | undefined {
  if (row === null) return undefined;
  const { _id, tenantId: _tenantId, status: _status, amountMinor, currency, ...rest } = row;
  return { depositId: _id, ...rest, amount: { minor: amountMinor, currency } };
}
