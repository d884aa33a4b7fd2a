import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { KindSum } from "../domain/branch-day.js";
import type { NewVaultLine, Vault, VaultLine } from "../domain/vault.js";
import type { Session } from "./collections.js";
import { lineSumsSince } from "./line-sums.js";

interface VaultRecords {
  vaults: RecordCollection<Vault>;
  lines: RecordCollection<VaultLine>;
}

export function vaultStore({ vaults, lines }: VaultRecords) {
  return {
    /** Before the transaction that notes a line: a document made inside could be made twice. */
    async openVault(branch: string, currency: string): Promise<void> {
      const first = { lines: 0, bookedMinor: 0n };
      await vaults.updateOne({ branch, currency }, { $setOnInsert: first }, { upsert: true });
    },
    /** Gives a line its place, and the vault what its lines come to. */
    async noteVaultLine(line: NewVaultLine, session: Session): Promise<void> {
      const { branch, currency, amountMinor } = line;
      const vault = await vaults.findOneAndUpdate(
        { branch, currency },
        { $inc: { lines: 1, bookedMinor: amountMinor } as never },
        { session, returnDocument: "after" },
      );
      if (vault === undefined) throw new Error(`the vault of ${branch || "the house"} in ${currency} is not there`);
      await lines.insertOne({ ...line, number: vault.lines, balanceMinor: vault.bookedMinor }, { session });
    },
    /** Of the lines that it had when it was read. */
    async vaultSumsSince({ branch, currency, lines: last }: Vault, day: string): Promise<readonly KindSum[]> {
      const sums = await lineSumsSince(lines, { branch, currency, number: { $lte: last } }, day, "currency");
      return sums.get(currency) ?? [];
    },
    vaultsOf: (branch: string): Promise<Vault[]> => vaults.find({ branch }, { sort: { currency: 1 } }),
  };
}
