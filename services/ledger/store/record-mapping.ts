import { bytesOf } from "../../kernel/mongo/bytes.js";
import type { JournalRefusal } from "../domain/journal.js";
import type { JournalRecord } from "../domain/records.js";
import type { DecisionDocument, RecordDocument } from "./collections.js";
import { documentId, linkOf } from "./mapping.js";

export function recordToDocument(tenantId: string, { timeMs, items, ...record }: JournalRecord): RecordDocument {
  const _id = documentId(tenantId, String(record.number));
  return { _id, tenantId, ...record, time: new Date(timeMs), items: items.map((item) => ({ ...item })) };
}

export function recordFromDocument({ number, time, afterSeq, items, hash }: RecordDocument): JournalRecord {
  return {
    number,
    timeMs: time.getTime(),
    afterSeq,
    items: items.map(({ kind, subject, content }) => ({ kind, subject, content: bytesOf(content) })),
    hash: bytesOf(hash),
  };
}

/** Throws on a document without a refusal. */
export function refusalFromDocument(document: DecisionDocument): JournalRefusal {
  const { key, decidedAt, interactionId, createdBy, service, fingerprint, refusal, record } = document;
  if (refusal === undefined) throw new Error(`${document._id} is no refusal`);
  return {
    key,
    decidedAt,
    interactionId,
    createdBy,
    service,
    fingerprint: bytesOf(fingerprint),
    link: linkOf(document),
    refusal,
    ...(record === undefined ? {} : { record }),
  };
}

export function refusalToDocument(tenantId: string, kept: JournalRefusal, groupId: string): DecisionDocument {
  const { link, ...same } = kept;
  const linked = link.size === 1 ? {} : { link };
  return { _id: documentId(tenantId, kept.key), tenantId, ...same, groupId, ...linked };
}
