import type { BankAccount } from "../domain/bank-account.js";
import type { Collection, Session } from "./collections.js";

export type BankAccountRow = Omit<BankAccount, "bankAccountId"> & { _id: string; tenantId: string };

export function bankAccountStore(bankAccounts: Collection<BankAccountRow>) {
  return {
    async insertBankAccount({ bankAccountId, ...rest }: BankAccount, session: Session): Promise<void> {
      await bankAccounts.insertOne({ _id: bankAccountId, ...rest }, { session });
    },
    /** Of any status. */
    async findBankAccount(bankAccountId: string): Promise<BankAccount | undefined> {
      return bankAccountOf(await bankAccounts.findOne({ _id: bankAccountId }));
    },
    /** The one that is on the customer's list, if it is. */
    async findSameBankAccount(account: BankAccount, session: Session): Promise<BankAccount | undefined> {
      const { customerId, country, bankCode, accountNumber } = account;
      const same = { customerId, country, bankCode, accountNumber, status: "VERIFIED" as const };
      return bankAccountOf(await bankAccounts.findOne(same, { session }));
    },
    /** Without removed ones, oldest first. */
    async bankAccountsOf(customerId: string): Promise<BankAccount[]> {
      const rows = await bankAccounts.find({ customerId, status: "VERIFIED" }, { sort: { createdAt: 1, _id: 1 } });
      return rows.map((row) => bankAccountOf(row) as BankAccount);
    },
    async removeBankAccount(bankAccountId: string): Promise<void> {
      await bankAccounts.updateOne({ _id: bankAccountId, status: "VERIFIED" }, { $set: { status: "REMOVED" } });
    },
  };
}

function bankAccountOf(row: BankAccountRow | null): BankAccount | undefined {
  if (row === null) return undefined;
  const { _id, tenantId: _tenantId, ...rest } = row;
  return { bankAccountId: _id, ...rest };
}
