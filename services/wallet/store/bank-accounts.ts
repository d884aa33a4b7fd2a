import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { BankAccount } from "../domain/bank-account.js";
import type { Session } from "./collections.js";

export function bankAccountStore(bankAccounts: RecordCollection<BankAccount, "bankAccountId">) {
  return {
    insertBankAccount: (bankAccount: BankAccount, session: Session): Promise<void> =>
      bankAccounts.insertOne(bankAccount, { session }),
    /** Of any status. */
    findBankAccount: (bankAccountId: string): Promise<BankAccount | undefined> =>
      bankAccounts.findOne({ _id: bankAccountId }),
    /** The one that is on the customer's list, if it is. */
    findSameBankAccount(account: BankAccount, session: Session): Promise<BankAccount | undefined> {
      const { customerId, country, bankCode, accountNumber } = account;
      const same = { customerId, country, bankCode, accountNumber, status: "VERIFIED" as const };
      return bankAccounts.findOne(same, { session });
    },
    /** Without removed ones, oldest first. */
    bankAccountsOf: (customerId: string): Promise<BankAccount[]> =>
      bankAccounts.find({ customerId, status: "VERIFIED" }, { sort: { createdAt: 1, _id: 1 } }),
    async removeBankAccount(bankAccountId: string): Promise<void> {
      await bankAccounts.updateOne({ _id: bankAccountId, status: "VERIFIED" }, { $set: { status: "REMOVED" } });
    },
  };
}
