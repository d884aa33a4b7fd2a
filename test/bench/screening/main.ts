// `npm run bench:screening -- FOLDER [--ofac=2019|2021|2025] [--quality] [--watchman=SOURCES]`: how
// well people are told from those on lists, and how fast, beside Watchman.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { searchBounds } from "../../../services/compliance/lists/domain/matcher/candidates.js";
import { shippedThreshold } from "../../../services/compliance/lists/domain/matcher/index.js";
import { stolenSince, ticks } from "../stolen.js";
import { arabicRows } from "./arabic.js";
import { besideQualityRows } from "./beside-quality.js";
import {
  listFiles,
  ofacFolders,
  partyOf,
  rowsOf,
  watchmanModule,
  watchmanSources,
  type OfacYear,
  type Person,
} from "./data.js";
import { loadLists, processorSeconds, searchAll, type LoadedList } from "./loaded-lists.js";
import { qualityRows, thresholdRows, thresholds } from "./quality.js";
import { startWatchman } from "./watchman.js";

const data = process.argv.find((argument, at) => at > 1 && !argument.startsWith("--")) ?? process.env.SCREENING_DATA;
if (data === undefined) throw new Error("name the folder of the data: npm run bench:screening -- FOLDER");
const year = process.argv.find((argument) => argument.startsWith("--ofac="))?.slice("--ofac=".length) ?? "2025";
if (!isOfacYear(year)) throw new Error(`--ofac is one of ${Object.keys(ofacFolders).join(", ")}`);
/** Counts alone, which no other work on the machine alters. */
const qualityOnly = process.argv.includes("--quality");
/**
 * Sources of another Watchman than the module's, such as its current
 * head; the lists stay the module's.
 */
const head = process.argv.find((argument) => argument.startsWith("--watchman="))?.slice("--watchman=".length);
const quick = process.argv.includes("--quick");
const clients = 16;
const seconds = quick ? 3 : 5;
const rounds = quick ? 1 : 3;
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-screening-"));
try {
  const sources = watchmanSources();
  const before = memory();
  const began = performance.now();
  const lists = await loadLists(listFiles(sources, data, year));
  const took = (performance.now() - began) / 1_000;
  const after = memory();
  const people = ["innocents-us.csv", "innocents-global.csv", "un-names-treated.csv"].flatMap((file) =>
    rowsOf<Person>(data, file),
  );
  // Every seventh after another, so that those who are on lists come between those who are not.
  const requested = people.map((_, at) => people[(7 * at) % people.length]!);
  const rows = {
    quality: qualityRows(data, lists),
    thresholds: thresholdRows(data, lists),
    arabic: await arabicRows(listFiles(sources, data, year)),
    load: [
      ...lists.map(loadRow),
      `| all | ${sum(lists, "entries")} | ${sum(lists, "names")} | | | ${megabytes(after - before)} measured |`,
    ],
    alone: qualityOnly ? [] : [aloneRow(lists, requested, false), aloneRow(lists, requested, true)],
    ...(await beside(data, lists, requested, sources, ofacFolders[year])),
  };
  report(rows, took);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function isOfacYear(text: string): text is OfacYear {
  return Object.hasOwn(ofacFolders, text);
}

function memory(): number {
  globalThis.gc?.();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

function sum(lists: readonly LoadedList[], what: "entries" | "names"): number {
  return lists.reduce((total, { index }) => total + index[what], 0);
}

function loadRow({ source, index, indexSeconds, readSeconds }: LoadedList): string {
  const { bytes, entries, names } = index;
  return `| ${source} | ${entries} | ${names} | ${readSeconds.toFixed(1)} | ${indexSeconds.toFixed(1)} | ${megabytes(bytes)} |`;
}

/** Of one caller, inside the process: processor time per search of all lists. */
function aloneRow(lists: readonly LoadedList[], requested: readonly Person[], isWhole: boolean): string {
  const parties = requested.map((person) => partyOf(person, isWhole));
  const means: number[] = [];
  const tookMs: number[] = [];
  for (let round = 0; round < 3; round++) {
    const began = processorSeconds();
    tookMs.length = 0;
    for (const party of parties) {
      const at = performance.now();
      searchAll(lists, { ...party });
      tookMs.push(performance.now() - at);
    }
    means.push((1_000 * (processorSeconds() - began)) / parties.length);
  }
  const sorted = tookMs.toSorted((a, b) => a - b);
  const quantile = (part: number) => sorted[Math.floor(sorted.length * part)]!.toFixed(2);
  const by = isWhole ? "name, date of birth and country" : "name only";
  return `| ${by} | ${means.map((mean) => mean.toFixed(2)).join(", ")} | ${quantile(0.5)} | ${quantile(0.99)} |`;
}

interface Found {
  perSecond: number;
  p50: number;
  p99: number;
  stolen: string;
}

async function beside(
  folder: string,
  lists: readonly LoadedList[],
  requested: readonly Person[],
  sources: string,
  ofac: string,
): Promise<{ beside: string[]; besideQuality: string[] }> {
  const ours = await serve(lists);
  const watchman = await startWatchman(head ?? sources, dir, join(sources, ofac));
  const paths = requested.map(
    ({ full_name: name }) =>
      `/v2/search?${new URLSearchParams({ name, type: "person", limit: "10", minMatch: "0.85" }).toString()}`,
  );
  try {
    const besideQuality = await besideQualityRows(
      folder,
      lists.find(({ source }) => source === "OFAC_SDN")!,
      watchman.address,
    );
    const rows: string[] = [];
    if (qualityOnly) return { beside: rows, besideQuality };
    for (const [load, gapMs] of [
      ["at full speed", 0],
      ["one every 200 ms per client", 200],
    ] as const) {
      const found: { ours: Found[]; watchman: Found[] } = { ours: [], watchman: [] };
      await ask(ours.address, gapMs, paths);
      for (let round = 0; round < rounds; round++) {
        found.ours.push(await ask(ours.address, gapMs, paths));
        found.watchman.push(await ask(watchman.address, gapMs, paths));
      }
      const [our, their] = [typicalOf(found.ours), typicalOf(found.watchman)];
      const ratio = (of: "perSecond" | "p50" | "p99") => (their[of] / our[of]).toFixed(2);
      rows.push(
        row(`ours, four lists, ${load}`, our, found.ours),
        row(`Watchman, OFAC alone, ${load}`, their, found.watchman),
        `| ratio of Watchman's to ours | ${ratio("perSecond")} | ${ratio("p50")} | ${ratio("p99")} |`,
      );
    }
    return { beside: rows, besideQuality };
  } finally {
    watchman.stop();
    ours.stop();
  }
}

function row(who: string, { p50, p99, perSecond }: Found, all: readonly Found[]): string {
  const others = all.map((each) => `${each.p99.toFixed(1)} at ${each.stolen}`).join(", ");
  return `| ${who} | ${Math.round(perSecond)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} (${others}) |`;
}

async function serve(lists: readonly LoadedList[]): Promise<{ address: string; stop(): void }> {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "", "http://localhost").searchParams.get("name") ?? "";
    const entities = searchAll(lists, { kind: "PERSON", names: [name], countries: [], documents: [] });
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ entities: entities.slice(0, 10) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() };
}

async function ask(address: string, gapMs: number, paths: readonly string[]): Promise<Found> {
  const before = ticks();
  const hooks = ["--import", "./test/bench/edge/hooks.mjs", "test/bench/screening/load.ts"];
  const requested = JSON.stringify(paths.slice(0, 800));
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...hooks,
    address,
    String(clients),
    String(seconds),
    String(gapMs),
    requested,
  ]);
  return { ...(JSON.parse(stdout) as Found), stolen: stolenSince(before) };
}

/** The round whose p99 is the median. */
function typicalOf(found: readonly Found[]): Found {
  return found.toSorted((a, b) => a.p99 - b.p99)[Math.floor(found.length / 2)]!;
}

function report(
  rows: Record<"quality" | "thresholds" | "arabic" | "besideQuality" | "load" | "alone" | "beside", string[]>,
  took: number,
): void {
  const text = [
    "# Screening",
    "",
    `\`npm run bench:screening -- FOLDER\`: ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load average at the end`,
    `${loadavg()[0]?.toFixed(1)}. Threshold ${shippedThreshold}.`,
    "",
    "| what | target | found |",
    "| --- | --- | --- |",
    ...rows.quality,
    "",
    "People on no list who are alerted by name alone on OFAC's, the EU's and the UN's lists, by threshold:",
    "",
    `| people | ${thresholds.join(" | ")} |`,
    `| --- | ${thresholds.map(() => "---").join(" | ")} |`,
    ...rows.thresholds,
    "",
    "Names in Arabic letters, each asked of its own list without such names:",
    "",
    "| list | people found | with companies |",
    "| --- | --- | --- |",
    ...rows.arabic,
    "",
    "OFAC's list alone, by name alone: people on no list who are alerted, and the UN's names with typos that find anybody:",
    "",
    "| who | alerted | found |",
    "| --- | --- | --- |",
    ...rows.besideQuality,
    "",
    `Lists, OFAC's of ${year}, loaded in ${took.toFixed(1)} s on the clock. Seconds are of the processor, megabytes what the index says of itself.`,
    "",
    "| list | entries | names | reading, s | index, s | MB |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.load,
    "",
    `One caller, four lists, in the process; at most ${searchBounds.names} names of a list are compared per name.`,
    "",
    "| asked by | processor time per search, ms (each round) | p50, ms | p99, ms |",
    "| --- | --- | --- | --- |",
    ...rows.alone,
    "",
    `${clients} clients over HTTP, the same names to both in turns, by name only; Watchman is ${watchmanModule}, without libpostal.`,
    "",
    "| who | searches per second | p50, ms | p99, ms (each round, and what the host took of the processors) |",
    "| --- | --- | --- | --- |",
    ...rows.beside,
    "",
  ].join("\n");
  process.stdout.write(text);
}
