import { collections } from "../../../services/ledger/store/collections.js";
import { headFromDocument } from "../../../services/ledger/store/mapping.js";
import type { PublishedHead } from "../../../services/ledger/domain/journal.js";
import type { HeadDocument } from "../../../services/ledger/store/collections.js";
import type { Book } from "../ledger-book.js";
import { count, takeOver, type Model, type Real } from "./world.js";

/** A tenant's documents as they were at one moment, and what the book knew then. */
export interface Backup {
  readonly documents: ReadonlyMap<string, object[]>;
  readonly book: ReturnType<Book["backup"]>;
  readonly lastCommitMs: number;
}

const restored = [
  collections.transfers,
  collections.accounts,
  collections.pendings,
  collections.reversals,
  collections.records,
  collections.heads,
  collections.days,
  collections.volumes,
  collections.closings,
];

/** Keeps everything of the tenant's, as mongodump does; nobody posts meanwhile. */
export async function backUp(model: Model, { db, ledger: { tenantId } }: Real): Promise<void> {
  const read = async (name: string) => [name, await db.collection(name).find({ tenantId }).toArray()] as const;
  model.backup = {
    documents: new Map(await Promise.all(restored.map(read))),
    book: model.book.backup(),
    lastCommitMs: model.lastCommitMs,
  };
}

/**
 * Puts the tenant back to the backup. What was posted since is gone: its keys are free, its
 * sequences are given away again, and a head that was published since shows it.
 */
export async function restore(model: Model, real: Real): Promise<void> {
  const { backup } = model;
  if (backup === undefined) return;
  const { db, ledger } = real;
  const { tenantId } = ledger;
  const document = (await db.collection("heads").findOne({ tenantId })) as unknown as HeadDocument;
  const published: PublishedHead = { tenantId, ...headFromDocument(document) };
  for (const [name, documents] of backup.documents) {
    await db.collection(name).deleteMany({ tenantId });
    if (documents.length > 0) await db.collection(name).insertMany(documents.map((one) => ({ ...one })));
  }
  const restoredHead = headFromDocument(
    (await db.collection("heads").findOne({ tenantId })) as unknown as HeadDocument,
  );
  const isBehind = published.seq > restoredHead.seq || published.records > restoredHead.records;
  model.book.restore(backup.book);
  model.lastCommitMs = backup.lastCommitMs;
  await takeOver(model, real);
  const { faults } = await ledger.verify({ published: [published] });
  expect(faults.length > 0).toBe(isBehind);
  if (isBehind) count(model.paths, "a restore that a published head shows");
}
