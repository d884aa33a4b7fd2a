import type { Connection } from "mongoose";
import {
  erasedDocuments,
  erasedText,
  type ErasedPerson,
  type PersonalRecords,
  type RetainedRecords,
} from "../../platform/erasure/erasure.js";
import { waitingEvents } from "../../platform/events/erasure.js";
import { tenantCollection, type Filter } from "../../kernel/mongo/tenant-collection.js";
import { caseFiles, caseTexts } from "../cases/store/case-erasure.js";
import { collections } from "../common/store/collections.js";
import { exemptionsOfPerson } from "../screening/store/screening-exemptions.js";

interface Row {
  tenantId: string;
  _id: string;
  customerId?: string;
  files_id?: string;
}

/** Their parts go with them, so few at a time. */
const documentsAtOnce = 10;

/**
 * What compliance keeps of people, and how long. Decisions that are closed name
 * them by their ids alone, and stay.
 */
export function personalRecords(db: Connection) {
  return {
    atOnce: [verifications(db), documents(db, "unreviewed"), waitingEvents(db)],
    afterRetention: [
      documents(db, "all"),
      // Sums and recipients' ids serve nothing but the customer's next transaction.
      deleted(db, "sums-of-days", collections.days),
      deleted(db, "known-recipients", collections.recipients),
      statedReasons(db),
      texts(db, "status-changes", collections.statusChanges, { reason: erasedText }),
      texts(db, "overrides", collections.overrides, { reason: erasedText, decisionReason: erasedText }),
      auditTexts(db),
      caseTexts(db),
      caseFiles(db),
      waitingParties(db),
      deleted(db, "screened-subjects", collections.screeningSubjects),
      erasedDocuments(db, {
        kind: "screenings",
        collection: collections.screenings,
        which: ({ customerId }) => ({ "subject.customerId": customerId }),
      }),
      exemptionsOfPerson(db),
    ],
  };
}

/** Links and codes that were sent, with a digest of where to. */
function verifications(db: Connection): PersonalRecords {
  return deleted(db, "verifications", collections.verifications);
}

/**
 * What was handed in: at once what nobody has reviewed, all of it once the time for keeping
 * identification is over.
 */
function documents(db: Connection, which: "unreviewed" | "all"): RetainedRecords {
  const files = tenantCollection<Row>(db, collections.documentFiles);
  const chunks = tenantCollection<Row>(db, collections.documentChunks);
  const own = ({ customerId }: ErasedPerson) =>
    ({
      "metadata.customerId": customerId,
      ...(which === "unreviewed" && { "metadata.state": "SUBMITTED" }),
    }) as Filter<Row>;
  return {
    kind: which === "unreviewed" ? "unreviewed-documents" : "documents",
    batch: documentsAtOnce,
    async erase(person, limit, session) {
      const { tenantId } = person;
      const found = await files.forTenant(tenantId).find(own(person), { limit, session, projection: { _id: 1 } });
      const ids = found.map(({ _id }) => _id);
      if (ids.length === 0) return 0;
      await chunks.forTenant(tenantId).deleteMany({ files_id: { $in: ids } }, { session });
      await files.forTenant(tenantId).deleteMany({ _id: { $in: ids } }, { session });
      return ids.length;
    },
    count: (person) => files.forTenant(person.tenantId).count(own(person)),
  };
}

/** Who is paid by what waits; without them a person decides on it. */
function waitingParties(db: Connection): RetainedRecords {
  return erasedDocuments(db, {
    kind: "parties-of-what-waits",
    collection: collections.decisions,
    which: ({ customerId }) => ({ "inputs.facts.customerId": customerId, parties: { $exists: true } }),
    change: { $unset: { parties: "" } },
  });
}

/** Records of a customer that nothing else refers to. */
const deleted = (db: Connection, kind: string, collection: string) => erasedDocuments(db, { kind, collection });

/**
 * What people wrote about the customer on the customer's own record: why a requirement or the
 * customer stands as it does.
 */
function statedReasons(db: Connection): RetainedRecords {
  const all = tenantCollection<Row>(db, collections.statuses);
  const stated = ({ customerId }: ErasedPerson) =>
    ({
      customerId,
      $or: [
        { reason: { $nin: ["", erasedText] } },
        { requirements: { $elemMatch: { reason: { $nin: ["", erasedText] } } } },
      ],
    }) as Filter<Row>;
  return {
    kind: "reasons",
    async erase(person, _limit, session) {
      const change = {
        $set: { reason: erasedText, "requirements.$[].reason": erasedText },
        // A new version makes whoever has read the record before begin anew, not write it back.
        $inc: { version: 1 },
      } as object;
      const { matchedCount } = await all.forTenant(person.tenantId).updateMany(stated(person), change, { session });
      return matchedCount;
    },
    count: (person) => all.forTenant(person.tenantId).count(stated(person)),
  };
}

function texts(db: Connection, kind: string, collection: string, gone: Record<string, string>): RetainedRecords {
  const which = ({ customerId }: ErasedPerson) => ({ customerId, reason: { $nin: ["", erasedText] } });
  return erasedDocuments(db, { kind, collection, which, change: { $set: gone } });
}

/** Of the audit trail: who decided what on the customer, and when, stays; why does not. */
function auditTexts(db: Connection): RetainedRecords {
  return erasedDocuments(db, {
    kind: "audit-reasons",
    collection: collections.audit,
    which: ({ customerId }) => ({ subjects: `customer:${customerId}`, sealed: { $exists: true } }),
    change: { $set: { reason: erasedText, content: "{}" }, $unset: { sealed: true } },
  });
}
