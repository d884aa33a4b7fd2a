import type { ClientSession, Connection } from "mongoose";
import type { Filter } from "../../kernel/mongo/collection.js";
import { recordCollection, type DocumentOf } from "../../kernel/mongo/record-collection.js";
import type { OutboxRow } from "../../kernel/outbox/index.js";
import { emailKey, type UserRecord } from "../domain/people.js";
import { rowKinds } from "../row-kinds.js";

const { passwordReset, passwordChanged, apiToken, notice, paymentCode, changeCode } = rowKinds;

/**
 * Rows that tell a person something, waiting, parked or kept after they ended: they hold addresses,
 * names of tokens and payees.
 */
export function personalRows(db: Connection) {
  const rows = recordCollection<OutboxRow, "id">(db, "outbox", "id");
  return {
    async erase(tenantId: string, { userId, email }: UserRecord, session: ClientSession): Promise<void> {
      const of: object[] = [
        { kind: passwordReset, "payload.emailKey": emailKey(email) },
        { kind: { $in: [passwordChanged, apiToken, notice] }, "payload.userId": userId },
        { kind: { $in: [paymentCode, changeCode] }, actor: userId },
      ];
      for (const one of of)
        await rows.forTenant(tenantId).deleteMany(one as Filter<DocumentOf<OutboxRow, "id">>, { session });
    },
  };
}
