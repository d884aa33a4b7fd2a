import type { Connection } from "mongoose";
import type { Migration } from "../../shared/mongo/migrations.js";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import { beneficiaryCollection, beneficiaryRecord } from "./beneficiaries.js";
import { isClear, type PartyCipher, type StoredPair } from "./sealed-party.js";
import { collections, transactionRecord } from "./index.js";

interface Holder {
  tenantId: string;
  creditParty: StoredPair[];
  beneficiaryId?: string;
  transactionId?: string;
}

const clear = { creditParty: { $elemMatch: { key: "iddocumentnumber", sealed: { $exists: false } } } };

/** What needs the keys, and so cannot be done by who has none: run by the service itself before it serves. */
export function sealingMigrations(cipher: PartyCipher): Migration[] {
  return [
    {
      id: "0012-seal-document-numbers",
      async up(db) {
        await seal(db, beneficiaryCollection, "beneficiaryId", beneficiaryRecord, cipher);
        await seal(db, collections.transactions, "transactionId", transactionRecord, cipher);
      },
    },
  ];
}

/** Seals what an earlier version stored in clear; one that is changed meanwhile is written sealed by who changes it. */
async function seal(
  db: Connection,
  name: string,
  idName: "beneficiaryId" | "transactionId",
  recordOf: (tenantId: string, id: string) => string,
  cipher: PartyCipher,
): Promise<void> {
  const all = acrossTenants<Holder>(db, name, "sealing of old document numbers");
  const projection = { _id: 0, tenantId: 1, [idName]: 1, creditParty: 1 };
  for await (const { tenantId, creditParty, ...holder } of all.stream(clear, { projection })) {
    const id = holder[idName]!;
    const sealed = await cipher.seal(creditParty.filter(isClear), recordOf(tenantId, id));
    const next = creditParty.map((pair) => (isClear(pair) ? sealed.find(({ key }) => key === pair.key)! : pair));
    await all.updateOne({ tenantId, [idName]: id, creditParty }, { $set: { creditParty: next } });
  }
}
