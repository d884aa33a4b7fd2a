import type { Connection } from "mongoose";
import type { Kind } from "../../platform/messages/kinds.js";
import { perTenant } from "../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { SavedTemplate, TemplateKey } from "../domain/template-draft.js";
import { collections, type Session } from "./collections.js";

export type TemplateStore = ReturnType<typeof createTemplateStore>;

/** What organisations say in place of the shipped words. */
export function createTemplateStore(db: Connection) {
  const all = recordCollection<SavedTemplate>(db, collections.templates);
  const keyOf = ({ kind, channel, language }: TemplateKey) => ({ kind, channel, language });
  const read = (found: SavedTemplate): SavedTemplate => ({ ...found, revision: Number(found.revision) });

  return {
    forTenant: perTenant((tenantId: string) => {
      const own = all.forTenant(tenantId);
      return {
        async find(key: TemplateKey, session?: Session): Promise<SavedTemplate | undefined> {
          const found = await own.findOne(keyOf(key), { session });
          return found && read(found);
        },
        /** Of these kinds, or of all; in the order of kind, channel and language. */
        async list(kinds?: readonly Kind[]): Promise<SavedTemplate[]> {
          const sort = { kind: 1, channel: 1, language: 1 } as const;
          return (await own.find(kinds === undefined ? {} : { kind: { $in: [...kinds] } }, { sort })).map(read);
        },
        /** Onto the revision before it, or as the first; the transaction has read that. */
        async put(template: SavedTemplate, session: Session): Promise<void> {
          if (template.revision === 1) {
            await own.insertOne(template, { session });
            return;
          }
          const before = { ...keyOf(template), revision: template.revision - 1 };
          const { matchedCount } = await own.updateOne(before, { $set: template }, { session });
          if (matchedCount !== 1) throw new Error("a template changed inside this transaction's snapshot");
        },
        async remove(key: TemplateKey): Promise<boolean> {
          return (await own.deleteOne(keyOf(key))).deletedCount === 1;
        },
      };
    }),
  };
}
