import type { NewRow, OutboxRow } from "../../../kernel/outbox/index.js";
import type { CaseJoin } from "../domain/case-join.js";
import type { Origin } from "../domain/origin.js";
import { caseJoinRow } from "./outbox-rows.js";
import type { SealedField, TextCipher } from "../../screening/store/screening-cipher.js";

type StoredJoin = CaseJoin & { sealed?: SealedField };

const recordOf = ({ tenantId, aggregate, seq }: Pick<NewRow, "tenantId" | "aggregate" | "seq">) =>
  `${tenantId} ${aggregate} ${seq}`;

/** As caseJoinRow, of a text that names or quotes people: it lies sealed, bound to the row. */
export async function sealedJoinRow(
  cipher: TextCipher,
  origin: Origin,
  [source, seq]: readonly [string, number],
  join: CaseJoin,
): Promise<NewRow> {
  const row = caseJoinRow(origin, source, seq, { ...join, text: "" });
  const sealed = await cipher.seal(join.text, recordOf(row));
  return { ...row, payload: { ...row.payload, sealed } };
}

/** What a row has join a case. */
export async function openJoinRow(cipher: TextCipher, row: OutboxRow): Promise<CaseJoin> {
  const { sealed, ...join } = row.payload as unknown as StoredJoin;
  return sealed === undefined ? join : { ...join, text: await cipher.open<string>(sealed, recordOf(row)) };
}
