import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../../kernel/time/clock.js";
import { printJson } from "../../../kernel/json.js";
import type { Logger } from "../../../kernel/process/log.js";
import { workOff, type Due } from "../../../kernel/polling/work-off.js";
import type { Installation, Installations } from "../../../platform/plugins/installations.js";
import {
  NotPublished,
  publishedAtOf,
  publishedListOf,
  type FetchedFile,
  type PublishedLists,
  type Validators,
} from "../clients/published-lists.js";
import type { AuditEntry } from "../../common/domain/audit.js";
import { seeAgain } from "../loading/request-load.js";
import { hasFailedLately, loadFetched, type FetchedPart } from "../loading/load-fetched.js";
import type { ListPluginStore, WatchedListPlugin } from "../store/list-plugins.js";
import type { ComplianceStore } from "../../decisions/store/index.js";
import type { ScreeningListStore, StoredList } from "../store/screening-lists.js";

export interface ListPluginDeps {
  plugins: ListPluginStore;
  lists: { store: ScreeningListStore; wake(): Promise<void> };
  store: Pick<ComplianceStore, "forTenant">;
  installations: Installations;
  published: Pick<PublishedLists, "get">;
  /** Real time. */
  clock: Clock;
  log: Logger;
  /** How often it is looked which are due, ms. */
  listPollMs?: number;
  /** How often each is looked at: whether it is enabled, changed or gone, ms. */
  pollEachMs?: number;
  /** How soon it is fetched again after a publisher did not answer, ms. */
  retryMs?: number;
}

// One that hangs must not keep the others' from being fetched.
const fetchedAtOnce = 4;
/** Longer than four files may take. */
const takenForMs = 600_000;

/**
 * Fetches the lists of tenants' plugins when they are due. Any number of replicas may;
 * one fetches a plugin's at a time.
 */
export function startListPlugins(deps: ListPluginDeps) {
  const { plugins, clock, log, listPollMs = 15_000, pollEachMs = 60_000, retryMs = 300_000 } = deps;
  const ending = new AbortController();
  const fetchList = listFetching(deps, ending.signal);
  let running: Promise<unknown> | undefined;

  async function poll(row: WatchedListPlugin): Promise<void> {
    const { tenantId, installationId } = row;
    const call = { tenantId, interactionId: `list-plugin-${installationId}` };
    const ofTenant = plugins.forTenant(tenantId);
    const found = await deps.installations.find(installationId, call);
    if (found === undefined) return ofTenant.forget(installationId);
    const now = clock.now();
    const isDue = row.fetchAt === undefined || row.fetchAt <= now || row.revision !== found.revision;
    const change = isDue && isFetched(found, await deps.installations.of(call)) ? await fetchOnce(row, found) : {};
    await ofTenant.set(installationId, { ...change, dueAt: new Date(clock.now().getTime() + pollEachMs) });
  }

  /** What is known of it then. */
  async function fetchOnce(row: WatchedListPlugin, found: Installation): Promise<Partial<WatchedListPlugin>> {
    const { tenantId, installationId } = row;
    const { revision } = found;
    try {
      const fetched = await fetchList(row, found);
      // Give or take a tenth, so that not everybody asks at the same moment.
      const pauseMs = publishedListOf(found).everyMs * (0.9 + Math.random() / 5);
      return { ...fetched, revision, fetchAt: new Date(clock.now().getTime() + pauseMs) };
    } catch (error) {
      if (!(error instanceof NotPublished)) throw error;
      // The process ends: another one fetches it.
      if (ending.signal.aborted) return {};
      log.warn({ tenantId, installationId, why: error.message }, "a list could not be fetched by a plugin");
      const fetchAt = new Date(clock.now().getTime() + retryMs);
      // What another address said of its files says nothing of these.
      return { revision, fetchAt, ...(revision !== row.revision && { sha256: "", said: [] }) };
    }
  }

  const due: Due<WatchedListPlugin> = {
    clock,
    takenForMs,
    take: plugins.takeDue,
    work: (row) =>
      poll(row).catch(async (err: unknown) => {
        const { tenantId, installationId } = row;
        log.warn({ err, tenantId, installationId }, "a plugin's list could not be looked at; it is tried again");
        const dueAt = new Date(clock.now().getTime() + pollEachMs);
        await plugins.forTenant(tenantId).set(installationId, { dueAt });
      }),
    atOnce: fetchedAtOnce,
    signal: ending.signal,
  };

  const timer = setInterval(() => {
    running ??= workOff(due)
      .catch((err: unknown) => log.warn({ err }, "cannot look for lists of plugins"))
      .finally(() => (running = undefined));
  }, listPollMs);
  timer.unref();

  return {
    async stop(): Promise<void> {
      ending.abort();
      clearInterval(timer);
      await running;
    },
  };
}

/** Of several of a type the oldest one alone, so that two do not take turns. */
function isFetched({ installationId, type }: Installation, all: readonly Installation[]): boolean {
  const first = all.find((one) => one.type === type && one.status === "ENABLED");
  return first?.installationId === installationId;
}

type FetchedState = Pick<WatchedListPlugin, "sha256" | "said">;

/** Fetches a list and has it loaded as the tenant's own, or sees that it is the same still. */
function listFetching({ lists, store, published, clock }: ListPluginDeps, signal: AbortSignal) {
  /** Undefined where all files are as they were known; of one that is not, all are fetched. */
  async function filesOf(installation: Installation, tenantId: string, known: readonly Validators[]) {
    const { files } = publishedListOf(installation);
    const call = { tenantId, installation, signal };
    const begun: FetchedFile[] = [];
    for (const [index, file] of files.entries()) {
      const got = await published.get(file, call, known[index]);
      begun.push(got);
      if (!got.isSame) break;
    }
    if (begun.every(({ isSame }) => isSame)) return undefined;
    const validators: Validators[] = [];
    async function* fetched(): AsyncGenerator<FetchedPart> {
      for (const [index, file] of files.entries()) {
        const early = begun[index];
        const got = early?.isSame === false ? early : await published.get(file, call);
        if (got.isSame) throw new NotPublished("answered 304 to who knows nothing");
        validators.push(got.validators);
        yield { part: file.part, stream: got.stream };
      }
    }
    return { fetched: fetched(), said: validators };
  }

  async function load(row: WatchedListPlugin, installation: Installation, isAnew: boolean): Promise<FetchedState> {
    const { tenantId: owner, installationId } = row;
    const { source, isPublishers } = publishedListOf(installation);
    const { configuredBy } = installation;
    // Whoever set it up does not approve what it loads; where nobody knows
    // who that is, it could be anybody.
    if (configuredBy === undefined || configuredBy === "") throw new NotPublished("nobody knows who has set it up");
    const now = clock.now();
    const after = (await lists.store.forOwner(owner).findNewest(source))?.version ?? 0;
    const isKnown = !isAnew && row.revision === installation.revision;
    const found = await filesOf(installation, owner, isKnown ? (row.said ?? []) : []);
    if (found === undefined) {
      const seen = { owner, source, sha256: row.sha256 ?? "", now };
      if ((await seeAgain(lists.store, seen)) !== undefined || (await hasFailedLately(lists.store, seen))) return {};
      // It gave way to another version: it is loaded again, as whatever is published.
      return load(row, installation, true);
    }
    const { said: validators } = found;
    const requested = { owner, source, now, after, loadedBy: configuredBy, plugin: { installationId, isPublishers } };
    const { sha256 } = await loadFetched(
      lists.store,
      { ...requested, fetched: found.fetched, publishedAt: () => publishedAtOf(validators, now) },
      (made) => store.forTenant(owner).insertAudit(auditOf(made, installation, now)),
    );
    // Whoever fetches need not wait for it, and it is begun within seconds by itself.
    void lists.wake().catch(() => undefined);
    return { sha256, said: validators };
  }

  return (row: WatchedListPlugin, installation: Installation) => load(row, installation, false);
}

/** That it was asked for, as for what people load. */
function auditOf(list: Partial<StoredList>, { installationId, configuredBy: by }: Installation, at: Date): AuditEntry {
  const { source, listId, version, sha256 } = list;
  const subject = `screening-list:${source}`;
  return {
    entryId: uuidv7(),
    at,
    actor: "compliance",
    role: "",
    action: "screening-list.load",
    subject,
    subjects: [subject, `screening-list:${listId}`],
    reason: "",
    content: printJson({ listId, source, version, sha256, by, plugin: installationId }),
    interactionId: `list-plugin-${installationId}`,
  };
}
