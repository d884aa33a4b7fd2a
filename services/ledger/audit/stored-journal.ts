import { emptyHead } from "../domain/journal.js";
import type { TenantStore } from "../store/index.js";
import type { JournalSource } from "./verify.js";

/** A tenant's journal as its store holds it. */
export function storedJournal(store: TenantStore, tenantId: string): JournalSource {
  return {
    tenantId,
    head: async () => (await store.findHead()) ?? emptyHead(tenantId),
    transfersAfter: (seq) => store.transfersAfter(seq),
    async accountsAfter(accountId, limit) {
      const { accounts, sumsSeq } = await store.accountDaysAfter(accountId, limit);
      return accounts.map((account) => ({ ...account, sumsSeq }));
    },
    volumesAfter: (day) => store.storedVolumesAfter(day),
    reversalsAfter: (key) => store.reversalsAfter(key, 1_000),
    recordsAfter: (number) => store.recordsAfter(number),
    refusalsOf: (keys) => store.refusalsOf(keys),
    refusalsAfter: (key) => store.refusalsAfter(key, 1_000),
    pendingsOf: (keys) => store.pendingsOf(keys),
  };
}
