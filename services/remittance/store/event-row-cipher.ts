import type { DataKeys, SealedField } from "../../kernel/keys/data-keys.js";
import type { OutboxRow, RowCipher } from "../../kernel/outbox/index.js";
import { publishKind } from "../../platform/events/row.js";

/** What an event says of people lies sealed until events has taken it; bound to its row. */
export function createEventRowCipher(keys: Pick<DataKeys, "seal" | "open">): RowCipher {
  return {
    async seal(row) {
      const { dataJson, ...plain } = row.payload;
      if (row.kind !== publishKind || typeof dataJson !== "string") return row;
      return { ...row, payload: { ...plain, sealedData: await keys.seal(dataJson, contextOf(row)) } };
    },
    async open(row) {
      const { sealedData, ...plain } = row.payload;
      if (row.kind !== publishKind || sealedData === undefined) return row;
      const dataJson = await keys.open(sealedData as SealedField, contextOf(row));
      return { ...row, payload: { ...plain, dataJson } };
    },
  };
}

function contextOf({ tenantId, aggregate, seq }: Pick<OutboxRow, "tenantId" | "aggregate" | "seq">): string {
  return `${tenantId} ${aggregate} ${seq} dataJson`;
}
