import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLog, testDatabase, waitFor } from "../../../../test/support/index.js";
import { systemClock } from "../../../kernel/time/clock.js";
import { runMigrations } from "../../../kernel/mongo/migrations.js";
import type { Installation } from "../../../platform/plugins/installations.js";
import { pluginTypes } from "../../../platform/plugins/types/index.js";
import { checkPublishedList } from "../clients/list-checks.js";
import { createPublishedLists, publishedListOf } from "../clients/published-lists.js";
import { createComplianceStore } from "../../decisions/store/index.js";
import { migrations } from "../../store/migrations.js";
import { createListPluginStore } from "../store/list-plugins.js";
import { createScreeningListStore, type StoredList } from "../store/screening-lists.js";
import type { ListSource } from "../domain/list-entry.js";
import { operatorsLists } from "../domain/list-owner.js";
import { assertMayApprove } from "../domain/screening-list.js";
import { buildListIndex } from "../loading/build-index.js";
import { loadFetched } from "../loading/load-fetched.js";
import { createListSnapshots } from "../loading/snapshots.js";
import { startListPlugins } from "./list-plugins.js";
import { startListJobs } from "./screening-lists.js";

jest.setTimeout(120_000);

let database: Awaited<ReturnType<typeof testDatabase>>;
let lists: ReturnType<typeof createScreeningListStore>;
let plugins: ReturnType<typeof createListPluginStore>;
const stops: (() => Promise<void>)[] = [];

/** What a publisher's server does with a request, by path. */
const pages = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
const requested: { path: string; status: number }[] = [];
let [underWay, mostUnderWay] = [0, 0];
const server = createServer((request, response) => {
  underWay += 1;
  mostUnderWay = Math.max(mostUnderWay, underWay);
  response.on("close", () => {
    underWay -= 1;
    requested.push({ path: request.url!, status: response.statusCode });
  });
  const page = pages.get(request.url!);
  if (page === undefined) response.writeHead(404).end();
  else page(request, response);
});
const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

beforeAll(async () => {
  database = await testDatabase("list_plugins");
  await runMigrations(database.db, migrations, silentLog);
  [lists, plugins] = [createScreeningListStore(database.db), createListPluginStore(database.db)];
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  pages.clear();
  installed.clear();
  [underWay, mostUnderWay] = [0, 0];
  requested.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await database.close();
});

const published = (name: string) => readFileSync(`deploy/partner/lists/${name}`, "utf8");
/** Says that a file is the same to whoever knows its tag. */
function publish(path: string, text: string, { etag = '"1"', lastModified = "Thu, 05 Nov 2026 08:00:00 GMT" } = {}) {
  pages.set(path, (request, response) => {
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { etag, "last-modified": lastModified, "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
}

const installed = new Map<string, Installation[]>();
let made = 0;
function install(tenantId: string, type: string, path: string, part: Partial<Installation> = {}): Installation {
  made += 1;
  const plugin: Installation = {
    installationId: `list-plugin-${made}`,
    type,
    status: "ENABLED",
    configuration: { url: urlOf(path), everyHours: 1 },
    secrets: {},
    name: "Ours",
    missingSecrets: [],
    routes: [],
    revision: 1,
    configuredBy: "MA1",
    ...part,
  };
  installed.set(tenantId, [...(installed.get(tenantId) ?? []), plugin]);
  return plugin;
}

const openPublished = (allowed = ["http://127.0.0.1:*"], maxBytes = 4_000_000) => {
  const opened = createPublishedLists({
    resolve: async () => [],
    allowedOf: () => allowed,
    notes: { note: () => undefined },
    maxBytes,
    timeoutMs: 10_000,
  });
  stops.push(async () => opened.close());
  return opened;
};

/**
 * Which looks for what is due all the time; what was fetched is due
 * again as soon as a test says so.
 */
async function startReplica(watched: readonly { tenantId: string; plugin: Installation }[], maxBytes?: number) {
  const snapshots = createListSnapshots({ store: lists, buildIndex: buildListIndex });
  const clock = systemClock;
  const jobs = startListJobs({ store: lists, snapshots, connectors: [], clock, log: silentLog, listPollMs: 50 });
  // Nothing that is sealed is read here.
  const store = createComplianceStore(database.db, undefined as never);
  const fetching = startListPlugins({
    plugins,
    lists: { store: lists, wake: jobs.wake },
    store,
    published: openPublished(undefined, maxBytes),
    installations: {
      of: async ({ tenantId }) => installed.get(tenantId) ?? [],
      find: async (id, { tenantId }) => installed.get(tenantId)?.find((one) => one.installationId === id),
    },
    clock,
    log: silentLog,
    listPollMs: 20,
    pollEachMs: 20,
    retryMs: 50,
  });
  stops.push(fetching.stop, jobs.stop);
  for (const { tenantId, plugin } of watched) {
    await plugins.forTenant(tenantId).watch(plugin.installationId, new Date());
  }
}

const versionsOf = (tenantId: string, source: ListSource) => lists.forOwner(tenantId).list({ limit: 20 }, { source });
const newest = (tenantId: string, source: ListSource, status: string, version = 1): Promise<StoredList> =>
  waitFor(
    async () => {
      const [found] = await versionsOf(tenantId, source);
      return found?.status === status && found.version === version ? found : undefined;
    },
    { timeoutMs: 60_000, what: `version ${version} of ${source} that is ${status}` },
  );
/** Once what the last fetch found is written down. */
async function fetchAgain(tenantId: string, { installationId }: Installation) {
  const rows = database.db.collection("list_plugins");
  const isWritten = async () => {
    const row = await rows.findOne({ tenantId, installationId });
    return row?.["fetchAt"] > new Date();
  };
  await waitFor(isWritten, { timeoutMs: 60_000, what: "the fetch to be written down" });
  await plugins.forTenant(tenantId).set(installationId, { fetchAt: new Date(0) });
}
const un = published("un.xml");

test("a list is loaded as the tenant's own; the same again, by its tag, is current as of now", async () => {
  publish("/un.xml", un);
  const plugin = install("t-un", "screening-un", "/un.xml");
  await startReplica([{ tenantId: "t-un", plugin }]);
  const first = await newest("t-un", "UN", "ACTIVE");
  expect(first).toMatchObject({ loadedBy: "MA1", plugin: { installationId: plugin.installationId } });
  expect(first.entries).toBeGreaterThan(0);
  const audit = await database.db.collection("audit").findOne({ tenantId: "t-un", action: "screening-list.load" });
  expect(JSON.parse(String(audit!["content"]))).toMatchObject({ by: "MA1", plugin: plugin.installationId });
  await fetchAgain("t-un", plugin);
  await waitFor(async () => (await lists.forOwner("t-un").find(first.listId))!.lastSeenAt > first.lastSeenAt);
  expect(requested.map(({ status }) => status)).toEqual([200, 304]);
  expect(await versionsOf("t-un", "UN")).toHaveLength(1);
});

test("OFAC's four files are one list, of the newest one's time; one that changes makes a version, behind a redirect too", async () => {
  const folder = { "SDN.CSV": "sdn", "ALT.CSV": "alt", "ADD.CSV": "add", "SDN_COMMENTS.CSV": "sdn_comments" };
  for (const [path, name] of Object.entries(folder)) publish(`/ofac/${path}`, published(`${name}.csv`));
  publish("/ofac/ADD.CSV", published("add.csv"), { lastModified: "Fri, 06 Nov 2026 08:00:00 GMT" });
  const plugin = install("t-ofac", "screening-ofac", "/ofac");
  await startReplica([{ tenantId: "t-ofac", plugin }]);
  const first = await newest("t-ofac", "OFAC_SDN", "ACTIVE");
  expect(first.publishedAt).toEqual(new Date("2026-11-06T08:00:00Z"));
  publish("/signed/alt", `${published("alt.csv").trimEnd()}\n90001,990001,"aka","VORSKUTYN, Jaro",-0- \n`, {
    etag: '"2"',
  });
  pages.set("/ofac/ALT.CSV", (_request, response) => void response.writeHead(302, { location: "/signed/alt" }).end());
  await fetchAgain("t-ofac", plugin);
  await waitFor(async () => (await versionsOf("t-ofac", "OFAC_SDN")).length === 2, { timeoutMs: 60_000 });
  expect(requested.filter(({ status }) => status === 302).length).toBeGreaterThan(0);
});

test("the first one waits where the operator's counted, and not for who set the plugin up", async () => {
  const now = new Date();
  const operators = { owner: operatorsLists, source: "UN", loadedBy: "connector", now } as const;
  const stream = (async function* () {
    yield Buffer.from(un);
  })();
  await loadFetched(lists, { ...operators, fetched: [{ part: "", stream }] });
  publish("/un.xml", un.replace("</CONSOLIDATED_LIST>", "<!-- as of today --></CONSOLIDATED_LIST>"));
  const plugin = install("t-first", "screening-un", "/un.xml", { status: "PAUSED" });
  await startReplica([{ tenantId: "t-first", plugin }]);
  await newest(operatorsLists, "UN", "ACTIVE");
  installed.set("t-first", [{ ...plugin, status: "ENABLED" }]);
  const waiting = await newest("t-first", "UN", "WAITING");
  expect(waiting.reason).toBe("takes the place of the operator's list for this organisation");
  expect(() => assertMayApprove(waiting, "MA1")).toThrow("whoever loaded a list does not approve it");
  expect(() => assertMayApprove(waiting, "MA2")).not.toThrow();
});

test("from an address of the tenant's own what is changed waits; from the publisher's it is taken", async () => {
  const loadAs = async (owner: string, text: string, isPublishers: boolean) => {
    const stream = (async function* () {
      yield Buffer.from(text);
    })();
    const plugin = { installationId: "p", isPublishers };
    const requested = { owner, source: "UN", loadedBy: "MA1", plugin, now: new Date() } as const;
    await loadFetched(lists, { ...requested, fetched: [{ part: "", stream }] });
  };
  await startReplica([]);
  const changed = un.replace(/<NATIONALITY>\s*<VALUE>[^<]*/, "<NATIONALITY><VALUE>Peru");
  expect(changed).not.toBe(un);
  for (const [owner, isPublishers, status] of [
    ["t-own", false, "WAITING"],
    ["t-theirs", true, "ACTIVE"],
  ] as const) {
    await loadAs(owner, un, isPublishers);
    await settled(owner);
    await approve(owner);
    await loadAs(owner, changed, isPublishers);
    await newest(owner, "UN", status, 2);
  }
});

/** Of what waits since the operator's is there. */
async function approve(owner: string) {
  const [list] = await versionsOf(owner, "UN");
  if (list!.status === "WAITING") await lists.forOwner(owner).swap(list!, { approvedBy: "MA2" });
}
const settled = (owner: string) =>
  waitFor(async () => (await versionsOf(owner, "UN"))[0]!.status !== "LOADING", { timeoutMs: 60_000 });

test("only addresses that we ship are the publishers'", () => {
  for (const { name, configuration } of pluginTypes.filter(({ kind }) => kind === "SCREENING_LIST")) {
    const { url } = (configuration as { properties: { url: { default: string } } }).properties;
    const plugin = (at: string, secrets = {}) =>
      publishedListOf({ type: name, configuration: { url: at, everyHours: 6 }, secrets } as never);
    expect(plugin(url.default).isPublishers).toBe(true);
    expect(plugin(url.default).everyMs).toBe(6 * 3_600_000);
    expect(plugin("https://lists.example/").isPublishers).toBe(false);
  }
  const { files } = publishedListOf({
    type: "screening-eu",
    configuration: { url: "https://lists.example/eu?a=1", everyHours: 6 },
    secrets: { token: "x y" },
  } as never);
  expect(files[0]!.url.href).toBe("https://lists.example/eu?a=1&token=x+y");
});

test("what is no such list is FAILED once, and what does not come is fetched again; the one in use stays", async () => {
  publish("/un.xml", un);
  const plugin = install("t-bad", "screening-un", "/un.xml");
  await startReplica([{ tenantId: "t-bad", plugin }]);
  await settledOnce("t-bad");
  await approve("t-bad");
  const first = await newest("t-bad", "UN", "ACTIVE");
  publish("/un.xml", un.slice(0, un.length / 2), { etag: '"cut"' });
  await fetchAgain("t-bad", plugin);
  await newest("t-bad", "UN", "FAILED", 2);
  await fetchAgain("t-bad", plugin);
  await waitFor(() => requested.at(-1)!.status === 304);
  pages.set("/un.xml", (_request, response) => {
    response.writeHead(200, { "content-length": un.length });
    response.end(un.slice(0, 100), () => response.destroy());
  });
  const before = requested.length;
  await fetchAgain("t-bad", plugin);
  await waitFor(() => requested.length >= before + 2, { timeoutMs: 60_000 });
  expect(await versionsOf("t-bad", "UN")).toHaveLength(2);
  expect(await lists.forOwner("t-bad").findActive("UN")).toMatchObject({ listId: first.listId });
});

test("a publisher that lacks its token is not asked", async () => {
  publish("/eu.csv", "x");
  const plugin = install("t-none", "screening-eu", "/eu.csv", { missingSecrets: ["token"] });
  const get = openPublished().get(publishedListOf(plugin).files[0]!, { tenantId: "t-none", installation: plugin });
  const why = `plugin ${plugin.installationId} is not called without its secret token`;
  await expect(get).rejects.toMatchObject({ name: "NotPublished", message: why });
  expect(requested).toEqual([]);
});

test("two replicas fetch a plugin's list one at a time; a plugin that is gone is looked at no more", async () => {
  publish("/un.xml", un);
  const plugin = install("t-two", "screening-un", "/un.xml");
  await startReplica([]);
  await startReplica([{ tenantId: "t-two", plugin }]);
  await settledOnce("t-two");
  expect([mostUnderWay, requested.length]).toEqual([1, 1]);
  expect(await versionsOf("t-two", "UN")).toHaveLength(1);
  installed.delete("t-two");
  const rows = database.db.collection("list_plugins");
  await waitFor(async () => (await rows.countDocuments({ tenantId: "t-two" })) === 0);
});
const settledOnce = (owner: string) =>
  waitFor(async () => ["ACTIVE", "WAITING"].includes((await versionsOf(owner, "UN"))[0]?.status ?? ""), {
    timeoutMs: 60_000,
  });

describe("a test", () => {
  const check = async (path: string, type = "screening-un", allowed?: string[]) => {
    const plugin = install("t-check", type, path);
    const checks = await checkPublishedList(plugin, "t-check", openPublished(allowed, 100_000));
    return checks.map(({ result, detail }) => `${result} ${detail}`);
  };
  test("says how many entries there are, and how old the list is", async () => {
    publish("/un.xml", un);
    expect(await check("/un.xml")).toEqual([
      "PASSED ",
      "PASSED ",
      expect.stringMatching(/^PASSED \d+ entries$/),
      expect.stringMatching(/^PASSED published on \d{4}-\d{2}-\d{2}, \d+ days ago$/),
    ]);
  });
  test.each([
    ["/missing.xml", /^FAILED the file: answered 404$/],
    ["/loop", /^FAILED the file: redirects more than 3 times$/],
    ["/endless", /^FAILED the file: the file has more than/],
    ["/packed", /^FAILED the file: answers in gzip/],
  ])("%s", async (path, first) => {
    pages.set("/loop", (_request, response) => void response.writeHead(302, { location: "/loop" }).end());
    pages.set("/endless", (_request, response) => void response.end(`<CONSOLIDATED_LIST>${" ".repeat(200_000)}`));
    pages.set("/packed", (_request, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end("x"));
    const [address, ...others] = await check(path);
    expect(address).toMatch(first);
    expect(others.every((one) => one.startsWith("FAILED not reached"))).toBe(true);
  });
  test("another file is no such list", async () => {
    publish("/uk.csv", published("uk.csv"));
    const [address, format] = await check("/uk.csv");
    expect(address).toBe("PASSED ");
    expect(format).toMatch(/^FAILED /);
  });
  test("a live tenant's publisher is never on this machine", async () => {
    publish("/un.xml", un);
    expect((await check("/un.xml", "screening-un", []))[0]).toBe("FAILED the file: the address is not public");
    expect(requested).toEqual([]);
  });
});
