import type { Connection } from "mongoose";
import type { SealedField } from "../../kernel/keys/data-keys.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { PayeeCheck } from "../domain/payee-check.js";
import { collections } from "./collections.js";
import type { PartyCipher } from "./party-cipher.js";

/** As it lies in the database: accounts and names are sealed. */
export interface StoredPayeeCheck extends Omit<PayeeCheck, "findings"> {
  /** Without keys they lie as they are. */
  findings?: PayeeCheck["findings"];
  sealedFindings?: SealedField;
  /** Real time, from which on it may go. */
  expiresAt: Date;
}

// Long after its consent has lapsed: whoever comes late is told so.
const keptForMs = 24 * 60 * 60_000;

/** What partners said of payees, for whoever goes on in spite of it. */
export function createPayeeCheckStore(db: Connection, cipher: PartyCipher) {
  const checks = recordCollection<StoredPayeeCheck>(db, collections.payeeChecks);
  const recordOf = (tenantId: string, id: string) => `${tenantId} payee check ${id}`;

  return {
    forTenant(tenantId: string) {
      const own = checks.forTenant(tenantId);
      return {
        async findPayeeCheck(payeeCheckId: string): Promise<PayeeCheck | undefined> {
          const found = await own.findOne({ payeeCheckId });
          if (found === undefined) return undefined;
          const { sealedFindings, findings: plain = [], customerId, checkedAt } = found;
          const record = recordOf(tenantId, payeeCheckId);
          const findings = await cipher.openValue<PayeeCheck["findings"]>(sealedFindings, record, "findings");
          return { payeeCheckId, customerId, checkedAt, findings: findings ?? plain };
        },

        /** One id is one question: whoever asked it again has the last word. */
        async putPayeeCheck({ payeeCheckId, customerId, checkedAt, findings }: PayeeCheck): Promise<void> {
          const sealed = await cipher.sealValue(findings, recordOf(tenantId, payeeCheckId), "findings");
          const kept = sealed === undefined ? { findings } : { sealedFindings: sealed };
          const expiresAt = new Date(Date.now() + keptForMs);
          const change = { $set: { customerId, checkedAt, expiresAt, ...kept } };
          await retryDuplicates(() => own.updateOne({ payeeCheckId }, change, { upsert: true }));
        },
      };
    },
  };
}
