import type { Connection } from "mongoose";
import { createPublishedLists } from "../../deploy/partner/lists.js";
import { listSources, type ListSource } from "../../services/compliance/lists/domain/list-entry.js";
import { operatorsLists, operatorsSandboxLists } from "../../services/compliance/lists/domain/list-owner.js";
import { requestLoad } from "../../services/compliance/lists/loading/request-load.js";
import { leaseMs, loadList } from "../../services/compliance/lists/loading/load-list.js";
import { keepFile } from "../../services/compliance/lists/loading/uploads.js";
import { migrations } from "../../services/compliance/store/migrations.js";
import {
  createScreeningListStore,
  type ScreeningListStore,
} from "../../services/compliance/lists/store/screening-lists.js";
import { runMigrations } from "../../services/kernel/mongo/migrations.js";
import { silentLog, waitFor } from "./index.js";

/** A file of a list: its part ("" where a list is one file) and its bytes. */
export interface GivenFile {
  part: string;
  content: Uint8Array;
}

/** Later than any time that a test goes to: a list that was seen then is never too old. */
const neverStale = new Date("2100-01-01T00:00:00Z");

/**
 * Puts the sandbox partner's lists to use in compliance's database, for live tenants and for
 * sandboxes, as a load does: a service that starts on it has them in memory before it takes a call.
 * They stay current whatever the test's clock says.
 */
export async function useSandboxLists(db: Connection): Promise<void> {
  await runMigrations(db, migrations, silentLog);
  const store = createScreeningListStore(db);
  for (const [source, files] of createPublishedLists().sources()) {
    const given = files.map(({ part, content }) => ({ part: part === "LIST" ? "" : part, content }));
    for (const owner of [operatorsLists, operatorsSandboxLists]) {
      const { listId, status, reason } = await loadGiven(store, owner, sourceOf(source), given);
      if (status !== "ACTIVE") throw new Error(`the list ${source} of ${owner} is ${status}: ${reason}`);
      await store.forOwner(owner).seen(listId, neverStale);
    }
  }
}

/** Loads files as a version of a list, here and now; what became of it. */
export async function loadGiven(
  store: ScreeningListStore,
  owner: string,
  source: ListSource,
  given: readonly GivenFile[],
  loadedBy = "connector",
) {
  const now = new Date();
  const files = [];
  for (const { part, content } of given) {
    const uploadId = `given-${process.pid}-${(uploads += 1)}`;
    const sha256 = await keepFile(store, { owner, uploadId, now }, inOne(content));
    files.push({ part, uploadId, sha256 });
  }
  const requested = await requestLoad(store, { owner, source, files, loadedBy, now });
  const at = () => new Date();
  // A replica's own job may have taken it first.
  return waitFor(
    async () => {
      const due = await store.takeDue(at(), new Date(at().getTime() + leaseMs));
      if (due !== undefined) await loadList(due, { store, now: at });
      const list = await store.forOwner(owner).find(requested.listId);
      return list?.status === "LOADING" ? undefined : list;
    },
    { timeoutMs: 60_000 },
  );
}

let uploads = 0;

async function* inOne(content: Uint8Array) {
  yield content;
}

function sourceOf(text: string): ListSource {
  const source = listSources.find((one) => one === text);
  if (source === undefined) throw new Error(`${text} is no source of lists`);
  return source;
}
